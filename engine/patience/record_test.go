package patience

import (
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestRecordNamesPlace replays records that name the place of a card: needlessly, as it must be, and wrongly (RECORDS.md,
// Exactly 11 and 16).
func TestRecordNamesPlace(t *testing.T) {
	var n int64
	for !strings.HasPrefix(enginetest.MoveTexts(Zaba, numbered(t, Zaba, "", n).Moves(0, nil)), "draw, put r1 f1, put r1@") {
		n++
	}
	st := numbered(t, Zaba, "", n)
	deep := Zaba.Text(st.Moves(0, nil)[2])
	for _, test := range []struct{ moves, want string }{
		{"0 put r1 f1, 0 " + deep[:len(deep)-1] + "2", ""},
		{"0 put r1@12 f1", ""},
		{"0 put r1@11 f1", "covered"},
		{"0 put r1@13 f1", "no-card-there"},
		{"0 put r1@12 f2", "first-empty-foundation"},
	} {
		record := engine.Record{
			Game: "zaba", Options: enginetest.Options(t, Zaba, ""), Seats: 1, Seed: engine.NumberedSeed("zaba", n),
			Moves: strings.Split(test.moves, ", "),
		}
		err := engine.Replay(Zaba, record, nil)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)) {
			t.Errorf("%s: %v", test.moves, err)
		}
	}
}
