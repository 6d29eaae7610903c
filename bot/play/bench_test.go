package play_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// sessions yields tables of four that ended, as they are stored, of ten thousand people of whom a thousand are in one community.
func sessions(n int) func(func(table.ID, []byte) bool) {
	return func(yield func(table.ID, []byte) bool) {
		const people, chats = 10_000, 10
		chance := rand.New(rand.NewPCG(1, 2))
		now, number := make([]scores.KeptRating, people), make([]int, people)
		for i := range now {
			now[i] = scores.StartRating()
		}
		for i := range n {
			place := home
			place.Community.ID -= chance.Int64N(chats)
			t := &table.Table{
				ID: table.ID{Community: place.Community, Name: fmt.Sprint("t", i)}, Format: table.Format, Phase: table.Ended,
				Agreed: table.Agreed{Place: place, Lang: "ru", Game: "zevaka"},
				End:    table.End{Opened: 1_700_000_000 + int64(i), Dealt: 1_700_000_000 + int64(i), Ended: 1_700_000_600 + int64(i), Result: &engine.Result{Places: []engine.Seat{2, 0, 1, 3}}},
			}
			from := int(home.Community.ID-place.Community.ID) * people / chats
			for _, k := range chance.Perm(people / chats)[:4] {
				k += from
				number[k]++
				t.Chairs = append(t.Chairs, table.Chair{User: int64(k + 1), Name: fmt.Sprint("P", k+1), Was: now[k], N: number[k]})
			}
			for _, f := range t.Finishes(6) {
				now[f.User-1] = f.Rating
			}
			value, err := t.Encode()
			if err != nil || !yield(t.ID, value) {
				return
			}
		}
	}
}

var rebuilt = flag.Int("rebuilt", 1_000_000, "how many sessions BenchmarkRebuild works out again")

// BenchmarkRebuild does what zevaka rebuild-scores does with a million sessions, which it stores first: it reads them on all
// processors, works scores and ratings out again, and compares them with what is stored or stores them.
func BenchmarkRebuild(b *testing.B) {
	s := stores.Bolt(b)
	var writes []storage.Write
	flush := func() {
		if _, err := s.Commit(b.Context(), storage.Txn{Writes: writes}); err != nil {
			b.Fatal(err)
		}
		writes = nil
	}
	for id, value := range sessions(*rebuilt) {
		if writes = append(writes, storage.Write{Key: table.KeyEnded(id), Value: value}); len(writes) == storage.MaxKeys {
			flush()
		}
	}
	flush()
	archive := upkeep.NewArchive(s, games.All())
	archive.Apart = func(n int, do func(i int)) {
		var all sync.WaitGroup
		for w := range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for i := w; i < n; i += runtime.GOMAXPROCS(0) {
					do(i)
				}
			})
		}
		all.Wait()
	}
	var reading, writing, comparing time.Duration
	runs := 0
	for b.Loop() {
		runs++
		begun := time.Now()
		again, err := archive.Scores(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		read := time.Now()
		if err := again.Write(b.Context(), s); err != nil {
			b.Fatal(err)
		}
		written := time.Now()
		if err := again.Compare(b.Context(), s, func(d scores.Difference) { b.Error(d) }); err != nil {
			b.Fatal(err)
		}
		reading, writing, comparing = reading+read.Sub(begun), writing+written.Sub(read), comparing+time.Since(written)
	}
	b.ReportMetric(reading.Seconds()/float64(runs), "s/reading")
	b.ReportMetric(writing.Seconds()/float64(runs), "s/writing")
	b.ReportMetric(comparing.Seconds()/float64(runs), "s/comparing")
}
