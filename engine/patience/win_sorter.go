package patience

import (
	"math/bits"
	"math/rand/v2"

	"zevaka/engine"
)

func (s sorter) efforts() []int { return s.searches }

func (s sorter) solve(t *table, fresh func() engine.Shuffler, attempt int) []engine.Move {
	deal := newSorting(t)
	deal.order = orders(fresh)
	p := newPlayout(deal, newChance(attempt))
	if !p.search(s.efforts()[attempt]) {
		return nil
	}
	w := writer{t: *t, deal: openDeal{fresh}}
	w.freeDeep()
	p.told = w.write
	p.run()
	return w.moves
}

// writer writes a playout as moves of the table on which the deal began.
type writer struct {
	t     table
	deal  openDeal
	moves []engine.Move
}

// write makes the move of one card told of.
func (w *writer) write(from, to int) {
	p := w.t.plan
	if from == newPass {
		w.redeal()
		return
	}
	if from == wasTurned && w.t.n[p.turned] == 0 {
		w.make(engine.Move{Verb: Draw})
	}
	source := w.pile(from)
	target := w.pile(to)
	if to == wentHome {
		target = w.home(source, w.t.top[source].card())
	}
	w.make(engine.Move{Verb: Put, From: int16(source), To: int16(target)})
}

// home is the first foundation that takes a pile's card.
func (w *writer) home(source int, card engine.Card) int {
	return bits.TrailingZeros32(w.t.takers[card%maxCard] & w.t.plan.to[source] & (1<<w.t.plan.foundations - 1))
}

// pile is the index of a playout's pile on the table.
func (w *writer) pile(of int) int {
	p := w.t.plan
	switch of {
	case wasTurned:
		return p.turned
	case reserveAt:
		return p.span("r").first
	}
	return p.span("w").first + of
}

// freeDeep brings home what leaves from under others.
func (w *writer) freeDeep() {
	reserve := w.pile(reserveAt)
	for at := int(w.t.n[reserve]) - 1; at >= 0; at-- {
		if card := w.t.cardAt(reserve, at); w.t.plan.group[reserve].deep.has(card) {
			m := engine.Move{Verb: Put, From: int16(reserve), To: int16(w.home(reserve, card))}
			if at < int(w.t.n[reserve])-1 {
				m.N = int32(at) + 1
			}
			w.make(m)
		}
	}
}

func (w *writer) make(m engine.Move) {
	w.moves = append(w.moves, m)
	switch m.Verb {
	case Draw:
		w.t.draw()
	case Put:
		w.t.put(int(m.From), w.t.place(m), int(m.To))
	}
}

func (w *writer) redeal() {
	w.moves = append(w.moves, engine.Move{Verb: Redeal})
	w.deal.redeal(&w.t)
}

func (s sorter) tries() int { return s.rated }

func (s sorter) hurry(t *table, games int, r *rand.Rand) int {
	wins := 0
	p := newPlayout(newSorting(t), chance(r.Uint64()|1))
	p.weighs = s.weighs
	for range games {
		if p.run() {
			wins++
		}
	}
	return wins
}
