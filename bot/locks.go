package bot

import (
	"context"
	"sync"
)

// locks let one request at a time do something with a table. They only spare the store conflicts: what two processes
// do at once is settled by its revisions.
type locks struct {
	mu   sync.Mutex
	held map[tableID]*lock
}

// lock is a queue for one table: whoever has put a token into turn has the table.
type lock struct {
	turn  chan struct{}
	users int
}

// acquire waits for the table until ctx ends. The function returned gives the table back.
func (l *locks) acquire(ctx context.Context, id tableID) (func(), error) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[tableID]*lock{}
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
		return func() { <-k.turn; l.leave(id, k) }, nil
	case <-ctx.Done():
		l.leave(id, k)
		return nil, ctx.Err()
	}
}

func (l *locks) leave(id tableID, k *lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.users--; k.users == 0 {
		delete(l.held, id)
	}
}
