package bot_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
)

// BenchmarkLongTable compares a press at a table with 2,000 moves to a press at one with 20: "ratio" is how many times
// longer it takes. The two take turns, so that a slow moment of the disk meets both.
func BenchmarkLongTable(b *testing.B) {
	for range b.N {
		bench := newBench(b, filepath.Join(b.TempDir(), "long.db"), 0)
		long := bench.playTo(1, 2000)
		var spent [2]time.Duration
		const rounds, presses = 40, 20
		for range rounds {
			short := bench.playTo(1000+int(bench.request.Load()), 20)
			for i, p := range []*player{short, long} {
				start := time.Now()
				for range presses {
					if !p.move() {
						b.Fatal("the deal ended too soon")
					}
				}
				spent[i] += time.Since(start)
			}
		}
		b.ReportMetric(float64(spent[0].Microseconds())/(rounds*presses), "µs/press-at-20")
		b.ReportMetric(float64(spent[1].Microseconds())/(rounds*presses), "µs/press-at-2000")
		b.ReportMetric(float64(spent[1])/float64(spent[0]), "ratio")
	}
}

// playTo plays a table until it has so many moves, and is sure to have many more to come.
func (b *bench) playTo(channel, moves int) *player {
	b.tb.Helper()
	for ; ; channel++ {
		p := b.sit(channel, "pack=52 open=off limit=60s")
		n := 0
		for n < moves && p.wander() {
			n++
		}
		if n == moves {
			return p
		}
	}
}

// wander presses moves that bring the deal no nearer to its end than it must be.
func (p *player) wander() bool {
	p.still = true
	defer func() { p.still = false }()
	return p.move()
}

// stillMove flips, and keeps what was flipped; now and then a card goes to the centre, so that the deal isn't stopped
// for want of one.
func (p *player) stillMove() engine.Move {
	p.moved++
	for _, m := range p.moves {
		text := p.rules.Text(m)
		if text == "centre" && p.moved > 400 {
			p.moved = 0
			return m
		}
		if text == "flip" || text == "keep" {
			return m
		}
	}
	return p.moves[0]
}

// BenchmarkStored compares presses at 1,000 open tables among 1,000,000 stored ones to presses where there are no
// others: "ratio" is how many times longer they take. It needs 3 GB of disk for a minute.
func BenchmarkStored(b *testing.B) {
	for range b.N {
		few := newBench(b, filepath.Join(b.TempDir(), "few.db"), 0)
		many := newBench(b, filepath.Join(b.TempDir(), "many.db"), 0)
		few.fill(0, 1000)
		many.fill(1_000_000, 1000)
		var spent [2]time.Duration
		const rounds, tables = 5, 1000
		for round := range rounds {
			for i, bench := range []*bench{few, many} {
				start := time.Now()
				parallel := make(chan int)
				done := make(chan struct{})
				for range 64 {
					go func() {
						defer func() { done <- struct{}{} }()
						for n := range parallel {
							bench.toggle(n, round)
						}
					}()
				}
				for n := range tables {
					parallel <- n
				}
				close(parallel)
				for range 64 {
					<-done
				}
				spent[i] += time.Since(start)
			}
		}
		b.ReportMetric(float64(spent[0].Microseconds())/(rounds*tables), "µs/press-of-1000")
		b.ReportMetric(float64(spent[1].Microseconds())/(rounds*tables), "µs/press-of-1000000")
		b.ReportMetric(float64(spent[1])/float64(spent[0]), "ratio")
	}
}

// fill stores copies of a table that ended, and open copies of one in its deal, all in the community of channel 1.
func (b *bench) fill(ended, open int) {
	b.tb.Helper()
	p := b.sit(1, "limit=60s")
	for range 60 {
		p.wander()
	}
	running := b.value("o/")
	put := func(prefix string, value []byte, n int) {
		for first := 0; first < n; first += storage.MaxKeys {
			var t storage.Txn
			for i := first; i < min(n, first+storage.MaxKeys); i++ {
				t.Writes = append(t.Writes, storage.Write{Key: prefix + "w1/" + copyName(i), Value: value})
			}
			if _, err := b.store.Commit(context.Background(), t); err != nil {
				b.tb.Fatal(err)
			}
		}
	}
	put("o/", running, open)
	put("f/", bytes.Replace(running, []byte(`"phase":3`), []byte(`"phase":4`), 1), ended)
	b.copied = p
}

// copyName is the name of the n-th copy; neighbours in number don't lie together.
func copyName(n int) string { return "x" + strconv.FormatUint(uint64(n)*2654435761%(1<<32), 36) }

func (b *bench) value(prefix string) []byte {
	b.tb.Helper()
	items, err := b.store.Scan(context.Background(), prefix, "", 1)
	if err != nil || len(items) == 0 {
		b.tb.Fatalf("nothing is stored under %s: %v", prefix, err)
	}
	return items[0].Value
}

// toggle makes one move at the n-th copy: in even rounds a flip, in odd ones the card is kept.
func (b *bench) toggle(n, round int) {
	p := *b.copied
	p.name = "w1." + copyName(n)
	b.sitting.Lock() // A state is for one at a time.
	turn := p.state.Turn()[0]
	epoch := 2 + p.state.Epoch() + round/2
	b.sitting.Unlock()
	do := []string{"flip", "keep"}[round%2]
	user := (int(turn) + round/2 + p.shift) % 2
	if r := p.press(user, epoch, do); r.Alert {
		b.tb.Errorf("%s refused at copy %d: %s", do, n, r.Toast)
	}
}

// BenchmarkMemory opens a store with 100,000 open tables, presses at 2,000 of them with 1,000 states kept, and reports
// how much anonymous memory the process has then.
func BenchmarkMemory(b *testing.B) {
	for range b.N {
		path := filepath.Join(b.TempDir(), "open.db")
		func() {
			bench := newBench(b, path, 1000)
			bench.fill(0, 100_000)
			bench.store.Close()
			copied := bench.copied
			bench = newBench(b, path, 1000)
			copied.b = bench
			bench.copied = copied
			for n := range 2000 {
				bench.toggle(n, 0)
			}
			b.ReportMetric(anonymousMB(b), "anonymous-MB")
		}()
	}
}

func anonymousMB(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "RssAnon: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	b.Fatal("the system doesn't tell how much memory is anonymous")
	return 0
}

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
	var people sync.WaitGroup
	for table := range 50 {
		people.Go(func() {
			for press := range 10 {
				b.toggle(table, press)
			}
		})
	}
	swept, err := b.bot.Sweep(t.Context())
	people.Wait()
	if err != nil || swept.Tables != 3000 || swept.Stayed != 0 || b.kept() != 0 {
		t.Errorf("%+v, %v; %d tables are left", swept, err, b.kept())
	}
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
		bench.bot.Tune(25*time.Hour, "") // It looks at once, and not in an hour.
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
