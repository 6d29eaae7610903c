package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/storage"
)

// turnTime is how long a person waits for a table that others work at: the answer is to come within three seconds.
const turnTime = 2500 * time.Millisecond

// errTurn is the error for a person who has waited for so long.
var errTurn = fmt.Errorf("%w: others have worked there all the time", storage.ErrUnavailable)

// Locks let one request at a time work on a table. They only save conflicts: what two processes do at once the store
// settles.
type Locks struct {
	mu sync.Mutex
	// held are the tables that somebody has, each with those who wait for it, in the order in which they came. Who is told nil has
	// got the table.
	held map[ID][]chan error
}

// Acquire waits for the table until ctx ends, for a person not long, and returns why if it isn't to be had: the store has failed for
// who had it before, or others had it all the time. Whoever got it must Release it.
func (l *Locks) Acquire(ctx context.Context, kind chat.Kind, id ID) error {
	if kind.ByPerson() {
		brief, cancel := context.WithTimeoutCause(ctx, turnTime, errTurn)
		defer cancel()
		ctx = brief
	}
	if err := l.wait(ctx, id); err != nil {
		return fmt.Errorf("wait for table %s: %w", id, err)
	}
	return nil
}

// wait waits for the table until ctx ends.
func (l *Locks) wait(ctx context.Context, id ID) error {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[ID][]chan error{}
	}
	queue, taken := l.held[id]
	if !taken {
		l.held[id] = nil
		l.mu.Unlock()
		return nil
	}
	turn := make(chan error, 1)
	l.held[id] = append(queue, turn)
	l.mu.Unlock()
	select {
	case err := <-turn:
		return err
	case <-ctx.Done():
		l.leave(id, turn)
		return context.Cause(ctx)
	}
}

// leave gives up waiting, or the table, if it has just come.
func (l *Locks) leave(id ID, turn chan error) {
	l.mu.Lock()
	i := slices.Index(l.held[id], turn)
	if i >= 0 {
		l.held[id] = slices.Delete(l.held[id], i, i+1)
	}
	l.mu.Unlock()
	if i < 0 && <-turn == nil {
		l.Release(id, nil)
	}
}

// Release gives the table to whoever has waited for it longest. Err is what came of it: where the store has failed all who wait are
// told so at once, since it would fail for each of them, one after the other.
func (l *Locks) Release(id ID, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if failed := errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrUnknown); failed && !errors.Is(err, errTurn) {
		for _, turn := range l.held[id] {
			turn <- fmt.Errorf("%w: for who was there before: %v", storage.ErrUnavailable, err)
		}
		delete(l.held, id)
		return
	}
	queue := l.held[id]
	if len(queue) == 0 {
		delete(l.held, id)
		return
	}
	queue[0] <- nil
	l.held[id] = queue[1:]
}
