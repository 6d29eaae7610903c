package scores

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
)

// stores are the stores in which everything is tried.
func stores(t *testing.T, run func(t *testing.T, s storage.Store)) {
	t.Run("mem", func(t *testing.T) { run(t, mem.New()) })
	t.Run("bolt", func(t *testing.T) { run(t, newBolt(t)) })
}

func newBolt(t testing.TB) storage.Store {
	s, err := bolt.Open(filepath.Join(t.TempDir(), "z.db"), bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// record records one finish and returns its number.
func record(t testing.TB, s storage.Store, k Key, name string, f Finish) int {
	t.Helper()
	var n int
	err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) { n, err = Record(tx, k, name, f); return err })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRecord: each finish goes to the tally of its user, community and game, and to no other.
func TestRecord(t *testing.T) {
	keys := []Key{{"t1", "zevaka", 1}, {"t1", "zevaka", 37}, {"t1", "banchok", 1}, {"t10", "zevaka", 1}, {"t-1", "zevaka", -1}}
	stores(t, func(t *testing.T, s storage.Store) {
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
	s := newBolt(t)
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

// TestNamed finds everybody who is called so now, among more rows than one Scan reads.
func TestNamed(t *testing.T) {
	s := newBolt(t)
	r := NewRebuilder()
	for u := int64(1); u <= 1200; u++ {
		if err := r.Add(Entry{Key: Key{"t1", "banchok", u}, Name: fmt.Sprint("Аня ", u%400), N: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Write(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, k := range []Key{{"t1", "banchok2", 7}, {"t1", "banch", 7}, {"t10", "banchok", 7}} {
		record(t, s, k, "Аня 7", Finish{})
	}
	record(t, s, Key{"t1", "banchok", 407}, "a/b", Finish{})
	for name, want := range map[string][]int64{"Аня 7": {7, 807}, "аНЯ 7": {7, 807}, "A/B": {407}, "b": nil, "Аня": nil, "": nil} {
		rows, err := Book{s, "t1"}.Named(t.Context(), "banchok", name)
		var got []int64
		for _, row := range rows {
			got = append(got, row.User)
		}
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is the name of %v, want %v (%v)", name, got, want, err)
		}
	}
}

// TestRace lets twenty goroutines record finishes of the same three users at once: every number is given once, and
// what is worked out again from all of them is what is stored.
func TestRace(t *testing.T) {
	stores(t, func(t *testing.T, s storage.Store) {
		var mu sync.Mutex
		var entries []Entry
		var all sync.WaitGroup
		for g := range 20 {
			all.Go(func() {
				for i := range 9 {
					e := Entry{Key: Key{"t1", "zevaka", int64(i%3 + 1)}, Name: fmt.Sprint(g), Finish: Finish{Won: (g+i)%3 > 0, Place: g%4 + 1}}
					err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) {
						e.N, err = Record(tx, e.Key, e.Name, e.Finish)
						return err
					})
					if err != nil {
						t.Error(err)
					}
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
