package purse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestRace lets twenty goroutines post among four users and one table at once, each posting delivered by two of them.
// Every posting is made once, or refused to both.
func TestRace(t *testing.T) {
	const pairs, each = 10, 15
	stores.Each(t, func(t *testing.T, s storage.Store) {
		var made [pairs * each]atomic.Int32
		var all sync.WaitGroup
		for g := range 2 * pairs {
			pair := g % pairs
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(pair), 3)) // The two of a pair do the same.
				for i := range each {
					n := pair*each + i
					from, to, amount := User(r.Int64N(4)+1), User(r.Int64N(4)+1), r.Int64N(400)+1
					legs := []Leg{mv(from, -amount), mv(to, amount-1), mv(At("k7", to), 1)}
					var posted bool
					err := at(t, s, noon, func(l Ledger) (err error) {
						posted, err = l.Post(fmt.Sprint("p", n), Cause{Kind: "win", Table: "k7"}, legs...)
						return err
					})
					if err != nil && !errors.Is(err, ErrShort) {
						t.Errorf("posting %d: %v", n, err)
					}
					if posted && err == nil {
						made[n].Add(1)
					}
				}
			})
		}
		all.Wait()
		want := 4 // the purses' openings
		for n := range made {
			if times := made[n].Load(); times > 1 {
				t.Errorf("posting %d was made %d times", n, times)
			}
			want += int(made[n].Load())
		}
		totals := clean(t, s)
		if totals.Postings != want || totals.Chips+totals.Laid != 4*firstChips || totals.House != -4*firstChips {
			t.Errorf("the audit counts %+v, want %d postings", totals, want)
		}
	})
}
