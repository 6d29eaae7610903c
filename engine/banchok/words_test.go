package banchok

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
)

// TestWordsAreListed plays banks of anything that may be tried, and looks for what is said in the lists from which the
// catalogues are written; and in what is said, for all that is listed.
func TestWordsAreListed(t *testing.T) {
	said := map[string]bool{"": true}
	for i := range 400 {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		options := "bank=20 side=" + []string{"off", "on"}[i%2] + " dealer=" + []string{"player", "bot"}[i/2%2]
		st, err := Rules{}.Deal(engine.Setup{Seats: 2 + i%4, Options: setOptions(t, options)}, chance{r})
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			step := engine.Step{Seat: engine.Seat(r.IntN(6)), Move: engine.Move{Verb: engine.Verb(1 + r.IntN(6+r.IntN(2)))}}
			if step.Move.Verb == Stake || step.Move.Verb == Side {
				step.Move.N = r.Int32N(20)
			}
			outcome, err := st.Apply(step)
			var refusal engine.Refusal
			if errors.As(err, &refusal) {
				said["no "+string(refusal)] = true
			}
			for _, e := range outcome.Events {
				said["event "+e.What] = true
			}
			if note := st.View(engine.Nobody).Note; note != "" {
				said["note "+note] = true
			}
		}
	}
	listed := []string{"", "no " + string(engine.ErrNotYourTurn), "no " + string(engine.ErrOver)}
	for _, refusal := range Refusals() {
		listed = append(listed, "no "+string(refusal))
	}
	for _, event := range Events() {
		listed = append(listed, "event "+event)
	}
	for _, note := range Notes() {
		listed = append(listed, "note "+note)
	}
	for _, word := range listed {
		if !said[word] {
			t.Errorf("%q is listed, and was never said", word)
		}
		delete(said, word)
	}
	for word := range said {
		t.Errorf("%q is said, and not listed", word)
	}
	slices.Sort(listed)
	if len(slices.Compact(listed)) != len(Refusals())+len(Events())+len(Notes())+3 {
		t.Error("something is listed twice")
	}
}
