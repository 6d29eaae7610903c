package play

import (
	"fmt"

	"zevaka/bot/table"
	"zevaka/engine"
)

// practice is a bank that is held for the table's own chips. Computer players may sit there, and hold it.
type practice struct{ bank }

// move makes the move of a computer player and settles it; false if none of them has anything to do.
func (tx practice) move(state engine.State) (o outcome, done bool, err error) {
	if !tx.table.Practice {
		return outcome{}, false, nil
	}
	if gone, err := tx.clear(state); err != nil || gone {
		if err == nil {
			o, err = tx.settle(state, engine.Nobody)
		}
		return o, true, err
	}
	step, ok := alarmed{tx.transaction}.computerStep(state)
	if !ok || tx.mayMove(state, step.Seat, step.Move) != nil {
		return outcome{}, false, nil
	}
	if step, err = tx.till().Afford(state, step); err == nil {
		err = tx.step(state, step)
	}
	if err != nil {
		return outcome{}, true, fmt.Errorf("move for computer %d of table %s: %w", step.Seat, tx.table.ID, table.AsFault(err))
	}
	o, err = tx.settle(state, step.Seat)
	return o, true, err
}
