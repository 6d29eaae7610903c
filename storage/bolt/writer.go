package bolt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

const (
	// maxGroup and maxBytes bound what is written at once.
	maxGroup = 1024
	maxBytes = 16 << 20
	// chunk is how many bytes the arena asks for at a time.
	chunk = 256 << 10
	// After a group of as many as crowd the writer gathers the next one, at most for gatherTime.
	crowd, gatherTime, gatherStep = 8, time.Millisecond, 50 * time.Microsecond
)

// States of a job. Who moves it away from waiting decides whether it is made.
const (
	waiting int32 = iota
	taken
	abandoned
)

var (
	errClosed = fmt.Errorf("%w: closed", storage.ErrUnavailable)
	// errNothing ends a group that has nothing to write.
	errNothing = errors.New("bolt: nothing to write")
)

// A job is a transaction on its way.
type job struct {
	txn    storage.Txn
	state  atomic.Int32
	flight *flight // set before it is taken
	rev    uint64  // the revision that its writes get
	err    error   // the writer's note until the group has ended
	done   chan error
}

// A flight is a group of jobs on its way to the disk.
type flight struct {
	read chan struct{} // closed when the values of the callers aren't needed any more
	done chan struct{} // closed when the outcome is known
}

// submit hands a transaction to the writer and waits for its outcome.
func (s *Store) submit(ctx context.Context, t storage.Txn) (rev uint64, err error) {
	if err := s.ready(ctx); err != nil {
		return 0, err
	}
	j := &job{txn: t, done: make(chan error, 1)}
	if !s.queue.push(j) {
		return 0, errClosed
	}
	select {
	case err := <-j.done:
		return j.rev, err
	case <-ctx.Done():
	}
	if j.state.CompareAndSwap(waiting, abandoned) {
		return 0, fmt.Errorf("%w: not begun: %w", storage.ErrUnavailable, ctx.Err())
	}
	<-j.flight.read
	select {
	case err := <-j.done:
		return j.rev, err
	default:
		return 0, fmt.Errorf("%w: %w", storage.ErrUnknown, ctx.Err())
	}
}

// write is the writer's goroutine. It ends when the queue is closed and empty.
func (s *Store) write() {
	defer close(s.stopped)
	var jobs []*job
	for answered := 0; s.queue.wait(); {
		// Those who were answered just now get the chance to be in the next group.
		runtime.Gosched()
		if answered >= crowd {
			s.queue.gather()
		}
		jobs = s.queue.take(jobs)
		answered = len(jobs)
		s.group(jobs)
		clear(jobs)
		jobs = jobs[:0]
	}
}

// group makes transactions in one transaction of bbolt and answers those who wait for them.
func (s *Store) group(jobs []*job) {
	f := &flight{read: make(chan struct{}), done: make(chan struct{})}
	s.flight.Store(f)
	jobs = slices.DeleteFunc(jobs, func(j *job) bool {
		j.flight = f
		return !j.state.CompareAndSwap(waiting, taken)
	})
	err := s.fly(f, jobs)
	close(f.done)
	for _, j := range jobs {
		if err != nil && (j.err == nil || !errors.Is(err, storage.ErrUnknown)) {
			j.err = err
		}
		j.done <- j.err
	}
}

// fly brings the jobs that hold to the disk. It notes in each job what became of it, unless it returns an error for
// all.
func (s *Store) fly(f *flight, jobs []*job) error {
	id := 0
	if why := s.broken.Load(); why != nil {
		close(f.read)
		return *why
	}
	if len(jobs) == 0 {
		close(f.read)
		return nil
	}
	if s.file != nil && !linked(s.file) {
		close(f.read)
		return fmt.Errorf("%w: %s was deleted, or another file was put in its place, and what is in it ends with this process: "+
			"make a backup, stop, and restore that", storage.ErrUnavailable, s.path)
	}
	err := s.update(func(tx *bbolt.Tx) error {
		defer close(f.read)
		id = tx.ID()
		return s.apply(tx.Bucket([]byte(itemBucket)), jobs)
	})
	if id == 0 {
		close(f.read)
	}
	return s.settle(id, err)
}

// apply makes the transactions one after the other in the bucket, so that each sees those before it.
func (s *Store) apply(b *bbolt.Bucket, jobs []*job) error {
	s.arena.reset()
	first := b.Sequence()
	rev := first
	for _, j := range jobs {
		j.err = check(b, j.txn.Reads)
		if j.err != nil {
			continue
		}
		rev++
		j.rev = rev
		if err := s.put(b, j.txn.Writes, rev); err != nil {
			return err
		}
	}
	if rev == first {
		return errNothing
	}
	return b.SetSequence(rev)
}

func (s *Store) put(b *bbolt.Bucket, writes []storage.Write, rev uint64) error {
	for _, w := range writes {
		key, err := []byte(w.Key), error(nil)
		if w.Value == nil {
			err = b.Delete(key)
		} else {
			err = b.Put(key, s.arena.pack(key, rev, w.Value))
		}
		if err != nil {
			return fmt.Errorf("write %q: %w", w.Key, err)
		}
	}
	return nil
}

// settle says what became of a transaction of bbolt with that id. Bbolt writes and syncs all pages, then writes and
// syncs a meta page that makes them count. If it failed before the meta page was written, nothing was. If it failed
// after that, what is read now may be lost with the machine: nothing may be built on it, so the store stops serving.
func (s *Store) settle(id int, err error) error {
	if err == nil {
		s.durable.Store(int64(id))
		return nil
	}
	if errors.Is(err, errNothing) {
		return nil
	}
	seen := 0
	if id > 0 {
		// Where bbolt can't read, it had lost its map of the file, and that is before it writes.
		_ = s.db.View(func(tx *bbolt.Tx) error {
			seen = tx.ID()
			return nil
		})
	}
	if id == 0 || seen < id {
		return fmt.Errorf("%w: write %s: %w", storage.ErrUnavailable, s.path, err)
	}
	why := fmt.Errorf("%w: the disk failed to sync %s: if that happens again, check the disk: %w", storage.ErrUnavailable, s.path, err)
	s.broken.Store(&why)
	close(s.failed)
	return fmt.Errorf("%w: sync %s: %w", storage.ErrUnknown, s.path, err)
}

// A queue holds the jobs that wait for the writer.
type queue struct {
	mu   sync.Mutex
	some sync.Cond
	jobs []*job
	shut bool
}

func newQueue() *queue {
	q := &queue{}
	q.some.L = &q.mu
	return q
}

// push adds a job, unless the queue is closed.
func (q *queue) push(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shut {
		return false
	}
	q.jobs = append(q.jobs, j)
	q.some.Signal()
	return true
}

// wait waits for a job. It returns false when the queue is closed and empty.
func (q *queue) wait() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.shut {
		q.some.Wait()
	}
	return len(q.jobs) > 0
}

// gather waits for as long as more jobs come. One group costs little more than each of two by turns.
func (q *queue) gather() {
	end := time.Now().Add(gatherTime)
	for n := -1; n != q.len() && time.Now().Before(end); {
		n = q.len()
		time.Sleep(gatherStep)
	}
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

// take moves all jobs, or as many as may be written at once, into a group.
func (q *queue) take(group []*job) []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, size := 0, 0
	for n < len(q.jobs) && n < maxGroup && size < maxBytes {
		for _, w := range q.jobs[n].txn.Writes {
			size += len(w.Value)
		}
		n++
	}
	group = append(group, q.jobs[:n]...)
	left := copy(q.jobs, q.jobs[n:])
	clear(q.jobs[left:])
	q.jobs = q.jobs[:left]
	return group
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shut = true
	q.some.Signal()
}

func (q *queue) closed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shut
}
