package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

func (l lookout) efforts() []int { return l.widths }

func (l lookout) solve(t *table, fresh func() engine.Shuffler, attempt int) []engine.Move {
	deal := openDeal{fresh}
	s := seek[table]{
		width: l.efforts()[attempt],
		moves: deal.moves,
		make:  deal.make,
		value: func(t *table) int {
			if t.score == packSize {
				return won
			}
			return l.value(t)
		},
	}
	start := *t
	deal.seeAll(&start)
	return s.run(start)
}

// openDeal is a deal for who sees every card of it: fresh are new shufflers of the deal.
type openDeal struct{ fresh func() engine.Shuffler }

// seeAll makes all cards known where the whole stock is laid out.
func (openDeal) seeAll(t *table) {
	if t.plan.whole {
		for i := range t.known {
			t.known[i] = 1<<64 - 1
		}
	}
}

// moves appends the moves worth a look.
func (d openDeal) moves(t *table, into []engine.Move) []engine.Move {
	before := len(into)
	moves := t.puts(into, maxMoves)
	kept := moves[:before]
	for _, m := range moves[before:] {
		if to := int(m.To); to < t.plan.foundations && !d.asBefore(t, to) || to >= t.plan.foundations && !t.changesNothing(m) {
			kept = append(kept, m)
		}
	}
	if t.mayDraw() {
		kept = append(kept, engine.Move{Verb: Draw})
	}
	if t.mayRedeal() {
		kept = append(kept, engine.Move{Verb: Redeal})
	}
	return kept
}

// asBefore reports that a foundation is as good as one before it.
func (openDeal) asBefore(t *table, pile int) bool {
	for f := range pile {
		if t.wants[f] == t.wants[pile] && t.n[f] == t.n[pile] {
			return true
		}
	}
	return false
}

// make makes a move, and returns what it changes in the sum of where the cards lie, and whether new cards came with it.
func (d openDeal) make(t *table, m engine.Move) (change uint64, onward bool) {
	switch m.Verb {
	case Draw:
		n := t.draw()
		for i := range n {
			pile := t.plan.draws.first + i
			change += spot(t.top[pile].card(), pile, int(t.n[pile]))
		}
		return change, true
	case Redeal:
		before := t.sum()
		d.redeal(t)
		return t.sum() - before, true
	}
	return t.make(m), false
}

// redeal makes the redeal that the deal's shuffler makes.
func (d openDeal) redeal(t *table) {
	var buffer [packSize]id
	cards := t.gather(buffer[:0])
	if t.plan.shuffles {
		list := make([]engine.Card, len(cards))
		for i, card := range cards {
			list[i] = engine.Card(card)
		}
		reshuffle(d.fresh(), int(t.pass)+1, list)
		for i, card := range list {
			cards[i] = id(card)
		}
	}
	t.redeal(cards)
	d.seeAll(t)
}

func (l lookout) tries() int { return l.hasty[3] }

func (l lookout) hurry(t *table, games int, r *rand.Rand) int {
	wins := 0
	for range games {
		deal := *t
		if l.hurried(&deal, r) {
			wins++
		}
	}
	return wins
}

// hurried plays as move does, but follows each way that it finds to its end, and misjudges positions a little. It reports
// whether the deal came out.
func (l lookout) hurried(t *table, r *rand.Rand) bool {
	for t.score < packSize {
		blind := *t
		blind.blind = true
		search := beam[table]{
			width: l.hasty[0], depth: l.hasty[1], most: quickThought,
			moves: l.sensible,
			make:  (*table).make,
			value: func(t *table) (int, int) {
				value := l.value(t) + r.IntN(l.hasty[2])
				switch {
				case t.score == packSize:
					return won, won
				case t.waiting():
					return value, lost
				}
				return value, value
			},
		}
		least := lost
		if t.mayDraw() || t.mayRedeal() {
			least = l.value(&blind)
		}
		path, value := search.best(blind)
		switch {
		case value > least:
			for _, m := range path {
				t.put(int(m.From), t.place(m), int(m.To))
			}
		case t.mayDraw():
			t.draw()
		case t.mayRedeal():
			var buffer [packSize]id
			t.redeal(t.gather(buffer[:0]))
		default:
			return false
		}
	}
	return true
}
