package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/storagetest"
)

// The benchmarks write moves: a table of 1,500 bytes, two balances of 8 bytes and one new entry of 100 bytes, at
// benchTables tables. With -benchtime 3s or more they say how many commits a second there were, and how much
// processor time each took, that of the control inside.
const benchTables = 1024

// A move is one commit of a benchmark.
type move struct {
	table, from, to, entry string
	value                  []byte
}

func newMove(r *rand.Rand, n int64) move {
	table := r.IntN(benchTables)
	from := r.IntN(8)
	return move{
		table: fmt.Sprintf("c/%04d/table", table),
		from:  fmt.Sprintf("c/%04d/purse/%d", table, from),
		to:    fmt.Sprintf("c/%04d/purse/%d", table, (from+1)%8),
		entry: fmt.Sprintf("c/%04d/entry/%012d", table, n),
		value: bytes.Repeat([]byte{byte(n)}, 1500),
	}
}

func (m move) writes() []storage.Write {
	return []storage.Write{
		{Key: m.table, Value: m.value},
		{Key: m.from, Value: binary.BigEndian.AppendUint64(nil, 1)},
		{Key: m.to, Value: binary.BigEndian.AppendUint64(nil, 2)},
		{Key: m.entry, Value: m.value[:100]},
	}
}

// BenchmarkBare is the control: a bare group commit of the same bytes.
func BenchmarkBare(b *testing.B) {
	atEach(b, func(b *testing.B) func(move) error {
		bare, err := storagetest.NewBare(filepath.Join(b.TempDir(), "bare.db"), settings(Options{}))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { bare.Close() })
		return func(m move) error { return bare.Commit(m.writes()) }
	})
}

// BenchmarkCommit commits without reading.
func BenchmarkCommit(b *testing.B) {
	atEach(b, func(b *testing.B) func(move) error {
		s := openedWith(b, filepath.Join(b.TempDir(), "z.db"), Options{})
		return func(m move) error {
			_, err := s.Commit(context.Background(), storage.Txn{Writes: m.writes()})
			return err
		}
	})
}

// BenchmarkUpdate reads the table, the balances and the entry, and commits on the condition that they are the same.
func BenchmarkUpdate(b *testing.B) {
	atEach(b, func(b *testing.B) func(move) error {
		s := openedWith(b, filepath.Join(b.TempDir(), "z.db"), Options{})
		return func(m move) error {
			return storage.Update(context.Background(), s, func(tx storage.Tx) error {
				if _, err := tx.Get(m.table, m.from, m.to, m.entry); err != nil {
					return err
				}
				for _, w := range m.writes() {
					tx.Put(w.Key, w.Value)
				}
				return nil
			})
		}
	})
}

// BenchmarkGet reads what a move reads.
func BenchmarkGet(b *testing.B) {
	s := openedWith(b, filepath.Join(b.TempDir(), "z.db"), Options{})
	r := rand.New(rand.NewPCG(1, 1))
	for i := range int64(5000) {
		if i%8 == 0 {
			m := newMove(r, i)
			if _, err := s.Commit(b.Context(), storage.Txn{Writes: m.writes()}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		m := newMove(r, 1)
		if _, err := s.Get(context.Background(), m.table, m.from, m.to, m.entry); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFdatasync is what the disk can do: append 4 KiB and sync.
func BenchmarkFdatasync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	report(b, func() {
		for b.Loop() {
			if _, err := f.Write(page); err != nil {
				b.Fatal(err)
			}
			if err := syscall.Fdatasync(int(f.Fd())); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// atEach makes moves from 1, 8, 64 and 256 goroutines.
func atEach(b *testing.B, open func(b *testing.B) func(move) error) {
	for _, workers := range []int{1, 8, 64, 256} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			run := open(b)
			var n atomic.Int64
			b.ResetTimer()
			report(b, func() {
				var all sync.WaitGroup
				for w := range workers {
					r := rand.New(rand.NewPCG(uint64(w), 0))
					all.Go(func() {
						for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
							if err := run(newMove(r, i)); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				all.Wait()
			})
		})
	}
}

// report runs fn and reports commits a second and processor time per commit.
func report(b *testing.B, fn func()) {
	start, used := time.Now(), storagetest.Spent()
	fn()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "commits/s")
	b.ReportMetric(float64((storagetest.Spent()-used).Microseconds())/float64(b.N), "cpu-µs/commit")
	b.ReportMetric(0, "ns/op")
}
