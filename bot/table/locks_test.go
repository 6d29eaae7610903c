package table

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// waiting returns when so many wait for the table.
func waiting(l *Locks, id ID, n int) {
	for {
		l.mu.Lock()
		now := len(l.held[id])
		l.mu.Unlock()
		if now == n {
			return
		}
		runtime.Gosched()
	}
}

// TestLocks: those who wait for a table get it in the order in which they came, but for those who give up.
func TestLocks(t *testing.T) {
	var l Locks
	ctx, id := context.Background(), ID{Name: "abc"}
	if err := l.Acquire(ctx, id); err != nil {
		t.Fatal(err)
	}
	if err := l.Acquire(ctx, ID{Name: "another"}); err != nil {
		t.Error(err)
	}
	got := make(chan int)
	brief, give := context.WithCancel(ctx)
	for i := range 3 {
		go func() {
			wait := ctx
			if i == 1 {
				wait = brief
			}
			if err := l.Acquire(wait, id); err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				i = -1
			}
			got <- i
		}()
		waiting(&l, id, i+1)
	}
	give()
	for _, want := range []int{-1, 0, 2} {
		if want >= 0 {
			l.Release(id)
		}
		if i := <-got; i != want {
			t.Errorf("%d came, want %d", i, want)
		}
	}
	l.Release(id)
	l.Release(ID{Name: "another"})
	if len(l.held) != 0 {
		t.Errorf("%d tables are held when nobody has any", len(l.held))
	}
}

// TestLocksGivenUp: a table that comes to somebody who has just given up goes on to the next.
func TestLocksGivenUp(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	id := ID{Name: "abc"}
	for range 200 {
		var l Locks
		if err := l.Acquire(context.Background(), id); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if l.Acquire(ended, id) == nil {
				l.Release(id)
			}
		}()
		l.Release(id)
		<-done
		if err := l.Acquire(context.Background(), id); err != nil || len(l.held) != 1 {
			t.Fatal(err, l.held)
		}
	}
}
