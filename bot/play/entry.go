package play

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// Press does what a table's button says.
func (b *Tables) Press(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	return b.at(ctx, r, tok.Table, func(tx *transaction) (outcome, error) { return press{tx}.press(ctx, tok) })
}

// Do does what a token says, for a command. Picked says that the command named no table and one of several was chosen: the
// one who asks is told which it is.
func (b *Tables) Do(ctx context.Context, r chat.Request, tok table.Token, picked bool) (chat.Response, error) {
	return b.at(ctx, r, tok.Table, func(tx *transaction) (outcome, error) {
		o, err := press{tx}.do(ctx, tok)
		o.named = picked
		return o, err
	})
}

// CanBet reports whether the one who asks can stake at the table now.
func (b *Tables) CanBet(ctx context.Context, r chat.Request, id table.ID) (can bool, err error) {
	_, err = b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
		state, seat, err := tx.seated(ctx)
		can = err == nil && BetVerb(tx.rules.Info(), state, seat) != 0
		return outcome{}, err
	})
	return can, err
}
