package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// A gate stops the writer of a store inside its groups.
type gate struct {
	*Store
	groups  atomic.Int32
	reached chan struct{} // a group has got there
	open    chan struct{} // closed: groups go through
}

// Where a gate stops a group.
const (
	beforeRead = iota // when it was taken from the queue
	afterRead         // when bbolt has its values
	afterWrite        // when bbolt has made it, before the store knows
)

func newGate(t *testing.T, where int) *gate {
	g := &gate{Store: newStore(t), reached: make(chan struct{}, 100), open: make(chan struct{})}
	stop := func(here int) {
		if here == where {
			g.groups.Add(1)
			g.reached <- struct{}{}
			<-g.open
		}
	}
	g.update = func(fn func(*bbolt.Tx) error) error {
		defer stop(afterWrite)
		return g.db.Update(func(tx *bbolt.Tx) error {
			stop(beforeRead)
			defer stop(afterRead)
			return fn(tx)
		})
	}
	return g
}

// start commits in the background.
func start(ctx context.Context, s storage.Store, txn storage.Txn) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := s.Commit(ctx, txn)
		done <- err
	}()
	return done
}

func writes(key, value string) storage.Txn {
	return storage.Txn{Writes: []storage.Write{{Key: key, Value: []byte(value)}}}
}

// waitFor waits until nobody has anything left to do, and wants that many transactions to wait for the writer.
func (g *gate) waitFor(t *testing.T, n int) {
	t.Helper()
	synctest.Wait()
	if have := len(g.queue.jobs); have != n {
		t.Fatalf("%d transactions wait, want %d", have, n)
	}
}

func TestContextEndsWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, afterRead)
		ctx, cancel := context.WithCancel(t.Context())
		begun := start(ctx, g, writes("begun", "1"))
		<-g.reached
		queued := start(ctx, g, writes("queued", "1"))
		g.waitFor(t, 1)
		cancel()
		if err := <-begun; !errors.Is(err, storage.ErrUnknown) || !errors.Is(err, context.Canceled) {
			t.Errorf("begun: %v, want %v", err, storage.ErrUnknown)
		}
		if err := <-queued; !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("queued: %v, want %v", err, storage.ErrUnavailable)
		}
		close(g.open)
		set(t, g, "later", "1")
		if it := one(t, g, "begun"); it.Rev == 0 {
			t.Error("what was begun wasn't made")
		}
		if it := one(t, g, "queued"); it.Rev != 0 {
			t.Error("what wasn't begun was made later")
		}
	})
}

// TestValuesAreReadInTime ends the context of a commit that was begun and whose values weren't read: Commit must keep
// its caller from changing them.
func TestValuesAreReadInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, beforeRead)
		ctx, cancel := context.WithCancel(t.Context())
		begun := start(ctx, g, writes("a", "1"))
		<-g.reached
		cancel()
		synctest.Wait()
		select {
		case err := <-begun:
			t.Errorf("Commit returned before its values were read: %v", err)
		default:
		}
		close(g.open)
		if err := <-begun; err != nil && !errors.Is(err, storage.ErrUnknown) {
			t.Errorf("Commit: %v", err)
		}
		set(t, g, "later", "1")
		if it := one(t, g, "a"); string(it.Value) != "1" {
			t.Errorf("%+v was made", it)
		}
	})
}

// TestGroup queues transactions that must see each other: all in one group.
func TestGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, afterRead)
		first := start(t.Context(), g, writes("first", "1"))
		<-g.reached
		var all []<-chan error
		for i := range 5 {
			txn := writes("prize", fmt.Sprint(i))
			txn.Reads = []storage.Item{{Key: "prize"}}
			all = append(all, start(t.Context(), g, txn))
			g.waitFor(t, i+1)
		}
		for i := range 3 {
			all = append(all, start(t.Context(), g, writes("blind", fmt.Sprint(i))))
			g.waitFor(t, 6+i)
		}
		close(g.open)
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		for i, done := range all {
			want := storage.ErrConflict
			if i == 0 || i >= 5 {
				want = nil
			}
			if err := <-done; !errors.Is(err, want) {
				t.Errorf("transaction %d: %v, want %v", i, err, want)
			}
		}
		if n := g.groups.Load(); n != 2 {
			t.Errorf("%d groups, want 2", n)
		}
		prize, blind := one(t, g, "prize"), one(t, g, "blind")
		if string(prize.Value) != "0" || string(blind.Value) != "2" || blind.Rev != prize.Rev+3 {
			t.Errorf("group left %+v and %+v", prize, blind)
		}
	})
}

func TestCloseWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, afterRead)
		path := g.path
		first := start(t.Context(), g, writes("first", "1"))
		<-g.reached
		second := start(t.Context(), g, writes("second", "1"))
		g.waitFor(t, 1)
		closed := make(chan error, 1)
		go func() { closed <- g.Close() }()
		synctest.Wait()
		if _, err := g.Commit(t.Context(), writes("third", "1")); !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("commit after Close: %v", err)
		}
		close(g.open)
		for _, done := range []<-chan error{first, second, closed} {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		s := reopen(t, path)
		if one(t, s, "first").Rev == 0 || one(t, s, "second").Rev == 0 || one(t, s, "third").Rev != 0 {
			t.Error("Close lost what was begun, or made what came later")
		}
	})
}

// TestSeenBeforeDurable reads while bbolt shows a commit that isn't known to be on the disk: nobody sees it.
func TestSeenBeforeDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, afterWrite)
		done := start(t.Context(), g, writes("a", "1"))
		<-g.reached
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if items, err := g.Get(ctx, "a"); !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("Get: %v, %v; want it to wait", items, err)
		}
		close(g.open)
		if it := one(t, g, "a"); it.Rev == 0 {
			t.Error("Get doesn't see what is durable")
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestLastSyncFails lets the last step of a commit fail: bbolt shows it, and nobody knows whether the disk has it.
func TestLastSyncFails(t *testing.T) {
	s := newStore(t)
	set(t, s, "a", "1")
	broken := errors.New("input/output error")
	s.update = func(fn func(*bbolt.Tx) error) error { return errors.Join(s.db.Update(fn), broken) }
	read := one(t, s, "b")
	txn := writes("b", "1")
	txn.Reads = []storage.Item{read}
	if _, err := s.Commit(t.Context(), txn); !errors.Is(err, storage.ErrUnknown) || !errors.Is(err, broken) {
		t.Errorf("Commit: %v, want %v", err, storage.ErrUnknown)
	}
	_, gets := s.Get(t.Context(), "a")
	_, scans := s.Scan(t.Context(), "", "", 1)
	_, commits := s.Commit(t.Context(), txn)
	_, checks := s.Commit(t.Context(), storage.Txn{Reads: txn.Reads})
	for _, err := range []error{commits, checks, gets, scans} {
		if !errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrUnknown) {
			t.Errorf("call after the failure: %v, want %v", err, storage.ErrUnavailable)
		}
	}
	if err := s.Failed(t.Context()); !errors.Is(err, broken) {
		t.Errorf("that it has failed is told by %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s.path)
	if _, err := s.Commit(t.Context(), txn); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("the same transaction after opening again: %v, want %v", err, storage.ErrConflict)
	}
}

// TestLargeQueue has more waiting than fits into one group.
func TestLargeQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, afterRead)
		first := start(t.Context(), g, writes("first", "1"))
		<-g.reached
		var all []<-chan error
		for i := range maxGroup + 10 {
			all = append(all, start(t.Context(), g, writes(fmt.Sprintf("key/%04d", i), "1")))
		}
		g.waitFor(t, maxGroup+10)
		close(g.open)
		for _, done := range append(all, first) {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		items, err := g.Scan(t.Context(), "key/", "", 5000)
		if err != nil || len(items) != maxGroup+10 {
			t.Errorf("%d items, %v", len(items), err)
		}
		if n := g.groups.Load(); n != 3 {
			t.Errorf("%d groups, want 3", n)
		}
	})
}

// TestNewFileIsPrivate: cards are in it. That there was an empty one that others may read changes nothing.
func TestNewFileIsPrivate(t *testing.T) {
	empty := written(t, "")
	if err := os.Chmod(empty, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "z.db"), empty} {
		reopen(t, path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("mode is %o, want 600", mode)
		}
	}
}
