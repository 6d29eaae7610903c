package discord

import (
	"slices"
	"sync"
	"time"

	"zevaka/bot"
)

// oldBoard is how old a board's message may be: edits of messages older than an hour are throttled.
const oldBoard = 50 * time.Minute

// boards are the tables whose pictures were shown lately.
type boards struct {
	mu     sync.Mutex
	tables *memory[string, *board]
}

// board is one table's picture on its way. One picture at a time is being sent, so that none overtakes a newer one;
// the next is always the newest. Whoever presses meanwhile is answered without one, since theirs follows at once.
type board struct {
	table string
	place bot.Place
	// ref is the message that bears the picture; empty if the next picture makes a new one.
	ref bot.Ref
	// level is the newest that is known, shown the newest that stands in ref.
	level, shown uint64
	// next is what to show; nil if nothing is to be shown. last is what was shown last, while the table is open.
	next, last *bot.Post
	// ends is when the turn is over that next or last shows; zero where there is no limit.
	ends time.Time
	// strips are older messages of the table that shall lose their buttons.
	strips []bot.Post
	// waiting are the answers that wait for what is shown next.
	waiting []*answer
	busy    bool
	reach   reach
	// barred is how often the last picture could not be shown for want of rights.
	barred int
}

// reach is a way to a message without rights in its channel: the token of an interaction on it.
type reach struct {
	app, token string
	ref        bot.Ref
	until      time.Time
	// follows is how many more messages for everybody can follow that interaction.
	follows int
}

// maxFollows is how many messages for everybody may follow an interaction. Where the bot is a guest Discord allows five
// in all; the rest is for the one who asked.
const maxFollows = 3

// load is what a flight takes along.
type load struct {
	post    *bot.Post
	ends    time.Time
	ref     bot.Ref
	strips  []bot.Post
	waiting []*answer
}

// present has a picture shown, if none that is newer is known, and ans, which may be nil, answered. Old, if not nil, is
// the message that bore the picture before and loses its buttons: the table gets a new one.
func (a *Adapter) present(p bot.Post, ans *answer, old *bot.Post) {
	a.boards.mu.Lock()
	defer a.boards.mu.Unlock()
	b, ok := a.boards.tables.get(p.Table)
	if !ok {
		b = &board{table: p.Table, place: p.In, ref: p.Edit}
		a.boards.tables.put(p.Table, b)
	}
	switch {
	case old != nil:
		b.strips = append(b.strips, *old)
		if b.ref != "" && b.ref != old.Edit {
			again := *old
			again.Edit = b.ref
			b.strips = append(b.strips, again)
		}
		b.ref = ""
		b.draw(&p)
	case b.ref == "" && !b.busy:
		b.ref = p.Edit
	}
	switch {
	case p.Level != 0 && p.Level < b.level:
	case p.Level == 0, p.Level > b.level, !b.busy && (p.Level > b.shown || b.ref == ""): // Otherwise it is on its way.
		b.level = p.Level
		b.draw(&p)
	case b.ref != p.Edit && b.next == nil && !b.busy:
		a.report(p, b.ref) // The bot hasn't heard where it stands.
	}
	if ans != nil {
		b.waiting = append(b.waiting, ans)
	}
	a.launch(b)
}

// draw makes a picture the next to be shown.
func (b *board) draw(p *bot.Post) {
	b.next, b.ends = p, time.Time{}
	if p.Left > 0 {
		b.ends = time.Now().Add(p.Left)
	}
}

// maxBarred is how often a table's last picture is tried where the bot has no rights. It is asked for once a minute.
const maxBarred = 5

// launch begins a board's flight, if there is something to do. The caller holds mu.
func (a *Adapter) launch(b *board) {
	if b.busy || b.next == nil && len(b.waiting) == 0 && len(b.strips) == 0 {
		return
	}
	b.busy = true
	a.begin(func() { a.fly(b) })
}

// take is what the next flight takes along. With nothing to take the board rests.
func (b *board) take() (load, bool) {
	l := load{post: b.next, ends: b.ends, ref: b.ref, strips: b.strips, waiting: b.waiting}
	b.next, b.strips, b.waiting = nil, nil, nil
	b.busy = l.post != nil || len(l.strips) > 0 || len(l.waiting) > 0
	return l, b.busy
}

// fly shows what there is to show of a board until there is nothing more.
func (a *Adapter) fly(b *board) {
	landed := false
	defer func() {
		a.boards.mu.Lock()
		defer a.boards.mu.Unlock()
		if !landed { // Something broke: the next picture begins anew.
			b.busy = false
		}
	}()
	for {
		a.boards.mu.Lock()
		l, more := b.take()
		a.boards.mu.Unlock()
		if !more {
			landed = true
			return
		}
		if !a.trip(b, l) {
			landed = true
			return
		}
	}
}

// trip shows one picture and answers who waits. It reports whether the flight may go on.
func (a *Adapter) trip(b *board, l load) bool {
	var carrier *answer
	if l.post != nil {
		carrier = l.carrier()
	}
	for _, ans := range l.waiting {
		if ans != carrier && ans.on != "" {
			a.begin(func() { a.dismiss(ans, l.ref) })
		}
	}
	ref, err := l.ref, error(nil)
	if l.post != nil {
		ref, err = a.show(b, l, carrier)
	}
	for _, strip := range l.strips {
		if strip.Edit != ref {
			a.strip(strip)
		}
	}
	for _, ans := range l.waiting {
		if ans.on == "" && ans != carrier {
			a.begin(func() { a.point(ans, ref, err) })
		}
	}
	if l.post == nil {
		return true
	}
	return a.arrived(b, l, ref, err)
}

// carrier is the answer that takes the picture along: the last one whose message bears it, or, for a new message, the
// last one at all.
func (l *load) carrier() *answer {
	for i := len(l.waiting) - 1; i >= 0; i-- {
		ans := l.waiting[i]
		fits := ans.on == l.ref
		if l.ref == "" {
			fits = ans.on != "" || !ans.isHeld()
		}
		if fits && ans.alive() {
			return ans
		}
	}
	return nil
}

// arrived notes where a picture stands now, or that it doesn't. It reports whether the flight may go on.
func (a *Adapter) arrived(b *board, l load, ref bot.Ref, err error) bool {
	p := l.post
	a.boards.mu.Lock()
	defer a.boards.mu.Unlock()
	if err != nil {
		if b.ref == l.ref {
			b.ref = ref
		}
		if p.Final && barred(err) {
			b.barred++
		}
		switch {
		case b.barred >= maxBarred: // It is given up.
			b.next = nil
			a.report(*p, "")
		case b.next != nil:
			return true // A newer one has its own try.
		default:
			b.next = p // It is shown with whatever comes next.
		}
		for _, ans := range b.waiting {
			a.begin(ans.quiet)
		}
		b.waiting = nil
		b.busy = false
		return false
	}
	if b.ref == l.ref {
		b.ref = ref
	}
	b.shown, b.last = p.Level, p
	if p.Final {
		b.last = nil
	}
	if p.Receipt != "" && (ref != p.Edit || p.Final) {
		a.report(*p, ref)
	}
	return true
}

// report tells the bot where a picture stands.
func (a *Adapter) report(p bot.Post, ref bot.Ref) {
	a.begin(func() {
		id := a.nextID()
		r := a.ask(bot.Request{ID: id, In: p.In, Kind: bot.Shown, Data: p.Receipt, On: ref})
		a.deliver(delivery{posts: r.Posts, id: id})
	})
}

// redraw shows every open table again that was shown before, slowly.
func (a *Adapter) redraw() {
	a.admit(func() {
		for _, b := range a.boards.tables.all() {
			a.boards.mu.Lock()
			if b.next == nil && !b.busy { // What is on its way is newer.
				b.next = b.last
			}
			a.launch(b)
			a.boards.mu.Unlock()
			if sleepUntil(a.life, time.Now().Add(redrawEvery)) != nil {
				return
			}
		}
	})
}

// reached notes a way to the message that bears a board.
func (bs *boards) reached(b *board, way reach) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.reach = way
}

// reach is a way to the message that bears a board; false if none is known, or it is too old.
func (bs *boards) reach(b *board, ref bot.Ref) (reach, bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return b.reach, b.reach.token != "" && time.Now().Before(b.reach.until) && (ref == "" || ref == b.reach.ref)
}

// reachIn is a way to say something in a channel where the bot may not write: after somebody's press on a board there.
// It is used up by and by.
func (bs *boards) reachIn(p bot.Place) (reach, bool) {
	for _, b := range bs.tables.all() {
		if b.place.Channel != p.Channel {
			continue
		}
		if way, ok := bs.reach(b, ""); ok && way.follows > 0 {
			bs.mu.Lock()
			b.reach.follows--
			bs.mu.Unlock()
			return way, true
		}
	}
	return reach{}, false
}

// bear reports whether a message is known to bear some table's board.
func (bs *boards) bear(ref bot.Ref) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return slices.ContainsFunc(bs.tables.all(), func(b *board) bool { return b.ref == ref })
}

// forget drops what is known of the boards of a place, or, without a channel, of a whole guild.
func (bs *boards) forget(p bot.Place) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.tables.all() {
		if b.place.Community == p.Community && (p.Channel == 0 || b.place.Channel == p.Channel) {
			b.next, b.last = nil, nil
			bs.tables.drop(b.table)
		}
	}
}
