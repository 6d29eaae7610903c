package purse

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// give moves chips from the house to a user, or back.
func give(t *testing.T, s storage.Store, id string, user, amount int64) {
	t.Helper()
	err := at(t, s, noon, func(l Ledger) error {
		_, err := l.Post(id, Cause{Kind: KindWin}, mv(User(user), amount), mv(House, -amount))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantRichest compares the richest with those found by reading all purses.
func wantRichest(t *testing.T, s storage.Store, limit int) {
	t.Helper()
	book := Book{Store: s, Community: community}
	want, err := book.scanned(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	got, err := book.Richest(t.Context(), limit)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d are listed, want %d; %v", len(got), len(want), err)
	}
	for i := range got { // Those who hold the same may stand in any order.
		if got[i].Balance != want[i].Balance {
			t.Fatalf("place %d has %d, want %d", i+1, got[i].Balance, want[i].Balance)
		}
	}
}

// TestRichList: who is rich is known through any gains and losses.
func TestRichList(t *testing.T) {
	for _, test := range []struct {
		name string
		// users are how many purses there are; a step gives one of them something up to most, or takes it.
		users, most int64
		// again is how many times all purses were read in 300 steps, at most.
		again int
	}{
		{"few", 7, 500, 1},
		{"as many as are listed", richNew, 500, 3},
		{"many", 200, 500, 12},
		{"many and small changes", 200, 3, 12},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &scanning{Store: mem.New()}
			r := rand.New(rand.NewPCG(1, 7))
			for user := range test.users {
				give(t, s, fmt.Sprint("first/", user), user+1, r.Int64N(2000)+1)
			}
			for n := range 300 {
				amount := r.Int64N(2*test.most+1) - test.most
				give(t, s, fmt.Sprint("step/", n), r.Int64N(test.users)+1, amount)
				if n%3 == 0 {
					wantRichest(t, s, 10)
				}
			}
			if made := s.lists - 100; made > test.again { // wantRichest itself reads them a hundred times.
				t.Errorf("the list was made %d times, want at most %d", made, test.again)
			}
			clean(t, s)
		})
	}
}

// TestIdle: who has only asked what they hold, or taken what the house gives, isn't before those who have played, also where a list
// from before names them.
func TestIdle(t *testing.T) {
	for _, old := range []bool{false, true} {
		s := mem.New()
		for user := int64(1); user <= 2*richNew; user++ {
			must(t, s, func(l Ledger) error {
				if _, err := l.Daily(fmt.Sprint("day/", user), user); err != nil {
					return err
				}
				_, err := l.Open(user, "")
				return err
			})
		}
		give(t, s, "lost", 7, -1000)
		give(t, s, "lost more", 8, -1500)
		give(t, s, "even", 9, 500)
		give(t, s, "even again", 9, -500)
		if old {
			must(t, s, func(l Ledger) error {
				r := rich{Floor: 2000}
				for user := int64(1); user <= richNew; user++ {
					r.Users, r.Most = append(r.Users, user), append(r.Most, firstChips+dailyFirst)
				}
				return r.put(l.Tx, keyRich(community))
			})
		}
		top, err := Book{Store: s, Community: community}.Richest(t.Context(), 10)
		if err != nil || len(top) != 2 || top[0].User != 7 || top[1].User != 8 {
			t.Errorf("the richest are %+v, %v; the list is old: %v", top, err, old)
		}
		clean(t, s)
	}
}

// scanning is a store that counts how often the purses are read from the first one on, and can be told what happens then.
type scanning struct {
	storage.Store
	mu    sync.Mutex
	lists int
	then  func()
}

// Scan counts.
func (s *scanning) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := s.Store.Scan(ctx, prefix, after, limit)
	if strings.HasPrefix(prefix, keyspace.Accounts+community+"/u") && after == "" {
		s.mu.Lock()
		s.lists++
		then := s.then
		s.then = nil
		s.mu.Unlock()
		if then != nil {
			then()
		}
	}
	return items, err
}

// TestRichWhileRead: who becomes rich while the list is made is on it, also where another one makes it, too, and where
// many do.
func TestRichWhileRead(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, s storage.Store){
		"one rises": func(t *testing.T, s storage.Store) { give(t, s, "late", 3, 100_000) },
		"one falls": func(t *testing.T, s storage.Store) { give(t, s, "late", 40, -2000) },
		"another makes it, one rises": func(t *testing.T, s storage.Store) {
			wantRichest(t, s, 10)
			give(t, s, "late", 3, 100_000)
		},
		"one rises, another makes it": func(t *testing.T, s storage.Store) {
			give(t, s, "late", 3, 100_000)
			wantRichest(t, s, 10)
		},
		"a hundred rise": func(t *testing.T, s storage.Store) {
			for user := range int64(100) {
				give(t, s, fmt.Sprint("late/", user), user+1, 10_000+user)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scanning{Store: mem.New()}
			for user := range int64(120) {
				give(t, s, fmt.Sprint("first/", user), user+1, 10*user+1)
			}
			s.then = func() { then(t, s) }
			if _, err := (Book{Store: s, Community: community}).Richest(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
			clean(t, s)
			wantRichest(t, s, 10)
			clean(t, s)
		})
	}
}

// TestRichBroken: where the making of the list was broken off, the next one makes it.
func TestRichBroken(t *testing.T) {
	s := &scanning{Store: mem.New()}
	for user := range int64(50) {
		give(t, s, fmt.Sprint("first/", user), user+1, 10*user+1)
	}
	ctx, stop := context.WithCancel(t.Context())
	s.then = stop
	if _, err := (Book{Store: s, Community: community}).Richest(ctx, 10); err == nil {
		t.Error("a list was made in no time")
	}
	give(t, s, "late", 3, 100_000)
	wantRichest(t, s, 10)
	clean(t, s)
}

// TestRichMissing: the audit names somebody who is rich and isn't listed.
func TestRichMissing(t *testing.T) {
	s := mem.New()
	for user := range int64(50) {
		give(t, s, fmt.Sprint("first/", user), user+1, 10*user+1)
	}
	wantRichest(t, s, 10)
	wrong := storage.Write{Key: keyRich(community), Value: []byte(`{"floor":3400,"users":[50]}`)}
	if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { tx.Put(wrong.Key, wrong.Value); return nil }); err != nil {
		t.Fatal(err)
	}
	var found []string
	if _, err := Audit(t.Context(), s, func(p Problem) { found = append(found, p.Key) }); err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 || found[0] != keyRich(community) {
		t.Errorf("found: %v", found)
	}
}
