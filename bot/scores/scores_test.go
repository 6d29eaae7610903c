package scores

import (
	"fmt"
	"sync"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// record records one finish and returns its number.
func record(t testing.TB, s storage.Store, k Key, name string, f Finish) int {
	t.Helper()
	var n int
	err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) { n, err = Record(tx, k, name, f); return err })
	if err != nil {
		t.Error(err)
	}
	return n
}

// TestRecord: each finish goes to the tally of its user, community and game, and to no other.
func TestRecord(t *testing.T) {
	keys := []Key{{"t1", "zevaka", 1}, {"t1", "zevaka", 37}, {"t1", "banchok", 1}, {"t10", "zevaka", 1}, {"t-1", "zevaka", -1}}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for round := 1; round <= 3; round++ {
			for i, k := range keys {
				name := []string{"", "A", "B\xff", ""}[round]
				if n := record(t, s, k, name, Finish{Won: true, Chips: int64(i + 1)}); n != round {
					t.Errorf("round %d: the finish of %+v has the number %d", round, k, n)
				}
			}
		}
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			tallies, err := Read(tx, append(keys, Key{"t1", "zevaka", 2})...)
			for i, got := range tallies {
				want := Tally{Name: "B�", Games: 3, Wins: 3, Streak: 3, Longest: 3, Chips: int64(3*i + 3), BestChips: int64(i + 1)}
				if i == len(keys) {
					want = Tally{}
				}
				if got != want {
					t.Errorf("tally %d is %+v, want %+v", i, got, want)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestNobodysKey(t *testing.T) {
	s := stores.Bolt(t)
	for _, k := range []Key{{}, {"", "g", 1}, {"c", "", 1}, {"c", "g", 0}, {"c/d", "g", 1}, {"c", "g/h", 1}} {
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error { _, err := Record(tx, k, "", Finish{}); return err })
		if err == nil {
			t.Errorf("%+v has scores", k)
		}
		if NewRebuilder().Add(Entry{Key: k, N: 1}) == nil {
			t.Errorf("%+v has a finish", k)
		}
	}
}

// TestRace lets twenty goroutines record finishes of the same three users at once: every number is given once, and
// what is worked out again from all of them is what is stored.
func TestRace(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		var mu sync.Mutex
		var entries []Entry
		var all sync.WaitGroup
		for g := range 20 {
			all.Go(func() {
				for i := range 9 {
					e := Entry{Key: Key{"t1", "zevaka", int64(i%3 + 1)}, Name: fmt.Sprint(g), Finish: Finish{Won: (g+i)%3 > 0, Place: g%4 + 1}}
					e.N = record(t, s, e.Key, e.Name, e.Finish)
					mu.Lock()
					entries = append(entries, e)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		agree(t, s, entries)
	})
}
