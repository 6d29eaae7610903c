// Package stores has the stores in which tests try what is built on them.
package stores

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
)

// Each runs a test in an empty store of each kind.
func Each(t *testing.T, run func(t *testing.T, s storage.Store)) {
	t.Run("mem", func(t *testing.T) { run(t, mem.New()) })
	t.Run("bolt", func(t *testing.T) { run(t, Bolt(t)) })
}

// Bolt is an empty store on disk that doesn't wait for the disk.
func Bolt(t testing.TB) storage.Store {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "z.db"), bolt.Options{NoSync: true})
}

// Open opens a store on disk, and closes it when the test has ended.
func Open(t testing.TB, path string, options bolt.Options) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Holding is a store in memory that holds these values but the nil ones. The error says that no store can hold them.
func Holding(t testing.TB, values map[string][]byte) (storage.Store, error) {
	t.Helper()
	s := mem.New()
	return s, storage.Update(t.Context(), s, func(tx storage.Tx) error {
		for key, value := range values {
			if value != nil {
				tx.Put(key, value)
			}
		}
		return nil
	})
}

// Items are all that a store has under a prefix.
func Items(t testing.TB, s storage.Store, prefix string) []storage.Item {
	t.Helper()
	var all []storage.Item
	for items, err := range storage.Pages(t.Context(), s, prefix) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	return all
}

// Measure runs fn over and over, and reports the time that it took at most in 99 of 100 cases.
func Measure(b *testing.B, name string, fn func() error) {
	b.Run(name, func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			start := time.Now()
			if err := fn(); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	})
}
