package telegram

import (
	"context"
	"slices"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
)

// Telegram limits how much a bot writes to a chat. New messages and edits count alike, ephemeral ones perhaps; answers to presses and
// deletions don't count. A group may get 20 in a minute, and the adapter sends as many: 17 that a table needs at most, and 3 others at least.
const (
	// burst is how many that a table needs a group may get at once after a rest. Each refill allows one more.
	burst  = 3
	refill = 4150 * time.Millisecond
	// besideBurst and besideRefill are the same for all that no table needs.
	besideBurst  = 2
	besideRefill = 40 * time.Second
	// overs is how many refills of these one refill is that no table needs.
	overs = float64(besideRefill) / float64(refill)
	// apart is the least time between two messages to the same chat. In a group neither what a table needs nor what is beside it waits so for
	// anything but its own kind.
	apart = time.Second
	// everywhere is the least time between two messages to any chats: 25 a second.
	everywhere = 40 * time.Millisecond
)

// bucket is how many messages may be sent: most of them at once after a rest, and one more after each refill.
type bucket struct {
	most   int
	refill time.Duration
	// full is when there are most again.
	full time.Time
}

// short is how long the bucket has too few for one more message with some left after it; 0 or less if it has enough.
func (b *bucket) short(now time.Time, left int) time.Duration {
	return b.full.Sub(now) - time.Duration(b.most-1-left)*b.refill
}

func (b *bucket) take(now time.Time) { b.full = later(b.full, now).Add(b.refill) }

// budget is how much may be written to a chat.
type budget struct {
	group bool
	// needed is for what a table needs, beside for all else.
	needed, beside bucket
	// last is when the chat was written to, by class.
	last [redraws + 1]time.Time
}

// newBudget is the budget of a chat of which nothing is known. A group's is empty, because an earlier run of the program may have
// used all of it just before since.
func newBudget(group bool, since time.Time) budget {
	return budget{
		group: group, needed: bucket{burst, refill, since.Add(burst * refill)},
		beside: bucket{besideBurst, besideRefill, since.Add(besideBurst * besideRefill)},
	}
}

// newBudget is the budget of a chat to which this process has not written. Where several processes share the bot, another one may
// have written to the chat until this one began to serve it.
func (c *core) newBudget(chat int64) budget {
	if c.alone {
		return newBudget(chat < 0, c.startTime)
	}
	since := c.share.Since(community(chat))
	if since.IsZero() {
		since = time.Now()
	}
	return newBudget(chat < 0, since)
}

// wait is how long the next message or edit of a class has to wait. Playing says that there is a table in the chat at which
// people wait for each other: nothing else takes what it may need.
func (p *budget) wait(now time.Time, c class, playing bool) time.Duration {
	last := p.last[c]
	if !p.group || c == redraws {
		last = slices.MaxFunc(p.last[:], time.Time.Compare)
	}
	d := max(0, last.Add(apart).Sub(now))
	if !p.group {
		return d
	}
	short := p.needed.short(now, c.leaves())
	if c == others {
		short = p.shortBeside(now)
		if !playing {
			short = min(short, p.needed.short(now, 0))
		}
	}
	return max(d, short)
}

// shortBeside is how long there is too little for a message that no table needs. What tables leave unused for so long that it would run
// over is for these, too.
func (p *budget) shortBeside(now time.Time) time.Duration {
	p.runOver(now)
	short, over := p.beside.short(now, 0), p.needed.full.Sub(now)
	if short > over {
		short = over + time.Duration(float64(short-over)/(1+overs))
	}
	return short
}

// runOver puts what runs over where tables need little to what is beside them.
func (p *budget) runOver(now time.Time) {
	if over := now.Sub(p.needed.full); over > 0 {
		p.needed.full = now
		p.beside.full = later(p.beside.full.Add(-time.Duration(float64(over)*overs)), now)
	}
}

// use takes one message of a class out of the budget.
func (p *budget) use(now time.Time, c class) {
	p.runOver(now)
	from := &p.needed
	if c == others && p.beside.short(now, 0) <= 0 {
		from = &p.beside
	}
	from.take(now)
	p.last[c] = now
}

// room is how many messages that no table needs a group may get now.
func (p *budget) room(now time.Time, playing bool) (n int) {
	p.runOver(now)
	for left := 0; left < besideBurst && p.beside.short(now, left) <= 0; left++ {
		n++
	}
	for left := 0; !playing && left < burst && p.needed.short(now, left) <= 0; left++ {
		n++
	}
	return n
}

// since is the budget where another process may have used all of it until a time.
func (p *budget) since(taken budget) {
	p.needed.full, p.beside.full = later(taken.needed.full, p.needed.full), later(taken.beside.full, p.beside.full)
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
