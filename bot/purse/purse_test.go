package purse

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// community is the community of the tests.
const community = "t-1x9"

// noon is the middle of a day.
const noon = 20_000*secondsPerDay + secondsPerDay/2

// at runs fn on the ledger of home at that time, as one transaction.
func at(t testing.TB, s storage.Store, now int64, fn func(Ledger) error) error {
	t.Helper()
	return storage.Update(t.Context(), s, func(tx storage.Tx) error {
		return fn(Ledger{Tx: tx, Community: community, Now: now})
	})
}

// must runs fn at noon, and the test ends if it fails.
func must(t testing.TB, s storage.Store, fn func(Ledger) error) {
	t.Helper()
	if err := at(t, s, noon, fn); err != nil {
		t.Fatal(err)
	}
}

// clean audits the store and wants no problem.
func clean(t testing.TB, s storage.Store) Totals {
	t.Helper()
	totals, err := Audit(t.Context(), s, func(p Problem) { t.Error(p) })
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

// balances are those of users 1, 2, 3.
func balances(t testing.TB, s storage.Store) [3]int64 {
	t.Helper()
	var sums [3]int64
	must(t, s, func(l Ledger) error {
		purses, err := l.Purses(1, 2, 3)
		for i, p := range purses {
			sums[i] = p.Balance
		}
		return err
	})
	return sums
}

func mv(a Account, amount int64) Leg { return Leg{Account: a, Amount: amount} }

// TestPost makes postings one after another, each delivered twice, at a table where 1 holds the bank.
func TestPost(t *testing.T) {
	bank, two, three := At("k7", User(1)), At("k7", User(2)), At("k7", User(3))
	tests := []struct {
		name string
		kind string
		legs []Leg
		want [3]int64
		held map[Account]int64
		err  engine.Refusal
	}{
		{"the bank", "bank", []Leg{mv(User(1), -300), mv(bank, 300)}, [3]int64{2700, 3000, 3000}, map[Account]int64{User(1): 300}, ""},
		{"a stake", "stake", []Leg{mv(User(2), -100), mv(two, 100)}, [3]int64{2700, 2900, 3000}, map[Account]int64{User(1): 300, User(2): 100}, ""},
		{"it is lost", "lose", []Leg{mv(two, -100), mv(bank, 100)}, [3]int64{2700, 2900, 3000}, map[Account]int64{User(1): 400}, ""},
		{"all there is", "stake", []Leg{mv(User(3), -3000), mv(three, 3000)}, [3]int64{2700, 2900, 0}, map[Account]int64{User(1): 400, User(3): 3000}, ""},
		{"a purse that is empty", "stake", []Leg{mv(User(3), -1), mv(three, 1)}, [3]int64{2700, 2900, 0}, map[Account]int64{User(1): 400, User(3): 3000}, ErrShort},
		{"it is won", "win", []Leg{mv(bank, -200), mv(three, -3000), mv(User(3), 3200)}, [3]int64{2700, 2900, 3200}, map[Account]int64{User(1): 200}, ""},
		{"one short of several", "win", []Leg{mv(User(1), -2700), mv(User(2), -2901), mv(User(3), 5601)}, [3]int64{2700, 2900, 3200}, map[Account]int64{User(1): 200}, ErrShort},
		{"legs of one account", "win", []Leg{mv(User(1), -5000), mv(User(1), 5000), mv(bank, -50), mv(User(2), 20), mv(User(2), 30)}, [3]int64{2700, 2950, 3200}, map[Account]int64{User(1): 150}, ""},
		{"the end", "win", []Leg{mv(bank, -150), mv(User(1), 150)}, [3]int64{2850, 2950, 3200}, nil, ""},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for i, test := range tests {
			c := Cause{Kind: test.kind, Table: "k7", Deal: 1, Move: i + 1}
			for again := range 2 {
				var posted bool
				err := at(t, s, noon, func(l Ledger) (err error) { posted, err = l.Post(c.ID(), c, test.legs...); return err })
				if (err != nil || test.err != "") && !errors.Is(err, test.err) {
					t.Fatalf("%s: %v, want %q", test.name, err, test.err)
				}
				if want := again == 0 && test.err == ""; posted != want {
					t.Errorf("%s, delivery %d: posted is %v", test.name, again+1, posted)
				}
			}
			if got := balances(t, s); got != test.want {
				t.Errorf("%s: balances are %d, want %d", test.name, got, test.want)
			}
			must(t, s, func(l Ledger) error {
				held, err := l.Held("k7")
				if len(held) != len(test.held) {
					t.Errorf("%s: at the table lie %v, want %v", test.name, held, test.held)
				}
				for owner, want := range test.held {
					if held[owner] != want {
						t.Errorf("%s: at the table lie %v, want %v", test.name, held, test.held)
					}
				}
				return err
			})
		}
		if got, want := clean(t, s), (Totals{1, 3, 10, 9, 9000, 0, -9000}); got != want {
			t.Errorf("the audit counts %+v, want %+v", got, want)
		}
	})
}

// TestPostFaults: what nobody may ask for puts nothing into the transaction.
func TestPostFaults(t *testing.T) {
	win, table := Cause{Kind: "win"}, At("k7", User(1))
	tests := []struct {
		name string
		id   string
		c    Cause
		legs []Leg
	}{
		{"no ID", "", win, nil},
		{"an ID too long", string(make([]byte, 129)), win, nil},
		{"an ID of a purse's opening", "open/u1", win, nil},
		{"a purse's opening", "x", Cause{Kind: KindOpen}, nil},
		{"an ID that is no text", "\xff", win, nil},
		{"no kind", "x", Cause{}, nil},
		{"one leg", "x", win, []Leg{mv(User(1), 1)}},
		{"a sum that isn't zero", "x", win, []Leg{mv(User(1), -2), mv(User(2), 1)}},
		{"no account", "x", win, []Leg{mv("", -1), mv(User(2), 1)}},
		{"a computer's purse", "x", win, []Leg{mv(User(0), 1), mv(User(2), -1)}},
		{"a table without an owner", "x", win, []Leg{mv(At("k7", ""), 1), mv(User(2), -1)}},
		{"a table at a table", "x", win, []Leg{mv(At("k7", table), 1), mv(User(2), -1)}},
		{"a table with a strange name", "x", win, []Leg{mv(At("K7", User(2)), 1), mv(User(2), -1)}},
		{"too much", "x", win, []Leg{mv(User(1), MaxAmount+1), mv(House, -MaxAmount-1)}},
		{"too much in several legs", "x", win, slices.Repeat([]Leg{mv(User(1), MaxAmount), mv(House, -MaxAmount)}, 2)},
		{"what doesn't lie there", "x", win, []Leg{mv(table, -11), mv(User(1), 11)}},
		{"what lies there for another", "x", win, []Leg{mv(At("k7", User(2)), -1), mv(User(2), 1)}},
		{"an ID that another posting has", "k7/1/1", win, []Leg{mv(User(1), 1), mv(User(2), -1)}},
		{"the same for another reason", "k7/1/1", win, []Leg{mv(User(1), -10), mv(table, 10)}},
	}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		stake := Cause{Kind: "stake", Table: "k7", Deal: 1, Move: 1}
		must(t, s, func(l Ledger) error {
			_, err := l.Post(stake.ID(), stake, mv(User(1), -10), mv(table, 10))
			return err
		})
		for _, test := range tests {
			err := at(t, s, noon, func(l Ledger) error {
				_, err := l.Post(test.id, test.c, test.legs...)
				var refused engine.Refusal
				if err == nil || errors.As(err, &refused) {
					t.Errorf("%s: %v, want a fault", test.name, err)
				}
				return nil // What was put would be committed.
			})
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			_, err := Ledger{Tx: tx, Community: "a/b"}.Purses(1)
			return err
		}); err == nil {
			t.Error("a/b is a community")
		}
		if got, want := clean(t, s), (Totals{1, 1, 2, 2, 2990, 10, -3000}); got != want {
			t.Errorf("the audit counts %+v, want %+v", got, want)
		}
	})
}

// TestShort: the Refusal says whose purse lacks how much, and the transaction may go on with something else.
func TestShort(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		must(t, s, func(l Ledger) error {
			var short Short
			_, err := l.Give("a", 2, 1, 3001)
			if !errors.As(err, &short) || short != (Short{User: 2, Has: 3000, Lacks: 1}) {
				t.Errorf("%v is %+v", err, short)
			}
			if _, err := l.Give("b", 2, 1, 2000); err != nil {
				t.Errorf("a gift that can be paid: %v", err)
			}
			_, err = l.Give("c", 2, 1, 2000)
			if !errors.As(err, &short) || short != (Short{User: 2, Has: 1000, Lacks: 1000}) {
				t.Errorf("after a gift in the same transaction: %v is %+v", err, short)
			}
			return nil
		})
		if got := balances(t, s); got != [3]int64{5000, 1000, 3000} {
			t.Errorf("balances are %d", got)
		}
		clean(t, s)
	})
}

// TestOpen: a purse is opened once, keeps the name it was given last, and is as full before as after.
func TestOpen(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		want := Purse{User: 1, Balance: firstChips}
		for _, step := range []struct{ name, want string }{
			{"", ""}, {"Аня", "Аня"}, {"", "Аня"}, {"Anna", "Anna"}, {"Anna", "Anna"}, {"A\xffa", "A�a"},
		} {
			must(t, s, func(l Ledger) error {
				before, err := l.Purses(1)
				if err != nil || before[0] != want {
					t.Errorf("before %q: %+v, %v; want %+v", step.name, before, err, want)
				}
				return err
			})
			want.Entries, want.Name = 1, step.want
			must(t, s, func(l Ledger) error {
				after, err := l.Open(1, step.name)
				if err != nil || after != want {
					t.Errorf("Open %q: %+v, %v; want %+v", step.name, after, err, want)
				}
				return err
			})
		}
		if got, want := clean(t, s), (Totals{1, 1, 1, 1, 3000, 0, -3000}); got != want {
			t.Errorf("the audit counts %+v, want %+v", got, want)
		}
	})
}

// TestRefund: a table that is stopped gives back what lies there, once, and a table of the same name in another
// community keeps its own.
func TestRefund(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		stake := Cause{Kind: "stake", Table: "k7", Deal: 1, Move: 1}
		lay := func(l Ledger) error {
			_, err := l.Post(stake.ID(), stake, mv(User(1), -300), mv(User(2), -20), mv(House, -40),
				mv(At("k7", User(1)), 300), mv(At("k7", User(2)), 20), mv(At("k7", House), 40))
			return err
		}
		must(t, s, lay)
		must(t, s, func(l Ledger) error { l.Community = community + "0"; return lay(l) })
		if got := balances(t, s); got != [3]int64{2700, 2980, 3000} {
			t.Errorf("balances are %d with chips at the table", got)
		}
		stop := Cause{Kind: "stop", Table: "k7"}
		for again := range 3 {
			must(t, s, func(l Ledger) error {
				posted, err := l.Refund("k7/stop", stop)
				if posted != (again == 0) {
					t.Errorf("refund %d: posted is %v", again+1, posted)
				}
				return err
			})
		}
		if got := balances(t, s); got != [3]int64{3000, 3000, 3000} {
			t.Errorf("balances are %d after the refund", got)
		}
		if got, want := clean(t, s), (Totals{2, 4, 7, 10, 11680, 360, -12040}); got != want {
			t.Errorf("the audit counts %+v, want %+v", got, want)
		}
	})
}

// TestBounds: no account can be made to hold more than can be read back.
func TestBounds(t *testing.T) {
	const grants = 3
	s := stores.Bolt(t)
	for i := range grants {
		must(t, s, func(l Ledger) error { _, err := l.Grant(fmt.Sprint("grant", i), 1, MaxAmount); return err })
	}
	lay := func(id string, amount int64) func(Ledger) error {
		return func(l Ledger) error {
			_, err := l.Post(id, Cause{Kind: "stake", Table: "k7"}, mv(User(1), -amount), mv(At("k7", User(1)), amount))
			return err
		}
	}
	must(t, s, lay("all", MaxAmount))
	var refused engine.Refusal
	if err := at(t, s, noon, lay("more", 1)); err == nil || errors.As(err, &refused) {
		t.Errorf("at a table lies more than may: %v", err)
	}
	must(t, s, func(l Ledger) error { _, err := l.Refund("stop", Cause{Kind: "stop", Table: "k7"}); return err })
	clean(t, s)

	for _, account := range []Account{User(1), House} {
		full, sign := int64(maxBalance-5), int64(1)
		if account == House {
			full, sign = -full, -1
		}
		must(t, s, func(l Ledger) error {
			l.Tx.Put(keyAccount(community, account), fmt.Appendf(nil, `{"balance":%d,"entries":1}`, full))
			return nil
		})
		for _, test := range []struct {
			amount int64
			ok     bool
		}{{6, false}, {5, true}, {1, false}} {
			err := at(t, s, noon, func(l Ledger) error {
				_, err := l.Post(fmt.Sprint(account, test.amount), Cause{Kind: "x"}, mv(account, sign*test.amount), mv(User(2), -sign*test.amount))
				return err
			})
			if (err == nil) != test.ok || errors.As(err, &refused) {
				t.Errorf("%d more for %s: %v", test.amount, account, err)
			}
		}
	}
}
