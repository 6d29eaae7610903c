package banchok

// odds are how many of the cards that may be turned next would be covered by the hand, out of all that may, for
// somebody at the seat who has watched everything: any card of the pack's uppermost layer that he hasn't seen since it
// was shuffled is as likely as any other (RULES.md 6.8; at the beginning of a bank these are the 101 cards that the
// punter doesn't hold). They follow from what that seat has seen alone: what is left of the layer is what it was made of less what
// has come out of it in the open.
func (st *state) odds(seat int, h *hand) (good, all int) {
	for _, card := range st.pack.topLayer() {
		all++
		if h.cover(card) != 0 {
			good++
		}
	}
	for other := range st.seats {
		if other == seat || other == st.punter && st.shown {
			continue
		}
		o := &st.hands[other]
		for i, card := range o.all() {
			if o.layers[i] != st.pack.top {
				continue
			}
			all++
			if h.cover(card) != 0 {
				good++
			}
		}
	}
	return good, all
}

// perMille is the chance of the punter's hand, to the nearest thousandth.
func (st *state) perMille() int32 {
	good, all := st.odds(st.punter, &st.hands[st.punter])
	return int32((2000*good + all) / (2 * all))
}
