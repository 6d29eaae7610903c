package watch

import (
	"context"
	"errors"
	"time"

	"zevaka/storage"
)

// measured is a store whose commits are timed.
type measured struct {
	storage.Store
	watch *Watch
}

// Store is s with its commits timed, and the store whose readiness the Watch looks at. It is for one store.
func (w *Watch) Store(s storage.Store) storage.Store {
	w.Probe(s)
	return w.Timed(s)
}

// Probe has the Watch look at the readiness of s.
func (w *Watch) Probe(s storage.Store) { w.probe.use(s) }

// Timed is s with its commits timed.
func (w *Watch) Timed(s storage.Store) storage.Store { return measured{s, w} }

// Commit implements storage.Store. A commit without writes is a read, and isn't timed.
func (m measured) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if len(t.Writes) == 0 {
		return m.Store.Commit(ctx, t)
	}
	began := time.Now()
	m.watch.pending.Inc()
	rev, err := m.Store.Commit(ctx, t)
	m.watch.pending.Dec()
	m.watch.commits.WithLabelValues(commitOutcome(err)).Observe(time.Since(began).Seconds())
	return rev, err
}

// commitOutcomes are all there are.
func commitOutcomes() []string {
	return []string{"done", "conflict", "unavailable", "unknown", "too_large"}
}

// commitOutcome is what became of a commit, as a label.
func commitOutcome(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, storage.ErrUnknown):
		return "unknown"
	case errors.Is(err, storage.ErrConflict):
		return "conflict"
	case errors.Is(err, storage.ErrTooLarge):
		return "too_large"
	}
	return "unavailable"
}
