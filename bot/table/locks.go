package table

import (
	"context"
	"slices"
	"sync"
)

// Locks let one request at a time work on a table. They only save conflicts: what two processes do at once the store
// settles.
type Locks struct {
	mu sync.Mutex
	// held are the tables that somebody has, each with those who wait for it, in the order in which they came. Whose channel
	// is closed has got the table.
	held map[ID][]chan struct{}
}

// Acquire waits for the table until ctx ends. Whoever got it must Release it.
func (l *Locks) Acquire(ctx context.Context, id ID) error {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[ID][]chan struct{}{}
	}
	queue, taken := l.held[id]
	if !taken {
		l.held[id] = nil
		l.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	l.held[id] = append(queue, turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		l.leave(id, turn)
		return ctx.Err()
	}
}

// leave gives up waiting, or the table, if it has just come.
func (l *Locks) leave(id ID, turn chan struct{}) {
	l.mu.Lock()
	i := slices.Index(l.held[id], turn)
	if i >= 0 {
		l.held[id] = slices.Delete(l.held[id], i, i+1)
	}
	l.mu.Unlock()
	if i < 0 {
		l.Release(id)
	}
}

// Release gives the table to whoever has waited for it longest.
func (l *Locks) Release(id ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.held[id]
	if len(queue) == 0 {
		delete(l.held, id)
		return
	}
	close(queue[0])
	l.held[id] = queue[1:]
}
