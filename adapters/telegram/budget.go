package telegram

import (
	"context"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
)

// What Telegram lets a bot write to a chat, and what of it is used. New messages and edits share one budget; answers to
// presses have none. Telegram says 20 a minute to a group; what is used here is 15: a few at once, and then one after the
// other, so that no minute holds more than burst and what refill brings back in it.
const (
	// burst is how many may go to a group at once, refill how long it takes until there may be one more.
	burst  = 3
	refill = 4700 * time.Millisecond
	// apart is the least time between two, in any chat.
	apart = time.Second
	// everywhere is the least time between two in all chats together: 25 a second.
	everywhere = 40 * time.Millisecond
)

// How many more there must be when something is sent to a group.
const (
	keepNone = 0
	// keepSome is for pictures that nobody waits for.
	keepSome = 1
	// keepDebt is for what only the person sees who pressed, and waits for: the group's next one waits longer for it.
	keepDebt = -1
)

// budget is what may be written to a chat.
type budget struct {
	group bool
	// full is when a group may get a whole burst again, last when the chat was written to.
	full, last time.Time
}

// newBudget is the budget of a chat that nothing is known of. A group begins with nothing left: before the adapter began, at
// born, it may have got all there was. If that was after a rest there is one all the same: so seldom Telegram allows it.
func newBudget(group bool, born time.Time, rested bool) budget {
	used := time.Duration(burst)
	if rested {
		used--
	}
	return budget{group: group, full: born.Add(used * refill)}
}

// newBudget is the budget of a chat that nothing is known of here. Where there are other processes one of them may have written to it
// until this one began to serve it.
func (c *core) newBudget(chat int64) budget {
	if c.alone {
		return newBudget(chat < 0, c.born, c.opts.Rested)
	}
	since := c.share.Since(community(chat))
	if since.IsZero() {
		since = time.Now()
	}
	return newBudget(chat < 0, since, false)
}

// wait is how long to wait before the next message or edit, if so many are to be left after it.
func (p *budget) wait(now time.Time, keep time.Duration) time.Duration {
	d := max(0, p.last.Add(apart).Sub(now))
	if p.group {
		d = max(d, p.short(now, keep))
	}
	return d
}

// short is how long there is too little left.
func (p *budget) short(now time.Time, keep time.Duration) time.Duration {
	return p.full.Sub(now) - (burst-1-keep)*refill
}

// use notes that the chat is written to.
func (p *budget) use(now time.Time) {
	p.full, p.last = later(p.full, now).Add(refill), now
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// throttle keeps all chats together within what a bot may write in a second.
type throttle struct {
	// share says how much of that is this process's.
	share adapters.Share

	mu   sync.Mutex
	next time.Time
}

// pass waits for a turn; false if ctx ended or quit was closed before.
func (g *throttle) pass(ctx context.Context, quit <-chan struct{}) bool {
	each := time.Duration(float64(everywhere) / g.share.Portion())
	g.mu.Lock()
	now := time.Now()
	at := later(now, g.next)
	g.next = at.Add(each)
	g.mu.Unlock()
	return !at.After(now) || outbox.SleepOrQuit(ctx, quit, at.Sub(now))
}
