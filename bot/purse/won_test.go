package purse

import (
	"errors"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestWonOnly: where only won chips are given, those of the house stay where they are, however they came; and who lost
// them wins them back first.
func TestWonOnly(t *testing.T) {
	wins := func(n int64) func(Ledger) error {
		return func(l Ledger) error {
			play := Cause{Kind: "win", Table: "k7", Deal: 1, Move: 1000 + int(n)}
			_, err := l.Post(play.ID(), play, mv(User(3), -n), mv(User(1), n))
			return err
		}
	}
	steps := []struct {
		name string
		do   func(Ledger) error
		may  int64
	}{
		{"nothing yet", func(l Ledger) error { _, err := l.Open(1, "Аня"); return err }, 0},
		{"daily chips", func(l Ledger) error { _, err := l.Daily("daily", 1); return err }, 0},
		{"daily chips, asked again", func(l Ledger) error { _, err := l.Daily("daily", 1); return err }, 0},
		{"a grant", func(l Ledger) error { _, err := l.Grant("grant", 1, 500); return err }, 0},
		{"won", wins(400), 400},
		{"lost", wins(-600), 0},
		{"won back", wins(250), 50},
		{"given by another", func(l Ledger) error { l.WonOnly = false; _, err := l.Give("gift", 2, 1, 70); return err }, 120},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for i, step := range steps {
			must(t, s, step.do)
			give := func(id string, amount int64) (posted bool, err error) {
				err = at(t, s, noon, func(l Ledger) error {
					l.WonOnly = true
					posted, err = l.Give(id, 1, 2, amount)
					return err
				})
				return posted, err
			}
			var unwon Unwon
			if _, err := give("too much", step.may+1); !errors.As(err, &unwon) || unwon.Has != step.may {
				t.Errorf("%s: one more than %d is given: %v", step.name, step.may, err)
			}
			if i < len(steps)-1 {
				continue
			}
			for n, want := range []bool{true, false} { // The same gift again is none, and no error.
				if posted, err := give("all", step.may); posted != want || err != nil {
					t.Errorf("%s: gift %d of %d: %v, %v", step.name, n, step.may, posted, err)
				}
			}
		}
		clean(t, s)
	})
}
