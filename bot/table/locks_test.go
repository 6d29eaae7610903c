package table

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/chat"
	"zevaka/storage"
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
	if err := l.Acquire(ctx, chat.Press, id); err != nil {
		t.Fatal(err)
	}
	if err := l.Acquire(ctx, chat.Press, ID{Name: "another"}); err != nil {
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
			if err := l.Acquire(wait, chat.Timeout, id); err != nil {
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
			l.Release(id, nil)
		}
		if i := <-got; i != want {
			t.Errorf("%d came, want %d", i, want)
		}
	}
	l.Release(id, nil)
	l.Release(ID{Name: "another"}, nil)
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
		if err := l.Acquire(context.Background(), chat.Press, id); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if l.Acquire(ended, chat.Press, id) == nil {
				l.Release(id, nil)
			}
		}()
		l.Release(id, nil)
		<-done
		if err := l.Acquire(context.Background(), chat.Press, id); err != nil || len(l.held) != 1 {
			t.Fatal(err, l.held)
		}
	}
}

// TestLocksFail: who waits for a table is told why others had to give it up; whoever comes later gets it.
func TestLocksFail(t *testing.T) {
	var l Locks
	ctx, id := t.Context(), ID{Name: "abc"}
	if err := l.Acquire(ctx, chat.Press, id); err != nil {
		t.Fatal(err)
	}
	told := make(chan error)
	for i := range 3 {
		go func() { told <- l.Acquire(ctx, chat.Press, id) }()
		waiting(&l, id, i+1)
	}
	l.Release(id, fmt.Errorf("%w: the disk failed", storage.ErrUnknown))
	for range 3 {
		if err := <-told; !errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrUnknown) {
			t.Errorf("told %v", err)
		}
	}
	if err := l.Acquire(ctx, chat.Press, id); err != nil {
		t.Error(err)
	}
	l.Release(id, nil)
	if len(l.held) > 0 {
		t.Errorf("somebody has %v", l.held)
	}
}

// TestLocksTurn: a person waits for a table less than three seconds, all else as long as it takes.
func TestLocksTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Locks
		ctx, id := t.Context(), ID{Name: "abc"}
		if err := l.Acquire(ctx, chat.Press, id); err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() { got <- l.Acquire(ctx, chat.Timeout, id) }()
		begun := time.Now()
		if err := l.Acquire(ctx, chat.Press, id); !errors.Is(err, storage.ErrUnavailable) || time.Since(begun) >= 3*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		time.Sleep(time.Minute)
		l.Release(id, errTurn) // Of another table: the store hasn't failed.
		if err := <-got; err != nil {
			t.Error(err)
		}
		l.Release(id, nil)
	})
}

// TestCache: the tables put in last are there, each until it is taken out.
func TestCache(t *testing.T) {
	for _, test := range []struct {
		do, want string
	}{
		{"+a +b -a -b", "ab"},
		{"-a +a -a -a", " a "},
		{"+a +b +c -a -b -c", " bc"},
		{"+a +b -a +a +c -a -b -c", "aa c"},
		{"+a +a +b -a -b", "ab"},
		{"+a -a +b +c -a -b -c", "a bc"},
		{"+a -a +b +c +a -a -b -c", "aa c"},
	} {
		c, got := NewCache(2), ""
		for do := range slices.Chunk([]byte(test.do+" "), 3) {
			id := ID{Name: string(do[1])}
			if do[0] == '+' {
				c.Put(&Cached{Table: &Table{ID: id}})
				continue
			}
			if taken := c.Take(id); taken == nil {
				got += " "
			} else {
				got += taken.Table.ID.Name
			}
		}
		if got != test.want || c.order.Len() > 2 || len(c.slots) != c.order.Len() {
			t.Errorf("%s: taken %q, want %q; %d are in %d slots", test.do, got, test.want, c.order.Len(), len(c.slots))
		}
	}
}
