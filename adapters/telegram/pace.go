package telegram

import (
	"context"
	"sync"
	"time"
)

// What Telegram lets a bot write to a chat, and what of it is used. New messages and edits share one budget; answers to
// presses have none.
const (
	// window is Telegram's minute, and a little for the way there.
	window = 61 * time.Second
	// groupMost is how many messages and edits a group gets in a window: Telegram says 20.
	groupMost = 15
	// groupPlain is how many of them may be pictures that nobody waits for.
	groupPlain = 10
	// groupHard is how many there may be with those that are for one person.
	groupHard = 18
	// groupBefore is how many a group is taken to have got in the minute before the adapter began.
	groupBefore = 10
	// burst is how many go out one second after the other.
	burst = 4
	// apart is the least time between two, in any chat.
	apart = time.Second
	// everywhere is the least time between two in all chats together: 25 a second.
	everywhere = 40 * time.Millisecond
)

// pace is when a chat was written to.
type pace struct {
	group bool
	sent  []time.Time
}

// newPace is the pace of a chat that nothing is known of. What went there before the adapter began, at born, counts as
// well: after a restart nobody knows how much it was.
func newPace(group bool, born time.Time) pace {
	p := pace{group: group}
	for i := range groupBefore {
		if group {
			p.use(born.Add(-window * time.Duration(groupBefore-i) / (groupBefore + 1)))
		}
	}
	return p
}

// wait is how long to wait before the next message or edit; most is how many a window may hold.
func (p *pace) wait(now time.Time, most int) time.Duration {
	p.forget(now)
	n := len(p.sent)
	if n == 0 {
		return 0
	}
	last := p.sent[n-1]
	next := last.Add(apart)
	switch {
	case !p.group:
	case n >= most:
		next = later(next, p.sent[n-most].Add(window))
	case n >= burst:
		// What is left is spread over the time until the oldest doesn't count any more.
		rest := window - last.Sub(p.sent[0])
		next = later(next, last.Add(rest/time.Duration(most-n+1)))
	}
	return max(0, next.Sub(now))
}

// use notes that the chat is written to.
func (p *pace) use(now time.Time) { p.sent = append(p.sent, now) }

// forget drops what doesn't count any more.
func (p *pace) forget(now time.Time) {
	i := 0
	for i < len(p.sent) && (now.Sub(p.sent[i]) >= window || !p.group && i < len(p.sent)-1) {
		i++
	}
	p.sent = append(p.sent[:0], p.sent[i:]...)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// gate keeps all chats together within what a bot may write in a second.
type gate struct {
	mu   sync.Mutex
	next time.Time
}

// pass waits for a turn; false if ctx ended before.
func (g *gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	now := time.Now()
	at := later(now, g.next)
	g.next = at.Add(everywhere)
	g.mu.Unlock()
	return !at.After(now) || sleep(ctx, at.Sub(now))
}
