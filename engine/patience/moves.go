package patience

import (
	"math/bits"

	"zevaka/engine"
)

// moves are the legal moves but quit.
func (t *table) moves(into []engine.Move) []engine.Move {
	if t.mayDraw() {
		into = append(into, engine.Move{Verb: Draw})
	}
	into = t.puts(into, maxMoves)
	if t.mayRedeal() {
		into = append(into, engine.Move{Verb: Redeal})
	}
	return into
}

// maxMoves is more than the legal moves of any position.
const maxMoves = 512

// waiting reports that a turned card must be placed before the next is drawn.
func (t *table) waiting() bool { return t.plan.turned != nowhere && t.n[t.plan.turned] > 0 }

func (t *table) mayDraw() bool { return t.n[t.plan.stock] > 0 && !t.waiting() }

func (t *table) mayRedeal() bool {
	if t.n[t.plan.stock] > 0 || t.waiting() || int(t.pass)+1 >= len(t.plan.passes) {
		return false
	}
	return t.gatherable() > 0
}

// gatherable is how many cards a redeal would take up.
func (t *table) gatherable() int {
	n := 0
	for i := range t.plan.gathers.n {
		n += int(t.n[t.plan.gathers.first+i])
	}
	return n
}

// puts appends the legal puts, but no more than most.
func (t *table) puts(into []engine.Move, most int) []engine.Move {
	p := t.plan
	for from := range p.piles {
		top := t.top[from]
		if top == 0 || p.to[from] == 0 || t.unknown(top) {
			continue
		}
		into = t.putsOf(into, from, top.card(), 0)
		if p.group[from].deep != 0 {
			into = t.deepPuts(into, from)
		}
		if len(into) >= most {
			break
		}
	}
	return into
}

// putsOf appends the legal puts of one card, whose place is written as N.
func (t *table) putsOf(into []engine.Move, from int, card engine.Card, n int32) []engine.Move {
	p := t.plan
	for takers := t.takers[card%maxCard] & p.to[from]; takers != 0; takers &= takers - 1 {
		to := bits.TrailingZeros32(takers)
		if p.bars == nil || p.bars(t, from, to) == nil {
			into = append(into, engine.Move{Verb: Put, From: int16(from), To: int16(to), N: n})
		}
	}
	return into
}

// deepPuts appends those of the cards that may leave from under others. They go to foundations only.
func (t *table) deepPuts(into []engine.Move, from int) []engine.Move {
	deep := t.plan.group[from].deep
	card := t.top[from]
	for at := int(t.n[from]) - 2; at >= 0; at-- {
		card = t.under[card]
		if deep.has(card.card()) {
			into = t.putsOf(into, from, card.card(), int32(at)+1)
		}
	}
	return into
}

// Finish implements engine.Finisher.
func (st *state) Finish() []engine.Move {
	if st.end != notOver || st.n[st.plan.stock] > 0 {
		return nil
	}
	then := st.table
	then.blind = true
	var moves []engine.Move
	for then.score < packSize {
		m, ok := then.homeward()
		if !ok {
			return nil
		}
		moves = append(moves, m)
		then.put(int(m.From), then.place(m), int(m.To))
	}
	return moves
}

// homeward is a legal put on a foundation; false if there is none.
func (t *table) homeward() (engine.Move, bool) {
	var buffer [maxMoves]engine.Move
	for _, m := range t.puts(buffer[:0], maxMoves) {
		if int(m.To) < t.plan.foundations {
			return m, true
		}
	}
	return engine.Move{}, false
}

// finish finds out whether the deal is over.
func (t *table) finish() {
	switch {
	case t.score == packSize:
		t.end = solved
	case t.mayDraw() || t.mayRedeal():
	default:
		var some [maxPiles]engine.Move
		if len(t.puts(some[:0], 1)) == 0 {
			t.end = noMoves
		}
	}
}
