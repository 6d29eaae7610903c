// Package outbox is what adapters share to send the bot's posts: the newest picture of each table and its message, loops that send one
// thing after the other, lanes that keep an order, tasks that an adapter waits for at its end, and memories with a bound. It knows no
// platform: each adapter knows how to send, what errors mean, and how long to wait.
package outbox

import (
	"time"

	"zevaka/bot/chat"
)

// Board is what a sender knows of one table: its newest picture, and the message that bears it. D is a picture in the platform's form.
// A Board sends nothing. It says what to send, and Settle notes what became of it. Only one Sending at a time is under way, so that
// no older picture comes after a newer one. The zero Board has shown nothing. It isn't safe for use by many goroutines.
type Board[D any] struct {
	// Ref is the message that bears the table; empty if the next picture makes a new one.
	Ref chat.Ref
	// Post is the newest picture, Drawn the same in the platform's form. Once a Final one is shown its Message is empty: the Post is
	// kept only to compare others with it.
	Post  chat.Post
	Drawn D
	// Since is when the picture began to wait that isn't shown yet, Tries how often sending it has failed.
	Since time.Time
	Tries int
	// Confirm says that the newest picture is shown, but that a change before it, of which nobody knows whether it was made, may yet come after it:
	// in a while it is to be sent Again.
	Confirm bool

	// unshown says that the newest picture is to be sent, but not before after, and if held not before Release.
	unshown, held bool
	after         time.Time
	sending       bool
	// doubted says that a change of the message has met no answer, and none was made since, or not by the same way.
	doubted bool
	// spent says that Post was shown and has lost its Message.
	spent bool
	// moves counts how often the table left its message.
	moves int
	// newest and shown are the turns that the newest picture shows, and the one that a message shows. Unseen is since when they aren't the same; zero:
	// they are, since seen, and were not for late before.
	newest, shown turn
	unseen, seen  time.Time
	late          time.Duration
}

// turn is whose it is, of several if that is 0, and when it ends; zero: it has no limit. The zero turn is nobody's.
type turn struct {
	of   int64
	ends time.Time
}

// sameTurn is how far the ends of a turn may lie apart: pictures say how much of it is left as they are drawn.
const sameTurn = time.Second

func turnOf(p chat.Post, now time.Time) turn {
	if p.Left == 0 {
		return turn{of: p.Turn}
	}
	return turn{p.Turn, now.Add(p.Left)}
}

func (t turn) same(as turn) bool { return t.of == as.of && t.ends.Sub(as.ends).Abs() < sameTurn }

// Late is for how long no message has shown whose turn it is, or did not before one came, and for how long one has since; less than 0 where none does.
func (b *Board[D]) Late() (late, shown time.Duration) {
	if !b.unseen.IsZero() {
		return time.Since(b.unseen), -1
	}
	return b.late, time.Since(b.seen)
}

// turns notes that another turn is the newest one.
func (b *Board[D]) turns(to turn, now time.Time) {
	b.newest = to
	switch {
	case to == turn{}:
		b.unseen, b.late = time.Time{}, 0
	case to.same(b.shown):
		b.unseen = time.Time{}
	case b.unseen.IsZero():
		b.unseen, b.late = now, 0
	}
}

// shows notes that a message shows a turn.
func (b *Board[D]) shows(one turn, now time.Time) {
	if b.shown = one; !b.unseen.IsZero() && b.newest.same(one) {
		b.unseen, b.seen, b.late = time.Time{}, now, now.Sub(b.unseen)
	}
}

// Age is how a picture relates to the newest one of its table.
type Age int8

// The ages. A picture without a Level has no order, and is always Newer.
const (
	Older Age = iota - 1
	Same
	Newer
)

// Compare says whether a picture is newer than the newest that is known.
func (b *Board[D]) Compare(p chat.Post) Age {
	switch {
	case p.Level == 0 || p.Level > b.Post.Level:
		return Newer
	case p.Level == b.Post.Level:
		return Same
	}
	return Older
}

// Offer has a picture sent, drawn by draw, unless it is older than the newest. Then the newest is sent, if no message shows it.
func (b *Board[D]) Offer(p chat.Post, draw func(chat.Post) D, now time.Time) Age {
	age := b.Compare(p)
	if age != Older {
		b.Post, b.Drawn, b.spent = p, draw(p), false
		b.turns(turnOf(p, now), now)
	} else if b.Ref != "" || b.spent {
		return age
	}
	b.wait(now)
	return age
}

// Show notes a picture that the message ref shows already. It is for senders that never wait.
func (b *Board[D]) Show(p chat.Post, d D, ref chat.Ref) {
	p.Message, p.Draw = chat.Message{}, nil
	b.Post, b.Drawn, b.Ref, b.spent = p, d, ref, true
}

// Again has the newest picture sent once more, unless it was the last of its table.
func (b *Board[D]) Again(now time.Time) {
	if !b.unshown && !b.sending && !b.spent && b.Post.Table != "" {
		b.wait(now)
	}
}

func (b *Board[D]) wait(now time.Time) {
	if !b.unshown {
		b.Since = now
	}
	b.unshown = true
}

// Leave gives the table's message up: the next picture makes a new one, even if another is being sent.
func (b *Board[D]) Leave() {
	b.Ref, b.doubted = "", false
	b.moves++
}

// Doubt notes that a change of the message has met no answer, though the picture may be shown by another way: a Sending is under way.
func (b *Board[D]) Doubt() { b.doubted = true }

// Retry has a picture that failed sent without further waiting.
func (b *Board[D]) Retry() {
	b.after, b.held, b.Tries = time.Time{}, false, 0
}

// Release has a picture sent that was Held.
func (b *Board[D]) Release() { b.held = false }

// Discard forgets the picture that isn't shown.
func (b *Board[D]) Discard() { b.unshown = false }

// Unshown reports whether a picture waits to be sent, now or later. One that is being sent doesn't wait.
func (b *Board[D]) Unshown() bool { return b.unshown }

// Due is when the picture that waits may be sent; false if none waits, one is being sent, or it is held.
func (b *Board[D]) Due() (time.Time, bool) {
	return b.after, b.unshown && !b.sending && !b.held
}

// Sending is one picture on its way.
type Sending[D any] struct {
	Post  chat.Post
	Drawn D
	// Ref is the message to change; empty if there is none.
	Ref chat.Ref

	moves int
	turn  turn
}

// Take begins to send the newest picture; false if Due says that there is nothing to send. Settle ends it.
func (b *Board[D]) Take(now time.Time) (Sending[D], bool) {
	if after, ok := b.Due(); !ok || now.Before(after) {
		return Sending[D]{}, false
	}
	b.unshown, b.sending = false, true
	return Sending[D]{Post: b.Post, Drawn: b.Drawn, Ref: b.Ref, moves: b.moves, turn: b.newest}, true
}

// Moved reports whether the table has left the message that a picture was sent to.
func (b *Board[D]) Moved(s Sending[D]) bool { return b.moves != s.moves }

// Fate is what became of something that was sent.
type Fate uint8

// The fates.
const (
	// Arrived: it stands in a message.
	Arrived Fate = iota
	// Gone: the message to change is there no more, so it goes into a new one.
	Gone
	// Delayed: it is tried again when some time has passed.
	Delayed
	// Held: it is tried again when something new happens.
	Held
	// Refused: it is given up.
	Refused
)

// Outcome is a Fate with what belongs to it.
type Outcome struct {
	Fate Fate
	// Ref is the message where the picture stands that Arrived, or which is still the table's if it was Held.
	Ref chat.Ref
	// Pause is how long to wait where it is Delayed.
	Pause time.Duration
	// Unanswered says that it was to change a message, and that nobody knows whether it has, or yet will.
	Unanswered bool
}

// Doubt is how long what goes to a place waits that the platform calls gone, as long as nothing else says that it is. Tries is how often
// sending it has failed.
func Doubt(tries int) time.Duration {
	return [...]time.Duration{time.Minute, 10 * time.Minute, time.Hour}[min(tries, 2)]
}

// Settle notes what became of a picture. What failed waits again, unless a newer one does.
func (b *Board[D]) Settle(s Sending[D], o Outcome, now time.Time) {
	b.sending = false
	here := !b.Moved(s)
	b.Confirm = o.Fate == Arrived && here && b.doubted
	b.doubted = here && (o.Unanswered || b.doubted && o.Fate != Arrived)
	switch o.Fate {
	case Arrived:
		if here {
			b.Ref = o.Ref
		}
		b.Tries = 0
		b.shows(s.turn, now)
		if s.Post.Final && !b.unshown && !b.Confirm {
			b.Post.Message, b.Post.Draw, b.spent = chat.Message{}, nil, true
		}
	case Gone:
		if here {
			b.Ref = ""
		}
		b.unshown = true
	case Delayed:
		b.unshown = true
		b.after = now.Add(o.Pause)
		b.Tries++
	case Held:
		if here {
			b.Ref = o.Ref
		}
		b.held = !b.unshown // A newer one has its own try.
		b.unshown = true
		b.Tries++
	case Refused:
	}
}

// Receipt is the request that tells the bot which message shows a post; false if the bot doesn't want to know.
func Receipt(id string, p chat.Post, ref chat.Ref) (chat.Request, bool) {
	wanted := p.Receipt != "" && (ref != p.Edit || p.Final)
	return chat.Request{ID: id, In: p.In, Kind: chat.Shown, Data: p.Receipt, On: ref}, wanted
}
