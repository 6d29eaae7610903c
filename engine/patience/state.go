package patience

import "zevaka/engine"

// state is one deal of a patience of the machine.
type state struct {
	table
	course
	shown []engine.Card
}

// newState shuffles and deals.
func newState(p *plan, shuffler engine.Shuffler) *state {
	st := &state{course: newCourse(shuffler)}
	pack := twoPacks()
	shuffler.Shuffle(pack)
	if p.arrange != nil {
		st.shown = p.arrange(pack)
	}
	st.table = newTable(p, pack)
	st.finish()
	return st
}

// Shown are cards that everybody saw in the deal and that no view shows: turned up and put under the stock.
func (st *state) Shown() []engine.Card { return st.shown }

// Turn is seat 0 until the deal is over.
func (st *state) Turn() []engine.Seat { return st.mover(st.end) }

// Moves appends the legal moves: a draw, the puts, a redeal, and quit.
func (st *state) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	if s != 0 || st.end != notOver {
		return into
	}
	return append(st.moves(into), engine.Move{Verb: Quit})
}

// Apply makes a move or refuses it.
func (st *state) Apply(step engine.Step) (engine.Outcome, error) {
	move, err := st.judge(step)
	if err != nil {
		return engine.Outcome{}, err
	}
	st.advance()
	switch move.Verb {
	case Draw:
		if n := st.draw(); st.plan.turned == nowhere {
			st.tell(EventRound, 0, n)
		} else {
			st.tell(EventDrawn, st.top[st.plan.turned].card(), 0)
		}
	case Put:
		st.move(move)
	case Redeal:
		st.gatherAndDeal()
	case Quit:
		st.end = gaveUp
	}
	if st.end == notOver {
		st.finish()
	}
	st.end.tell(st.tell, int(st.score))
	return engine.Outcome{Move: move, Events: st.events}, nil
}

// move makes a put that was found legal.
func (st *state) move(m engine.Move) {
	from, to := int(m.From), int(m.To)
	filled := st.put(from, st.place(m), to)
	what := EventLaid
	if to < st.plan.foundations {
		what = EventHome
	}
	st.tell(what, st.top[to].card(), to)
	if filled != nowhere {
		st.tell(EventFilled, st.top[from].card(), from)
	}
}

// place is where in its pile the card of a put lies, from the bottom.
func (t *table) place(m engine.Move) int {
	if m.N == 0 {
		return int(t.n[m.From]) - 1
	}
	return int(m.N) - 1
}

// gatherAndDeal makes a redeal.
func (st *state) gatherAndDeal() {
	var buffer [packSize]id
	cards := st.gather(buffer[:0])
	if st.plan.shuffles {
		st.shuffle(cards)
	}
	st.redeal(cards)
	st.tell(EventRedealt, 0, len(cards))
}

// shuffle brings cards into the order that the deal's shuffler gives them.
func (st *state) shuffle(cards []id) {
	var there [maxID]bool
	list := make([]engine.Card, len(cards))
	for i, card := range cards {
		list[i] = card.card()
		there[card] = true
	}
	st.shuffler.Shuffle(list)
	for i, card := range list {
		cards[i] = id(card)
		if !there[cards[i]] {
			cards[i] |= secondCopy
		}
		there[cards[i]] = false
	}
}

// Result is whether the patience came out, and how many cards lie on the foundations.
func (st *state) Result() (engine.Result, bool) { return st.end.result(int(st.score)) }
