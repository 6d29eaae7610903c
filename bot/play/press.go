package play

import (
	"context"
	"errors"
	"strings"

	"zevaka/bot/table"
	"zevaka/engine"
)

func (tx press) press(ctx context.Context, tok table.Token) (outcome, error) {
	if err := table.MayPressFrom(tx.table, tx.req); err != nil {
		return outcome{}, err
	}
	if seat, ok := tx.table.SeatOf(tx.req.Who.ID); ok && tx.req.Live && !tx.table.Chairs[seat].Left && errors.Is(tx.req.Barred(), table.ErrUnsure) {
		tx.req.Bar(nil) // The seat was taken in the place.
	}
	now := table.Tap{User: tx.req.Who.ID, Token: table.HashNumber(tx.req.Data), At: tx.now}
	if tx.atBank() && tok.Do[0] != '!' {
		now.Do = table.HashNumber(tok.Do)
	}
	if bounces(*tx.tapOf(now.User), now, !table.MeantTwice(tok.Do)) {
		return outcome{shown: true}, nil
	}
	o, err := tx.do(ctx, tok)
	if err == nil && o.changed {
		*tx.tapOf(now.User) = now
	}
	return o, err
}

func (tx press) do(ctx context.Context, tok table.Token) (outcome, error) {
	if action, ok := strings.CutPrefix(tok.Do, "!"); ok {
		name, arg, _ := strings.Cut(action, " ")
		return tx.act(ctx, tok.Epoch, name, arg)
	}
	if tx.req.Barred() != nil {
		return outcome{}, tx.req.Barred()
	}
	if phase := tx.table.Phase; phase == table.Lobby || phase == table.Cutting {
		return outcome{}, table.ShowTable(table.ErrStale)
	}
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	return tx.move(ctx, state, seat, tok)
}

// move makes the move of a button or of a command; a command has no epoch.
func (tx press) move(ctx context.Context, state engine.State, seat engine.Seat, tok table.Token) (outcome, error) {
	if err := tx.stillMeant(state, tok.Epoch); err != nil {
		return outcome{}, err
	}
	move, err := tx.rules.Parse(tok.Do)
	if err != nil {
		return outcome{}, err
	}
	return tx.family.play(ctx, state, seat, move)
}
