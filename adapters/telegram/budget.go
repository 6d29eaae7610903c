package telegram

import (
	"context"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
)

// Telegram limits how much a bot writes to a chat. New messages and edits count alike; answers to presses don't count. A group
// may get 20 in a minute. The adapter sends at most 15: burst at once, then one after each refill.
const (
	// burst is how many a group may get at once after a rest. Each refill allows one more.
	burst  = 3
	refill = 4700 * time.Millisecond
	// apart is the least time between two messages to the same chat.
	apart = time.Second
	// everywhere is the least time between two messages to any chats: 25 a second.
	everywhere = 40 * time.Millisecond
)

// How much of a group's budget must be left after a message, in messages.
const (
	keepNone = 0
	// keepSome is for pictures that nobody waits for.
	keepSome = 1
	// keepDebt lets the budget be overdrawn by one. It is for a message that only the one who pressed sees and waits for; the
	// group's next message waits longer instead.
	keepDebt = -1
)

// budget is how much may be written to a chat.
type budget struct {
	group bool
	// full is when the group's budget is a whole burst again, last when the chat was written to last.
	full, last time.Time
}

// newBudget is the budget of a chat of which nothing is known. A group's is empty, because an earlier run of the program may have
// used all of it just before since. Where the program had rested before, one message is left in it.
func newBudget(group bool, since time.Time, rested bool) budget {
	used := time.Duration(burst)
	if rested {
		used--
	}
	return budget{group: group, full: since.Add(used * refill)}
}

// newBudget is the budget of a chat to which this process has not written. Where several processes share the bot, another one may
// have written to the chat until this one began to serve it.
func (c *core) newBudget(chat int64) budget {
	if c.alone {
		return newBudget(chat < 0, c.startTime, c.opts.Rested)
	}
	since := c.share.Since(community(chat))
	if since.IsZero() {
		since = time.Now()
	}
	return newBudget(chat < 0, since, false)
}

// wait is how long the next message or edit has to wait, if keep are to be left after it.
func (p *budget) wait(now time.Time, keep time.Duration) time.Duration {
	d := max(0, p.last.Add(apart).Sub(now))
	if p.group {
		d = max(d, p.short(now, keep))
	}
	return d
}

// short is how long a group's budget is too small for one more message with keep left after it; 0 or less if it is large enough.
func (p *budget) short(now time.Time, keep time.Duration) time.Duration {
	return p.full.Sub(now) - (burst-1-keep)*refill
}

// use takes one message out of the budget.
func (p *budget) use(now time.Time) {
	p.full, p.last = later(p.full, now).Add(refill), now
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// throttle keeps all chats together within what Telegram lets a bot write in a second.
type throttle struct {
	// share says which part of that this process may use.
	share adapters.Share

	mu   sync.Mutex
	next time.Time
}

// pass waits until one more message may be sent; false if ctx ended or quit was closed before.
func (g *throttle) pass(ctx context.Context, quit <-chan struct{}) bool {
	each := time.Duration(float64(everywhere) / g.share.Portion())
	g.mu.Lock()
	now := time.Now()
	at := later(now, g.next)
	g.next = at.Add(each)
	g.mu.Unlock()
	return !at.After(now) || outbox.SleepOrQuit(ctx, quit, at.Sub(now))
}
