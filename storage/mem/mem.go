// Package mem keeps a storage.Store in memory. It is for tests: it answers every first commit with ErrConflict, so
// that code which can't stand a second try fails at once.
package mem

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"zevaka/storage"
)

// maxRefused bounds how many refused transactions are remembered.
const maxRefused = 1024

// Store is a storage.Store in memory. A transaction with writes whose conditions hold is refused with ErrConflict the
// first time and made the second time; it is known again by what it reads. Chance and time have no part in it.
type Store struct {
	mu      sync.Mutex
	items   map[string]storage.Item
	order   []string // the keys of items, sorted
	rev     uint64
	refused map[string]bool
	closed  bool
}

// New returns an empty store.
func New() *Store {
	return &Store{items: make(map[string]storage.Item), refused: make(map[string]bool)}
}

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if err := storage.CheckKeys(keys); err != nil {
		return nil, fmt.Errorf("mem: get: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return nil, fmt.Errorf("mem: get: %w", err)
	}
	items := make([]storage.Item, len(keys))
	for i, k := range keys {
		items[i] = s.item(k)
	}
	return items, nil
}

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return nil, fmt.Errorf("mem: scan %q: %w", prefix, err)
	}
	i, _ := slices.BinarySearch(s.order, max(prefix, after))
	var items []storage.Item
	for ; i < len(s.order) && len(items) < limit; i++ {
		k := s.order[i]
		if !strings.HasPrefix(k, prefix) {
			break
		}
		if k > after {
			items = append(items, s.item(k))
		}
	}
	return items, nil
}

// Commit implements storage.Store.
func (s *Store) Commit(ctx context.Context, t storage.Txn) error {
	if err := t.Check(); err != nil {
		return fmt.Errorf("mem: commit: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return fmt.Errorf("mem: commit: %w", err)
	}
	for _, r := range t.Reads {
		if s.items[r.Key].Rev != r.Rev {
			return fmt.Errorf("mem: commit: %w: %q", storage.ErrConflict, r.Key)
		}
	}
	if len(t.Writes) == 0 {
		return nil
	}
	if s.refuse(t) {
		return fmt.Errorf("mem: commit: %w: every first commit is refused", storage.ErrConflict)
	}
	s.rev++
	for _, w := range t.Writes {
		s.write(w)
	}
	return nil
}

// Close implements storage.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.items, s.order, s.refused = nil, nil, nil
	return nil
}

func (s *Store) ready(ctx context.Context) error {
	if s.closed {
		return fmt.Errorf("%w: closed", storage.ErrUnavailable)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return nil
}

// item is a copy of the item of a key.
func (s *Store) item(key string) storage.Item {
	it := s.items[key]
	return storage.Item{Key: key, Value: bytes.Clone(it.Value), Rev: it.Rev}
}

// write makes one write at the current revision.
func (s *Store) write(w storage.Write) {
	_, there := s.items[w.Key]
	i, _ := slices.BinarySearch(s.order, w.Key)
	switch {
	case w.Value == nil && there:
		delete(s.items, w.Key)
		s.order = slices.Delete(s.order, i, i+1)
		return
	case w.Value == nil:
		return
	case !there:
		s.order = slices.Insert(s.order, i, w.Key)
	}
	s.items[w.Key] = storage.Item{Key: w.Key, Value: bytes.Clone(w.Value), Rev: s.rev}
}

// refuse says whether this is the first commit of a transaction. Only what it reads tells: what it writes may differ
// from one try to the next.
func (s *Store) refuse(t storage.Txn) bool {
	conditions := make([]string, len(t.Reads))
	for i, r := range t.Reads {
		conditions[i] = fmt.Sprintf("%q %d", r.Key, r.Rev)
	}
	slices.Sort(conditions)
	id := strings.Join(conditions, ",")
	if s.refused[id] {
		delete(s.refused, id)
		return false
	}
	if len(s.refused) == maxRefused {
		clear(s.refused)
	}
	s.refused[id] = true
	return true
}
