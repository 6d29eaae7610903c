package telegram

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"zevaka/bot/chat"
)

// longWait is after how long a picture that nobody waits for counts as one that somebody does. It is also how much later than they came
// somebody's next message stands in the line, who has had one.
const longWait = 20 * time.Second

// glance is that where people wait for each other: at another table they may press at a pace that leaves nothing over.
const glance = 6 * time.Second

// sharing is how long it is remembered who has had a message: for longer than all take who wait for one in a group.
const sharing = 2 * time.Minute

// rushing is how long a person has to wait between two pictures of games for one that are needed where others play together, rushingAll how long
// all people have to.
const rushing, rushingAll = 10 * time.Second, 2 * refill

// lately is for how long a table counts as played at which nobody does anything, and no turn runs out.
const lately = 2 * time.Minute

// unowned is whose share all tables have at which it is nobody's turn, as where they sleep, or at which nothing stirs.
const unowned = -1

// gathering is by how much a table that people are to find stands in the line before what one of them has asked for.
const gathering = 3 * time.Minute

// hurried is how long before a turn runs out a picture is needed that only looks different, or is for one.
const hurried = 15*time.Second - refill

// keptFree is how many of the messages that no table needs who plays with computers leaves to who asks for something.
const keptFree = 2

// ownAnswers is how many requests of one person may wait in a group for their answers, maxAnswers how many of all people.
const ownAnswers, maxAnswers = 3, 6

// lookAgain is how often a chat is looked at that another process serves, as this one may serve it again, and a picture that gets urgent as it waits.
const lookAgain = time.Second

// class is how urgent a message is. A smaller one is more urgent.
type class uint8

const (
	// turns are what people wait for who play together, or, where nobody does, with computers, and what notifies somebody: what a table needs.
	turns class = iota
	// others are answers, lobbies, and games for one.
	others
	// redraws are pictures that only look different: their buttons are the same as before.
	redraws
)

// leaves is how many messages of a class leave for what a table needs.
func (c class) leaves() int {
	if c == redraws {
		return 1
	}
	return 0
}

// waiter is a board or a note that is to be sent. Who are those whom it is for, or who have caused it; 0 is nobody.
type waiter struct {
	board        *board
	note         *note
	class        class
	who          []int64
	since, after time.Time
}

// sharer is a person who gets a share of what is sent to a chat: one of what tables need, another of all else. Alone is for what their own games
// for one needed.
type sharer struct {
	who           int64
	needed, alone bool
}

func (w waiter) sharer(who int64) sharer { return sharer{who: who, needed: w.class <= turns} }

// place is where a message stands in the line of its class: those who all have had one lately stand behind those who haven't. A table's
// picture is a share of all who play there, so that who plays fast at several tables has no more of them than who plays at one.
func (c *conversation) place(w waiter) time.Time {
	at := w.since
	if w.board != nil && w.board.gathers() && !w.board.Post.Final && !slices.Contains(w.who, unowned) {
		at = at.Add(-gathering)
	}
	if len(w.who) > 0 && !slices.Contains(w.who, 0) {
		had := func(who int64) time.Time { return c.had[w.sharer(who)] }
		longest := slices.MinFunc(w.who, func(a, b int64) int { return had(a).Compare(had(b)) })
		at = later(at, had(longest).Add(longWait))
	}
	if w.note != nil && w.note.minor {
		at = at.Add(longWait)
	}
	return at
}

// gathers reports whether no message bears the table yet, so that nobody can find it.
func (b *board) gathers() bool { return b.Ref == "" && b.former == "" }

// before reports whether a message goes before another. Of two that have come at one moment that goes last which ends a game, as the next one
// waits, or is told beside a table.
func (c *conversation) before(a, b waiter) bool {
	return cmp.Or(cmp.Compare(a.class, b.class), c.place(a).Compare(c.place(b)), a.since.Compare(b.since), cmp.Compare(a.ends(), b.ends())) < 0
}

// ends is 1 for a table's last picture and for what isn't a table, else 0.
func (w waiter) ends() int {
	if w.board == nil || w.board.Post.Final {
		return 1
	}
	return 0
}

// spend takes what is about to be sent out of the chat's budget and of its people's shares. The caller holds mu.
func (c *conversation) spend(w waiter) {
	now := time.Now()
	c.budget.use(now, w.class)
	maps.DeleteFunc(c.had, func(_ sharer, had time.Time) bool { return now.Sub(had) > sharing })
	for _, who := range w.who {
		c.had[w.sharer(who)] = now
	}
	if w.board != nil && w.class == turns && !w.board.shared {
		c.had[sharer{who: w.board.Post.Turn, alone: true}], c.had[sharer{who: unowned, alone: true}] = now, now
	}
}

// playing reports whether somebody waits for their turn at a table, together whether people wait for each other at one. The caller holds mu.
func (c *conversation) playing(now time.Time) (playing, together bool) {
	for _, b := range c.boards {
		if b.played(now) {
			playing, together = playing || b.shared || b.several, together || b.shared
		}
	}
	return playing, together
}

// played reports whether the table's game goes on, and stirs.
func (b *board) played(now time.Time) bool { return !b.Post.Final && b.stirs(now) }

// stirs reports whether something has happened at the table lately, or its turn runs out soon: many lie for weeks as they were left.
func (b *board) stirs(now time.Time) bool {
	return now.Sub(b.moved) < lately || now.Before(b.ends) && b.ends.Sub(now) < lately
}

// asking is how many requests wait for their answers: of one person, and of all, of whom each counts with as many as may wait. The
// caller holds mu.
func (c *conversation) asking(who int64) (own, all int) {
	type asked struct {
		who     int64
		request string
	}
	seen, of := map[asked]bool{}, map[int64]int{}
	for _, n := range c.notes {
		one := asked{n.who, n.request}
		if n.who == 0 || n.minor || n.lasting || seen[one] {
			continue
		}
		seen[one] = true
		if of[n.who]++; of[n.who] <= ownAnswers {
			all++
		}
	}
	return of[who], all
}

// room reports whether an answer to somebody may be queued, behind few others of theirs and not too many of everybody's. At once says
// that it is of no use later, and has to find the budget large enough: while others play, for one more if somebody has just had an
// answer. The caller holds mu.
func (c *conversation) room(who int64, atOnce bool) bool {
	own, all := c.asking(who)
	if !c.budget.group || !atOnce {
		first := own == 0 && time.Since(c.had[sharer{who: who}]) >= longWait // Who hasn't had anything lately doesn't wait for those who have.
		return !c.budget.group || own < ownAnswers && (all < maxAnswers || first && all < maxAnswers+ownAnswers)
	}
	now := time.Now()
	playing, _ := c.playing(now)
	if playing && now.Sub(c.had[sharer{who: who}]) < longWait {
		all++
	}
	return own == 0 && !now.Before(c.pausedUntil) && c.budget.room(now, playing) > all
}

// next is what to do now, or else how long to wait, -1 if nothing waits. All that is written to a chat is chosen here, and only spend
// takes it out of the budget. Of the most urgent messages the first one in their line goes. The caller holds mu.
func (c *conversation) next(now time.Time) (func(), time.Duration) {
	if c.left || c.held > 0 {
		return nil, -1
	}
	served := c.s.share.Serves(community(c.id))
	for _, b := range c.boards {
		if !served {
			b.hold(now)
			continue
		}
		c.stay(b, now)
		if b.Unshown() && c.may(now) {
			c.draw(b)
		}
		if b.Unshown() && b.current() {
			b.Retry() // There is nothing to send, but perhaps to report.
			return func() { c.sendBoard(waiter{board: b, class: turns}) }, 0
		}
	}
	wait := time.Duration(-1)
	playing, together := c.playing(now)
	var first *waiter
	for _, w := range c.waiters(now) {
		alone := w.board != nil && w.board.begun && !w.board.shared
		if alone && !together && w.class == turns && c.budget.wait(now, turns, true) > 0 && c.budget.room(now, true) > keptFree {
			w.class = others
		}
		d := max(c.budget.wait(now, w.class, playing), c.pausedUntil.Sub(now), w.after.Sub(now))
		if w.board != nil && !served {
			d = max(d, lookAgain)
		}
		if w.note != nil && !w.note.till.IsZero() && d > 0 {
			d = min(d, w.note.till.Sub(now)+1) // It is given up then.
		}
		if alone && d > 0 {
			d = min(d, lookAgain)
		}
		switch {
		case d > 0:
			if wait < 0 || d < wait {
				wait = d
			}
		case first == nil, c.before(w, *first):
			first = &w
		}
	}
	switch {
	case first == nil:
		return nil, wait
	case first.note != nil:
		c.notes = slices.DeleteFunc(c.notes, func(n *note) bool { return n == first.note })
		return func() { c.sendNote(*first) }, 0
	}
	return func() { c.sendBoard(*first) }, 0
}

// stay has a table go back to its former message as long as it may have no new one, and leave it once it may. The caller holds mu.
func (c *conversation) stay(b *board, now time.Time) {
	switch barred := now.Before(c.barredUntil(b)); {
	case b.former == "":
	case barred && b.Ref == "":
		b.Ref = b.former
		b.Retry()
	case !barred && b.stays():
		b.Leave()
		b.Again(now)
	}
}

// barredUntil is until when a table may have no new message. One that has none is tried whatever was refused others. The caller holds mu.
func (c *conversation) barredUntil(b *board) time.Time {
	if b.former == "" {
		return c.hushedUntil(b.Post.In, true)
	}
	return later(c.hushedUntil(b.Post.In, true), c.barred.until)
}

// stays reports whether the table stands in its former message until it may have a new one. One that is over stays there for good where it can.
func (b *board) stays() bool {
	return b.Ref != "" && b.Ref == b.former && (!b.Post.Final || !b.failing.IsZero())
}

// hold gives up what has waited for long in a chat that another process serves: the other one shows the table.
func (b *board) hold(now time.Time) {
	if now.Sub(b.Since) > longWait {
		b.Discard()
		if b.stays() {
			b.former, b.farewell = "", nil
		}
	}
}

// may reports whether a message may be sent now. The caller holds mu.
func (c *conversation) may(now time.Time) bool {
	return !now.Before(c.pausedUntil) && min(c.budget.wait(now, turns, true), c.budget.wait(now, others, true)) <= 0
}

// waiters are all boards and notes that are to be sent. Notes that nobody needs any more are given up.
func (c *conversation) waiters(now time.Time) []waiter {
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool {
		late := !n.till.IsZero() && now.After(n.till)
		if late {
			n.finish("")
		}
		return late
	})
	var all []waiter
	playing, together := c.playing(now)
	for _, b := range c.boards {
		if due, waits := b.Due(); waits {
			if b.Ref == "" {
				due = later(due, c.barredUntil(b))
			} else {
				due = later(due, c.hushedUntil(b.Post.In, false))
			}
			one := waiter{board: b, class: c.classOf(b, now, playing, together), who: b.who, since: b.Since, after: due}
			if b.asked != 0 {
				one.who = []int64{b.asked}
			}
			if len(one.who) == 0 && !b.gathers() || b.asked == 0 && !b.stirs(now) {
				one.who = []int64{unowned}
			}
			all = append(all, one)
		} else if b.stays() {
			all = append(all, waiter{board: b, after: c.barredUntil(b)})
		}
	}
	for _, n := range c.notes {
		if n.minor && c.shows(n.request) {
			continue // What only tidies up goes behind the picture that came with it, also where both come at one moment.
		}
		w := waiter{note: n, class: others, who: []int64{n.who}, since: n.since, after: n.after}
		if n.alone == nil {
			w.after = later(w.after, c.hushedUntil(n.in, n.edit == ""))
		}
		if n.loud && n.who == 0 {
			w.class = turns
		}
		all = append(all, w)
	}
	return all
}

// shows reports whether a picture waits that a request has made. The caller holds mu.
func (c *conversation) shows(request string) bool {
	if request == "" {
		return false
	}
	for _, b := range c.boards {
		if _, waits := b.Due(); waits && b.Post.Request == request {
			return true
		}
	}
	return false
}

// onItsWay reports whether a newer picture waits for a message, and about how long it has to wait.
func (c *conversation) onItsWay(on chat.Ref) (left time.Duration, waits bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	playing, together := c.playing(now)
	for _, b := range c.boards {
		if b.Ref == on && b.Unshown() && on != "" {
			after, _ := b.Due()
			return max(c.budget.wait(now, c.classOf(b, now, playing, together), playing), c.pausedUntil.Sub(now), after.Sub(now)), true
		}
	}
	return 0, false
}

// classOf is how urgent a board is. What is changed at a table where people wait for each other is needed, though not at once if one
// can press the same as before and the turn doesn't run out: for glance others may go first. So is what is changed where somebody plays with
// computers, or alone while others do so; but where people play together in the chat, only one picture of each person's now and then, before
// their turn runs out or when it has waited for long.
func (c *conversation) classOf(b *board, now time.Time, playing, together bool) class {
	same := !b.Drawn.later && b.Ref != "" && !b.Post.Final && b.pressable == b.Drawn.buttons
	hurries := !b.ends.IsZero() && b.ends.Sub(now) <= hurried
	needed, late := b.shared || !together && (b.several || b.begun && playing), longWait
	if needed {
		late = glance
	}
	rested := func(who int64, d time.Duration) bool { return now.Sub(c.had[sharer{who: who, alone: true}]) > d }
	rushes := b.Post.Turn != 0 && !b.gathers() && b.stirs(now) && rested(b.Post.Turn, rushing) && rested(unowned, rushingAll) &&
		(hurries && now.Sub(b.Since) > glance || !same && now.Sub(b.Since) > longWait)
	switch {
	case same && !hurries && now.Sub(b.Since) <= late:
		return redraws
	case !needed && !rushes, b.asked != 0 && b.Ref == "", b.gathers() && b.Post.Final:
		return others
	}
	return turns
}
