package relay

import (
	"context"
	"sync"

	"zevaka/bot/chat"
)

// crowd are the live connections that stand.
type crowd struct {
	mu  sync.Mutex
	all map[*guest]struct{}
}

// guest is a live connection.
type guest struct {
	at  chat.Community
	end func()
	// left is told when the guest has gone; nil: nobody wants to know.
	left chan<- struct{}
}

// Join counts a live connection to a community among those that stand, until it calls gone. End has it end, and doesn't wait: that
// may be at once, if the community has gone elsewhere meanwhile.
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

// Leave ends the live connections to communities that are served here no more, and returns when they have gone, or ctx has ended.
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
