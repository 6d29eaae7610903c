package telegram

import (
	"context"
	"slices"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// leaveLook is how often Leave looks whether something is still under way to a chat.
const leaveLook = 5 * time.Millisecond

// Leave gives up the chats of communities that other processes are going to serve. What waits for them isn't sent, and nothing is
// remembered of them. It returns when nothing is under way to them, or ctx has ended. After that no table is shown there unless
// Show is called. Answers to presses may still come.
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

// leave gives up the chats of communities, and returns them.
func (s *sender) leave(gone func(chat.Community) bool) []*conversation {
	s.leaving.Lock()
	defer s.leaving.Unlock()
	left := s.chats.take(gone)
	for _, c := range left {
		c.giveUp()
	}
	return left
}

// take removes the chats of communities that are gone. It returns them, with those removed before to which something is still under
// way.
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

// giveUp gives up everything that waits, and everything that comes later.
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
