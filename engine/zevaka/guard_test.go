package zevaka

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestGuard lets turns pass without a card to the centre (RECORDS.md, Exactly 29).
func TestGuard(t *testing.T) {
	st := lay(t, "", `
		> 0: TH KC TC TD | AH
		  1: 8H 8C       | QC
		  2: 8D QH       | QD`)
	for turns := 1; turns <= 360; turns++ {
		seat := st.Turn()[0]
		for _, move := range []engine.Move{{Verb: Flip}, {Verb: Keep}} {
			if _, err := st.Apply(engine.Step{Seat: seat, Move: move}); err != nil {
				t.Fatalf("turn %d: %v", turns, err)
			}
		}
	}
	enginetest.Steps(t, Rules{}, st, "0 flip")
	position().Script(t, st, "0 keep\nevents: 0 kept "+st.flipped.String()+", guard n=361, 0 over")
	if got := draw(st); got[len(got)-len("over 1=2 0"):] != "over 1=2 0" {
		t.Errorf("the guard ends in\n%s", got)
	}
}

// TestGuardCounts asks what the guard counts: turn changes, and 0 again with every card to the centre.
func TestGuardCounts(t *testing.T) {
	st := lay(t, "penalty=call", `
		> 0: 7S TC TD | 7C
		  1: 8C 6S    | 9C
		  2: 8H AD    | KD`)
	for _, line := range []struct {
		move  string
		turns int
	}{
		{"0 flip", 0}, {"0 put 1", 0}, {"0 flip", 0}, {"0 keep", 1},
		{"1 flip", 1}, {"1 keep", 2}, {"1 fix", 1}, {"1 centre", 0}, {"1 flip", 0}, {"1 keep", 1},
		{"2 flip", 1}, {"2 keep", 2},
	} {
		enginetest.Steps(t, Rules{}, st, line.move)
		if st.idleTurns != line.turns {
			t.Errorf("after %s the guard counts %d turns, not %d", line.move, st.idleTurns, line.turns)
		}
	}
}
