// Package bolt keeps a storage.Store in one file of bbolt, on one machine, for one process.
//
// A commit is durable when it returns: it survives the end of the process at any moment, and that of the machine as
// far as the disk keeps what it said it had written. One goroutine writes; it makes all transactions that wait in one
// transaction of bbolt, so that they share two syncs of the disk. Readers never wait for the writer, but for the
// moment in which a commit is seen in memory and not yet known to be on the disk.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// Options say how to open a file. The zero Options are right for a bot.
type Options struct {
	// Wait is how long to wait for another process to let go of the file; one second if 0.
	Wait time.Duration
	// NoSync leaves the disk alone: commits are fast and are lost, perhaps with the file, when the machine stops.
	// It is for tests and simulations.
	NoSync bool
	// Log is told when the file is brought to a newer format; nobody is if nil.
	Log *slog.Logger
}

// Store is a storage.Store in a file. Transactions have one revision for all their writes, counted in the file.
type Store struct {
	path    string
	db      *bbolt.DB
	file    *os.File // what bbolt has open; nil if it can't be known whether it still has a name
	queue   *queue
	arena   arena
	stopped chan struct{} // closed when the writer has ended
	close   func() error

	durable atomic.Int64           // the newest transaction of bbolt that is on the disk
	flight  atomic.Pointer[flight] // the newest group
	broken  atomic.Pointer[error]  // why nothing can be trusted any more
	failed  chan struct{}          // closed when broken is there

	// update is db.Update; a test puts in one that fails.
	update func(func(*bbolt.Tx) error) error
}

// Open opens the file of that name, or makes it; a file of an earlier format is brought to the present one first, which
// takes some 20 s for a million items. Its errors say in words what is wrong with the file and what to do.
// The store must be closed.
func Open(path string, o Options) (*Store, error) {
	db, file, id, err := open(path, o)
	if err != nil {
		return nil, fmt.Errorf("bolt: open %s: %w", path, err)
	}
	s := &Store{path: path, db: db, queue: newQueue(), stopped: make(chan struct{}), failed: make(chan struct{}), update: db.Update}
	if linked(file) { // Some file systems count no names.
		s.file = file
	}
	s.durable.Store(int64(id))
	s.close = sync.OnceValue(s.shut)
	go s.write()
	return s, nil
}

// CopiedAt is when the backup was made that the file goes on from; the zero time if it goes on from none.
func (s *Store) CopiedAt() time.Time {
	var at time.Time
	_ = s.db.View(func(tx *bbolt.Tx) error {
		if meta := tx.Bucket([]byte(metaBucket)); meta != nil {
			if n, err := strconv.ParseInt(string(meta.Get([]byte(copiedKey))), 10, 64); err == nil {
				at = time.Unix(n, 0)
			}
		}
		return nil
	}) // Whatever is wrong with the file shows when it is used.
	return at
}

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, keys ...string) (found []storage.Item, err error) {
	if err := storage.CheckKeys(keys); err != nil {
		return nil, fmt.Errorf("bolt: get: %w", err)
	}
	err = s.view(ctx, func(b *bbolt.Bucket) (err error) {
		found, err = get(b, keys)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bolt: get: %w", err)
	}
	return found, nil
}

// Scan implements storage.Store. The file can't shrink its list of old pages while a Scan runs, so a long one should
// be many short ones.
func (s *Store) Scan(ctx context.Context, prefix, after string, limit int) (found []storage.Item, err error) {
	err = s.view(ctx, func(b *bbolt.Bucket) (err error) {
		found, err = scan(b, prefix, after, limit)
		return err
	})
	if err != nil && !storage.IsDamaged(err) {
		found = nil
	}
	if err != nil {
		return found, fmt.Errorf("bolt: scan %q: %w", prefix, err)
	}
	return found, nil
}

// View implements storage.Store. What holds for a long Scan holds for a long View.
func (s *Store) View(ctx context.Context, fn func(storage.Reader) error) error {
	var result error
	err := s.view(ctx, func(b *bbolt.Bucket) error {
		r := &reader{ctx: ctx, bucket: b}
		defer func() { r.bucket = nil }()
		result = fn(r)
		return nil
	})
	if err != nil {
		return fmt.Errorf("bolt: view: %w", err)
	}
	return result
}

// Commit implements storage.Store. A transaction that is still waiting when ctx ends will not be made:
// ErrUnavailable.
func (s *Store) Commit(ctx context.Context, t storage.Txn) (rev uint64, err error) {
	err = t.Check()
	switch {
	case err != nil:
	case len(t.Writes) == 0:
		err = s.holds(ctx, t.Reads)
	default:
		rev, err = s.submit(ctx, t)
	}
	if err != nil {
		return 0, fmt.Errorf("bolt: commit: %w", err)
	}
	return rev, nil
}

// WriteTo writes a copy of the file as of one moment, which Open opens, while commits go on. As long as it writes, no
// page that becomes free is used again: the file grows by what is committed meanwhile, a few pages for each commit.
func (s *Store) WriteTo(w io.Writer) (n int64, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		n, err = tx.WriteTo(w)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("bolt: copy %s: %w", s.path, err)
	}
	return n, nil
}

// Close implements storage.Store: it makes the transactions that wait, and waits for those who read.
func (s *Store) Close() error { return s.close() }

func (s *Store) shut() error {
	s.queue.close()
	<-s.stopped
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("bolt: close %s: %w", s.path, err)
	}
	return nil
}

// Failed waits until the disk has failed in such a way that the store serves no more, and says so, or until ctx ends, and returns nil. Opened anew, by
// another process, the file may be well.
func (s *Store) Failed(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.failed:
		return *s.broken.Load()
	}
}

// ready says why the store can't serve now, if it can't.
func (s *Store) ready(ctx context.Context) error {
	if why := s.broken.Load(); why != nil {
		return *why
	}
	if s.queue.closed() {
		return errClosed
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return nil
}

// holds returns ErrConflict if one of the items has another revision by now.
func (s *Store) holds(ctx context.Context, reads []storage.Item) error {
	return s.view(ctx, func(b *bbolt.Bucket) error {
		return check(b, reads)
	})
}

// view runs fn on the items as of one moment, and returns when that moment is on the disk.
func (s *Store) view(ctx context.Context, fn func(*bbolt.Bucket) error) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	var id int
	err := s.db.View(func(tx *bbolt.Tx) error {
		id = tx.ID()
		return fn(tx.Bucket([]byte(itemBucket)))
	})
	if landed := s.landed(ctx, id); landed != nil {
		return landed
	}
	if err == nil || errors.Is(err, storage.ErrConflict) {
		return err
	}
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
}

// landed waits until a transaction of bbolt that was seen is on the disk. Bbolt shows it a moment before.
func (s *Store) landed(ctx context.Context, id int) error {
	for int64(id) > s.durable.Load() {
		f := s.flight.Load()
		if int64(id) <= s.durable.Load() {
			return nil
		}
		if why := s.broken.Load(); why != nil {
			return *why
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, ctx.Err())
		}
	}
	return nil
}

// check returns ErrConflict if one of the items has another revision in the bucket.
func check(b *bbolt.Bucket, reads []storage.Item) error {
	var k [storage.MaxKey]byte
	for _, r := range reads {
		if revision(b.Get(append(k[:0], r.Key...))) != r.Rev {
			return fmt.Errorf("%w: %q", storage.ErrConflict, r.Key)
		}
	}
	return nil
}
