package patience

// hemispheres is what a position of «Полушарія» is worth to the lookout.
func hemispheres(t *table) int {
	p := t.plan
	behind, ahead := t.runs()
	value := 200 * int(t.score)
	for pile := p.foundations; pile < p.turned; pile++ {
		switch {
		case p.group[pile].kind == "w":
			value -= 76 * int(t.n[pile])
		case t.n[pile] == 0:
			value += 95
		default:
			value += t.column(pile, &behind, &ahead)
		}
	}
	waste := p.turned - 1
	return value + 116*t.fitting(p.to[p.turned]&^(1<<waste))/100
}

// runs are how far each suit's two foundations have got: the one behind, and the one ahead.
func (t *table) runs() (behind, ahead [4]int) {
	for i := range t.plan.foundations {
		if t.n[i] == 0 {
			continue
		}
		suit := t.top[i].card().Suit()
		behind[suit], ahead[suit] = min(max(behind[suit], int(t.n[i])), ahead[suit]), max(ahead[suit], int(t.n[i]))
	}
	return behind, ahead
}

// column is what the order of a column is worth. It is good for a card to lie on the next of its suit, bad to lie on
// others, on lower ones of its suit above all, and bad to be covered, the worse the sooner it is needed.
func (t *table) column(pile int, behind, ahead *[4]int) int {
	value, covers := 0, 0
	var highest [4]int
	for id := t.top[pile]; id != 0; id = t.under[id] {
		card := id.card()
		rank, suit := low(card), card.Suit()
		need := rank - ahead[suit]
		if need <= 0 {
			need = max(1, rank-behind[suit])
		}
		value -= 34 * covers / need
		covers++
		if under := t.under[id].card(); under != 0 {
			if under.Suit() == suit && low(under) == rank+1 {
				value += 80
			} else {
				value -= 76
			}
		}
		if highest[suit] > rank {
			value -= 35
		}
		highest[suit] = max(highest[suit], rank)
	}
	return value
}
