package scores

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// The large table of results is that of a million tables of four: bigPlayers players of one community and game, and ten
// times as many elsewhere.
const (
	bigTables  = 1_000_000
	bigPlayers = 10_000
)

// bigEntries yields the finishes of bigTables tables.
func bigEntries(yield func(Entry) bool) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := map[Key]int{}
	for range bigTables {
		first := r.Int64N(11 * bigPlayers)
		for seat := range int64(4) {
			user := first/4*4 + seat
			k := Key{"big", "tecza", user + 1}
			if user >= bigPlayers {
				k = Key{fmt.Sprint("c", user/40), "tecza", user%40 + 1}
			}
			numbers[k]++
			f := Finish{Won: r.IntN(4) == 0, Solved: r.IntN(4) == 0, Place: r.IntN(4) + 1, Chips: r.Int64N(2000) - 1000,
				Score: r.Int64N(105), Seconds: r.Int64N(900) + 1, Moves: r.Int64N(400), Undos: r.Int64N(9), Hints: r.Int64N(9)}
			if !yield(Entry{Key: k, Name: "Алёна Петровна", N: numbers[k], Finish: f}) {
				return
			}
		}
	}
}

// BenchmarkMillion works out the scores of a million tables, which it writes and then compares, and measures what a
// player may ask for: half a minute.
func BenchmarkMillion(b *testing.B) {
	s := stores.Bolt(b)
	rebuilder := NewRebuilder()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	for e := range bigEntries {
		if err := rebuilder.Add(e); err != nil {
			b.Fatal(err)
		}
	}
	added := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%d finishes: added in %v, %d tallies in %d MB", 4*bigTables, added, len(rebuilder.tallies), (after.HeapAlloc-before.HeapAlloc)>>20)
	start = time.Now()
	if err := rebuilder.Write(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	b.Logf("written in %v", time.Since(start))
	start = time.Now()
	if err := rebuilder.Compare(b.Context(), s, func(d Difference) { b.Error(d) }); err != nil {
		b.Fatal(err)
	}
	b.Logf("compared in %v", time.Since(start))

	r := rand.New(rand.NewPCG(1, 1))
	user := func() Key { return Key{"big", "tecza", r.Int64N(bigPlayers) + 1} }
	stores.Measure(b, "Read", func() error {
		return storage.Update(b.Context(), s, func(tx storage.Tx) error {
			tallies, err := Read(tx, user())
			if err == nil && tallies[0].Games == 0 {
				err = fmt.Errorf("no games")
			}
			return err
		})
	})
	stores.Measure(b, "Boards", func() error {
		boards, err := storage.Read(b.Context(), s, func(from storage.Reader) ([]Board, error) {
			return Boards(from, "big", "tecza")
		})
		if err == nil && len(boards[0].Wins) != boardSize {
			err = fmt.Errorf("%d rows", len(boards[0].Wins))
		}
		return err
	})
	stores.Measure(b, "Record", func() error {
		return storage.Update(b.Context(), s, func(tx storage.Tx) error {
			_, err := Record(tx, user(), "x", Finish{Won: true, Place: 1})
			return err
		})
	})
}
