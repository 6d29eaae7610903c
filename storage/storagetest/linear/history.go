// Package linear records what many clients do with a storage.Store, and checks that it could have been done one after the
// other: that the history is linearizable.
package linear

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"sync"
	"sync/atomic"

	"zevaka/storage"
)

// History is what the clients of a store did, and when. Its zero value is that of a store that was empty. It is safe for use
// by many goroutines.
type History struct {
	// Before is what the store had before the first call, as far as the clients use it.
	Before []storage.Item

	moments atomic.Int64 // how many have been told apart
	mu      sync.Mutex
	ops     []op
	sums    Counts
}

// Counts are how often clients called on the store, by what came of it.
type Counts struct {
	// Reads were answered; Made are commits that were, Conflicts and Refused were not made, and Unknown may have been.
	Reads, Made, Conflicts, Refused, Unknown int
}

// never is the end of a call that may still do something after all others.
const never = math.MaxInt64

// cell is what a key has: rev 0 for nothing. The sum stands for the value.
type cell struct{ rev, sum uint64 }

// seen is what a call saw of a key, or a commit had for a condition, without a value then.
type seen struct {
	key string
	cell
	valued bool
}

// write is what a commit set a key to, or that it deleted it.
type write struct {
	key     string
	sum     uint64
	deletes bool
}

// op is one call that did or saw something, or may have.
type op struct {
	call, end int64 // which moment of the history that was: what came before another has a lower number
	saw       []seen
	writes    []write
	rev       uint64 // of a commit that was made, 0 otherwise
	open      bool   // whether the commit may not have been made
}

// puts reports whether a commit sets a key, and so has a revision that no other has.
func (o op) puts() bool {
	for _, w := range o.writes {
		if !w.deletes {
			return true
		}
	}
	return false
}

// Store is a store whose calls go on to another, and are recorded. What it reads by Scan, and by a View, is recorded as if each
// item, and each Get of the View, had been read by itself.
func (h *History) Store(s storage.Store) storage.Store { return &recorder{s, h} }

// Counts are the calls up to now.
func (h *History) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sums
}

// now is a new moment, after all that were before.
func (h *History) now() int64 { return h.moments.Add(1) }

// read records items that were found at one moment.
func (h *History) read(call int64, items ...storage.Item) {
	o := op{call: call, end: h.now()}
	for _, it := range items {
		o.saw = append(o.saw, seen{it.Key, cell{it.Rev, sum(it.Value)}, true})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sums.Reads++
	if len(items) > 0 {
		h.ops = append(h.ops, o)
	}
}

// commit records a commit.
func (h *History) commit(call int64, t storage.Txn, rev uint64, err error) {
	o := op{call: call, end: h.now(), rev: rev}
	for _, r := range t.Reads {
		o.saw = append(o.saw, seen{r.Key, cell{rev: r.Rev}, false})
	}
	for _, w := range t.Writes {
		o.writes = append(o.writes, write{w.Key, sum(w.Value), w.Value == nil})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err == nil:
		h.sums.Made++
	case errors.Is(err, storage.ErrUnknown):
		h.sums.Unknown++
		o.end, o.open = never, true
	case errors.Is(err, storage.ErrConflict):
		h.sums.Conflicts++
		return
	default:
		h.sums.Refused++
		return
	}
	if len(o.writes) > 0 || len(o.saw) > 0 && !o.open {
		h.ops = append(h.ops, o)
	}
}

// sum stands for a value; 0 for none.
func sum(value []byte) uint64 {
	if value == nil {
		return 0
	}
	f := fnv.New64a()
	_, _ = f.Write(value)
	return f.Sum64()
}

// recorder is a store whose calls are recorded.
type recorder struct {
	storage.Store
	history *History
}

func (r *recorder) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	call := r.history.now()
	items, err := r.Store.Get(ctx, keys...)
	if err == nil {
		r.history.read(call, items...)
	}
	return items, err
}

func (r *recorder) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	call := r.history.now()
	items, err := r.Store.Scan(ctx, prefix, after, limit)
	if err == nil {
		for _, it := range items {
			r.history.read(call, it)
		}
	}
	return items, err
}

func (r *recorder) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	call := r.history.now()
	rev, err := r.Store.Commit(ctx, t)
	r.history.commit(call, t, rev, err)
	return rev, err
}

func (r *recorder) View(ctx context.Context, fn func(storage.Reader) error) error {
	call := r.history.now()
	var read *reader
	err := r.Store.View(ctx, func(from storage.Reader) error {
		read = &reader{from: from}
		return fn(read)
	})
	if read != nil && !errors.Is(err, storage.ErrUnavailable) {
		for _, items := range read.found {
			r.history.read(call, items...)
		}
	}
	return err
}

// reader is a reader that remembers what it found together.
type reader struct {
	from  storage.Reader
	found [][]storage.Item
}

func (r *reader) Get(keys ...string) ([]storage.Item, error) {
	items, err := r.from.Get(keys...)
	if err == nil {
		r.found = append(r.found, items)
	}
	return items, err
}

func (r *reader) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	items, err := r.from.Scan(prefix, after, limit)
	if err == nil {
		for _, it := range items {
			r.found = append(r.found, []storage.Item{it})
		}
	}
	return items, err
}
