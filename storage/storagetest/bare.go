package storagetest

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// Bare is the least that a group commit over bbolt can be: it writes the same bytes as the store in folder bolt, and
// neither checks conditions nor limits nor contexts. Benchmarks of the store, and of what is built on it, have it as
// their control.
type Bare struct {
	db      *bbolt.DB
	mu      sync.Mutex
	some    *sync.Cond
	waiting []bareJob
	closed  bool
	stopped chan struct{}
}

type bareJob struct {
	writes []storage.Write
	done   chan error
}

// NewBare opens a file, which should be new, with one bucket. Without options it takes those of the store in folder
// bolt.
func NewBare(path string, opts *bbolt.Options) (*Bare, error) {
	if opts == nil {
		opts = &bbolt.Options{
			Timeout:         time.Second,
			NoFreelistSync:  true,
			FreelistType:    bbolt.FreelistMapType,
			NoStatistics:    true,
			InitialMmapSize: 1 << 30,
		}
	}
	db, err := bbolt.Open(path, 0o600, opts)
	if err != nil {
		return nil, fmt.Errorf("bare: open %s: %w", path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte("items"))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bare: open %s: %w", path, err)
	}
	b := &Bare{db: db, stopped: make(chan struct{})}
	b.some = sync.NewCond(&b.mu)
	go b.loop()
	return b, nil
}

// Commit makes the writes, together with those of others, and returns when they are on the disk. The writes must not
// be changed before that.
func (b *Bare) Commit(writes []storage.Write) error {
	j := bareJob{writes, make(chan error, 1)}
	b.mu.Lock()
	b.waiting = append(b.waiting, j)
	b.some.Signal()
	b.mu.Unlock()
	return <-j.done
}

// Close ends the loop and closes the file. No Commit may be under way.
func (b *Bare) Close() error {
	b.mu.Lock()
	b.closed = true
	b.some.Signal()
	b.mu.Unlock()
	<-b.stopped
	return b.db.Close()
}

func (b *Bare) loop() {
	defer close(b.stopped)
	for {
		b.mu.Lock()
		for len(b.waiting) == 0 && !b.closed {
			b.some.Wait()
		}
		closed := len(b.waiting) == 0
		b.mu.Unlock()
		if closed {
			return
		}
		runtime.Gosched()
		b.mu.Lock()
		group := b.waiting
		b.waiting = nil
		b.mu.Unlock()
		err := b.db.Update(func(tx *bbolt.Tx) error { return putAll(tx, group) })
		for _, j := range group {
			j.done <- err
		}
	}
}

// putAll writes a group, each value after twelve bytes that stand for a checksum and a revision.
func putAll(tx *bbolt.Tx, group []bareJob) error {
	items := tx.Bucket([]byte("items"))
	for _, j := range group {
		for _, w := range j.writes {
			if w.Value == nil {
				if err := items.Delete([]byte(w.Key)); err != nil {
					return err
				}
				continue
			}
			stored := make([]byte, 12+len(w.Value))
			copy(stored[12:], w.Value)
			if err := items.Put([]byte(w.Key), stored); err != nil {
				return err
			}
		}
	}
	return nil
}
