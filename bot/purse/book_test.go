package purse

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestHistory: the lines of a user tell what happened, the newest first, page by page.
func TestHistory(t *testing.T) {
	stake := Cause{Kind: "stake", Table: "k7", Deal: 2, Move: 5}
	won := Cause{Kind: "win", Table: "k7", Deal: 2, Move: 6}
	want := []Line{
		{7, "k7/2/6", won, 0, 10, 3760, noon},
		{6, "stop", Cause{Kind: "stop", Table: "k7"}, 0, 100, 3750, noon},
		{5, "grant", Cause{Kind: KindGrant}, 0, 50, 3650, noon},
		{4, "k7/2/5", stake, 0, -100, 3600, noon},
		{3, "gift", Cause{Kind: KindGift}, 7, 400, 3700, noon},
		{2, "daily", Cause{Kind: KindDaily}, 0, 300, 3300, noon},
		{1, "open/u1", Cause{Kind: KindOpen}, 0, 3000, 3000, noon},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for _, do := range []func(Ledger) error{
			func(l Ledger) error { _, err := l.Daily("daily", 1); return err },
			func(l Ledger) error { _, err := l.Give("gift", 7, 1, 400); return err },
			func(l Ledger) error {
				_, err := l.Post(stake.ID(), stake, mv(User(1), -100), mv(At("k7", User(1)), 100))
				return err
			},
			func(l Ledger) error { _, err := l.Grant("grant", 1, 50); return err },
			func(l Ledger) error { _, err := l.Refund("stop", Cause{Kind: "stop", Table: "k7"}); return err },
			func(l Ledger) error {
				_, err := l.Post(won.ID(), won, mv(User(1), 10), mv(User(2), -4), mv(User(3), -6))
				return err
			},
			func(l Ledger) error { _, err := l.Open(1+36, "u1 begins this one's key"); return err },
		} {
			must(t, s, do)
		}
		book := Book{Store: s, Community: community}
		for _, page := range []struct {
			before int64
			limit  int
			want   []Line
		}{
			{0, 10, want}, {0, 7, want}, {0, 2, want[:2]}, {6, 2, want[2:4]}, {3, 2, want[5:]}, {2, 2, want[6:]}, {1, 2, nil}, {0, 0, nil},
		} {
			got, err := book.History(t.Context(), 1, page.before, page.limit)
			if err != nil || !slices.Equal(got, page.want) {
				t.Errorf("%d lines before %d: %v\n%+v, want\n%+v", page.limit, page.before, err, got, page.want)
			}
		}
		gave, err := book.History(t.Context(), 7, 0, 1)
		if err != nil || len(gave) != 1 || gave[0].With != 1 || gave[0].Amount != -400 {
			t.Errorf("the giver's line is %+v, %v", gave, err)
		}
		if none, err := book.History(t.Context(), 8, 0, 10); err != nil || len(none) != 0 {
			t.Errorf("the history of a stranger is %+v, %v", none, err)
		}
	})
}

// TestRichest lists more purses than one Scan reads.
func TestRichest(t *testing.T) {
	s := stores.Bolt(t)
	for first := int64(1); first <= 1200; first += 10 {
		must(t, s, func(l Ledger) error {
			for user := first; user < first+10; user++ {
				n := user*7919%1009 + 1
				if _, err := l.Post(fmt.Sprint(user), Cause{Kind: KindWin}, mv(User(user), n), mv(House, -n)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	must(t, s, func(l Ledger) error {
		_, err := l.Post("lay", Cause{Kind: "stake"}, mv(At("k7", House), 90_000), mv(House, -90_000))
		return err
	})
	must(t, s, func(l Ledger) error { l.Community = community + "0"; _, err := l.Grant("x", 1, 90_000); return err })
	var want []Purse
	for first := int64(1); first <= 1200; first += 50 {
		var users []int64
		for user := first; user < first+50; user++ {
			users = append(users, user)
		}
		var purses []Purse
		must(t, s, func(l Ledger) (err error) { purses, err = l.Purses(users...); return err })
		want = append(want, purses...)
	}
	slices.SortFunc(want, func(a, b Purse) int {
		return cmp.Or(cmp.Compare(b.Balance, a.Balance), cmp.Compare(User(a.User), User(b.User)))
	})
	for _, limit := range []int{0, 1, 10, 1200, 2000} {
		got, err := Book{Store: s, Community: community}.Richest(t.Context(), limit)
		if err != nil || len(got) != min(limit, 1200) {
			t.Fatalf("the richest %d: %d purses, %v", limit, len(got), err)
		}
		if !slices.Equal(got, want[:len(got)]) {
			t.Errorf("the richest %d are not those: %+v", limit, got)
		}
	}
	clean(t, s)
}

// keyed counts the keys of the transaction committed last.
type keyed struct {
	storage.Store
	txn storage.Txn
}

// Commit implements storage.Store.
func (k *keyed) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if len(t.Writes) > 0 {
		k.txn = t
	}
	return k.Store.Commit(ctx, t)
}

func (k *keyed) keys() int {
	set := map[string]bool{}
	for _, r := range k.txn.Reads {
		set[r.Key] = true
	}
	for _, w := range k.txn.Writes {
		set[w.Key] = true
	}
	return len(set)
}

// TestKeys counts the keys that each operation reads and writes; the last 1 is the list of the richest.
func TestKeys(t *testing.T) {
	s := stores.Bolt(t)
	bank := func(user int64) Account { return At("k7", User(user)) }
	stake := func(l Ledger, id string, users ...int64) error {
		var legs []Leg
		for _, u := range users {
			legs = append(legs, mv(User(u), -10), mv(bank(u), 10))
		}
		_, err := l.Post(id, Cause{Kind: "stake", Table: "k7"}, legs...)
		return err
	}
	tests := []struct {
		name string
		do   func(Ledger) error
		want int
	}{
		{"open", func(l Ledger) error { _, err := l.Open(1, "A"); return err }, 4 + 1},
		{"see again", func(l Ledger) error { _, err := l.Open(1, "A"); return err }, 0},
		{"rename", func(l Ledger) error { _, err := l.Open(1, "B"); return err }, 1 + 1},
		{"daily", func(l Ledger) error { _, err := l.Daily("d", 1); return err }, 4 + 1},
		{"grant", func(l Ledger) error { _, err := l.Grant("g", 1, 1); return err }, 4 + 1},
		{"give and open", func(l Ledger) error { _, err := l.Give("x", 1, 2, 1); return err }, 5 + 3 + 1},
		{"give", func(l Ledger) error { _, err := l.Give("y", 1, 2, 1); return err }, 5 + 1},
		{"stake", func(l Ledger) error { return stake(l, "k7/1/1", 1) }, 2 + 2 + 1},
		{"stake and open two", func(l Ledger) error { return stake(l, "k7/1/2", 1, 3, 4) }, 2 + 3*2 + 2*2 + 1 + 1},
		{"lose", func(l Ledger) error {
			_, err := l.Post("k7/1/3", Cause{Kind: "lose"}, mv(bank(3), -10), mv(bank(1), 10))
			return err
		}, 2},
		{"win", func(l Ledger) error {
			_, err := l.Post("k7/1/4", Cause{Kind: "win"}, mv(bank(1), -5), mv(bank(4), -10), mv(User(4), 15))
			return err
		}, 2 + 2 + 1},
		{"post again", func(l Ledger) error { return stake(l, "k7/1/1", 1) }, 0},
		{"refund", func(l Ledger) error {
			_, err := l.Refund("k7/stop", Cause{Kind: "stop", Table: "k7"})
			return err
		}, 2 + 2 + 1},
	}
	for _, test := range tests {
		k := &keyed{Store: s}
		must(t, k, test.do)
		if got := k.keys(); got != test.want {
			t.Errorf("%s: %d keys, want %d", test.name, got, test.want)
		}
	}
	clean(t, s)
}
