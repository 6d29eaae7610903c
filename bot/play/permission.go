package play

import (
	"context"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// seated is the deal in progress and the seat of the one who asks.
func (tx *transaction) seated(ctx context.Context) (engine.State, engine.Seat, error) {
	seat, err := table.PlayerSeat(tx.table, tx.req.Who.ID)
	if err != nil {
		return nil, seat, err
	}
	state, err := tx.position(ctx)
	return state, seat, err
}

// atBank reports whether a deal with a banker is on.
func (tx *transaction) atBank() bool {
	return tx.family.traits().chips && tx.table.Phase == table.Playing
}

// stillMeant refuses a button of another epoch. A command knows none.
func (tx *transaction) stillMeant(state engine.State, epoch int) error {
	if epoch == tx.table.Epoch(state) || tx.req.Kind == chat.Command {
		return nil
	}
	return table.ShowTable(table.ErrStale)
}

// isFinal reports whether a move gives something up for good that its player may want to keep.
func (tx *transaction) isFinal(move engine.Move) bool {
	return tx.rules.Info().Verbs[move.Verb-1].Final
}

// asks reports whether the seat's person is asked again before such a move: it is final, or comes too early.
func (tx *transaction) asks(state engine.State, seat engine.Seat, move engine.Move) bool {
	return tx.isFinal(move) || tx.rules.Info().Verbs[move.Verb-1].Early && state.View(seat).Early
}

// back notes that the seat's person is there.
func (tx *transaction) back(seat engine.Seat) {
	t := tx.table
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Missed, c.Away, c.Left = 0, false, false
	t.Quiet, t.Asleep = 0, false
}

// reader is the language of the one who asks, for what is said of the table's board.
func (b *Tables) reader(r chat.Request, t *table.Table) *words.Lang {
	return b.Words.Lang(r.Who.Lang).At(b.Words.Lang(t.Lang))
}

// say is a sentence in the language of the one who asks.
func (tx *transaction) say(key string) string { return tx.tables.reader(tx.req, tx.table).Say(key) }

// refused is a refusal to somebody who looks at a board in that language.
type refused struct {
	error
	lang string
}

// Unwrap is the refusal.
func (r refused) Unwrap() error { return r.error }
