package play

import (
	"context"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/engine"
)

// carry moves a whole pile to a foundation in one press, card after card. The text names both piles, as in a record.
func (tx single) carry(ctx context.Context, epoch int, what string) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err == nil {
		err = tx.stillMeant(state, epoch)
	}
	if err != nil {
		return outcome{}, err
	}
	if isOver(state) {
		return outcome{}, table.ErrStuck
	}
	view := state.View(engine.Nobody)
	move, err := board.Reader{Rules: tx.rules, Words: tx.tables.Words}.Between(view, what)
	if err != nil {
		return outcome{}, err
	}
	n := board.WholePile(tx.rules.Info(), view, move)
	if n == 0 {
		return outcome{}, table.ErrAction
	}
	for i := range n {
		if err := tx.stepWith(state, engine.Step{Seat: seat, Move: move}, i > 0); err != nil {
			return outcome{}, err
		}
	}
	tx.back(seat)
	return tx.settle(state, seat)
}
