package relay

import (
	"context"
	"sync"

	"zevaka/bot/chat"
)

// crowd are the live connections of this process.
type crowd struct {
	mu  sync.Mutex
	all map[*guest]struct{}
}

// guest is a live connection.
type guest struct {
	at  chat.Community
	end func()
	// left, if not nil, gets a value when the guest has gone.
	left chan<- struct{}
}

// Join adds a live connection to a community, until it calls gone. End is called to have it end, and doesn't wait. It is called at once
// if another process serves the community by now.
func (x *Exchange) Join(at chat.Community, end func()) (gone func()) {
	g := &guest{at: at, end: end}
	c := &x.crowd
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[*guest]struct{}{}
	}
	c.all[g] = struct{}{}
	if !x.Serves(at) {
		end()
	}
	return func() { c.part(g) }
}

func (c *crowd) part(g *guest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, g)
	if g.left != nil {
		g.left <- struct{}{}
		g.left = nil
	}
}

// Leave ends the live connections to communities that are gone, and returns when they have ended, or ctx has.
func (x *Exchange) Leave(ctx context.Context, gone func(chat.Community) bool) {
	c := &x.crowd
	c.mu.Lock()
	left := make(chan struct{}, len(c.all))
	n := 0
	for g := range c.all {
		if gone(g.at) {
			g.left = left
			g.end()
			n++
		}
	}
	c.mu.Unlock()
	for range n {
		select {
		case <-left:
		case <-ctx.Done():
			return
		}
	}
}
