package scores

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestForget: when somebody is forgotten, the others' tallies and boards are as if they had never played.
func TestForget(t *testing.T) {
	for _, users := range []int64{1, 3, boardSize, 40} {
		t.Run(fmt.Sprint(users), func(t *testing.T) {
			s := stores.Bolt(t)
			r := rand.New(rand.NewPCG(9, uint64(users)))
			var entries []Entry
			for range 400 {
				k := Key{"t1", []string{"banchok", "zevaka"}[r.IntN(2)], r.Int64N(users) + 1}
				e := Entry{Key: k, Name: "name", Finish: Finish{Won: r.IntN(2) == 0, Chips: r.Int64N(300) - 200}}
				e.N = record(t, s, k, e.Name, e.Finish)
				entries = append(entries, e)
			}
			book := Book{Store: s, Community: "t1"}
			for user := int64(1); user <= min(users, 12); user++ {
				forget(t, s, user)
				forget(t, s, user) // Nothing is left to forget.
				entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.User == user })
				for _, game := range []string{"banchok", "zevaka"} {
					if err := book.Remake(t.Context(), game); err != nil {
						t.Fatal(err)
					}
				}
				agree(t, s, entries)
			}
		})
	}
}

func forget(t *testing.T, s storage.Store, user int64) {
	t.Helper()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		return Forget(tx, Key{"t1", "banchok", user}, Key{"t1", "zevaka", user})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRemakeRace: what others finish while somebody is forgotten is on the board.
func TestRemakeRace(t *testing.T) {
	s := stores.Bolt(t)
	var entries []Entry
	for user := range int64(40) {
		e := Entry{Key: Key{"t1", "zevaka", user + 1}, Name: "name", Finish: Finish{Won: user < 20}}
		e.N = record(t, s, e.Key, e.Name, e.Finish)
		entries = append(entries, e)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	for g := range int64(4) {
		all.Go(func() {
			for i := range int64(10) {
				e := Entry{Key: Key{"t1", "zevaka", 11 + g + 4*(i%7)}, Name: "name", Finish: Finish{Won: true}}
				e.N = record(t, s, e.Key, e.Name, e.Finish)
				mu.Lock()
				entries = append(entries, e)
				mu.Unlock()
			}
		})
	}
	for user := int64(1); user <= 10; user++ {
		forget(t, s, user)
		if err := (Book{Store: s, Community: "t1"}).Remake(t.Context(), "zevaka"); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
	agree(t, s, slices.DeleteFunc(entries, func(e Entry) bool { return e.User <= 10 }))
}
