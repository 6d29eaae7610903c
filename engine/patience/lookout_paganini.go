package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

const (
	// paganiniWidth is how many positions the computer player follows at each move ahead, to the end of the deal.
	paganiniWidth = 300
	// quickWidth is the same where it is not to think long.
	quickWidth = 10
	// paganiniDepth is more moves than it takes to the end of any deal that comes out.
	paganiniDepth = 400
)

// way is what the computer player means to do.
type way struct {
	moves []engine.Move
	// at is the position that the first of them is for, width how hard it looked.
	at    gaps
	width int
}

// Auto looks ahead to the end of the deal, and keeps to the way found as long as the deal does. All cards lie open; only
// what a redeal brings is unknown, so it redeals when it has got as far as it can.
func (st *paganini) Auto(s engine.Seat, skill float64, _ *rand.Rand) engine.Move {
	if s != 0 || st.end != notOver {
		return engine.Move{}
	}
	width := 1 + int(skill*float64(st.width-1))
	if skill < 1 {
		width = min(width, quickWidth)
	}
	if len(st.way.moves) == 0 || st.way.at != st.gaps || st.way.width != width {
		search := st.search(width, st.depth)
		search.most = thought(skill)
		moves, score := search.best(st.gaps)
		if score <= st.score() {
			moves = nil
		}
		st.way = way{moves: moves, at: st.gaps, width: width}
	}
	switch {
	case len(st.way.moves) > 0:
		move := st.way.moves[0]
		st.way.moves = st.way.moves[1:]
		st.way.at.put(int(move.From), int(move.To))
		return move
	case st.mayRedeal():
		return engine.Move{Verb: Redeal}
	}
	return engine.Move{Verb: Quit}
}

// Position implements engine.Guide.
func (st *paganini) Position() uint64 { return st.sum() }

// Hint implements engine.Guide.
func (st *paganini) Hint(skill float64, r *rand.Rand, been map[uint64]bool) engine.Move {
	move := st.Auto(0, skill, r)
	if move.Verb != Put || !st.returns(move, been) {
		return move
	}
	search := st.search(quickWidth, st.depth)
	search.most, search.seen = quickThought, seenFrom(st.sum(), been)
	st.way = way{}
	switch moves, score := search.best(st.gaps); {
	case score > st.score():
		return moves[0]
	case st.mayRedeal():
		return engine.Move{Verb: Redeal}
	}
	return engine.Move{Verb: Quit}
}

// returns reports whether a put leads to where one has been.
func (g *gaps) returns(m engine.Move, been map[uint64]bool) bool {
	then := *g
	return been[g.sum()+then.make(m)]
}

// sum is that of where all cards lie, and of the redeals left.
func (g *gaps) sum() uint64 {
	sum := uint64(g.reshuffles) * 0x9e37_79b9_7f4a_7c15
	for cell, card := range g.at {
		if card != 0 {
			sum += spot(card.card(), cell, 0)
		}
	}
	return sum
}

// Idle is the most promising move. It never gives up while anything else is legal.
func (st *paganini) Idle(s engine.Seat) engine.Move {
	if s != 0 || st.end != notOver {
		return engine.Move{}
	}
	if moves, _ := st.search(1, 1).best(st.gaps); len(moves) > 0 {
		return moves[0]
	}
	return st.Moves(0, nil)[0]
}

func (st *paganini) search(width, depth int) beam[gaps] {
	return beam[gaps]{
		width: width,
		depth: depth,
		moves: (*gaps).puts,
		make:  (*gaps).make,
		value: func(g *gaps) (int, int) {
			score := g.score()
			if score == packSize {
				return won, won
			}
			return g.promise(), score
		},
	}
}

// make makes a put, and returns what it changes in the sum of where the cards lie.
func (g *gaps) make(m engine.Move) uint64 {
	from, to := int(m.From), int(m.To)
	card := g.at[from].card()
	g.put(from, to)
	return spot(card, to, 0) - spot(card, from, 0)
}

// promise is what a position promises: long runs, and gaps that can be filled.
func (g *gaps) promise() int {
	promise := 1000 * g.score()
	for _, gap := range g.empty {
		column := int(gap) % columns
		switch {
		case column == 0:
			promise += 300
		case g.at[gap-1] == 0:
			promise -= 250
		case g.at[gap-1].card().Rank() != engine.King:
			promise += 9 * (14 - column)
		case column < columns-1:
			promise -= 1500
		}
	}
	return promise
}
