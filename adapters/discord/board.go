package discord

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// oldBoard is how old a board's message may be: edits of messages older than an hour are throttled.
	oldBoard = 50 * time.Minute
	// maxBoards is how many tables' boards are remembered.
	maxBoards = 4096
	// maxOutdated is how many older messages of a table wait to lose their buttons. One that keeps them does no harm.
	maxOutdated = 8
	// maxAnswers is how many answers wait for the picture of a table.
	maxAnswers = 64
	// maxForbidden is how often a table's last picture is tried where the bot has no rights: for half an hour, as it is asked for.
	maxForbidden = 5
	// failingFor is for how long a table's message can't be changed before the table goes into a new one.
	failingFor = 15 * time.Second
	// oddPause is after how long a board is tried again that was refused once, where its channel takes others.
	oddPause = 15 * time.Second
	// confirmAfter is after how long a picture is sent once more, where an older one may have come after it.
	confirmAfter = 30 * time.Second
	// justNow is how long ago somebody has pressed at most who waits for what comes of it.
	justNow = time.Minute
)

// boards are the tables whose pictures were shown lately.
type boards struct {
	mu     sync.Mutex
	tables *outbox.Memory[string, *board]
}

// board is one table's picture on its way. Whoever presses while one is being sent is answered without a picture, since
// theirs follows at once.
type board struct {
	// Drawn is when the turn is over that the picture shows; zero where there is no limit.
	outbox.Board[time.Time]
	// loop shows pictures, tidy takes the buttons off older messages once the newest picture is shown.
	loop, tidy outbox.Loop
	table      string
	place      chat.Place
	// outdated are older messages of the table that shall lose their buttons, the newest maxOutdated.
	outdated []chat.Post
	// waiting are the answers that wait for what is shown next, at most maxAnswers.
	waiting []*answer
	access  access
	// forbidden is how often the last picture could not be shown since the place takes none.
	forbidden int
	// failing is since when Discord has failed to change the table's message; zero: it hasn't.
	failing time.Time
	// refused is when the newest picture was refused last, or tried again since.
	refused time.Time
	// why is what it means that the newest picture wasn't shown, if it wasn't; again has what failed tried again, if not nil.
	why   verdict
	again *time.Timer
	// confirms has the newest picture sent once more, if not nil.
	confirms *time.Timer
	// left says that the community is another process's now: nothing of the board is sent any more.
	left bool
}

// access is a way to a message without rights in its channel: the token of an interaction on it.
type access struct {
	app, token string
	ref        chat.Ref
	until      time.Time
	// follows is how many more messages for everybody can follow that interaction.
	follows int
}

// maxFollows is how many messages for everybody may follow an interaction. Where the bot is a guest Discord allows five
// in all; the rest is for the one who asked.
const maxFollows = 3

// step is what a board's loop does at a time: it shows a picture, unless there is no new one, and answers who waits.
type step struct {
	picture *outbox.Sending[time.Time]
	ref     chat.Ref
	waiting []*answer
}

// board is what is known of a table in a place, which stands in the message ref if nothing is known yet. The caller holds mu.
func (s *sender) board(table string, in chat.Place, ref chat.Ref) *board {
	b, ok := s.boards.tables.Get(table)
	if ok {
		return b
	}
	b = &board{table: table, place: in}
	b.Ref = ref
	b.loop = s.loop(in, func(now time.Time) (func(), time.Duration) {
		if wait := s.mustWait(b, now); wait > 0 {
			return nil, wait
		}
		if next, some := b.nextStep(now); some {
			return func() { s.sendNext(b, next) }, 0
		}
		b.tidy.Kick()
		return nil, -1
	})
	b.tidy = s.loop(in, func(time.Time) (func(), time.Duration) {
		if old, some := b.nextOutdated(); some {
			return func() { s.removeButtons(old) }, 0
		}
		return nil, -1
	})
	s.boards.tables.Add(table, b)
	return b
}

// mustWait is how long a picture has to wait for a limit that no answer takes along. Meanwhile it may become a newer one, and whoever
// presses takes it along. The caller holds mu.
func (s *sender) mustWait(b *board, now time.Time) time.Duration {
	if _, due := b.Due(); !due || len(b.waiting) > 0 || b.place.Guest {
		return 0
	}
	c := call{route: routePost, major: strconv.FormatInt(b.place.Channel, 10), enclosure: enclosure{who: b.table}}
	if b.Ref != "" {
		c.route = routeEdit
	}
	return s.rest.limits.when(c, now).Sub(now)
}

// loop does for a place what next says, as a Loop's Next, until the adapter ends. The caller holds mu.
func (s *sender) loop(in chat.Place, next func(time.Time) (func(), time.Duration)) outbox.Loop {
	return outbox.Loop{
		L: &s.boards.mu, Begin: func(run func()) bool { s.Begin(run); return true }, Quit: s.Life.Done(),
		Next: func(now time.Time) (func(), time.Duration) {
			do, wait := next(now)
			if do == nil {
				return nil, wait
			}
			one := s.errands.begin(in.Community)
			return func() { defer one.end(); do() }, 0
		},
	}
}

// present has a picture shown, if none that is newer is known, and ans, which may be nil, answered. Old, if not nil, is
// the message that bore the picture before and loses its buttons: the table gets a new one.
func (s *sender) present(p chat.Post, ans *answer, old *chat.Post) {
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	b := s.board(p.Table, p.In, p.Edit)
	resting := !b.loop.Running()
	switch {
	case old != nil:
		b.outdate(*old)
		if b.Ref != "" {
			again := *old
			again.Edit = b.Ref
			b.outdate(again)
		}
		b.Leave()
		b.failing = time.Time{}
	case b.Ref == "" && resting && !b.keepsCalling(p):
		b.Ref = p.Edit
	}
	switch {
	case old != nil, b.Compare(p) != outbox.Same, resting && (b.Unshown() || b.Ref == ""):
		b.Offer(p, deadline, time.Now())
	case resting && b.Ref != p.Edit:
		s.report(p, b.Ref) // The bot hasn't heard where it stands.
	}
	if ans != nil || b.why != shut {
		b.Release()
	}
	if ans != nil {
		b.waiting = append(b.waiting, ans)
	}
	if len(b.waiting) > maxAnswers {
		s.answerBare(b.waiting[0], b.Ref, nil)
		b.waiting = b.waiting[1:]
	}
	b.loop.Kick()
}

// keepsCalling reports whether a picture calls somebody while a new message, by which alone they are notified, is still to be had. The caller
// holds mu.
func (b *board) keepsCalling(p chat.Post) bool {
	return len(p.Mention) > 0 && b.Unshown() && b.why == passes
}

// outdate has an older message of the table lose its buttons, once however often it is asked for. The caller holds mu.
func (b *board) outdate(old chat.Post) {
	old.Table = b.table
	b.outdated = slices.DeleteFunc(b.outdated, func(p chat.Post) bool { return p.Edit == old.Edit })
	b.outdated = append(b.outdated, old)
	b.outdated = b.outdated[max(0, len(b.outdated)-maxOutdated):]
}

// nextOutdated is an older message that shall lose its buttons now: not before another bears them. The caller holds mu.
func (b *board) nextOutdated() (old chat.Post, some bool) {
	for len(b.outdated) > 0 && !b.Unshown() && !b.loop.Running() {
		old, b.outdated = b.outdated[0], b.outdated[1:]
		if old.Edit != b.Ref {
			return old, true
		}
	}
	return old, false
}

// deadline is when somebody's turn is over that a picture shows; zero where there is no limit.
func deadline(p chat.Post) time.Time {
	if p.Turn != 0 && p.Left > 0 {
		return time.Now().Add(p.Left)
	}
	return time.Time{}
}

// nextStep is what to do next for a board; false if there is nothing. The caller holds mu.
func (b *board) nextStep(now time.Time) (step, bool) {
	next := step{ref: b.Ref, waiting: b.waiting}
	b.waiting = nil
	if sending, ok := b.Take(now); ok {
		next.picture = &sending
	}
	return next, next.picture != nil || len(next.waiting) > 0
}

// sendNext takes one step: it shows a picture and answers who waits.
func (s *sender) sendNext(b *board, next step) {
	var carrier *answer
	if next.picture != nil {
		carrier = next.carrier()
	}
	for _, ans := range next.waiting {
		if ans != carrier && ans.on != "" {
			s.answerBare(ans, next.ref, nil)
		}
	}
	ref, err := next.ref, error(nil)
	if next.picture != nil {
		ref, err = s.send(b, *next.picture, carrier)
	}
	for _, ans := range next.waiting {
		if ans.on == "" && ans != carrier {
			s.answerBare(ans, ref, err)
		}
	}
}

// answerBare answers without the picture, which stands in the message ref unless err says why it doesn't.
func (s *sender) answerBare(ans *answer, ref chat.Ref, err error) {
	if ans.on != "" {
		s.beginFor(ans.place.Community, func() { s.closeQuestion(ans, ref) })
		return
	}
	s.beginFor(ans.place.Community, func() { s.sendLink(ans, ref, err) })
}

// carrier is the answer that takes the picture along: the last one whose message bears it, or, for a new message, the
// last one at all.
func (next *step) carrier() *answer {
	for _, ans := range slices.Backward(next.waiting) {
		fits := ans.on == next.ref
		if next.ref == "" {
			fits = ans.on != "" || !ans.isDeferred()
		}
		if fits && ans.alive() {
			return ans
		}
	}
	return nil
}

// send brings a picture to where it belongs, and notes where it stands now, or that it doesn't.
func (s *sender) send(b *board, p outbox.Sending[time.Time], carrier *answer) (ref chat.Ref, err error) {
	what := outbox.Outcome{Fate: outbox.Held, Ref: p.Ref} // If something breaks.
	defer func() {
		s.boards.mu.Lock()
		defer s.boards.mu.Unlock()
		what.Unanswered = err != nil && p.Ref != "" && maybeHeard(err)
		b.Settle(p, what, time.Now())
		if b.Confirm {
			s.confirm(b)
		}
		if b.why = final; err != nil {
			b.why = verdictOn(err)
		}
		if what.Fate != outbox.Arrived {
			s.failed(b, p.Post, carrier, err)
		} else if _, wanted := outbox.Receipt("", p.Post, ref); wanted {
			s.report(p.Post, ref)
		}
	}()
	ref, err = s.show(b, p, carrier)
	what.Ref = ref
	if err == nil {
		what.Fate = outbox.Arrived
	}
	return ref, err
}

// failed does what follows when a picture wasn't shown: it is shown with whatever comes next, or after a while, but a last one isn't
// tried for ever. One that no answer took along goes with those that have come meanwhile. The caller holds mu.
func (s *sender) failed(b *board, p chat.Post, carrier *answer, err error) {
	s.tryAgain(b, err)
	b.refused = time.Now()
	if p.Final && closed(err) && b.why != shut {
		b.forbidden++
	}
	if b.forbidden >= maxForbidden {
		b.Discard()
		s.report(p, "")
	} else if _, newer := b.Due(); newer {
		return
	} else if carrier == nil && len(b.waiting) > 0 {
		b.Release()
		return
	}
	for _, ans := range b.waiting {
		s.beginFor(ans.place.Community, ans.acknowledge)
	}
	b.waiting = nil
}

// tryAgain has what a board holds sent once more after a while, or once calls are made in its channel again: soon where what kept it back
// passes by itself. The caller holds mu.
func (s *sender) tryAgain(b *board, err error) {
	pause := outbox.Doubt(b.Tries - 1)
	if err != nil && verdictOn(err) == passes {
		pause = min(5*time.Second<<min(b.Tries-1, 4), time.Minute)
	}
	if rests := s.rest.bars.rests(strconv.FormatInt(b.place.Channel, 10), time.Now()); rests > 0 {
		pause = rests
	}
	if b.again != nil {
		b.again.Reset(pause)
		return
	}
	b.again = time.AfterFunc(pause, func() { s.Admit(func() { s.retry(b) }) })
}

// confirm has a board's newest picture sent once more in a while. The caller holds mu.
func (s *sender) confirm(b *board) {
	if b.confirms != nil {
		b.confirms.Reset(confirmAfter)
		return
	}
	b.confirms = time.AfterFunc(confirmAfter, func() {
		s.Admit(func() {
			s.boards.mu.Lock()
			b.Again(time.Now())
			s.boards.mu.Unlock()
			s.retry(b)
		})
	})
}

// retry has sent what a board holds, if it does.
func (s *sender) retry(b *board) (some bool) {
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	if b.left {
		return false
	}
	some = b.Unshown()
	b.Release()
	b.loop.Kick()
	return some
}

// retryIn has sent what the boards of a channel hold.
func (s *sender) retryIn(p chat.Place) {
	for _, b := range s.boards.tables.All() {
		if b.place.Channel == p.Channel {
			s.retry(b)
		}
	}
}

// retryHeld has sent what boards of a place hold that it has refused, the seldomer the more often it has, and reports whether any does.
func (s *sender) retryHeld(p chat.Place) (some bool) {
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	for _, b := range s.boards.tables.All() {
		if b.place.Channel != p.Channel || !b.Unshown() || b.why == passes || b.why == shut || b.forbidden > 0 {
			continue
		}
		some = true
		if time.Since(b.refused) >= oddPause<<min(b.Tries, 8) {
			b.refused = time.Now()
			s.Admit(func() { s.retry(b) })
		}
	}
	return some
}

// report tells the bot where a picture stands.
func (s *sender) report(p chat.Post, ref chat.Ref) {
	s.beginFor(p.In.Community, func() {
		id := s.nextID()
		shown, _ := outbox.Receipt(id, p, ref)
		s.deliver(delivery{posts: s.ask(shown).Posts, id: id})
	})
}

// redraw shows, slowly, the tables of a shard whose newest pictures aren't shown, or all open ones: those of one shard after the other. Of several
// processes one doesn't hear when another's shard is there again, and has it stand for all.
func (s *sender) redraw(of part, all bool) {
	s.Admit(func() {
		s.redrawing.Lock()
		defer s.redrawing.Unlock()
		for _, b := range s.boards.tables.All() {
			if s.alone && !of.hears(b.place) {
				continue
			}
			s.boards.mu.Lock()
			if all && !b.loop.Running() { // What is on its way is newer.
				b.Again(time.Now())
			}
			s.boards.mu.Unlock()
			if s.retry(b) && !outbox.Sleep(s.Life, redrawEvery) {
				return
			}
		}
	})
}

// unshown is how many tables' newest pictures aren't shown.
func (bs *boards) unshown() int {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	n := 0
	for _, b := range bs.tables.All() {
		if b.Unshown() {
			n++
		}
	}
	return n
}

// fails notes that a board's message was not changed, and reports whether Discord has failed to for so long that another shall take its place. Where
// nothing is answered the change may have been made, and a new message would be one, too.
func (bs *boards) fails(b *board, err error) bool {
	if !broken(err) {
		return false
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b.failing.IsZero() {
		b.failing = time.Now()
	}
	return time.Since(b.failing) >= failingFor
}

// doubt notes that a board's message may yet be changed by a call that was given up.
func (bs *boards) doubt(b *board) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.Doubt()
}

// changed notes that a board's message was changed.
func (bs *boards) changed(b *board) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.failing = time.Time{}
}

// keepAccess notes a way to the message that bears a board.
func (bs *boards) keepAccess(b *board, way access) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.access = way
}

// access is a way to the message that bears a board; false if none is known, or it is too old.
func (bs *boards) access(b *board, ref chat.Ref) (access, bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return b.access, b.access.good() && ref == b.access.ref
}

// wasPressed reports whether somebody has pressed at a board, or asked for it, a moment ago.
func (bs *boards) wasPressed(b *board) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return time.Until(b.access.until) > tokenLife-justNow
}

// good reports whether the way can still be taken.
func (a access) good() bool { return a.token != "" && time.Now().Before(a.until) }

// accessIn is a way to say something in a channel where the bot may not write: after somebody's press on a board there.
// It is used up by and by.
func (bs *boards) accessIn(p chat.Place) (access, bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.tables.All() {
		if b.place.Channel == p.Channel && b.access.good() && b.access.follows > 0 {
			b.access.follows--
			return b.access, true
		}
	}
	return access{}, false
}

// shows reports whether a message is known to bear some table's board.
func (bs *boards) shows(ref chat.Ref) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return slices.ContainsFunc(bs.tables.All(), func(b *board) bool { return b.Ref == ref })
}

// isPast reports whether a message doesn't bear a table's board any more, or a place that was shut has kept it from changing: what
// can be pressed there leads nowhere.
func (bs *boards) isPast(table string, on chat.Ref) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b, ok := bs.tables.Get(table)
	return ok && b.Ref != "" && (b.Ref != on || b.Unshown() && b.why == shut)
}

// refOf is the message that bears a table's board; empty if none is known.
func (bs *boards) refOf(table string) chat.Ref {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b, ok := bs.tables.Get(table); ok {
		return b.Ref
	}
	return ""
}

// channelsOf are the channels of a community where boards are known, each once.
func (bs *boards) channelsOf(c chat.Community) []int64 {
	var all []int64
	for _, b := range bs.tables.All() {
		if b.place.Community == c {
			all = append(all, b.place.Channel)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// forget drops what is known of the boards of a place, or, without a channel, of a whole guild.
func (bs *boards) forget(p chat.Place) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.tables.All() {
		if b.place.Community == p.Community && (p.Channel == 0 || b.place.Channel == p.Channel) {
			b.Discard()
			b.outdated = nil
			bs.tables.Drop(b.table)
		}
	}
}
