package purse

import (
	"errors"
	"fmt"
	"testing"

	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// TestDaily takes the daily chips at some hours, each request delivered twice.
func TestDaily(t *testing.T) {
	const day, hour = secondsPerDay, 3600
	type try struct {
		hour   int64 // after the beginning of the first day
		amount int64 // 0: refused
		streak int
		next   int64 // in hours
	}
	tests := []struct {
		name string
		days []try
	}{
		{"once in a day", []try{{0, 300, 1, 24}, {1, 0, 0, 24}, {23, 0, 0, 24}, {24, 350, 2, 48}}},
		{"by the UTC day", []try{{23, 300, 1, 24}, {24, 350, 2, 48}, {47, 0, 0, 48}, {71, 400, 3, 72}}},
		{"a day left out", []try{{0, 300, 1, 24}, {24, 350, 2, 48}, {72, 300, 1, 96}, {96, 350, 2, 120}}},
		{"a clock that goes back", []try{{48, 300, 1, 72}, {24, 0, 0, 72}, {71, 0, 0, 72}, {72, 350, 2, 96}}},
		{"no more than 900", []try{
			{0, 300, 1, 24}, {24, 350, 2, 48}, {48, 400, 3, 72}, {72, 450, 4, 96}, {96, 500, 5, 120}, {120, 550, 6, 144},
			{144, 600, 7, 168}, {168, 650, 8, 192}, {192, 700, 9, 216}, {216, 750, 10, 240}, {240, 800, 11, 264},
			{264, 850, 12, 288}, {288, 900, 13, 312}, {312, 900, 14, 336}, {336, 900, 15, 360},
		}},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for i, test := range tests {
			user, sum := int64(i+1), firstChips
			for n, try := range test.days {
				for range 2 {
					var gift Gift
					err := at(t, s, 20_000*day+try.hour*hour, func(l Ledger) (err error) {
						gift, err = l.Daily(fmt.Sprintf("daily/%d/%d", i, n), user)
						return err
					})
					var early TooEarly
					want := Gift{try.amount, try.streak, 20_000*day + try.next*hour}
					switch {
					case try.amount == 0 && (!errors.Is(err, ErrDaily) || !errors.As(err, &early) || early.Next != want.Next):
						t.Errorf("%s, hour %d: %+v, %v; want a refusal until %d", test.name, try.hour, gift, err, want.Next)
					case try.amount != 0 && (err != nil || gift != want):
						t.Errorf("%s, hour %d: %+v, %v; want %+v", test.name, try.hour, gift, err, want)
					}
				}
				sum += try.amount
			}
			must(t, s, func(l Ledger) error {
				purses, err := l.Purses(user)
				if err == nil && purses[0].Balance != sum {
					t.Errorf("%s: the purse holds %d, want %d", test.name, purses[0].Balance, sum)
				}
				return err
			})
		}
		clean(t, s)
	})
}

func TestDailyFaults(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		must(t, s, func(l Ledger) error { _, err := l.Give("gift", 1, 2, 1); return err })
		for _, id := range []string{"", "open/u1", "gift"} {
			err := at(t, s, noon, func(l Ledger) error { _, err := l.Daily(id, 1); return err })
			var refused engine.Refusal
			if err == nil || errors.As(err, &refused) {
				t.Errorf("Daily with the ID %q: %v", id, err)
			}
		}
		if got := balances(t, s); got != [3]int64{2999, 3001, 3000} {
			t.Errorf("balances are %d", got)
		}
		clean(t, s)
	})
}

// TestGifts: chips go from user to user and from the house to a user, and in no other way.
func TestGifts(t *testing.T) {
	give := func(from, to, amount int64) func(Ledger, string) (bool, error) {
		return func(l Ledger, id string) (bool, error) { return l.Give(id, from, to, amount) }
	}
	grant := func(user, amount int64) func(Ledger, string) (bool, error) {
		return func(l Ledger, id string) (bool, error) { return l.Grant(id, user, amount) }
	}
	tests := []struct {
		name string
		do   func(Ledger, string) (bool, error)
		err  error
		want [3]int64
	}{
		{"1 gives 2", give(1, 2, 1000), nil, [3]int64{2000, 4000, 3000}},
		{"all that 1 has", give(1, 3, 2000), nil, [3]int64{0, 4000, 5000}},
		{"more than 1 has", give(1, 3, 1), ErrShort, [3]int64{0, 4000, 5000}},
		{"to oneself", give(2, 2, 1), ErrSelf, [3]int64{0, 4000, 5000}},
		{"nothing", give(2, 3, 0), ErrAmount, [3]int64{0, 4000, 5000}},
		{"less than nothing", give(2, 3, -1), ErrAmount, [3]int64{0, 4000, 5000}},
		{"more than there may be", give(2, 3, MaxAmount+1), ErrAmount, [3]int64{0, 4000, 5000}},
		{"a grant", grant(1, 700), nil, [3]int64{700, 4000, 5000}},
		{"a grant of nothing", grant(1, 0), ErrAmount, [3]int64{700, 4000, 5000}},
		{"a grant that takes", grant(2, -1), ErrAmount, [3]int64{700, 4000, 5000}},
		{"too large a grant", grant(2, MaxAmount+1), ErrAmount, [3]int64{700, 4000, 5000}},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for i, test := range tests {
			for again := range 2 {
				var posted bool
				err := at(t, s, noon, func(l Ledger) (err error) { posted, err = test.do(l, fmt.Sprint("gift/", i)); return err })
				if !errors.Is(err, test.err) || posted != (again == 0 && test.err == nil) {
					t.Errorf("%s, delivery %d: posted is %v, %v; want %v", test.name, again+1, posted, err, test.err)
				}
			}
			if got := balances(t, s); got != test.want {
				t.Errorf("%s: balances are %d, want %d", test.name, got, test.want)
			}
		}
		clean(t, s)
	})
}

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

// TestGrantsEnd: the house grants no more than purses could hold, and refuses the rest, so that whatever else moves chips is never too much
// for one.
func TestGrantsEnd(t *testing.T) {
	s := mem.New()
	must(t, s, func(l Ledger) error {
		l.Tx.Put(keyAccount(community, House), fmt.Appendf(nil, `{"balance":%d,"entries":1}`, -maxGranted+firstChips+5))
		return nil
	})
	for _, test := range []struct {
		amount int64
		want   error
	}{{6, ErrAmount}, {5, nil}, {1, ErrAmount}} {
		err := at(t, s, noon, func(l Ledger) error {
			_, err := l.Grant(fmt.Sprint("grant ", test.amount), 1, test.amount)
			return err
		})
		if !errors.Is(err, test.want) {
			t.Errorf("a grant of %d: %v, want %v", test.amount, err, test.want)
		}
	}
	must(t, s, func(l Ledger) error { _, err := l.Daily("daily", 1); return err })
}
