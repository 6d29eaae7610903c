package bot_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
)

// keepFor starts the bot anew, with a time to keep what has ended.
func (b *bench) keepFor(keep time.Duration) {
	b.tb.Helper()
	var err error
	b.bot, err = bot.New(context.Background(), bot.Options{
		Store: b.store, Games: games.All(), Seed: b.seed, Keep: keep,
		Running: func() time.Duration { return time.Duration(b.request.Load()) * time.Second },
	})
	if err != nil {
		b.tb.Fatal(err)
	}
}

// presser presses at open copies of a table, each in its turn, and knows how many presses it has made.
type presser struct {
	*bench
	tables int
	made   atomic.Int64
}

// beside presses while fn runs, several at a time, and returns how long the presses took, the shortest first.
func (p *presser) beside(fn func()) []time.Duration {
	const people, pause = 8, 5 * time.Millisecond
	ctx, stop := context.WithCancel(context.Background())
	waits := make([][]time.Duration, people)
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(p.made.Add(1) - 1)
				begun := time.Now()
				p.toggle(n%p.tables, n/p.tables)
				waits[i] = append(waits[i], time.Since(begun))
				time.Sleep(pause)
			}
		})
	}
	fn()
	stop()
	all.Wait()
	sorted := slices.Concat(waits...)
	slices.Sort(sorted)
	return sorted
}

// kept counts the ended tables in the store, a thousand at most.
func (b *bench) kept() int {
	b.tb.Helper()
	items, err := b.store.Scan(context.Background(), "f/", "", 1000)
	if err != nil {
		b.tb.Fatal(err)
	}
	return len(items)
}

// TestBesideSweep: people press while many tables leave; no press is refused, and no table that ended is left.
func TestBesideSweep(t *testing.T) {
	b := newBench(t, filepath.Join(t.TempDir(), "swept.db"), 0)
	b.fill(3000, 50)
	b.keepFor(24 * time.Hour)
	p := &presser{bench: b, tables: 50}
	var swept upkeep.Swept
	var err error
	waits := p.beside(func() { swept, err = b.bot.Sweep(t.Context()) })
	if err != nil || swept.Tables != 3000 || swept.Stayed != 0 || b.kept() != 0 {
		t.Errorf("%+v, %v; %d tables are left", swept, err, b.kept())
	}
	t.Logf("%d presses beside it, the longest %v", len(waits), waits[len(waits)-1])
}

var endedTables = flag.Int("ended", 1_000_000, "how many ended tables BenchmarkMillionBot has")

// BenchmarkMillionBot presses at open tables among very many that have ended: alone, beside a backup, and while what has
// ended leaves as Retain lets it. It reports how long the longest press took, in milliseconds. It needs 6 GB of disk and
// some minutes.
func BenchmarkMillionBot(b *testing.B) {
	for range b.N {
		folder := b.TempDir()
		bench := newBench(b, filepath.Join(folder, "million.db"), 0)
		p := &presser{bench: bench, tables: 1000}
		bench.fill(*endedTables, p.tables)
		bench.keepFor(24 * time.Hour)
		report := func(part string, fn func()) {
			waits := p.beside(fn)
			b.Logf("%-8s %d presses: median %v, 99%% %v, longest %v", part, len(waits), waits[len(waits)/2], waits[len(waits)*99/100], waits[len(waits)-1])
			b.ReportMetric(float64(waits[len(waits)-1].Microseconds())/1000, "ms-longest-"+part)
		}
		report("alone", func() { time.Sleep(10 * time.Second) })
		report("backup", func() {
			copied, err := os.Create(filepath.Join(folder, "copy.db"))
			if err != nil {
				b.Fatal(err)
			}
			size, err := bench.store.WriteTo(copied)
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("%d MB copied", size/1e6)
			if err := copied.Close(); err != nil {
				b.Fatal(err)
			}
		})
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { bench.bot.Retain(ctx); close(done) }()
		first, err := bench.store.Scan(ctx, "f/", "", 1)
		for err == nil && bench.there(first[0].Key) {
			time.Sleep(100 * time.Millisecond)
		}
		report("leaving", func() { time.Sleep(30 * time.Second) })
		stop()
		<-done
	}
	b.ReportMetric(0, "ns/op")
}

// there reports whether something lies under a key.
func (b *bench) there(key string) bool {
	b.tb.Helper()
	items, err := b.store.Get(context.Background(), key)
	if err != nil {
		b.tb.Fatal(err)
	}
	return items[0].Rev != 0
}
