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
	if tok.Do == "!again" {
		return b.again(ctx, r, tok.Table)
	}
	return b.at(ctx, r, tok.Table, func(v *visit) error { return v.press(ctx, tok) })
}

func (v *visit) press(ctx context.Context, tok token) error {
	t := v.table
	if at := v.req.In; !at.Private && !at.same(t.Place) {
		return errToken
	}
	h := hash(v.req.Data)
	now := tap{User: v.req.Who.ID, Token: binary.BigEndian.Uint64(h[:]), At: v.now}
	// After a start the running time may be behind what the table has seen.
	since := v.now - t.Tap.At
	if t.Tap.User == now.User && t.Tap.Token == now.Token && since >= 0 && since < doubleTap && !meantTwice(tok.Do) {
		v.shown = true
		return nil
	}
	err := v.do(ctx, tok)
	if err == nil && v.changed {
		t.Tap = now
	}
	return err
}

// meantTwice reports whether a button may be pressed twice in a row on purpose: those that count up or switch.
func meantTwice(do string) bool {
	name, _, _ := strings.Cut(do, " ")
	return slices.Contains([]string{"!robot", "!norobot", "!panel", "!set", "!opt", "!limit", "!fast"}, name)
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

// move makes a person's move. On a table that sleeps the press counts even if the move doesn't: it wakes the table.
func (v *visit) move(state engine.State, seat engine.Seat, tok token) error {
	if tok.Epoch != playEpoch(state) {
		v.shown = true
		return errStale
	}
	move, err := v.rules.Parse(tok.Do)
	if err != nil {
		return err
	}
	slept := v.table.Asleep
	err = v.step(state, engine.Step{Seat: seat, Move: move})
	if err != nil && !slept {
		return err
	}
	v.back(seat)
	v.settle(state, seat)
	if err != nil {
		v.toast, v.alert = refusalPhrase(err), true
	}
	return nil
}

// playEpoch is the epoch of tokens in a deal. Those of the lobby and of the cut are 0 and 1.
func playEpoch(state engine.State) int { return 2 + state.Epoch() }
