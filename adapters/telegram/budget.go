package telegram

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
)

// Telegram limits how much a bot writes to a chat. New messages and edits count alike, ephemeral ones perhaps; answers to presses and
// deletions don't count. A group may get 20 in a minute, and the adapter sends as many. A table gets 17 of them at most, and needs fewer as
// long as it isn't hurried: what it can't need any more of a minute is for all else.
const (
	// mostSent is how many messages a group may get in sentIn: a minute, and what some of them need longer on their way.
	mostSent, sentIn = 20, time.Minute + 200*time.Millisecond
	// burst is how many that a table needs a group may get at once after a rest. Each refill allows one more.
	burst  = 3
	refill = 4150 * time.Millisecond
	// apart is the least time between two messages to the same chat. In a group neither what a table needs nor what is beside it waits so for
	// anything but its own kind.
	apart = time.Second
	// everywhere is the least time between two messages to any chats: 25 a second.
	everywhere = 40 * time.Millisecond
)

// bucket is how many messages may be sent: burst of them at once after a rest, and one more after each refill.
type bucket struct {
	// full is when there is a whole burst again.
	full time.Time
}

// short is how long the bucket has too few for one more message with some left after it; 0 or less if it has enough.
func (b *bucket) short(now time.Time, left int) time.Duration {
	return b.full.Sub(now) - time.Duration(burst-1-left)*refill
}

func (b *bucket) take(now time.Time) { b.full = later(b.full, now).Add(refill) }

// until is how many messages can be taken out of the bucket from now to a time.
func (b *bucket) until(now, end time.Time) int {
	return max(0, burst+int(math.Floor(float64(end.Sub(later(b.full, now)))/float64(refill))))
}

// budget is how much may be written to a chat.
type budget struct {
	group bool
	// needed is for what a table needs.
	needed bucket
	// sent is when the chat was written to, as far back as it counts, and known since when all of that is there.
	sent  []time.Time
	known time.Time
	// last is when the chat was written to, by class.
	last [redraws + 1]time.Time
}

// newBudget is the budget of a chat of which nothing is known. A group's is empty, because an earlier run of the program may have
// used all of it just before since.
func newBudget(group bool, since time.Time) budget {
	return budget{group: group, needed: bucket{since.Add(burst * refill)}, known: since}
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
// people wait for their turn: nothing else takes what it may need.
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
		beside := p.shortBeside(now, 1)
		if playing || beside < short {
			short = beside
		}
	}
	return max(d, short)
}

// shortBeside is how long there is too little for so many messages that no table needs, whatever tables need in the minute after that. A minute
// is fullest just before the oldest of its messages is no more in it.
func (p *budget) shortBeside(now time.Time, n int) time.Duration {
	at := later(now, p.known.Add(sentIn))
	for i, one := range slices.Backward(p.sent) {
		end, free := one.Add(sentIn), mostSent-(len(p.sent)-i)-n
		// From then on tables can't send more than is free before the end, unless the bucket is so empty that they can't anyway.
		ready := end.Add(-time.Duration(free-burst+1) * refill)
		switch {
		case free >= 0 && !p.needed.full.Before(ready):
		case ready.Before(end):
			at = later(at, ready)
		default:
			at = later(at, end)
		}
	}
	if n+p.needed.until(at, at.Add(sentIn-1)) > mostSent {
		at = at.Add(sentIn)
	}
	return at.Sub(now)
}

// use takes one message of a class out of the budget.
func (p *budget) use(now time.Time, c class) {
	if p.group {
		if c != others || p.shortBeside(now, 1) > 0 {
			p.needed.take(now)
		}
		p.sent = append(slices.DeleteFunc(p.sent, func(one time.Time) bool { return now.Sub(one) >= sentIn }), now)
	}
	p.last[c] = now
}

// room is how many messages that no table needs a group may get now.
func (p *budget) room(now time.Time, playing bool) (n int) {
	for p.shortBeside(now, n+1) <= 0 {
		n++
	}
	for left := 0; !playing && left < burst && p.needed.short(now, left) <= 0; left++ {
		n++
	}
	return n
}

// since is the budget where another process may have used all of it until a time.
func (p *budget) since(taken budget) {
	p.needed.full, p.known = later(taken.needed.full, p.needed.full), later(taken.known, p.known)
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

	mu sync.Mutex
	// next is when the next message may be sent, unasked when the next of those may that nobody has asked for.
	next, unasked time.Time
}

// pass waits until one more message may be sent; false if ctx ended or quit was closed before.
func (g *throttle) pass(ctx context.Context, quit <-chan struct{}) bool {
	wait := time.Until(g.take(&g.next, g.each()))
	return wait <= 0 || outbox.SleepOrQuit(ctx, quit, wait)
}

// spare is when one more message may be sent that nobody has asked for, as what many chats are told at one hour: so fast that every other
// place is left to what people wait for.
func (g *throttle) spare() time.Time { return g.take(&g.unasked, 2*g.each()) }

func (g *throttle) each() time.Duration {
	return time.Duration(float64(everywhere) / g.share.Portion())
}

// take is the next place in a line, behind which there is none for so long.
func (g *throttle) take(next *time.Time, each time.Duration) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := later(time.Now(), *next)
	*next = at.Add(each)
	return at
}
