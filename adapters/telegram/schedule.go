package telegram

import (
	"slices"
	"time"

	"zevaka/bot/chat"
)

// longWait is how long something may be overtaken by what is more urgent. After that the order of waiting counts alone.
const longWait = 20 * time.Second

// servedLook is how often a chat that another process serves is looked at: this one may serve it again.
const servedLook = time.Second

// class is how urgent a message is. A smaller one is more urgent.
type class uint8

const (
	// firsts must stand before the picture that follows.
	firsts class = iota
	// turns are new tables, changes of turn, endings, what notifies somebody, and prompt answers.
	turns
	// moves are pictures that can be pressed in another way, as after each move in a game for one, and all other notes.
	moves
	// redraws are pictures that only look different: their buttons are the same as before.
	redraws
)

// waiter is a board or a note that is to be sent.
type waiter struct {
	board        *board
	note         *note
	class        class
	since, after time.Time
}

// next is what to do now, or else how long to wait, -1 if nothing waits. All tables of a chat share its budget. Of the most urgent
// messages the one goes first that has waited longest. The caller holds mu.
func (c *conversation) next(now time.Time) (func(), time.Duration) {
	if c.left {
		return nil, -1
	}
	served := c.s.share.Serves(community(c.id))
	for _, b := range c.boards {
		if !served {
			b.hold(now)
			continue
		}
		if b.Unshown() && c.may(now) {
			c.draw(b)
		}
		if b.Unshown() && b.current() {
			b.Retry() // There is nothing to send, but perhaps to report.
			return func() { c.sendBoard(b) }, 0
		}
	}
	wait := time.Duration(-1)
	var first *waiter
	for _, w := range c.waiters(now) {
		keep := time.Duration(keepNone)
		if w.class == redraws {
			keep = keepSome
		}
		d := max(c.budget.wait(now, keep), c.pausedUntil.Sub(now), w.after.Sub(now))
		if w.board != nil && !served {
			d = max(d, servedLook)
		}
		switch {
		case d > 0:
			if wait < 0 || d < wait {
				wait = d
			}
		case first == nil, w.class < first.class, w.class == first.class && w.since.Before(first.since):
			first = &w
		}
	}
	switch {
	case first == nil:
		return nil, wait
	case first.note != nil:
		c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n == first.note })
		return func() { c.sendNote(first.note) }, 0
	}
	return func() { c.sendBoard(first.board) }, 0
}

// hold gives up a picture that has waited for long in a chat that another process serves: the other one shows the table.
func (b *board) hold(now time.Time) {
	if b.Unshown() && now.Sub(b.Since) > longWait {
		b.Discard()
	}
}

// may reports whether a message may be sent now. The caller holds mu.
func (c *conversation) may(now time.Time) bool {
	return !now.Before(c.pausedUntil) && c.budget.wait(now, keepNone) <= 0
}

// waiters are all boards and notes that are to be sent. Notes that nobody needs any more are given up.
func (c *conversation) waiters(now time.Time) []waiter {
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n.loud && now.Sub(n.since) > warningLife })
	var all []waiter
	for _, b := range c.boards {
		if due, waits := b.Due(); waits {
			for _, n := range c.notes {
				if n.first && n.in.Thread == b.Post.In.Thread && n.after.After(due) {
					due = n.after
				}
			}
			all = append(all, waiter{board: b, class: b.class(), since: b.Since, after: due})
		}
	}
	for _, n := range c.notes {
		w := waiter{note: n, class: moves, since: n.since, after: n.after}
		switch {
		case n.first:
			w.class = firsts
		case n.loud || n.prompt:
			w.class = turns
		}
		all = append(all, w)
	}
	for i, w := range all {
		if now.Sub(w.since) > longWait {
			all[i].class = min(w.class, turns)
		}
	}
	return all
}

// onItsWay reports whether a newer picture waits for a message, and about how long it has to wait.
func (c *conversation) onItsWay(on chat.Ref) (left time.Duration, waits bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for _, b := range c.boards {
		if b.Ref == on && b.Unshown() && on != "" {
			after, _ := b.Due()
			return max(c.budget.wait(now, keepNone), c.pausedUntil.Sub(now), after.Sub(now)), true
		}
	}
	return 0, false
}

func (b *board) class() class {
	switch {
	case b.Ref == "" || b.Post.Final || b.Drawn.later:
		return turns
	case b.pressable == b.Drawn.buttons:
		return redraws
	case b.Post.Turn != 0 && b.Post.Turn == b.turn:
		return moves
	}
	return turns
}
