package bot

import (
	"context"
	"slices"
	"strconv"

	"zevaka/engine"
)

// leave takes the one who asks from the table: out of a lobby at once; in a deal the computer takes the seat.
func (v *visit) leave(ctx context.Context) error {
	seat, ok := v.table.seatOf(v.req.Who.ID)
	switch {
	case v.table.Phase == ended:
		v.shown = true
		return errEnded
	case !ok:
		return errNotSeated
	}
	return v.takeOut(ctx, seat)
}

// remove takes somebody else from the table, if the one who asks may. The argument is a seat.
func (v *visit) remove(ctx context.Context, arg string) error {
	seat, err := strconv.Atoi(arg)
	switch {
	case v.table.Phase == ended:
		return errEnded
	case !v.mayManage():
		return errNotHost
	case err != nil || seat < 0 || seat >= len(v.table.Chairs):
		return refuse(string(errNoSeat), blanks{"what": strconv.Itoa(seat + 1)})
	}
	return v.takeOut(ctx, engine.Seat(seat))
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
		t.Chairs[seat].Left = true
	}
	if c.User != 0 && c.User == t.Host {
		t.Host = t.nextHost(int(seat))
	}
	if t.persons() == 0 {
		v.end("stop-empty", nil)
		return nil
	}
	switch t.Phase {
	case lobby:
		v.keepLobby()
	case cutting:
		t.Cutter = cutter(t.Chairs)
		v.changed, v.shown = true, true
	case playing:
		state, err := v.play(ctx)
		if err != nil {
			return err
		}
		v.events = append(v.events, engine.Event{What: "left", Seat: seat, To: engine.Nobody})
		v.settle(state, seat)
	}
	return nil
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
	case t.Phase != playing || !t.Chairs[seat].computer() && !t.Asleep:
		return errNotAway
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
	v.settle(state, seat)
	return nil
}

// back notes that the seat's person is there.
func (v *visit) back(seat engine.Seat) {
	t := v.table
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Missed, c.Away, c.Left = 0, false, false
	t.Quiet, t.Asleep = 0, false
}

// askStop ends a table at once if no cards are dealt, and otherwise asks again before it does.
func (v *visit) askStop() error {
	if v.table.Phase != playing || !v.mayManage() {
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
	for i, c := range v.table.Chairs {
		if !c.Left && (c.User != 0 || v.table.Phase == lobby) {
			buttons = append(buttons, Button{Label: c.Name, Token: v.wishToken("remove " + strconv.Itoa(i)), Look: Danger})
		}
	}
	v.ask("choose-person", buttons)
	return nil
}

// stack puts buttons one below the other, or in pairs if they are too many for that.
func stack(buttons []Button) [][]Button {
	const most = 5
	if len(buttons) <= most {
		return slices.Collect(slices.Chunk(buttons, 1))
	}
	return slices.Collect(slices.Chunk(buttons, 2))
}

// ask puts a question with buttons to the one who asked, privately.
func (v *visit) ask(key string, buttons []Button) {
	message := Message{Text: []Span{{Text: v.bot.words.Lang(v.req.Who.Lang).Say(key)}}, Buttons: stack(buttons)}
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
