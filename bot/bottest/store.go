package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// Everything is all that is stored.
func (h *Hall) Everything() map[string]string {
	h.T.Helper()
	all := map[string]string{}
	for _, item := range stores.Items(h.T, h.Store, "") {
		all[item.Key] = string(item.Value)
	}
	return all
}

// Changed are the keys of what is stored otherwise than before.
func (h *Hall) Changed(before map[string]string) []string {
	h.T.Helper()
	var keys []string
	now := h.Everything()
	for key, value := range now {
		if before[key] != value {
			keys = append(keys, key)
		}
	}
	for key := range before {
		if _, ok := now[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Put stores a table that is open.
func (h *Hall) Put(t *table.Table) {
	h.T.Helper()
	value, err := t.Encode()
	if err == nil {
		err = storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
			tx.Put(table.KeyOpen(t.ID), value)
			return nil
		})
	}
	if err != nil {
		h.T.Fatal(err)
	}
}

// ChangeEnded stores an ended table otherwise.
func (h *Hall) ChangeEnded(id table.ID, fn func(*table.Table)) {
	h.T.Helper()
	t := h.Look(id)
	fn(t)
	value, err := t.Encode()
	if err == nil {
		err = storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error { tx.Put(table.KeyEnded(id), value); return nil })
	}
	if err != nil {
		h.T.Fatal(err)
	}
}

// Delete deletes an item of the store.
func (h *Hall) Delete(key string) {
	h.T.Helper()
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error { tx.Delete(key); return nil })
	if err != nil {
		h.T.Fatal(err)
	}
}

// Write stores an item.
func (h *Hall) Write(key string, value []byte) {
	h.T.Helper()
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error { tx.Put(key, value); return nil })
	if err != nil {
		h.T.Fatal(err)
	}
}

// listed is a store that fails the test where something is written under a key of no family.
type listed struct {
	storage.Store
	T testing.TB
}

// Commit implements storage.Store.
func (s listed) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	for _, w := range t.Writes {
		one := func(f keyspace.Family) bool { return strings.HasPrefix(w.Key, f.Prefix) && len(w.Key) > len(f.Prefix) }
		if !slices.ContainsFunc(keyspace.All(), one) {
			s.T.Errorf("%q is written, and listed nowhere", w.Key)
		}
	}
	return s.Store.Commit(ctx, t)
}

// SickStore refuses to commit while it is sick, as a full disk does.
type SickStore struct {
	storage.Store
	Sick atomic.Bool
}

// Commit implements storage.Store.
func (s *SickStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if s.Sick.Load() {
		return 0, storage.ErrUnavailable
	}
	return s.Store.Commit(ctx, t)
}

// Meanwhile is a store in which something else is done, once, right after something was written under a key that begins so.
type Meanwhile struct {
	storage.Store
	Key string
	Do  func()
}

// Commit implements storage.Store.
func (m *Meanwhile) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := m.Store.Commit(ctx, t)
	if do := m.Do; do != nil && err == nil && slices.ContainsFunc(t.Writes, func(w storage.Write) bool { return strings.HasPrefix(w.Key, m.Key) }) {
		m.Do = nil
		do()
	}
	return rev, err
}

// Cracked is a store in which the value of one key is damaged.
type Cracked struct {
	stores.Reads
	Key string
}

// Crack is a store of which one item is damaged; an empty key is none.
func Crack(s storage.Store, key string) *Cracked {
	c := &Cracked{Key: key}
	c.Reads = stores.Reads{Store: s, Got: c.got, Scanned: c.scanned}
	return c
}

// Damaged is what reading the damaged item ends in.
func (c *Cracked) Damaged() error {
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, storage.Damaged{Key: c.Key})
}

func (c *Cracked) got(items []storage.Item, err error) ([]storage.Item, error) {
	if slices.ContainsFunc(items, func(item storage.Item) bool { return item.Key == c.Key }) {
		return nil, c.Damaged()
	}
	return items, err
}

func (c *Cracked) scanned(items []storage.Item, err error) ([]storage.Item, error) {
	if i := slices.IndexFunc(items, func(item storage.Item) bool { return item.Key == c.Key }); err == nil && i >= 0 {
		return items[:i], c.Damaged()
	}
	return items, err
}

// Healing is a cracked store in which a key is well again when it is written.
type Healing struct{ *Cracked }

// Commit implements storage.Store: what is written anew is sound.
func (s *Healing) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := s.Store.Commit(ctx, t)
	for _, w := range t.Writes {
		if err == nil && w.Key == s.Key {
			s.Key = ""
		}
	}
	return rev, err
}

// Counter is a store that counts what is read of it, and what is committed.
type Counter struct {
	stores.Reads
	Mu sync.Mutex
	Counted
	// Written are the keys written, and before what lay there before the first time, if that is not nil.
	Written []string
	Before  map[string]storage.Item
}

// NewCounter counts what is read and written of a store.
func NewCounter(s storage.Store) *Counter {
	c := &Counter{}
	c.Reads = stores.Reads{Store: s, Got: c.add, Scanned: c.add}
	return c
}

// Commit implements storage.Store.
func (c *Counter) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	c.Mu.Lock()
	for _, w := range t.Writes {
		if slices.Contains(c.Written, w.Key) {
			continue
		}
		c.Written = append(c.Written, w.Key)
		if items, err := c.Store.Get(ctx, w.Key); err == nil && c.Before != nil {
			c.Before[w.Key] = items[0]
		}
	}
	c.Mu.Unlock()
	return c.Store.Commit(ctx, t)
}

func (c *Counter) add(items []storage.Item, err error) ([]storage.Item, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Calls++
	c.Keys += len(items)
	for _, item := range items {
		c.Bytes += len(item.Value)
	}
	return items, err
}

// Counted is how often a store was called, how many keys it was asked for or gave, and of how many bytes.
type Counted struct{ Calls, Keys, Bytes int }

// Above reports whether it is more than the other, but for numbers that have become longer.
func (c Counted) Above(other Counted) bool {
	return c.Calls > other.Calls || c.Keys > other.Keys || c.Bytes > other.Bytes+other.Bytes/10+100
}

// Costs is what do reads of the hall's store.
func (h *Hall) Costs(do func()) Counted {
	c, ok := h.Store.(*Counter)
	if !ok {
		h.T.Fatal("nobody counts")
	}
	c.Counted = Counted{}
	do()
	return c.Counted
}

// NewCounted is a hall whose store counts.
func NewCounted(t *testing.T) *Hall {
	h := NewHall(t)
	h.Store = NewCounter(h.Store)
	h.Restart()
	return h
}
