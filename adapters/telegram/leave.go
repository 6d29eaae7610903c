package telegram

import (
	"context"
	"slices"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// leaveLook is how often it is looked whether something is still under way to a chat that was left.
const leaveLook = 5 * time.Millisecond

// Leave gives up what waits for chats of communities that other processes are to serve, forgets all that is known of those chats,
// and returns when nothing is under way to them, or ctx has ended. No table is shown there after it, unless Show is called; an
// answer to somebody may be.
func (a *Adapter) Leave(ctx context.Context, gone func(chat.Community) bool) {
	left := a.out.leave(gone)
	for _, c := range left {
		for c.underWay() && a.Life.Err() == nil {
			if !outbox.Sleep(ctx, leaveLook) {
				return
			}
		}
	}
}

// leave gives up the chats of communities, and returns those that there were.
func (s *sender) leave(gone func(chat.Community) bool) []*conversation {
	s.leaving.Lock()
	defer s.leaving.Unlock()
	left := s.chats.take(gone)
	for _, c := range left {
		c.giveUp()
	}
	return left
}

// take are all chats of communities that are gone, with those that were taken before and to which something is under way. Nobody else
// gets them any more.
func (cs *chats) take(gone func(chat.Community) bool) (all []*conversation) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.left = slices.DeleteFunc(cs.left, func(c *conversation) bool { return !c.underWay() })
	for id, c := range cs.byID {
		if gone(community(id)) {
			cs.left = append(cs.left, c)
			delete(cs.byID, id)
		}
	}
	return slices.DeleteFunc(slices.Clone(cs.left), func(c *conversation) bool { return !gone(community(c.id)) })
}

// giveUp gives up all that waits, for good: whatever comes later is given up, too.
func (c *conversation) giveUp() {
	c.clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.left {
		c.left = true
		close(c.quit)
	}
	if c.loop.Running() {
		c.loop.Kick()
	}
}

// underWay reports whether something is being sent to the chat.
func (c *conversation) underWay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loop.Running() || c.direct > 0
}
