package patience

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestFinish: once nothing can go wrong any more the moves to finish with bring the deal out, none of them before the stock is
// empty.
func TestFinish(t *testing.T) {
	t.Parallel()
	for _, rules := range All() {
		if _, ok := rules.(Rules); !ok {
			continue // It has no foundations.
		}
		number := enginetest.Variant{Rules: rules}.Easy(t)
		var won []engine.Move
		for attempt := range Attempts(rules) {
			if won = Win(rules, int64(number), attempt); won != nil {
				break
			}
		}
		st, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, int64(number)), ""))
		if err != nil {
			t.Fatal(err)
		}
		rest, at := st.(engine.Finisher).Finish(), 0
		for ; rest == nil && at < len(won); at++ {
			if _, err := st.Apply(engine.Step{Move: won[at]}); err != nil {
				t.Fatal(err)
			}
			rest = st.(engine.Finisher).Finish()
		}
		view := st.View(engine.Nobody)
		if stock := pile(st, "stock"); stock != "" || view.Finishes != (rest != nil) {
			t.Errorf("%s: %s in the stock, finishes %v with %d moves", rules.Info().Name, stock, view.Finishes, len(rest))
		}
		for _, m := range rest {
			if _, err := st.Apply(engine.Step{Move: m}); err != nil {
				t.Fatal(err)
			}
		}
		if result, over := st.Result(); !over || !result.Patience.Solved {
			t.Errorf("%s: %d moves finish nothing", rules.Info().Name, len(rest))
		}
		t.Logf("%s: %d of %d moves are left to finish with", rules.Info().Name, len(rest), at+len(rest))
	}
}
