// Package mem keeps a storage.Store in memory. It is for tests: it answers every first commit with ErrConflict, so
// that code which can't stand a second try fails at once.
package mem

import (
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
	now     *moment
	rev     uint64
	refused map[string]bool
	closed  bool
}

// New returns an empty store.
func New() *Store {
	return &Store{now: &moment{items: make(map[string]storage.Item)}, refused: make(map[string]bool)}
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
	return s.now.get(keys), nil
}

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return nil, fmt.Errorf("mem: scan %q: %w", prefix, err)
	}
	return s.now.scan(prefix, after, limit), nil
}

// View implements storage.Store.
func (s *Store) View(ctx context.Context, fn func(storage.Reader) error) error {
	s.mu.Lock()
	if err := s.ready(ctx); err != nil {
		s.mu.Unlock()
		return fmt.Errorf("mem: view: %w", err)
	}
	r := &reader{ctx: ctx, moment: s.now}
	r.moment.readers++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		r.moment.readers--
		r.moment = nil
		s.mu.Unlock()
	}()
	return fn(r)
}

// Commit implements storage.Store.
func (s *Store) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if err := t.Check(); err != nil {
		return 0, fmt.Errorf("mem: commit: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return 0, fmt.Errorf("mem: commit: %w", err)
	}
	for _, r := range t.Reads {
		if s.now.items[r.Key].Rev != r.Rev {
			return 0, fmt.Errorf("mem: commit: %w: %q", storage.ErrConflict, r.Key)
		}
	}
	if len(t.Writes) == 0 {
		return 0, nil
	}
	if s.refuse(t) {
		return 0, fmt.Errorf("mem: commit: %w: every first commit is refused", storage.ErrConflict)
	}
	s.rev++
	if s.now.readers > 0 {
		s.now = s.now.clone()
	}
	for _, w := range t.Writes {
		s.now.write(w, s.rev)
	}
	return s.rev, nil
}

// Close implements storage.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.now, s.refused = nil, nil
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
