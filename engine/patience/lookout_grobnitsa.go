package patience

// tomb is what a position of «Гробница» is worth to the lookout. Above all the walls must come down.
func tomb(t *table) int {
	var base [4]int
	p := t.plan
	for i := range p.foundations {
		if t.n[i] > 0 && t.n[i] < 26 {
			card := t.top[i].card()
			base[card.Suit()] = low(card)
		}
	}
	value := 1000 * int(t.score)
	for pile := p.foundations; pile < p.stock; pile++ {
		switch p.group[pile].kind {
		case "a":
			value -= 900 * int(t.n[pile])
			if card := t.top[pile]; t.unknown(card) {
				value += 200
			} else if card != 0 {
				value += 60 / toBase(card, &base)
			}
		case "b":
			value += 80 * int(t.n[pile])
		case "w":
			covers := 0
			for card := t.top[pile]; card != 0; card = t.under[card] {
				value -= 30*min(covers, 10)/toBase(card, &base) - 40
				covers++
			}
		}
	}
	return value + 10*t.fitting(p.to[p.draws.first])
}

// toBase is how many cards the base of the card's suit needs up to this one.
func toBase(i id, base *[4]int) int {
	card := i.card()
	switch on := base[card.Suit()]; {
	case on == 0:
		return 15 - low(card)
	case on > low(card):
		return on - low(card)
	default:
		return on - low(card) + 13
	}
}
