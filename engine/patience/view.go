package patience

import "zevaka/engine"

// View shows every pile as it lies: the stock face down, of a squared pile the uppermost card, the others whole. All
// see the same but the Referee, who sees every card. The piles stand in the order of their indices in moves.
func (st *state) View(s engine.Seat) engine.View {
	p := st.plan
	view := engine.View{
		Piles: make([]engine.Pile, p.piles),
		Turn:  append([]engine.Seat(nil), st.Turn()...),
		Note:  st.note(),
		Over:  st.end != notOver,
	}
	view.Finishes = st.Finish() != nil
	for i := range view.Piles {
		g := p.group[i]
		view.Piles[i] = engine.Pile{
			Name: pileName(p.groups, i), Kind: g.kind, Role: role(g.kind), AsOne: g.asOne, Row: p.row[i], Column: p.column[i],
			Seat: engine.Nobody, Cards: st.cards(i, s == engine.Referee), Next: st.next(i),
		}
	}
	view.Offers = st.Moves(0, nil)
	return view
}

// cards are a pile's cards from the bottom, those that may be seen face up.
func (t *table) cards(pile int, all bool) []engine.Card {
	cards := make([]engine.Card, t.n[pile])
	seen := 0
	switch t.plan.group[pile].shows {
	case allCards:
		seen = len(cards)
	case topCard:
		seen = 1
	}
	if all {
		seen = len(cards)
	}
	card := t.top[pile]
	for i := len(cards) - 1; i >= max(0, len(cards)-seen); i-- {
		cards[i] = card.card()
		card = t.under[card]
	}
	return cards
}

// next are the cards that a pile takes where it is built up for good, nil for other piles.
func (t *table) next(pile int) []engine.Card {
	if g := t.plan.group[pile]; g.kind != foundation && g.kind != centre || t.end != notOver {
		return nil
	}
	var cards []engine.Card
	for rank := 2; rank <= engine.Ace; rank++ {
		for suit := engine.Spades; suit <= engine.Hearts; suit++ {
			if card := engine.NewCard(rank, suit); t.wants[pile].has(card) {
				cards = append(cards, card)
			}
		}
	}
	return cards
}

// note is the remark that belongs to the position.
func (t *table) note() string {
	if t.end != notOver {
		return t.end.note()
	}
	var some [maxPiles]engine.Move
	switch {
	case t.waiting():
		return NotePlaceTurned
	case len(t.puts(some[:0], 1)) > 0:
		return ""
	case t.mayDraw():
		return NoteMayDraw
	}
	return NoteMayRedeal
}
