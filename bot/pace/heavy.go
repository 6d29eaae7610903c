package pace

import (
	"context"
	"errors"
	"sync"
	"time"

	"zevaka/engine"
	"zevaka/storage"
)

// What takes much longer than a press is done one after the other, and for no more than a share of the time: hints, cards,
// and files of what is kept about somebody. So whoever asks for a lot of it keeps nobody else waiting.

const (
	// share is which part of the time heavy work may take.
	share = 2
	// Ahead is how much of it may come at once, and as much again of those who have had little lately.
	Ahead = 250 * time.Millisecond
	// parts are how many people may have an equal part of it for sure, and mostHad how much of what somebody has had counts.
	parts, mostHad = 16, 4 * Ahead
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
	// spent is how much work was done, and not yet paid off by the time that has gone by up to at. Had is the same for each
	// person, and the time pays off a part of it.
	spent, at time.Duration
	had       map[int64]time.Duration
}

// NewBudget is a budget of which nothing is spent. Running is the process's running time, which only goes forward.
func NewBudget(running func() time.Duration) *Budget {
	return &Budget{running: running, turn: make(chan struct{}, 1), had: map[int64]time.Duration{}}
}

// Begin waits for the turn to work for somebody. The function returned ends it. It returns ErrBusy where that would take too long. Who has
// had no more than their part lately finds a place also where others ask for much.
func (h *Budget) Begin(ctx context.Context, who int64) (end func(), err error) {
	return h.begin(ctx, who, Ahead)
}

// BeginLast is Begin for what is much, and done a little at a time: it gets only the time that nobody else wants.
func (h *Budget) BeginLast(ctx context.Context) (end func(), err error) { return h.begin(ctx, 0, 0) }

func (h *Budget) begin(ctx context.Context, who int64, most time.Duration) (end func(), err error) {
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
	if !h.affords(begun, who, most) {
		<-h.turn
		return nil, ErrBusy
	}
	return func() { h.pay(h.running()-begun, who); <-h.turn }, nil
}

// affords reports whether more work may begin for somebody. Work uses the budget up, and time that goes by fills it again; what is used up
// at now may be at most most, and twice that for who has had no more than their part.
func (h *Budget) affords(now time.Duration, who int64, most time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	paid := (now - h.at) / share
	h.spent, h.at = max(0, h.spent-paid), now
	for one := range h.had {
		if h.had[one] -= paid / parts; h.had[one] <= 0 {
			delete(h.had, one)
		}
	}
	if h.had[who] <= Ahead {
		most *= 2
	}
	return h.spent <= most
}

func (h *Budget) pay(worked time.Duration, who int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent += worked
	h.had[who] = min(h.had[who]+worked, mostHad)
}

// restShare is how many times as long as it works a sweep rests, so that presses hardly notice it, and longestRest
// how long at most.
const restShare, longestRest = 9, time.Second

// Sleep waits, unless ctx ends before: then it returns the error of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SlowStore is a store whose one user rests after each call, longer than it has worked since the rest before.
type SlowStore struct {
	storage.Store
	free time.Time
}

// Slow is the store for one user who is in no hurry.
func Slow(s storage.Store) *SlowStore { return &SlowStore{Store: s, free: time.Now()} }

func (s *SlowStore) rest(ctx context.Context) error {
	err := Sleep(ctx, min(restShare*time.Since(s.free), longestRest))
	s.free = time.Now()
	return err
}

// Get implements storage.Store.
func (s *SlowStore) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := s.Store.Get(ctx, keys...)
	return items, errors.Join(err, s.rest(ctx))
}

// Scan implements storage.Store.
func (s *SlowStore) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := s.Store.Scan(ctx, prefix, after, limit)
	return items, errors.Join(err, s.rest(ctx))
}

// View implements storage.Store.
func (s *SlowStore) View(ctx context.Context, fn func(storage.Reader) error) error {
	err := s.Store.View(ctx, fn)
	return errors.Join(err, s.rest(ctx))
}

// Commit implements storage.Store. Its rest comes first, since what was committed must be said.
func (s *SlowStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if err := s.rest(ctx); err != nil {
		return 0, errors.Join(storage.ErrUnavailable, err)
	}
	return s.Store.Commit(ctx, t)
}
