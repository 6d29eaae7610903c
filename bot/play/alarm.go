package play

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Timeout serves an alarm of the clock.
func (b *Tables) Timeout(ctx context.Context, r chat.Request) (chat.Response, error) {
	a, err := clock.ParseAlarm(r.Data)
	if err != nil {
		return chat.Response{}, err
	}
	response, err := b.at(ctx, r, a.Table, func(tx *transaction) (outcome, error) {
		switch {
		case a.Redraw: // Nobody knows what was shown before the start.
			return tx.redraw(), nil
		case tx.table.Level != a.Level:
			return outcome{}, nil
		}
		return tx.timeout(ctx, a.Again)
	})
	if errors.Is(err, table.ErrGone) {
		err = nil
	}
	return response, err
}

// redraw shows the table again, and takes away what a call has left behind: nobody knows whether that was done.
func (tx *transaction) redraw() outcome {
	t := tx.table
	o := outcome{changed: tx.bringForward(), shown: true, follows: true}
	if t.Former != "" {
		if t.Former != t.Board {
			o.posts = append(o.posts, chat.Post{In: t.Place, Edit: t.Former, Delete: true})
		}
		t.Former, o.changed = "", true
	}
	return o
}

// bringForward shortens waits of the table that have become too long. Running time is stored every few seconds only: after a start it
// may be less than when the table was stored, and its deadlines seem to lie further away. It reports whether anything has changed.
func (tx *transaction) bringForward() (changed bool) {
	t := tx.table
	if most := tx.now.Add(table.SideTime); t.Window > most {
		t.Window, changed = most, true
	}
	if most := max(tx.now.Add(table.SlowestThought), t.Window); t.Chance > most {
		t.Chance, changed = most, true
	}
	if t.Unhurried() && t.Due() == 0 && tx.tables.Keep.Get() > 0 {
		tx.waitLong() // It was stored when all was kept for ever.
		changed = true
	}
	if tx.atBank() && !t.Lesson && t.Unhurried() && t.Mover == 0 {
		t.Hurry = true // It was stored when a banker without a limit could wait for ever.
		t.LimitFrom(tx.now, longest, false)
		changed = true
	}
	return changed
}

// timeout does what is due at the table: what was due first comes first. Late says that it was due while nothing could be saved: whoever's turn it
// is could do nothing then, and has some time left.
func (tx *transaction) timeout(ctx context.Context, late bool) (outcome, error) {
	t := tx.table
	past := func(at table.Running) bool { return at != 0 && at <= tx.now }
	if lasts := tx.turnLasts(); lasts > 0 && (past(t.Ends) || past(t.Warn) || past(t.Skip)) {
		d := min(lasts, unseenPause)
		if !late && !tx.unseen() && !tx.unheard() {
			d = tx.lost()
		}
		if d > 0 {
			t.PutOff(d)
			return outcome{changed: true}, nil
		}
	}
	switch {
	case past(t.Ends) && t.Phase == table.Lobby:
		return tx.end("stop-lobby", nil), nil
	case past(t.Ends) && t.Phase == table.Cutting:
		return tx.deal(true)
	case past(t.Ends) && t.Phase == table.Ended:
		return tx.drawLast(), nil
	case past(t.Ends) && t.Lesson:
		return tx.end("stop-slept", nil), nil
	case past(t.Ends):
		return tx.family.expire(ctx)
	case past(t.Chance):
		return tx.family.ownMove(ctx)
	case past(t.Warn) && t.Phase == table.Lobby:
		t.GiveUp(0)
		return redrawn(), nil
	case past(t.Warn):
		return tx.warn()
	case past(t.Skip):
		return outcome{changed: true, shown: tx.ripen()}, nil
	}
	return outcome{}, nil
}

// unseenTurn is how long the time of somebody doesn't run out at a table that they can't have seen, as where a chat's slow mode keeps back its
// first picture, or where their platform brings no presses or shows nothing; waitedFor is how long where others see it and wait. UnseenPause is for
// how long it is put off each time, at most.
const unseenTurn, waitedFor, unseenPause = time.Hour, 20 * time.Minute, time.Minute

// unseen reports whether the one for whom the table waits can't have seen it: no message has borne it, and they haven't pressed there and
// don't look at it. A guest's message comes to who presses.
func (tx *transaction) unseen() bool {
	t := tx.table
	if t.Board != "" || t.Boarded != 0 || t.Place.Guest || tx.turnLasts() == 0 || t.Chairs[t.Awaited()].Tap.User != 0 {
		return false
	}
	since := tx.tables.Now().Sub(time.Unix(t.Opened, 0))
	return since >= 0 && since < tx.patience() // Else the clock was ahead.
}

// unheard reports whether the one for whom the table waits can press nothing: their platform brings no presses now, or brought none until a moment
// ago, and they don't look at the table elsewhere.
func (tx *transaction) unheard() bool {
	if tx.tables.Deaf == nil || tx.turnLasts() == 0 {
		return false
	}
	lasts := tx.tables.Deaf(tx.table.Place.Community)
	return lasts > 0 && lasts < tx.patience()
}

// lost is how much of their time the one for whom the table waits hasn't had, as its message didn't show that it is their turn, or did late. A guest's
// message comes to who presses.
func (tx *transaction) lost() time.Duration {
	return tx.lostOf(tx.table.Ends, tx.turnLasts(), tx.patience())
}

// patience is how long the one for whom the table waits is waited for where they can do nothing: not at all where they can, by its page, or are a
// computer, and less where others look at it.
func (tx *transaction) patience() time.Duration {
	t, most := tx.table, unseenTurn
	for i, c := range t.Chairs {
		looks := tx.tables.looks(t, c)
		switch {
		case i == t.Awaited() && (looks || c.Computer()):
			return 0
		case looks:
			most = waitedFor
		}
	}
	return most
}

// unseenEnd is how long a table that has ended waits among the open ones for its last picture to be shown, unseenNothing one that holds nothing.
const unseenEnd, unseenNothing = 24 * time.Hour, time.Hour

// drawLast draws the last picture of a table again, after as long as it has waited by then. Where it can't be shown, as to somebody who has blocked
// the bot, the table leaves the open ones without that: so nobody fills these with tables that nobody can see.
func (tx *transaction) drawLast() outcome {
	t, most := tx.table, unseenEnd
	if t.IsNothing() {
		most = unseenNothing
	}
	waited := tx.tables.Now().Sub(time.Unix(t.Ended, 0)).Abs() // The clock may have been ahead.
	if waited >= most {
		return tx.showedAt(t.Board, t.Level)
	}
	t.Ends = tx.now.Add(min(max(waited, lastPicture), most-waited) + time.Millisecond) // Running time counts in whole ones.
	return redrawn()
}

// Shown notes where a table's picture stands. A table whose last picture was shown leaves the range of open ones.
func (b *Tables) Shown(ctx context.Context, r chat.Request) (chat.Response, error) {
	name, number, _ := strings.Cut(r.Data, " ")
	id, ok := table.ParseID(name)
	level, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil {
		return chat.Response{}, fmt.Errorf("a picture was shown for %.80q", r.Data)
	}
	response, err := b.at(ctx, r, id, func(tx *transaction) (outcome, error) { return tx.showedAt(r.On, level), nil })
	if errors.Is(err, table.ErrGone) {
		err = nil
	}
	return response, err
}

// showedAt notes that the message shows the picture of that level.
func (tx *transaction) showedAt(on chat.Ref, level uint64) (o outcome) {
	t := tx.table
	if tx.stored.Key == table.KeyEnded(t.ID) {
		return o
	}
	if late := tx.turnLasts() - tx.now.Until(t.Ends); tx.unseen() && t.Ends != 0 && late > firstLate {
		t.PutOff(late)
	}
	if level >= t.Boarded {
		t.Board, t.Boarded = on, level
		o.changed = true
	}
	if t.Phase == table.Ended && level >= t.EndedAt {
		t.Ends, t.Seen = 0, nil
		o.changed, o.lastShown = true, true
	}
	return o
}

// Gone closes the tables of a place that is there no more, or those of a whole community. What was won there by then counts.
func (b *Tables) Gone(ctx context.Context, r chat.Request) (chat.Response, error) {
	ids, err := b.TableIDs(ctx, r.In)
	if r.In.Channel == 0 {
		ids, err = b.OpenIn(ctx, r.In.Community)
	}
	for _, id := range ids {
		_, err := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
			if tx.table.Phase == table.Ended {
				return outcome{}, nil
			}
			return tx.family.cutShort(ctx, "stop-gone")
		})
		if err == nil {
			// There is nowhere left to show a last picture. What the end settles has a transaction of its own.
			last := r
			last.ID += " last"
			_, err = b.at(ctx, last, id, func(tx *transaction) (outcome, error) { return tx.showedAt("", tx.table.Level+1), nil })
		}
		if err != nil && !errors.Is(err, table.ErrGone) {
			return chat.Response{}, err
		}
	}
	return chat.Response{}, err
}

// Left has the tables of a community go on without somebody who isn't there any more: their seat is free in a lobby, in a deal the
// computer takes it, or they throw in their hand. A game for one waits for them.
func (b *Tables) Left(ctx context.Context, r chat.Request) (chat.Response, error) {
	var all chat.Response
	ids, err := b.openOf(ctx, r)
	for _, id := range ids {
		one, failed := b.at(ctx, r, id, func(tx *transaction) (outcome, error) { return tx.goOnWithout(ctx) })
		if failed != nil && !errors.As(failed, new(engine.Refusal)) {
			err = errors.Join(err, failed)
		}
		all.Posts = append(all.Posts, one.Posts...)
	}
	return all, err
}

// goOnWithout takes the one whom the request is about from the table, as if they had stood up.
func (tx *transaction) goOnWithout(ctx context.Context) (outcome, error) {
	seat, seated := tx.table.SeatOf(tx.req.Who.ID)
	switch {
	case tx.table.Phase == table.Ended, tx.table.Lesson, tx.family.traits().alone:
		return outcome{}, nil
	case seated:
		if !tx.family.traits().chips {
			tx.forfeit(tx.table.MayRemove(tx.req.By, seat))
		}
		return tx.family.takeOut(ctx, seat)
	case tx.table.Waits(tx.req.Who.ID), table.KeepsFor(tx.table, tx.req.Who.ID):
		return tx.standUp(ctx, false)
	}
	return outcome{}, nil
}

// CloseTable ends a table as its host could, if it hasn't ended. People see that in a while, or once the bot runs again.
func (b *Tables) CloseTable(ctx context.Context, id table.ID) (closed bool, err error) {
	_, err = b.at(ctx, chat.Request{ID: "close/" + rand.Text(), Kind: chat.Timeout}, id, func(tx *transaction) (outcome, error) {
		if closed = tx.table.Phase != table.Ended; !closed {
			return outcome{}, nil
		}
		return tx.end("stop-admin", nil), nil
	})
	if closed = closed && err == nil; closed {
		b.Clock.Look(id)
	}
	return closed, err
}

// Unreached has somebody who can't be told in private told by name from now on, and, if it is still their turn, at once. Somebody who was
// only missed is told so this time alone.
func (b *Tables) Unreached(ctx context.Context, r chat.Request) (chat.Response, error) {
	name, number, _ := strings.Cut(r.Data, " ")
	id, ok := table.ParseID(name)
	user, err := strconv.ParseInt(number, 36, 64)
	if !ok || err != nil {
		return chat.Response{}, fmt.Errorf("somebody was not reached about %.80q", r.Data)
	}
	var own table.Choices
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, id.Community)
		if err != nil {
			return err
		}
		own, err = table.GetChoices(tx, origin, user)
		if err != nil || own.Notice != table.InPrivate || r.Kind == chat.Missed {
			return err
		}
		own.Notice = table.ByMention
		return table.PutChoices(tx, origin, user, own)
	})
	if err != nil || id.Name == table.NoTable {
		return chat.Response{}, err
	}
	response, err := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
		t := tx.table
		if t.Phase != table.Playing || !t.Told || t.Chairs[t.Mover].User != user {
			return outcome{}, nil
		}
		return tx.callAloud(t.Chairs[t.Mover], tx.turnCall(), own.Quiet), nil
	})
	if errors.Is(err, table.ErrGone) {
		err = nil
	}
	return response, err
}
