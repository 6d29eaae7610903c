package patience

import (
	"math/rand/v2"
	"slices"

	"zevaka/engine"
)

// lookout plays the patiences in which cards are built up and moved about on the table. It looks ahead over many moves
// of cards that have been seen, but over no draw, and goes for the position of the greatest value; when that is the
// one it has, it draws.
type lookout struct {
	// width is how many positions it follows at each move ahead, depth over how many moves.
	width, depth int
	// patience is after how many moves that could be undone it must draw or bring a card to a foundation.
	patience int
	// value is what a position is worth.
	value func(t *table) int
	// widths are how many positions the attempts of Win follow at once.
	widths []int
	// hasty is the width and the depth of a look ahead in a hurry, by how much it misjudges a position, and in how many games.
	hasty [4]int
}

func (l lookout) move(t *table, skill float64, _ *rand.Rand, been map[uint64]bool) engine.Move {
	blind := *t
	blind.blind = true
	search := beam[table]{
		width: 1 + int(skill*float64(l.width-1)),
		depth: 1 + int(skill*float64(l.depth-1)),
		most:  thought(skill),
		moves: l.sensible,
		make:  (*table).make,
		value: func(t *table) (int, int) {
			value := l.value(t)
			switch {
			case t.score == packSize:
				return won, won
			case t.waiting():
				return value, lost
			}
			return value, value
		},
	}
	if len(been) > 0 {
		search.seen = seenFrom(t.sum(), been)
		search.moves = func(now *table, into []engine.Move) []engine.Move {
			before, moves := len(into), l.sensible(now, into)
			if *now != blind {
				return moves
			}
			return append(moves[:before], slices.DeleteFunc(moves[before:], func(m engine.Move) bool { return t.returns(m, been) })...)
		}
	}
	stop, least := engine.Move{Verb: Quit}, lost
	switch {
	case t.mayDraw():
		stop, least = engine.Move{Verb: Draw}, l.value(&blind)
	case t.mayRedeal():
		stop, least = engine.Move{Verb: Redeal}, l.value(&blind)
	}
	if path, value := search.best(blind); value > least {
		return path[0]
	}
	return stop
}

// sensible appends the puts that may lead somewhere.
func (l lookout) sensible(t *table, into []engine.Move) []engine.Move {
	before := len(into)
	moves := t.puts(into, maxMoves)
	kept := moves[:before]
	for _, m := range moves[before:] {
		home := int(m.To) < t.plan.foundations
		if home || !t.changesNothing(m) && (int(t.idle) < l.patience || int(m.From) == t.plan.turned) {
			kept = append(kept, m)
		}
	}
	return kept
}

// make makes a put, and returns what it changes in the sum of where the cards lie.
func (t *table) make(m engine.Move) uint64 {
	from, to := int(m.From), int(m.To)
	card := t.top[from].card()
	before := spot(card, from, int(t.n[from]))
	if filled := t.put(from, t.place(m), to); filled != nowhere {
		card := t.top[from].card()
		before += spot(card, filled, int(t.n[filled])+1) - spot(card, from, 1)
	}
	return spot(card, to, int(t.n[to])) - before
}

// spot is a number for a card that lies in a certain place.
func spot(card engine.Card, pile, place int) uint64 {
	x := (uint64(card) | uint64(pile)<<8 | uint64(place)<<16) * 0x9e37_79b9_7f4a_7c15
	x ^= x >> 29
	x *= 0xbf58_476d_1ce4_e5b9
	return x ^ x>>32
}

// fitting is how many of a hundred cards that haven't been seen would find a place on some piles; 0 when the stock is
// empty.
func (t *table) fitting(places uint32) int {
	if t.n[t.plan.stock] == 0 {
		return 0
	}
	fitting, unseen := 0, 0
	for card := firstID; card < maxID; card++ {
		if t.unseen(card) {
			unseen++
			if t.takers[card.card()%maxCard]&places != 0 {
				fitting++
			}
		}
	}
	return 100 * fitting / unseen
}
