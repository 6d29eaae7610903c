package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

const (
	// gapsTries is in how many games a deal of Паганини is rated, gapsHasty how many positions are followed there, and gapsMisjudged
	// by how much one may be misjudged: as much as a lone gap that nothing fills is worth.
	gapsTries     = 8
	gapsHasty     = 12
	gapsMisjudged = 60
)

// gapsEfforts are how many positions the attempts of Win follow.
func gapsEfforts() []int { return []int{16, 128} }

// solve looks for moves by which the deal comes out, as Win does.
func (g gaps) solve(attempt int) []engine.Move {
	s := g.seek(gapsEfforts()[attempt], (*gaps).promise)
	return s.run(g)
}

// seek looks for a way to the end of the deal; a level is a move.
func (gaps) seek(width int, promise func(*gaps) int) seek[gaps] {
	return seek[gaps]{
		width: width,
		moves: (*gaps).puts,
		make:  func(g *gaps, m engine.Move) (uint64, bool) { return g.make(m), true },
		value: func(g *gaps) int {
			if g.score() == packSize {
				return won
			}
			return promise(g)
		},
	}
}

func (g gaps) hurry(games int, r *rand.Rand) int {
	wins := 0
	for range games {
		s := g.seek(gapsHasty, func(g *gaps) int { return g.promise() + r.IntN(gapsMisjudged) })
		if s.run(g) != nil {
			wins++
		}
	}
	return wins
}
