package play

import (
	"context"

	"zevaka/bot/table"
)

// answer does what was chosen by somebody who was asked something at the table.
func (tx press) answer(ctx context.Context, arg string) (o outcome, err error) {
	q, do, err := tx.tables.Questions.Answer(tx.Tx, tx.table.Origin(), tx.req, tx.table.ID.Name, arg)
	if err == nil && q.Epoch != 0 {
		err = tx.still(ctx, q.Epoch)
	}
	if err == nil {
		tx.answered = &q
		o, err = tx.do(ctx, table.Token{Table: tx.table.ID, Epoch: q.Epoch, Do: do})
	}
	if err != nil {
		tx.answered = nil
		if q.Epoch != 0 {
			err = table.ShowTable(err)
		}
		return outcome{posts: tx.tables.Unanswered(tx.req, err)}, err
	}
	o.shown = o.shown || q.Epoch != 0
	return o, nil
}

// still refuses an answer when the table's buttons don't mean any more what they meant when it was asked for.
func (tx press) still(ctx context.Context, epoch int) error {
	if tx.table.Phase != table.Playing {
		return table.ErrStale
	}
	state, err := tx.position(ctx)
	if err == nil && tx.table.Epoch(state) != epoch {
		err = table.ErrStale
	}
	return err
}
