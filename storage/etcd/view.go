package etcd

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"zevaka/storage"
)

// maxReruns is how often a View is run again because etcd let go of the revision that it was reading.
const maxReruns = 5

// errForgotten is the error for a revision that was compacted, which no other try brings back.
var errForgotten = errors.New("etcd keeps its history for too short a time, and let go of what was being read")

// View implements storage.Store. It reads at the revision that its first read finds, which etcd keeps as long as it
// keeps its history, by minutes.
func (s *Store) View(ctx context.Context, fn func(storage.Reader) error) error {
	for run := 0; ; run++ {
		r := &reader{ctx: ctx, store: s}
		result, err := r.run(fn)
		if err != nil {
			return fmt.Errorf("etcd: view: %w", err)
		}
		if !r.compacted {
			return result
		}
		if run == maxReruns {
			return fmt.Errorf("etcd: view: %w: %w, %d times before all was read: give its members more, as --auto-compaction-retention=30m", storage.ErrUnavailable, errForgotten, run+1)
		}
	}
}

// A reader reads at one revision.
type reader struct {
	ctx       context.Context
	store     *Store
	rev       int64 // 0 before the first read
	over      bool
	compacted bool // whether the revision went away
}

// run calls fn, unless the store can't serve.
func (r *reader) run(fn func(storage.Reader) error) (result, err error) {
	if err := r.store.ready(r.ctx); err != nil {
		return nil, err
	}
	defer func() { r.over = true }()
	return fn(r), nil
}

// ready says why the store can't serve, if it can't.
func (s *Store) ready(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return storage.CheckView(ctx, s.closed)
}

func (r *reader) Get(keys ...string) (found []storage.Item, err error) {
	err = r.read(func(ctx context.Context) (rev int64, err error) {
		found, rev, err = r.store.get(ctx, keys, r.rev)
		return rev, err
	})
	return found, err
}

func (r *reader) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	return r.scan(r.store.placesOf(prefix), prefix, after, limit)
}

func (r *reader) scan(places []string, prefix, after string, limit int) (found []storage.Item, err error) {
	err = r.read(func(ctx context.Context) (rev int64, err error) {
		found, rev, err = r.store.scan(ctx, places, prefix, after, limit, r.rev)
		return rev, err
	})
	return found, err
}

// Places implements storage.Scattered.
func (r *reader) Places() (all []storage.Reader) {
	for _, place := range r.store.placesOf("") {
		all = append(all, placed{r, place})
	}
	return all
}

// placed reads one place.
type placed struct {
	*reader
	place string
}

func (p placed) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	return p.scan([]string{p.place}, prefix, after, limit)
}

// read calls fn and remembers the revision at which it read.
func (r *reader) read(fn func(context.Context) (int64, error)) error {
	if err := storage.CheckView(r.ctx, r.over); err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	var rev int64
	err := r.store.call(r.ctx, func(ctx context.Context) (err error) {
		rev, err = fn(ctx)
		return err
	})
	if err != nil {
		if errors.Is(err, rpctypes.ErrCompacted) {
			r.compacted, err = true, errForgotten
		}
		return fmt.Errorf("etcd: %w", err)
	}
	if r.rev == 0 {
		r.rev = rev
	}
	return nil
}
