package bot

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"zevaka/engine"
)

const (
	// errStale refuses a button that was drawn before the table moved on.
	errStale engine.Refusal = "stale"
	// errEnded refuses a press at a table where nothing is played any more.
	errEnded engine.Refusal = "table-ended"
	// errNotSeated refuses somebody who doesn't sit at the table.
	errNotSeated engine.Refusal = "not-seated"
	// errLeft refuses a move by somebody whose seat the computer has taken.
	errLeft engine.Refusal = "you-left"
)

// doubleTap is how long, in milliseconds, a second press of the same button by the same person is the first one again.
const doubleTap = 500

// press does what a button says.
func (b *Bot) press(ctx context.Context, r Request) (Response, error) {
	tok, err := parseToken(r.Data)
	if err != nil {
		return Response{}, err
	}
	if tok.Table.Name == noTable {
		return b.pressPlace(ctx, r, tok)
	}
	if tok.Do == "!again" {
		return b.again(ctx, r, tok.Table)
	}
	return b.at(ctx, r, tok.Table, func(v *visit) error { return v.press(ctx, tok) })
}

func (v *visit) press(ctx context.Context, tok token) error {
	if err := v.fromHere(); err != nil {
		return err
	}
	now := tap{User: v.req.Who.ID, Token: number(v.req.Data), At: v.now}
	if v.atBank() && tok.Do[0] != '!' {
		now.Do = number(tok.Do)
	}
	if v.tapOf(now.User).bounces(now, !meantTwice(tok.Do)) {
		v.shown = true
		return nil
	}
	err := v.do(ctx, tok)
	if err == nil && v.changed {
		*v.tapOf(now.User) = now
	}
	return err
}

// fromHere refuses a press that was made elsewhere than where the table is: anybody can write a token, also somebody who
// isn't there. Alone with the bot people press what they were given there; for that they must have a part in the table.
func (v *visit) fromHere() error {
	t, at := v.table, v.req.In
	if at.same(t.Place) {
		return nil
	}
	if !at.Private {
		return errToken
	}
	if _, ok := t.seatOf(v.req.Who.ID); !ok && !t.waits(v.req.Who.ID) {
		return errNotSeated
	}
	return nil
}

// atBank reports whether a deal with a banker is on.
func (v *visit) atBank() bool { return v.rules.Info().Banker && v.table.Phase == playing }

// tapOf is where the table keeps the user's last press. Where chips are at stake everybody at the table has their own: a
// thumb bounces all the same when somebody else presses in between.
func (v *visit) tapOf(user int64) *tap {
	t := v.table
	if seat, ok := t.seatOf(user); ok && v.atBank() {
		t.Chairs = slices.Clone(t.Chairs)
		return &t.Chairs[seat].Tap
	}
	return &t.Tap
}

// bounces reports whether now is this press again: the same button a moment later if that can't be meant, or where chips
// are at stake the same move, which a new button may offer under the same thumb. After a start the running time may be
// behind what the table has seen, by as much as it is saved apart.
func (last tap) bounces(now tap, once bool) bool {
	since := now.At - last.At
	again := once && last.Token == now.Token && since >= 0 && since < doubleTap
	slipped := now.Do != 0 && last.Do == now.Do && since >= -saveEvery.Milliseconds() && since < slip
	return last.User == now.User && (again || slipped)
}

// clearTap forgets what the one who must move now did before, if it was somebody else who had to: what they do now they
// mean.
func (v *visit) clearTap(must engine.Seat, before int) {
	if before == int(must) {
		return
	}
	v.table.Chairs = slices.Clone(v.table.Chairs)
	v.table.Chairs[must].Tap.Do = 0
}

// number is a hash of the text as a number.
func number(text string) uint64 {
	h := hash(text)
	return binary.BigEndian.Uint64(h[:])
}

// meantTwice reports whether a button may be pressed twice in a row on purpose: those that count up or switch.
func meantTwice(do string) bool {
	name, _, _ := strings.Cut(do, " ")
	return slices.Contains([]string{"!rounds", "!robot", "!norobot", "!panel", "!set", "!opt", "!limit", "!fast"}, name)
}

// same reports whether two places are the same channel and thread.
func (p Place) same(other Place) bool {
	return p.Community == other.Community && p.Channel == other.Channel && p.Thread == other.Thread
}

func (v *visit) do(ctx context.Context, tok token) error {
	if wish, ok := strings.CutPrefix(tok.Do, "!"); ok {
		name, arg, _ := strings.Cut(wish, " ")
		return v.wish(ctx, tok.Epoch, name, arg)
	}
	t := v.table
	switch t.Phase {
	case lobby, cutting:
		v.shown = true
		return errStale
	case ended:
		v.shown = true
		return errEnded
	}
	seat, ok := t.seatOf(v.req.Who.ID)
	if !ok {
		return errNotSeated
	}
	if t.Chairs[seat].Left {
		return errLeft
	}
	state, err := v.play(ctx)
	if err != nil {
		return err
	}
	return v.move(state, seat, tok)
}

// move makes the move of a button, or of a command, which knows no epoch.
func (v *visit) move(state engine.State, seat engine.Seat, tok token) error {
	if err := v.stillMeant(state, tok.Epoch); err != nil {
		return err
	}
	move, err := v.rules.Parse(tok.Do)
	if err != nil {
		return err
	}
	if isSolo(v.rules.Info()) && isOver(state) {
		return errStuck
	}
	return v.makeMove(state, seat, move)
}

// stillMeant refuses a button of another epoch. A command knows none.
func (v *visit) stillMeant(state engine.State, epoch int) error {
	if epoch == v.table.playEpoch(state) || v.req.Kind == Command {
		return nil
	}
	v.shown = true
	return errStale
}

// makeMove makes a person's move. On a table that sleeps the press counts even if the move doesn't: it wakes the table.
func (v *visit) makeMove(state engine.State, seat engine.Seat, move engine.Move) error {
	if gone, err := v.sendOff(state); err != nil {
		return err
	} else if gone {
		return v.settle(state, engine.Nobody)
	}
	if err := v.mayMove(state, seat, move); err != nil {
		return err
	}
	slept, reserved := v.table.Asleep, v.reserved(state, seat)
	err := v.step(state, engine.Step{Seat: seat, Move: move})
	if err == nil {
		err = v.covers(seat, move, reserved)
	}
	if err != nil && (!slept || v.steps > 0) {
		return err
	}
	v.back(seat)
	v.table.Chairs[seat].Passed = v.table.Window != 0 // One bet is all that others wait for.
	if broken := v.settle(state, seat); broken != nil {
		return broken
	}
	if err != nil {
		v.toast, v.alert = refusalPhrase(err), true
	}
	return nil
}

// playEpoch is the epoch of tokens in a deal: it rises when a move is taken back, too. Those of the lobby and of the cut
// are 0 and 1.
func (t *table) playEpoch(state engine.State) int { return 2 + state.Epoch() + 2*t.Undos }
