package play

import (
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
)

// end closes the table: why names the reason of a stop, result is that of a deal played to its end.
func (tx *transaction) end(why string, result *engine.Result) outcome {
	t := tx.table
	t.Phase, t.Why, t.Result = table.Ended, why, result
	t.Ended = tx.tables.Now().Unix()
	// The picture that follows bears the level that save gives.
	t.EndedAt = t.Level + 1
	t.Kept, t.Asleep, t.Warn, t.Chance = nil, false, 0, 0
	t.Ends = tx.now.Add(lastPicture)
	return redrawn()
}

// lastPicture is how long a table's last picture waits to be shown before it is drawn again.
const lastPicture = time.Minute

// closeBooks settles what the end of a deal means for chips, for its session and for the scores. It returns the table
// that the session goes on at, and what there is to tell elsewhere.
func (tx *transaction) closeBooks() (next *table.Table, report *chat.Post, err error) {
	if next, err = tx.family.close(); err != nil {
		return nil, nil, err
	}
	if report, err = tx.report(); err != nil {
		return nil, nil, err
	}
	if tx.counts, err = tx.tables.Days.Count(tx.Tx, tx.table); err != nil {
		return nil, nil, err
	}
	return next, report, RecordResults(tx.Tx, tx.table, tx.rules.Info())
}
