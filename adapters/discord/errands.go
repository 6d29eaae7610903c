package discord

import (
	"context"
	"sync"

	"zevaka/bot/chat"
)

// errands are what is under way to communities, or waits to be.
type errands struct {
	mu  sync.Mutex
	all map[*errand]struct{}
}

// errand is one of them.
type errand struct {
	of *errands
	to chat.Community
	// begun says that it doesn't wait any more, and done is closed at its end.
	begun, dropped bool
	done           chan struct{}
}

// add is an errand that waits.
func (es *errands) add(to chat.Community) *errand {
	one := &errand{of: es, to: to, done: make(chan struct{})}
	es.mu.Lock()
	defer es.mu.Unlock()
	if es.all == nil {
		es.all = map[*errand]struct{}{}
	}
	es.all[one] = struct{}{}
	return one
}

// begin is an errand that has begun.
func (es *errands) begin(to chat.Community) *errand {
	one := es.add(to)
	one.start()
	return one
}

// start begins an errand; false if it was given up.
func (e *errand) start() bool {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.begun = true
	return !e.dropped
}

// end ends an errand, once.
func (e *errand) end() {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	delete(e.of.all, e)
	close(e.done)
}

// leave gives up what waits for communities that are gone, and waits for what has begun until ctx ends. It reports whether there
// was any such thing and it has ended.
func (es *errands) leave(ctx context.Context, gone func(chat.Community) bool) bool {
	var begun []*errand
	es.mu.Lock()
	for one := range es.all {
		switch {
		case !gone(one.to):
		case one.begun:
			begun = append(begun, one)
		default:
			one.dropped = true
		}
	}
	es.mu.Unlock()
	for _, one := range begun {
		select {
		case <-one.done:
		case <-ctx.Done():
			return false
		}
	}
	return len(begun) > 0
}

// beginFor begins a part of what was begun already for a community.
func (c *core) beginFor(to chat.Community, do func()) {
	one := c.errands.begin(to)
	c.Begin(func() {
		defer one.end()
		do()
	})
}

// countErrands counts what is done for posts until the function that it returns is called.
func (c *core) countErrands(posts []chat.Post) (end func()) {
	var all []*errand
	seen := map[chat.Community]bool{}
	for _, p := range posts {
		if to := p.In.Community; !seen[to] {
			seen[to] = true
			all = append(all, c.errands.begin(to))
		}
	}
	return func() {
		for _, one := range all {
			one.end()
		}
	}
}
