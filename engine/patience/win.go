package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

// Win looks for moves by which a patience's deal of that number comes out, with default options. It sees every card, those of
// the stock too, and what a redeal will bring. It returns nil if it finds none: the deal may come out all the same. Each attempt,
// from 0 to below Attempts, looks in another way, the first in the cheapest, and the same way at every call.
func Win(rules engine.Rules, number int64, attempt int) []engine.Move {
	fresh := func() engine.Shuffler { return engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, number), "") }
	st, err := rules.Deal(engine.Setup{Seats: 1}, fresh())
	if err != nil || attempt < 0 || attempt >= Attempts(rules) {
		return nil
	}
	switch st := st.(type) {
	case *state:
		return st.plan.plays.solve(&st.table, fresh, attempt)
	case *paganini:
		return st.solve(attempt)
	}
	return nil
}

// Tries is how many games of Hasty tell how hard a deal is.
func Tries(rules engine.Rules) int {
	if r, ok := rules.(Rules); ok {
		return r.declare().lay(nil).plays.tries()
	}
	return gapsTries
}

// Attempts is in how many ways Win looks for the win of a deal.
func Attempts(rules engine.Rules) int {
	if r, ok := rules.(Rules); ok {
		return len(r.declare().lay(nil).plays.efforts())
	}
	return len(gapsEfforts())
}

// Hasty is in how many of so many games the computer player in a hurry brings out a patience's deal of that number, with
// default options: by rule of thumb or with a short look ahead, and each time with other chance. It sees no more than a player
// does.
func Hasty(rules engine.Rules, number int64, games int) int {
	st, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, number), ""))
	if err != nil {
		return 0
	}
	r := rand.New(rand.NewPCG(uint64(number), 0))
	switch st := st.(type) {
	case *state:
		return st.plan.plays.hurry(&st.table, games, r)
	case *paganini:
		return st.hurry(games, r)
	}
	return 0
}
