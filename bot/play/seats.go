package play

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// standUp takes the one who asks from the table: out of a lobby at once; in a deal the computer takes the seat. With slip it
// asks again in every deal: a button of the board may be pressed by mistake. Who is out of a game loses nothing by it.
func (tx *transaction) standUp(ctx context.Context, slip bool) (outcome, error) {
	t := tx.table
	seat, ok := t.SeatOf(tx.req.Who.ID)
	switch {
	case t.Phase == table.Ended:
		return outcome{}, table.ShowTable(table.ErrEnded)
	case t.Waits(tx.req.Who.ID):
		t.Waiting = slices.DeleteFunc(slices.Clone(t.Waiting), func(c table.Chair) bool { return c.User == tx.req.Who.ID })
		return done("done.waits-no-more"), nil
	case !ok && table.KeepsFor(t, tx.req.Who.ID): // The others needn't wait for them.
		t.GiveUp(tx.req.Who.ID)
		return tx.gathered(done("done.not-again"))
	case !ok:
		return outcome{}, table.ErrNotSeated
	}
	if t.Lesson {
		return tx.endLesson()
	}
	if slip && t.Phase == table.Playing && (t.Chips != nil || !t.Chairs[seat].Out) && tx.answered == nil && table.MayVacate(t, seat) == nil && (t.Chips == nil || seat > 0 && t.Chips.Stakes[seat] == 0) {
		key := "leave-ask-game"
		switch {
		case t.Chips != nil && t.Chairs[seat].Out:
			key = "leave-ask-out"
		case t.Chips != nil:
			key = "leave-ask-bank"
		case t.Persons() == 1:
			key = "leave-ask-alone"
		}
		return tx.ask(words.Phrase{Key: key}, 0, chat.Button{Label: tx.say("button.leave"), Token: "!leave", Look: chat.Danger})
	}
	return tx.family.leave(ctx, seat)
}

// remove takes somebody else from the table. The argument is a chair's key, or what somebody
// typed behind #: a number counted from 1, or a mention.
func (tx *transaction) remove(ctx context.Context, arg string) (outcome, error) {
	if tx.table.Phase == table.Ended {
		return outcome{}, table.ErrEnded
	}
	seat := slices.IndexFunc(tx.table.Chairs, func(c table.Chair) bool { return c.Key() == arg })
	typed, ok := strings.CutPrefix(arg, "#")
	user, mentioned := chat.Mention(typed)
	switch {
	case ok && mentioned:
		at, seated := tx.table.SeatOf(user)
		if !seated {
			return outcome{}, table.ErrNotHere
		}
		seat = int(at)
	case ok:
		n, err := strconv.Atoi(typed)
		if err != nil {
			n = tx.named(typed) + 1
		}
		if n < 1 || n > len(tx.table.Chairs) {
			return outcome{}, words.Refuse(string(table.ErrNoSeat), words.Blanks{"what": chat.Shorten(typed, 20)})
		}
		seat = n - 1
	}
	if seat < 0 {
		return outcome{}, table.ShowTable(table.ErrStale)
	}
	if c := tx.table.Chairs[seat]; tx.table.Phase != table.Lobby && (c.User == 0 || c.Left) {
		return outcome{}, table.ErrNotPerson
	} else if err := tx.table.MayRemove(tx.req.Who.ID, engine.Seat(seat)); err != nil && !tx.family.traits().chips {
		return outcome{}, err
	} else if c.User != 0 && tx.answered == nil {
		asked := words.Phrase{Key: "remove-ask", Blanks: words.Blanks{"who": c.Name}}
		return tx.ask(asked, 0, chat.Button{Label: tx.say("button.remove"), Token: "!remove " + c.Key(), Look: chat.Danger})
	}
	return tx.family.takeOut(ctx, engine.Seat(seat))
}

// named is the one seat whose person is called so; -1 if there is none, or more than one.
func (tx *transaction) named(who string) int {
	found := -1
	for i, c := range tx.table.Chairs {
		if c.User != 0 && !c.Left && strings.EqualFold(c.Name, who) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// byAnother reports whether it isn't the seat's own person who wants it.
func (tx *transaction) byAnother(seat engine.Seat) bool {
	return tx.table.Chairs[seat].User != tx.req.Who.ID || tx.req.Kind == chat.Left && tx.req.Data == chat.Expelled
}

// vacate ends a seat's part in the table.
func (tx *transaction) vacate(ctx context.Context, seat engine.Seat) (outcome, error) {
	if err := table.MayVacate(tx.table, seat); err != nil {
		return outcome{}, err
	}
	t := tx.table
	c, name, another := t.Chairs[seat], t.Name(seat), tx.byAnother(seat)
	t.Chairs = slices.Clone(t.Chairs)
	if t.Phase == table.Lobby {
		t.Chairs = slices.Delete(t.Chairs, int(seat), int(seat)+1)
	} else {
		left := &t.Chairs[seat]
		left.Left, left.Removed, left.Lost = true, c.Removed || another, c.Lost || another && (c.Helped || c.Out) && t.Counts()
	}
	t.PassHost(c.User, seat)
	if c.User != 0 && t.Persons() == 0 && !t.Won() {
		return tx.family.cutShort(ctx, "stop-empty")
	}
	switch t.Phase {
	case table.Lobby:
		key := "done.leave"
		if another {
			key = "done.removed"
		}
		o := tx.counted(key)
		o.done.Blanks["who"] = name
		return o, nil
	case table.Cutting:
		t.Cutter = table.Cutter(t.Chairs, tx.rules.Info().Banker)
		if table.CutEnds(t, tx.now, tx.tables.AddTime) {
			o, err := tx.deal(true)
			return tx.leftBehind(o, seat), err
		}
	case table.Playing:
		state, err := tx.position(ctx)
		if err != nil {
			return outcome{}, err
		}
		return tx.leaveDeal(state, seat)
	}
	return tx.leftBehind(redrawn(), seat), nil
}

// leaveDeal ends a person's part in a deal: a computer plays on for who isn't out.
func (tx *transaction) leaveDeal(state engine.State, seat engine.Seat) (outcome, error) {
	what := "left"
	switch {
	case tx.table.Chairs[seat].Out:
		what = "gone"
	case tx.byAnother(seat):
		what = "removed"
	}
	tx.events = append(tx.events, engine.Event{What: what, Seat: seat, To: engine.Nobody})
	o, err := tx.settle(state, seat)
	return tx.leftBehind(o, seat), err
}

// leftBehind tells whoever has left a table that goes on how to come back.
func (tx *transaction) leftBehind(o outcome, seat engine.Seat) outcome {
	if !tx.byAnother(seat) && tx.table.Phase != table.Ended {
		o.toast = &words.Phrase{Key: "done.left"}
		if !tx.family.traits().computers || tx.table.Chairs[seat].Out {
			o.toast.Key = "done.left-bank"
		}
	}
	return o
}

// comeBack gives a seat back to its person.
func (tx *transaction) comeBack(ctx context.Context) (outcome, error) {
	t := tx.table
	seat, err := table.MayComeBack(t, tx.req.Who.ID)
	switch {
	case err != nil:
		return outcome{}, err
	case t.Phase == table.Cutting:
		tx.back(seat)
		return outcome{changed: true, shown: true, opened: t.ID.String(), toast: &words.Phrase{Key: "done.back"}}, nil
	}
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	tx.back(seat)
	t.Chairs[seat].Leaving = table.Stays
	if t.Host == 0 {
		t.Host = tx.req.Who.ID
	}
	tx.events = append(tx.events, engine.Event{What: "back", Seat: seat, To: engine.Nobody})
	o, err := tx.settle(state, engine.Nobody) // Their time runs on.
	o.toast, o.opened = &words.Phrase{Key: "done.back"}, t.ID.String()
	return o, err
}

// stopTable ends the table for everybody, unless that is for admins in the place.
func (tx *transaction) stopTable(ctx context.Context) (outcome, error) {
	if tx.table.Phase == table.Ended {
		return outcome{}, table.ShowTable(table.ErrEnded)
	}
	if tx.table.Lesson {
		if _, seated := tx.table.SeatOf(tx.req.Who.ID); seated {
			return tx.endLesson()
		}
		return tx.end(table.Stops(tx.table, tx.req.Who.ID), nil), nil
	}
	if !tx.req.Who.Admin && !tx.family.traits().alone {
		record, err := table.GetPlace(tx.Tx, tx.table.Place)
		if err == nil {
			err = table.MayStop(record, tx.table, tx.req.Who)
		}
		if err != nil {
			return outcome{}, err
		}
	}
	if tx.answered == nil {
		var err error
		if tx.answered, err = tx.tables.Questions.Repeats(tx.Tx, tx.table.Origin(), tx.req, tx.table.ID.Name, "!stop"); err != nil {
			return outcome{}, err
		}
	}
	return tx.family.stop(ctx)
}

// askStop asks again before a table ends.
func (tx *transaction) askStop(question, label string) (outcome, error) {
	return tx.ask(words.Phrase{Key: question}, 0, chat.Button{Label: tx.say(label), Token: "!stop", Look: chat.Danger})
}

// whom asks which player to remove.
func (tx *transaction) whom() (outcome, error) {
	if tx.table.Phase == table.Ended {
		return outcome{}, table.ErrEnded
	}
	var buttons []chat.Button
	for _, c := range tx.table.Chairs {
		if !c.Left && (c.User != 0 || tx.table.Phase == table.Lobby) {
			buttons = append(buttons, chat.Button{Label: c.Name, Token: "!remove " + c.Key(), Look: chat.Danger})
		}
	}
	return tx.ask(words.Phrase{Key: "choose-person"}, 0, buttons...)
}

// show posts the newest picture at the bottom of the channel, and takes the buttons off the old one. Where that was done a moment ago the
// picture stays: whoever wants to see it once more finds it there.
func (tx *transaction) show() (outcome, error) {
	if tx.table.Phase == table.Ended && tx.stored.Key == table.KeyEnded(tx.table.ID) {
		return outcome{}, table.ErrEnded
	}
	return outcome{shown: true, opened: tx.table.ID.String(), anew: tx.tables.shows.may(tx.table.ID, tx.req.ID, tx.now)}, nil
}

// shows are when tables were shown anew last because somebody asked for it, so that nobody fills a chat with pictures of one. They end with
// the process.
type shows struct {
	mu   sync.Mutex
	last map[table.ID]show
}

// show is a request by which a table was shown, and when that was.
type show struct {
	request string
	at      table.Running
}

const (
	// showEvery is how often a table is shown anew at most, maxShows of how many it is remembered when they were.
	showEvery, maxShows = 20 * time.Second, 1000
)

// may notes that a table is shown anew, and reports whether it may be: not if that has just been done by another request.
func (s *shows) may(id table.ID, request string, now table.Running) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, known := s.last[id]
	if known && last.request != request && last.at.Until(now) < showEvery {
		return false
	}
	if s.last == nil || len(s.last) >= maxShows {
		s.last = map[table.ID]show{}
	}
	s.last[id] = show{request, now}
	return true
}
