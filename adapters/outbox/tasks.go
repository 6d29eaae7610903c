package outbox

import (
	"context"
	"sync"
	"time"
)

// Tasks are what an adapter does beside its Run, which waits for them at its end. A panic ends only the task itself.
type Tasks struct {
	// Life ends when Close has waited long enough, and at its end.
	Life context.Context
	// Closing is closed when Close begins.
	Closing <-chan struct{}

	caught  func(panicked any)
	cut     context.CancelFunc
	closing chan struct{}
	running sync.WaitGroup
	mu      sync.Mutex
	closed  bool
}

// NewTasks are no tasks yet. Caught is called with the value of each panic.
func NewTasks(caught func(panicked any)) *Tasks {
	t := &Tasks{caught: caught, closing: make(chan struct{})}
	t.Closing = t.closing
	t.Life, t.cut = context.WithCancel(context.Background())
	return t
}

// Begin begins a part of what was begun already.
func (t *Tasks) Begin(do func()) {
	t.running.Go(func() {
		defer t.Recover()
		do()
	})
}

// Admit begins something that comes from outside; false, and nothing, once the tasks are being closed.
func (t *Tasks) Admit(do func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.Begin(do)
	}
	return !t.closed
}

// Recover ends a panic of the function that defers it.
func (t *Tasks) Recover() {
	if p := recover(); p != nil {
		t.caught(p)
	}
}

// Close admits nothing more, and waits for what was begun. When grace has passed it ends Life, and waits on. It is called once.
func (t *Tasks) Close(grace time.Duration) {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	close(t.closing)
	late := time.AfterFunc(grace, t.Cut)
	defer late.Stop()
	t.running.Wait()
	t.Cut()
}

// Cut admits nothing more and ends Life at once. It doesn't wait: that is Close's.
func (t *Tasks) Cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.cut()
}

// Enter counts the caller itself among the tasks until it calls leave; false, and no leave, once they are being closed.
func (t *Tasks) Enter() (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, false
	}
	t.running.Add(1)
	return t.running.Done, true
}
