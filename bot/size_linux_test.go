package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/engine"
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
