package play

import (
	"context"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

func (tx bank) leave(ctx context.Context, seat engine.Seat) (outcome, error) {
	switch {
	case tx.table.Phase != table.Lobby && seat == 0:
		return outcome{}, table.ErrBankerStays
	case tx.answered == nil && tx.staked(seat) > 0:
		return tx.askLeave(ctx, seat)
	}
	return tx.takeOut(ctx, seat)
}

func (tx bank) takeOut(ctx context.Context, seat engine.Seat) (outcome, error) {
	if err := table.MayVacate(tx.table, seat); err != nil {
		return outcome{}, err
	}
	switch {
	case tx.byAnother(seat) && tx.plays():
		return tx.takeOutLater(ctx, seat)
	case tx.atBank():
		return tx.leaveBank(ctx, seat)
	}
	return tx.free.takeOut(ctx, seat)
}

// staked is what the seat has at stake in the deal, in kopecks.
func (tx bank) staked(seat engine.Seat) int64 {
	if t := tx.table; t.Phase == table.Playing && t.Chips != nil {
		return t.Chips.Stakes[seat]
	}
	return 0
}

// askLeave asks again before somebody leaves with a stake on the table.
func (tx bank) askLeave(ctx context.Context, seat engine.Seat) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	asked := words.Phrase{Key: "leave-ask", Blanks: words.Blanks{"n": int(tx.staked(seat))}}
	return tx.ask(asked, tx.table.Epoch(state), chat.Button{Label: tx.say("button.leave"), Token: "!leave", Look: chat.Danger})
}

// leaveBank ends a person's part in a bank: the hand is thrown in, unless it must be settled first.
func (tx bank) leaveBank(ctx context.Context, seat engine.Seat) (outcome, error) {
	t := tx.table
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Removed = c.Removed || tx.byAnother(seat)
	if Laid(tx.rules.Info(), state).Stakes[seat] == 0 {
		c.Left, c.Goes = true, table.Stays
	} else {
		c.Goes = table.AfterHand
	}
	t.PassHost(c.User, seat)
	o, err := tx.settle(state, engine.Nobody)
	if c := t.Chairs[seat]; !c.Out && t.Phase == table.Playing {
		o.toast = &words.Phrase{Key: tx.leaving(seat), Blanks: words.Blanks{"who": c.Name}}
	}
	return o, err
}

// leaving is the key of what is said of a person who leaves while chips of theirs lie on the table.
func (tx bank) leaving(seat engine.Seat) string {
	switch {
	case seat == 0:
		return "leaving-banker"
	case tx.byAnother(seat):
		return "leaving-other"
	}
	return "leaving"
}
