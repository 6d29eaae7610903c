package purse

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// The large ledger has bigPostings postings: nine in ten in one community of bigPurses purses, the rest in others of
// some ten each.
const (
	bigPostings = 1_000_000
	bigPurses   = 10_000
	bigBatch    = 20
	bigWorkers  = 8
)

// BenchmarkMillion measures what a player may ask for in a ledger of a million postings, which it builds first, and then
// the audit of all of it: a minute and a half.
func BenchmarkMillion(b *testing.B) {
	s := stores.Bolt(b)
	build(b, s)
	ctx, r := b.Context(), rand.New(rand.NewPCG(1, 1))
	book := Book{Store: s, Community: "big"}
	user := func() int64 { return r.Int64N(bigPurses) + 1 }
	stores.Measure(b, "History", func() error { return wantLines(book.History(ctx, user(), 0, 20)) })
	stores.Measure(b, "HistoryDeep", func() error { return wantLines(book.History(ctx, user(), 100, 20)) })
	stores.Measure(b, "Richest", func() error {
		top, err := book.Richest(ctx, 10)
		if err == nil && len(top) != 10 {
			err = fmt.Errorf("%d purses", len(top))
		}
		return err
	})
	n := 0
	stores.Measure(b, "Post", func() error {
		n++
		c, from, to := Cause{Kind: "win", Table: "bench", Deal: 1, Move: n}, user(), user()
		return storage.Update(ctx, s, func(tx storage.Tx) error {
			_, err := Ledger{Tx: tx, Community: "big", Now: noon}.Post(c.ID(), c, mv(User(from), -1), mv(User(to), 1))
			return err
		})
	})
	b.Run("Audit", func(b *testing.B) {
		for b.Loop() {
			totals, err := Audit(ctx, s, func(p Problem) { b.Error(p) })
			if err != nil || totals.Postings < bigPostings {
				b.Fatal(totals, err)
			}
		}
	})
}

func wantLines(lines []Line, err error) error {
	if err == nil && len(lines) != 20 {
		err = fmt.Errorf("%d lines", len(lines))
	}
	return err
}

// build makes the large ledger, bigBatch postings a transaction.
func build(b *testing.B, s storage.Store) {
	var all sync.WaitGroup
	for w := range bigWorkers {
		all.Go(func() {
			for n := w; n < bigPostings/bigBatch; n += bigWorkers {
				community, user := "big", int64(n%(bigPurses-bigWorkers)+1)
				if n%10 == 0 {
					community, user = fmt.Sprint("c", n/10%500), int64(n%3+1)
				}
				if err := batch(b.Context(), s, community, user, n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// batch moves chips to and fro between two users.
func batch(ctx context.Context, s storage.Store, community string, user int64, n int) error {
	return storage.Update(ctx, s, func(tx storage.Tx) error {
		l := Ledger{Tx: tx, Community: community, Now: int64(n)}
		for i := range bigBatch {
			amount := int64(n%97+1) * int64(1-i%2*2)
			if i == bigBatch-1 {
				amount += int64(n%11 - 5)
			}
			c := Cause{Kind: "win", Table: fmt.Sprint(n), Deal: 1, Move: i}
			if _, err := l.Post(c.ID(), c, mv(User(user), -amount), mv(User(user+bigWorkers), amount)); err != nil {
				return err
			}
		}
		return nil
	})
}
