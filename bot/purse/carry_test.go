package purse

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// carryAll carries forward what was posted before a time at no table, and all that was posted at the tables.
func carryAll(t *testing.T, s storage.Store, before int64, tables ...string) error {
	t.Helper()
	carry := func(community string, postings []storage.Item) error {
		for len(postings) > 0 {
			n := 0
			err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) {
				n, err = Ledger{Tx: tx, Community: community}.CarryForward(postings)
				return err
			})
			if err != nil {
				return err
			}
			clean(t, s)
			postings = postings[n:]
		}
		return nil
	}
	for _, table := range tables {
		items, err := Book{Store: s, Community: community}.Postings(t.Context(), table, 10_000)
		if err == nil && len(items) > 0 {
			err = carry(community, items)
		}
		if err != nil {
			return err
		}
	}
	return Older(t.Context(), s, before, 1000, carry)
}

// stored are all accounts as they are stored.
func stored(t *testing.T, s storage.Store) map[string]string {
	return stores.Contents(t, s, keyspace.Accounts)
}

// TestCarryForward plays with a ledger at random and lets old postings leave in between. The audit is clean after every
// transaction, no balance changes by it, and the postings that are kept and those that are not are all there were.
func TestCarryForward(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		r := rand.New(rand.NewPCG(7, 7))
		m := &model{r, map[Account]int64{}, map[int64]int{}, map[string]bool{}, map[int64][2]int64{}, noon}
		for n := range 300 {
			m.step(t, s, n)
			if r.IntN(15) > 0 {
				continue
			}
			was := stored(t, s)
			if err := carryAll(t, s, m.now-3*secondsPerDay, "k0"); err != nil {
				t.Fatal(err)
			}
			if now := stored(t, s); !maps.Equal(was, now) {
				t.Fatalf("after step %d the accounts are %v, and were %v", n, now, was)
			}
			must(t, s, func(l Ledger) error { return m.compare(t, l, n) })
		}
		book := Book{Store: s, Community: community}
		for u, n := range m.lines {
			lines, err := book.History(t.Context(), u, 0, 10_000)
			if err != nil {
				t.Fatal(err)
			}
			carried, err := book.Carried(t.Context(), u)
			if err != nil || len(lines)+int(carried.Entries) != n || carried.Entries == 0 {
				t.Errorf("user %d has %d lines and %+v carried, %v; want %d in all", u, len(lines), carried, err, n)
			}
			sum := carried.Amount
			for _, line := range lines {
				sum += line.Amount
			}
			if sum != m.balances[User(u)] {
				t.Errorf("user %d has %d in all, want %d", u, sum, m.balances[User(u)])
			}
		}
	})
}

// TestCarryNothing: what is not old stays, unless it is too much.
func TestCarryNothing(t *testing.T) {
	s := stores.Bolt(t)
	small(t, s)
	if err := Older(t.Context(), s, noon, 1000, func(string, []storage.Item) error { return errors.New("nothing is old") }); err != nil {
		t.Error(err)
	}
}

// TestCarryTwice: postings that have left since they were read are left alone.
func TestCarryTwice(t *testing.T) {
	s := stores.Bolt(t)
	small(t, s)
	items, err := s.Scan(t.Context(), keyspace.Postings+community+"/", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		must(t, s, func(l Ledger) error {
			n, err := l.CarryForward(items)
			if n != len(items) {
				t.Errorf("%d of %d postings are done", n, len(items))
			}
			return err
		})
		clean(t, s)
	}
}

// TestAuditCarried damages what is carried forward; the audit must say so at the keys where it shows.
func TestAuditCarried(t *testing.T) {
	a, k := "a/"+community+"/", "k/"+community+"/"
	for _, test := range []struct {
		name          string
		key, old, new string
		to            string
		want          []string
	}{
		{"an amount", k + "u2", `:3100`, `:3101`, "", []string{k, a + "u2"}},
		{"a count", k + "u1", `:4`, `:5`, "", []string{a + "u1"}},
		{"a lost account", k + "u1", ``, ``, "", []string{k, a + "u1"}},
		{"one that can't be read", k + "u1", `{`, `[`, "", []string{k + "u1", k, a + "u1"}},
		{"nothing", k + "u1", ``, `{}`, "", []string{k + "u1", k, a + "u1"}},
		{"one too many", k + "u1", ``, `{"amount":5,"entries":1}`, k + "u9", []string{k, a + "u9"}},
		{"at a table", k + "tk7/u1", `:50`, `:49`, "", []string{k, a + "tk7"}},
		{"a count at a table", k + "tk7/u1", `}`, `,"entries":1}`, "", []string{k + "tk7/u1", k, a + "tk7"}},
		{"a strange key", k + "u1", ``, `{"amount":5,"entries":1}`, k + "x", []string{k + "x"}},
		{"another community", k + "u1", ``, `{"amount":5,"entries":1}`, "k/z/u1", []string{"k/z/", "a/z/u1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := stores.Bolt(t)
			small(t, s)
			if err := carryAll(t, s, noon+1, "k7"); err != nil {
				t.Fatal(err)
			}
			damage(t, s, test.key, test.old, test.new, test.to)
			var got []string
			if _, err := Audit(context.Background(), s, func(p Problem) { got = append(got, p.Key) }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("the audit found %q, want %q", got, test.want)
			}
		})
	}
}

// TestCarryMany: more postings than one transaction can take leave in several.
func TestCarryMany(t *testing.T) {
	s := stores.Bolt(t)
	for n := range 20 {
		if err := batch(t.Context(), s, community, int64(n%7+1), n); err != nil {
			t.Fatal(err)
		}
	}
	was := stored(t, s)
	items, err := s.Scan(t.Context(), keyspace.Postings+community+"/", "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	times := 0
	for len(items) > 0 {
		n := 0
		must(t, s, func(l Ledger) (err error) { n, err = l.CarryForward(items); return err })
		clean(t, s)
		items = items[n:]
		times++
	}
	left, err := s.Scan(t.Context(), keyspace.Postings, "", 1)
	if err != nil || len(left) > 0 || times < 2 || !maps.Equal(was, stored(t, s)) {
		t.Errorf("after %d transactions %v is left, %v", times, left, err)
	}
	if lines, err := s.Scan(t.Context(), keyspace.History, "", 1); err != nil || len(lines) > 0 {
		t.Errorf("lines are left: %v, %v", lines, err)
	}
}
