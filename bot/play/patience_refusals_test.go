package play_test

import (
	"fmt"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// TestPatienceRefusals plays until a move is against a rule, and tries it: whoever plays is told that rule, and nobody
// else is, in every language. Nothing has happened.
func TestPatienceRefusals(t *testing.T) {
	for _, test := range []struct {
		open string
		// move is tried once the rules refuse it by this key.
		move, key string
	}{
		{"/tecza deal=12345", "redeal", "stock-not-empty"},
		{"/tecza deal=12345", "put r1@0 f1", "covered"},
		{"/tecza deal=12345", "put stock w1", "stock-only-drawn"},
		{"/tecza deal=12345", "put f1 w1", "foundation-keeps"},
		{"/tecza deal=12345", "put w1 f1", "no-card-there"},
		{"/tecza deal=12345", "put r1 f3", "first-empty-foundation"},
		{"/tecza deal=12345", "put turned f1", "not-next-rank"},
		{"/tecza deal=12345", "draw", "place-turned-first"},
		{"/tecza deal=12345", "draw", "stock-empty"},
		{"/tecza deal=12345", "redeal", "no-passes-left"}, // A fourth pass.
		{"/sklep deal=1", "draw", "stock-empty"},
		{"/sklep deal=1", "redeal", "no-passes-left"},
		{"/zaba deal=14", "put turned f2", "needs-ace"},
		{"/gwiazda suit=strict deal=1", "put turned f1", "not-next-in-suit"},
		{"/polusharia deal=1", "put t1 t2", "not-lower-in-suit"},
		{"/polusharia deal=1", "put t1 w1", "not-from-there"},
		{"/grobnitsa deal=1", "redeal", "no-passes-left"}, // A sixth pass.
		{"/grobnitsa deal=1", "put w1 a1", "pile-takes-nothing"},
		{"/grobnitsa deal=1", "put w1@0 centre", "covered"},
		{"/paganini deal=1", "redeal", "no-passes-left"},
		{"/paganini deal=1", "draw", "no-stock"},
		{"/paganini deal=1", "put g1.1 g1.2", "cell-taken"},
		{"/pauk deal=1", "put t3 t4", "not-beside-rank"},
		{"/pauk deal=1", "put t3 f5", "only-own-side"},
		{"/pauk rounds number=1", "put t3 t4", "round-home-only"},
		{"/pauk deal=1", "redeal", "no-passes-left"}, // A third redeal.
	} {
		t.Run(fmt.Sprint(test.open[1:], ", ", test.move, ": ", test.key), func(t *testing.T) {
			t.Parallel()
			s := bottest.NewSitting(t)
			id := s.Open(test.open)
			for !refuses(s, id, test.move, test.key) {
				if !auto(s, id) {
					t.Fatal("it was over before that")
				}
			}
			before := position(s, id)
			for _, tag := range words.Tags() {
				want := s.Bot.Words().Lang(tag).Say("no." + test.key)
				for who, told := range map[int64]string{1: want, 2: s.Bot.Words().Lang(tag).Say("no." + string(table.ErrNotSeated))} {
					s.N++
					r := bottest.Seen(t.Context(), s.Bot, chat.Request{
						ID: fmt.Sprint("try ", s.N), Kind: chat.Command, Who: chat.User{ID: who, Name: "X", Lang: tag}, Data: "/m " + test.move, In: s.In,
					})
					if r.Toast != told || !r.Alert || len(r.Posts) > 0 {
						t.Errorf("%s, user %d: told %q, want %q; %d posts", tag, who, r.Toast, told, len(r.Posts))
					}
				}
			}
			if position(s, id) != before {
				t.Error("something has happened")
			}
		})
	}
}

// refuses reports whether the rules refuse a move by this key as the table stands.
func refuses(s *bottest.Sitting, id table.ID, text, key string) bool {
	s.T.Helper()
	table, state := s.Look(id)
	move, err := s.Games[table.Game].Parse(text)
	if err != nil {
		s.T.Fatal(err)
	}
	_, err = state.Apply(engine.Step{Seat: 0, Move: move})
	return err != nil && err.Error() == key
}
