package pace

import (
	"context"
	"errors"
	"time"

	"zevaka/storage"
)

// restShare is how many times as long as it works a sweep rests, so that presses hardly notice it, and longestRest
// how long at most.
const restShare, longestRest = 9, time.Second

// Sleep waits, unless ctx ends before: then it returns the error of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SlowStore is a store whose one user rests after each call, longer than it has worked since the rest before.
type SlowStore struct {
	storage.Store
	free time.Time
}

// Slow is the store for one user who is in no hurry.
func Slow(s storage.Store) *SlowStore { return &SlowStore{Store: s, free: time.Now()} }

func (s *SlowStore) rest(ctx context.Context) error {
	err := Sleep(ctx, min(restShare*time.Since(s.free), longestRest))
	s.free = time.Now()
	return err
}

// Get implements storage.Store.
func (s *SlowStore) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := s.Store.Get(ctx, keys...)
	return items, errors.Join(err, s.rest(ctx))
}

// Scan implements storage.Store.
func (s *SlowStore) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := s.Store.Scan(ctx, prefix, after, limit)
	return items, errors.Join(err, s.rest(ctx))
}

// View implements storage.Store.
func (s *SlowStore) View(ctx context.Context, fn func(storage.Reader) error) error {
	err := s.Store.View(ctx, fn)
	return errors.Join(err, s.rest(ctx))
}

// Commit implements storage.Store. Its rest comes first, since what was committed must be said.
func (s *SlowStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if err := s.rest(ctx); err != nil {
		return 0, errors.Join(storage.ErrUnavailable, err)
	}
	return s.Store.Commit(ctx, t)
}
