package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"zevaka/engine"
)

// leave takes the one who asks from the table: out of a lobby at once; in a deal the computer takes the seat.
func (v *visit) leave(ctx context.Context) error {
	t := v.table
	seat, ok := t.seatOf(v.req.Who.ID)
	switch {
	case t.Phase == ended:
		v.shown = true
		return errEnded
	case t.waits(v.req.Who.ID):
		t.Waiting = slices.DeleteFunc(slices.Clone(t.Waiting), func(c chair) bool { return c.User == v.req.Who.ID })
		v.changed, v.shown = true, true
		return nil
	case !ok:
		return errNotSeated
	case t.Phase != lobby && seat == 0 && v.rules.Info().Banker:
		return errBankerStays
	case t.Phase == playing && isSolo(v.rules.Info()):
		return v.askGiveUp(ctx)
	}
	return v.takeOut(ctx, seat)
}

// waits reports whether the user sits down with the next deal.
func (t *table) waits(user int64) bool {
	return slices.ContainsFunc(t.Waiting, func(c chair) bool { return c.User == user })
}

// remove takes somebody else from the table, if the one who asks may. The argument is a chair's key, or a number
// counted from 1 as somebody typed it.
func (v *visit) remove(ctx context.Context, arg string) error {
	switch {
	case v.table.Phase == ended:
		return errEnded
	case !v.mayManage():
		return errNotHost
	}
	seat := slices.IndexFunc(v.table.Chairs, func(c chair) bool { return c.key() == arg })
	if typed, ok := strings.CutPrefix(arg, "#"); ok {
		n, err := strconv.Atoi(typed)
		if err != nil || n < 1 || n > len(v.table.Chairs) {
			return refuse(string(errNoSeat), blanks{"what": shorten(typed, 20)})
		}
		seat = n - 1
	}
	if seat < 0 {
		v.shown = true
		return errStale
	}
	if c := v.table.Chairs[seat]; v.table.Phase != lobby && (c.User == 0 || c.Left) {
		return errNotPerson
	}
	v.removed = v.table.Chairs[seat].User != v.req.Who.ID
	return v.takeOut(ctx, engine.Seat(seat))
}

// key names the chair in a token, wherever it may stand by then.
func (c chair) key() string {
	if c.User == 0 {
		return c.Name
	}
	return strconv.FormatInt(c.User, 36)
}

// takeOut ends a seat's part in the table.
func (v *visit) takeOut(ctx context.Context, seat engine.Seat) error {
	t := v.table
	c := t.Chairs[seat]
	if t.Phase != lobby && (c.Left || c.User == 0) {
		return errLeft
	}
	t.Chairs = slices.Clone(t.Chairs)
	if t.Phase == lobby {
		t.Chairs = slices.Delete(t.Chairs, int(seat), int(seat)+1)
	} else {
		t.Chairs[seat].Left, t.Chairs[seat].Removed = true, v.removed
	}
	if c.User != 0 && c.User == t.Host {
		t.Host = t.nextHost(int(seat))
	}
	if c.User != 0 && t.persons() == 0 {
		v.end("stop-empty", nil)
		return nil
	}
	switch t.Phase {
	case lobby:
		v.keepLobby()
	case cutting:
		t.Cutter = cutter(t.Chairs, v.rules.Info().Banker)
		v.changed, v.shown = true, true
	case playing:
		state, err := v.play(ctx)
		if err != nil {
			return err
		}
		return v.leaveDeal(state, seat)
	}
	return nil
}

// leaveDeal ends a person's part in a deal: a computer plays on, or, where there are none, the hand is thrown in.
func (v *visit) leaveDeal(state engine.State, seat engine.Seat) error {
	what := "left"
	if v.removed {
		what = "removed"
	}
	banker := v.rules.Info().Banker
	if !banker {
		v.events = append(v.events, engine.Event{What: what, Seat: seat, To: engine.Nobody})
	}
	if err := v.settle(state, seat); err != nil {
		return err
	}
	if c := v.table.Chairs[seat]; banker && !c.Out && v.table.Phase == playing {
		v.toast = &phrase{key: v.leaving(seat), blanks: blanks{"who": c.Name}}
	}
	return nil
}

// leaving names what there is to say of a person who leaves while chips of theirs lie on the table.
func (v *visit) leaving(seat engine.Seat) string {
	switch {
	case seat == 0:
		return "leaving-banker"
	case v.removed:
		return "leaving-other"
	}
	return "leaving"
}

// nextHost is the next person in seat order from the seat that was left; 0 if there is none.
func (t *table) nextHost(seat int) int64 {
	for i := range t.Chairs {
		if c := t.Chairs[(seat+i)%len(t.Chairs)]; c.User != 0 && !c.Left {
			return c.User
		}
	}
	return 0
}

// comeBack gives a seat back to its person.
func (v *visit) comeBack(ctx context.Context) error {
	t := v.table
	seat, ok := t.seatOf(v.req.Who.ID)
	switch {
	case t.Phase == ended:
		v.shown = true
		return errEnded
	case !ok:
		return errNotSeated
	case t.Chairs[seat].Removed:
		return errRemoved
	case t.Phase == lobby || !t.Chairs[seat].computer() && !t.Asleep:
		return errNotAway
	case t.Phase == cutting:
		v.back(seat)
		v.changed, v.shown = true, true
		return nil
	}
	state, err := v.play(ctx)
	if err != nil {
		return err
	}
	v.back(seat)
	if t.Host == 0 {
		t.Host = v.req.Who.ID
	}
	v.events = append(v.events, engine.Event{What: "back", Seat: seat, To: engine.Nobody})
	return v.settle(state, seat)
}

// back notes that the seat's person is there.
func (v *visit) back(seat engine.Seat) {
	t := v.table
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Missed, c.Away, c.Left = 0, false, false
	t.Quiet, t.Asleep = 0, false
}

// askStop ends a table at once if nobody else is concerned, and otherwise asks again before it does.
func (v *visit) askStop() error {
	if v.table.Phase == ended || !v.mayManage() || v.table.Phase != playing && v.table.persons() <= 1 {
		return v.stop()
	}
	v.ask("confirm-stop", []Button{{
		Label: v.bot.words.Lang(v.req.Who.Lang).Say("button.stop-game"), Token: v.wishToken("stop-now"), Look: Danger,
	}})
	return nil
}

// stop ends the table for everybody, if the one who asks may.
func (v *visit) stop() error {
	switch {
	case v.table.Phase == ended:
		v.shown = true
		return errEnded
	case !v.mayManage():
		return errNotHost
	}
	v.end("stop-host", nil)
	return nil
}

// whom asks which player to remove.
func (v *visit) whom() error {
	switch {
	case v.table.Phase == ended:
		return errEnded
	case !v.mayManage():
		return errNotHost
	}
	var buttons []Button
	for _, c := range v.table.Chairs {
		if !c.Left && (c.User != 0 || v.table.Phase == lobby) {
			buttons = append(buttons, Button{Label: c.Name, Token: v.wishToken("remove " + c.key()), Look: Danger})
		}
	}
	v.ask("choose-person", buttons)
	return nil
}

// offer is a question and its answers: a few as buttons, one below the other, many in lists.
func offer(question string, answers []Button) Message {
	const few = 5
	m := Message{Text: []Span{{Text: question}}}
	if len(answers) > few {
		m.Choices = Menus(question, answers)
	} else {
		m.Buttons = slices.Collect(slices.Chunk(answers, 1))
	}
	return m
}

// ask puts a question to the one who asked, privately.
func (v *visit) ask(key string, answers []Button) {
	message := offer(v.bot.words.Lang(v.req.Who.Lang).Say(key), answers)
	who := v.req.Who
	v.posts = append(v.posts, Post{In: v.req.In, To: &who, Message: message})
}

// wishToken is the token of one of the table's own buttons.
func (v *visit) wishToken(do string) string { return token{Table: v.table.id, Do: "!" + do}.String() }

// show posts the newest picture at the bottom of the channel, and takes the buttons off the old one.
func (v *visit) show() error {
	if v.table.Phase == ended && v.key == keyEnded(v.table.id) {
		return errEnded
	}
	v.anew = true
	v.shown = true
	return nil
}
