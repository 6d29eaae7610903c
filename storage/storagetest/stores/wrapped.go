package stores

import (
	"context"
	"testing"

	"zevaka/storage"
)

// Reads is a store in which what is read passes through functions: Got what Get has read, Scanned what Scan has, in the
// store itself or in one moment of it. Nil changes nothing.
type Reads struct {
	storage.Store
	Got, Scanned func([]storage.Item, error) ([]storage.Item, error)
}

// Get implements storage.Store.
func (s *Reads) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	return through(s.Got)(s.Store.Get(ctx, keys...))
}

// Scan implements storage.Store.
func (s *Reads) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	return through(s.Scanned)(s.Store.Scan(ctx, prefix, after, limit))
}

// View implements storage.Store.
func (s *Reads) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.Store.View(ctx, func(r storage.Reader) error { return fn(moment{r, s}) })
}

// moment reads one moment of such a store.
type moment struct {
	storage.Reader
	store *Reads
}

// Get implements storage.Reader.
func (m moment) Get(keys ...string) ([]storage.Item, error) {
	return through(m.store.Got)(m.Reader.Get(keys...))
}

// Scan implements storage.Reader.
func (m moment) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	return through(m.store.Scanned)(m.Reader.Scan(prefix, after, limit))
}

func through(f func([]storage.Item, error) ([]storage.Item, error)) func([]storage.Item, error) ([]storage.Item, error) {
	if f == nil {
		return func(items []storage.Item, err error) ([]storage.Item, error) { return items, err }
	}
	return f
}

// Mortal is a store that lives for Left commits with writes, as a process does that is killed then; for ever if that is
// below 0. After each it calls Made, if that is not nil.
type Mortal struct {
	storage.Store
	Left int
	Made func()
}

// Commit implements storage.Store.
func (m *Mortal) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if m.Left == 0 {
		return 0, storage.ErrUnavailable
	}
	rev, err := m.Store.Commit(ctx, t)
	if err == nil && len(t.Writes) > 0 {
		m.Left--
		if m.Made != nil {
			m.Made()
		}
	}
	return rev, err
}

// Contents are the values of all keys with one of the prefixes.
func Contents(t testing.TB, s storage.Store, prefixes ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, prefix := range prefixes {
		for items, err := range storage.Pages(t.Context(), s, prefix) {
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				all[item.Key] = string(item.Value)
			}
		}
	}
	return all
}
