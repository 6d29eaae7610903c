package banchok

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestWordsAreSaid plays banks of anything that may be tried: each word that is declared is said, and no other.
func TestWordsAreSaid(t *testing.T) {
	refusals := []engine.Refusal{
		engine.ErrNotYourTurn, engine.ErrOver,
		ErrBankerOnlyOpens, ErrBankerStays, ErrHaveLeft, ErrNotBanker, ErrCardWaits, ErrOpenAfterStake, ErrStakeStands,
		ErrStakeLow, ErrStakeHigh, ErrStakeHalf, ErrSideOff, ErrSideNoStake, ErrSideOwn, ErrSideYouRefuse, ErrSideRefused,
		ErrSideLow, ErrSideHigh, ErrAllowLate, ErrAllowSame, ErrShowNoStake, ErrShownAlready, ErrLeaveStake, ErrLeaveCard,
	}
	notes := []string{NoteEarly, NoteWholeBank, NoteSideBets}
	said := map[string]bool{"": true}
	for i := range 400 {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		options := "bank=20 side=" + []string{"off", "on"}[i%2] + " dealer=" + []string{"player", "bot"}[i/2%2]
		st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 2 + i%4, Options: enginetest.Options(t, Rules{}, options)}, chance{r})
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
	listed := []string{""}
	for _, refusal := range refusals {
		listed = append(listed, "no "+string(refusal))
	}
	for _, event := range events() {
		listed = append(listed, "event "+event.Name)
	}
	for _, note := range notes {
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
	if len(slices.Compact(listed)) != len(refusals)+len(events())+len(notes)+1 {
		t.Error("something is listed twice")
	}
}
