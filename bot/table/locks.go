package table

import (
	"context"
	"sync"
)

// Locks let one request at a time work on a table. They only save conflicts: what two processes do at once the store
// settles.
type Locks struct {
	mu   sync.Mutex
	held map[ID]*lock
}

// lock is the queue for one table. Whoever has put a value into turn has the table.
type lock struct {
	turn  chan struct{}
	users int
}

// Acquire waits for the table until ctx ends. The function returned gives the table back.
func (l *Locks) Acquire(ctx context.Context, id ID) (func(), error) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[ID]*lock{}
	}
	k := l.held[id]
	if k == nil {
		k = &lock{turn: make(chan struct{}, 1)}
		l.held[id] = k
	}
	k.users++
	l.mu.Unlock()
	select {
	case k.turn <- struct{}{}:
		return func() { <-k.turn; l.release(id, k) }, nil
	case <-ctx.Done():
		l.release(id, k)
		return nil, ctx.Err()
	}
}

func (l *Locks) release(id ID, k *lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.users--; k.users == 0 {
		delete(l.held, id)
	}
}
