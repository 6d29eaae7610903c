package deals

import (
	"zevaka/engine"
	"zevaka/engine/patience"
)

// Thorough is how many numbers, from 0, are searched in every way that there is, so that it can be said how many of them come out at
// least.
const Thorough = 1000

// Seek looks for a win of the deal of that number, and rates it: in the ways that cost little, or thoroughly in the one that costs
// most. False: it found none.
func Seek(rules engine.Rules, number int64, tries int, thoroughly bool) (Deal, bool) {
	last := patience.Attempts(rules) - 1
	for attempt := range last + 1 {
		if (attempt == last) == thoroughly && Comes(rules, Deal{Number: number, Attempt: attempt}) {
			return Deal{Number: number, Attempt: attempt, Wins: patience.Hasty(rules, number, tries)}, true
		}
	}
	return Deal{}, false
}

// Comes finds the win of a deal again, plays it from the setup through the rules, move by move, and reports whether the deal has
// come out.
func Comes(rules engine.Rules, d Deal) bool {
	moves := patience.Win(rules, d.Number, d.Attempt)
	if moves == nil {
		return false
	}
	seed := engine.NumberedSeed(rules.Info().Name, d.Number)
	st, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(seed, ""))
	if err != nil {
		return false
	}
	for _, m := range moves {
		if _, err := st.Apply(engine.Step{Move: m}); err != nil {
			return false
		}
	}
	result, over := st.Result()
	return over && result.Patience != nil && result.Patience.Solved
}
