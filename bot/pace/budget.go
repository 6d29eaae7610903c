package pace

import (
	"context"
	"sync"
	"time"

	"zevaka/engine"
)

// What takes much longer than a press is done one after the other, and for no more than a share of the time: hints, and files
// of what is kept about somebody. So whoever asks for a lot of it keeps nobody else waiting.

const (
	// share is which part of the time heavy work may take.
	share = 2
	// Ahead is how much of it may come at once.
	Ahead = 250 * time.Millisecond
	// longestWait is how long such work waits for its turn.
	longestWait = time.Second
)

// ErrBusy refuses heavy work for which there is no time just now.
const ErrBusy engine.Refusal = "busy"

// Budget is the one budget of the process for heavy work.
type Budget struct {
	// running is the process's running time.
	running func() time.Duration
	// turn holds a token while somebody works.
	turn chan struct{}

	mu sync.Mutex
	// spent is how much work was done, and not yet paid off by the time that has gone by up to at.
	spent, at time.Duration
}

// NewBudget is a budget of which nothing is spent. Running is the process's running time, which only goes forward.
func NewBudget(running func() time.Duration) *Budget {
	return &Budget{running: running, turn: make(chan struct{}, 1)}
}

// Begin waits for the turn to work. The function returned ends it. It returns ErrBusy where that would take too long.
func (h *Budget) Begin(ctx context.Context) (end func(), err error) { return h.begin(ctx, Ahead) }

// BeginLast is Begin for what is much, and done a little at a time: it gets only the time that nobody else wants.
func (h *Budget) BeginLast(ctx context.Context) (end func(), err error) { return h.begin(ctx, 0) }

func (h *Budget) begin(ctx context.Context, most time.Duration) (end func(), err error) {
	timer := time.NewTimer(longestWait)
	defer timer.Stop()
	select {
	case h.turn <- struct{}{}:
	case <-timer.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	begun := h.running()
	if !h.affords(begun, most) {
		<-h.turn
		return nil, ErrBusy
	}
	return func() { h.pay(h.running() - begun); <-h.turn }, nil
}

// affords reports whether there is time for more work: no more than most is spent.
func (h *Budget) affords(now, most time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent = max(0, h.spent-(now-h.at)/share)
	h.at = now
	return h.spent <= most
}

func (h *Budget) pay(worked time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent += worked
}
