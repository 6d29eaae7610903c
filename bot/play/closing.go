package play

import (
	"context"
	"fmt"
	"slices"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// plays reports whether the one who asks has a part in the bank that is held. What such a person decides about others takes
// effect only when the bank has ended: they could gain by it, even after they have thrown in their hand. What an admin
// decides who doesn't play takes effect after the hand.
func (tx bank) plays() bool {
	_, seated := tx.table.SeatOf(tx.req.Who.ID)
	return tx.banks() && seated
}

// banks reports whether a bank was laid out at the table and is still held.
func (tx bank) banks() bool {
	return tx.table.Phase == table.Cutting || tx.table.Phase == table.Playing
}

// stop closes the table once the bank, or at least the hand in play, is settled.
func (tx bank) stop(ctx context.Context) (outcome, error) {
	switch {
	case tx.answered == nil && table.StopsOthers(tx.table, tx.req.Who.ID) && tx.plays():
		return tx.askStop("confirm-stop-bank", "button.stop")
	case tx.banks() && (tx.answered != nil || !table.StopsOthers(tx.table, tx.req.Who.ID)):
		return tx.shut(ctx)
	}
	return tx.free.stop(ctx)
}

// shut closes a table where a bank is held: now if that may be, or else as soon as it may.
func (tx bank) shut(ctx context.Context) (outcome, error) {
	t := tx.table
	c := table.Closing{By: engine.Nobody, Why: table.Stops(t, tx.req.Who.ID)}
	if tx.plays() {
		c.By, _ = t.SeatOf(tx.req.Who.ID)
		c.Bank = true
	}
	if t.Closing == nil || t.Closing.Bank && !c.Bank {
		t.Closing = &c
	}
	o := redrawn()
	switch {
	case t.Phase == table.Playing:
		state, err := tx.position(ctx)
		if err == nil {
			o, err = tx.settle(state, engine.Nobody)
		}
		if err != nil {
			return outcome{}, err
		}
	case !t.Closing.Bank:
		o = tx.end(t.Closing.Why, nil)
	}
	if t.Phase != table.Ended {
		o.toast = board.Closes(t)
	}
	return o, nil
}

// cutShort ends a table before its time because it can't go on. A hand that must be settled is settled at once.
func (tx bank) cutShort(ctx context.Context, why string) (outcome, error) {
	if !tx.atBank() {
		return tx.free.cutShort(ctx, why)
	}
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	if err := tx.playOut(state, why); err != nil {
		return outcome{}, err
	}
	return tx.settle(state, engine.Nobody)
}

// playOut makes the moves that settle the hand in play, so that the table can close.
func (tx bank) playOut(state engine.State, why string) error {
	tx.table.Closing = &table.Closing{By: engine.Nobody, Why: why}
	for Bound(tx.rules.Info(), state) {
		seat := state.Turn()[0]
		move, err := tx.till().FairMove(state, seat)
		if err == nil {
			err = tx.step(state, engine.Step{Seat: seat, Move: move})
		}
		if err != nil {
			return fmt.Errorf("settle the hand at table %s: %w", tx.table.ID, table.AsFault(err))
		}
	}
	return nil
}

// takeOutLater has somebody leave when the bank has ended, because another player of it wants that.
func (tx bank) takeOutLater(ctx context.Context, seat engine.Seat) (outcome, error) {
	t := tx.table
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Removed = true
	if c.Leaving == table.Stays {
		c.Leaving = table.AfterBank
	}
	t.PassHost(c.User, seat)
	o := redrawn()
	if t.Phase == table.Playing {
		state, err := tx.position(ctx)
		if err == nil {
			o, err = tx.settle(state, engine.Nobody) // Their turn has a limit from now on.
		}
		if err != nil {
			return o, err
		}
	}
	o.toast = &words.Phrase{Key: "leaving-bank", Blanks: words.Blanks{"who": t.Chairs[seat].Name}}
	return o, nil
}

// letGo notes who has left now, because the hand that they waited for is settled.
func (tx bank) letGo(chips engine.Chips) {
	t := tx.table
	for i, c := range t.Chairs {
		if c.Leaving == table.AfterHand && chips.Stakes[i] == 0 {
			t.Chairs = slices.Clone(t.Chairs)
			t.Chairs[i].Leaving, t.Chairs[i].Left = table.Stays, true
		}
	}
}

// turnLasts is how long the turn lasts, or the pack waits for its cutter; 0 where there is no limit.
func (tx *transaction) turnLasts() time.Duration {
	if t := tx.table; tx.atBank() && t.Hurry {
		return time.Duration(bank{free{tx}}.turnTime(engine.Seat(t.Mover))) * time.Second
	}
	return tx.table.TurnTime()
}

// longest is the longest time for a turn, in seconds.
const longest = 24 * 3600

// turnTime is the time for the turn of a seat, in seconds; 0 is no limit. Where turns have no limit there is one
// nevertheless for the banker, at a table that closes, and for somebody who leaves: the others wait for them. It is no
// longer than usual for a banker whose table closes, since he can't choose what he does, and for whoever has said that they
// leave.
func (tx bank) turnTime(seat engine.Seat) int {
	t := tx.table
	if t.Lesson {
		return 0 // Nobody waits.
	}
	limit, c, ends := t.Limit, t.Chairs[seat], t.Closing != nil
	if limit == 0 && (seat == 0 || ends || c.Leaving != table.Stays) {
		limit = longest
	}
	if limit > DefaultLimit && (seat == 0 && ends || c.Leaving == table.AfterHand && !c.Removed) {
		limit = DefaultLimit
	}
	return limit
}
