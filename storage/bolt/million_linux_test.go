//go:build faults

package bolt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

const (
	millionTables = 1_000_000
	// millionSize is about what an ended table has.
	millionSize = 900
	// millionWriters is how many write at once, each millionPause after its last write was made.
	millionWriters = 8
	millionPause   = 5 * time.Millisecond
)

// BenchmarkMillion does what the operator of 1,000,000 tables does, on a file of about 1.6 GB: each part says how long
// it took in seconds, and how long the longest write of others waited meanwhile in milliseconds. It takes some minutes.
func BenchmarkMillion(b *testing.B) {
	for range b.N {
		m := &million{b: b, path: filepath.Join(b.TempDir(), "z.db")}
		m.fill(firstFormat)
		m.time("migrate", m.open)
		m.close()
		m.time("open", m.open)
		m.beside("press", func() { time.Sleep(5 * time.Second) })
		m.beside("backup", m.backup)
		m.beside("delete", m.delete)
		m.beside("backup-after", m.backup)
		m.close()
		m.time("open-after", m.open)
		m.close()
		m.time("check", func() { m.must(Check(m.path, nil, func(err error) { b.Error(err) })) })
		m.time("compact", func() {
			before, after, err := Compact(m.path)
			m.must(before, err)
			b.ReportMetric(float64(before.Size)/1e6, "MB-before")
			b.ReportMetric(float64(after.Size)/1e6, "MB-after")
		})
		m.time("open-compact", m.open)
		m.close()
	}
	b.ReportMetric(0, "ns/op")
}

type million struct {
	b     *testing.B
	path  string
	store *Store
}

func (m *million) must(r any, err error) {
	m.b.Helper()
	if err != nil {
		m.b.Fatal(r, err)
	}
}

func (m *million) open() {
	s, err := Open(m.path, Options{})
	m.must(s, err)
	m.store = s
}

func (m *million) close() { m.must(nil, m.store.Close()) }

// fill writes the tables and as many balances as a file of that format has them, in an order that isn't that of the
// keys, as they are written when they are played.
func (m *million) fill(format int) {
	db, err := bbolt.Open(m.path, 0o600, settings(Options{NoSync: true}))
	m.must(db, err)
	const batch = 20_000
	for first := 0; first < millionTables; first += batch {
		m.must(nil, db.Update(func(tx *bbolt.Tx) error {
			if first == 0 {
				m.must(nil, found(tx, format))
			}
			items := tx.Bucket([]byte(itemBucket))
			for i := first; i < first+batch; i++ {
				n := uint64(i) * 2654435761 % (1 << 32)
				value := bytes.Repeat(fmt.Appendf(nil, "%010d", n), millionSize/10)
				m.must(nil, items.Put(fmt.Appendf(nil, "f/w%d/%010d", n%1000, n), append(make([]byte, 7), append([]byte{1}, value...)...)))
				m.must(nil, items.Put(fmt.Appendf(nil, "p/w%d/%010d", n%1000, n), append(make([]byte, 7), 1, 0, 0, 0, 0, 0, 0, 0, 9)))
			}
			return items.SetSequence(uint64(first + 1))
		}))
	}
	m.must(nil, db.Sync())
	m.must(nil, db.Close())
}

// time reports how long a part took.
func (m *million) time(part string, fn func()) {
	begun := time.Now()
	fn()
	m.b.ReportMetric(time.Since(begun).Seconds(), "s-"+part)
	m.b.Logf("%-14s %8.2f s", part, time.Since(begun).Seconds())
}

// beside does a part while others write, and reports how long their writes took.
func (m *million) beside(part string, fn func()) {
	ctx, stop := context.WithCancel(context.Background())
	waits := make([][]time.Duration, millionWriters)
	var writers sync.WaitGroup
	for w := range waits {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 0))
			for ctx.Err() == nil {
				begun := time.Now()
				m.press(r)
				waits[w] = append(waits[w], time.Since(begun))
				time.Sleep(millionPause)
			}
		})
	}
	begun := time.Now()
	fn()
	took := time.Since(begun)
	stop()
	writers.Wait()
	all := slices.Concat(waits...)
	slices.Sort(all)
	longest := all[len(all)-1]
	m.b.Logf("%-14s %8.2f s; %d writes beside it: median %v, 99%% %v, longest %v", part, took.Seconds(), len(all),
		all[len(all)/2], all[len(all)*99/100], longest)
	m.b.ReportMetric(took.Seconds(), "s-"+part)
	m.b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest-"+part)
}

// press writes as a press does: an open table, read before, and two balances anywhere.
func (m *million) press(r *rand.Rand) {
	table := fmt.Sprintf("o/w%d/%010d", r.IntN(1000), r.IntN(1000))
	purse := func() string {
		n := uint64(r.IntN(millionTables)) * 2654435761 % (1 << 32)
		return fmt.Sprintf("p/w%d/%010d", n%1000, n)
	}
	from, to := purse(), purse()
	value := bytes.Repeat([]byte("move "), 250)
	err := storage.Update(context.Background(), m.store, func(tx storage.Tx) error {
		if _, err := tx.Get(table, from, to); err != nil {
			return err
		}
		tx.Put(table, value)
		tx.Put(from, value[:8])
		tx.Put(to, value[:8])
		return nil
	})
	m.must(table, err)
}

// backup makes a copy as zevaka backup does, in another process, and reports by how much the file grew meanwhile.
func (m *million) backup() {
	before, err := os.Stat(m.path)
	m.must(nil, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"=save "+filepath.Join(m.b.TempDir(), "copy.db"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	m.must(nil, err)
	m.must(nil, cmd.Start())
	size, err := m.store.WriteTo(in)
	m.must(size, err)
	m.must(nil, in.Close())
	m.must(nil, cmd.Wait())
	after, err := os.Stat(m.path)
	m.must(nil, err)
	m.b.Logf("%-14s %d MB copied, the file grew by %d MB", "", size/1e6, (after.Size()-before.Size())/1e6)
}

// saved is the child process that makes a file of what it is sent.
func saved(path string) error {
	_, err := Save(path, true, func(w io.Writer) error {
		_, err := io.Copy(w, os.Stdin)
		return err
	})
	return err
}

// delete removes all ended tables, as many at a time as a transaction may have keys.
func (m *million) delete() {
	ctx, gone := context.Background(), 0
	for {
		items, err := m.store.Scan(ctx, "f/", "", storage.MaxKeys)
		m.must(nil, err)
		if len(items) == 0 {
			break
		}
		m.must(nil, storage.Update(ctx, m.store, func(tx storage.Tx) error {
			for _, it := range items {
				tx.Delete(it.Key)
			}
			return nil
		}))
		gone += len(items)
	}
	if gone != millionTables {
		m.b.Errorf("%d were deleted", gone)
	}
}
