package telegram

import (
	"slices"
	"time"
)

// longWait is after how long nothing else comes before what waits, but what waits longer.
const longWait = 20 * time.Second

// class is how much somebody waits for something.
type class uint8

const (
	// turns are new tables, changes of turn, endings, and what notifies somebody.
	turns class = iota
	// moves are pictures that can be pressed in another way, as after each move in a game for one, and all notes.
	moves
	// sights are pictures that only look different.
	sights
)

// waiter is a board or a note that is to be sent.
type waiter struct {
	board        *board
	note         *note
	class        class
	since, after time.Time
}

// next is what to send now, or how long to wait; -1 for nothing at all. All tables of a chat share what may be written to
// it: of those that somebody waits for most, the one goes first that has waited longest.
func (c *chat) next(now time.Time) (*board, *note, time.Duration) {
	for _, b := range c.boards {
		if b.dirty && b.current() {
			return b, nil, 0 // There is nothing to send, but perhaps to report.
		}
	}
	wait := time.Duration(-1)
	var first *waiter
	for _, w := range c.waiters(now) {
		keep := time.Duration(keepNone)
		if w.class == sights {
			keep = keepSome
		}
		d := max(c.pace.wait(now, keep), c.closed.Sub(now), w.after.Sub(now))
		switch {
		case d > 0:
			if wait < 0 || d < wait {
				wait = d
			}
		case first == nil, w.class < first.class, w.class == first.class && w.since.Before(first.since):
			first = &w
		}
	}
	if first == nil {
		return nil, nil, wait
	}
	if first.note != nil {
		c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n == first.note })
	}
	return first.board, first.note, 0
}

// waiters are all that is to be sent, boards first. Notes that nobody needs any more are given up.
func (c *chat) waiters(now time.Time) []waiter {
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n.loud && now.Sub(n.since) > warningLife })
	var all []waiter
	for _, b := range c.boards {
		if b.dirty {
			all = append(all, waiter{board: b, class: b.class(), since: b.since, after: b.after})
		}
	}
	for _, n := range c.notes {
		w := waiter{note: n, class: moves, since: n.since, after: n.after}
		if n.loud {
			w.class = turns
		}
		all = append(all, w)
	}
	for i, w := range all {
		if now.Sub(w.since) > longWait {
			all[i].class = turns
		}
	}
	return all
}

func (b *board) class() class {
	switch {
	case b.ref == "" || b.post.Final:
		return turns
	case b.pressable == b.picture.buttons:
		return sights
	case b.post.Turn != 0 && b.post.Turn == b.turn:
		return moves
	}
	return turns
}
