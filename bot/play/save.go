package play

import (
	"zevaka/bot/table"
	"zevaka/storage"
)

// save puts the table where it belongs, and returns the outcome with what the end of the deal adds to it. It raises the
// level, so that no two pictures share one.
func (tx *transaction) save(o outcome) (_ outcome, err error) {
	t := tx.table
	ends := t.Phase == table.Ended && tx.phase != table.Ended
	if ends {
		if o.next, o.report, err = tx.closeBooks(); err != nil {
			return o, err
		}
	}
	switch {
	case o.lastShown && t.IsNothing():
		tx.stored.Rev = 0
		return o, table.Vanish(tx.Tx, t, tx.stored.Key, tx.people)
	case o.lastShown:
		tx.stored.Key = table.LayAmongEnded(tx.Tx, t, tx.stored.Key)
	case tx.stored.Key == table.KeyOpen(t.ID):
		table.KeepParts(tx.Tx, t, tx.people)
	}
	t.Level++
	if o.called != nil {
		t.Former = t.Board
	}
	if len(t.Tail) > table.MaxTail {
		tx.Put(table.KeyChunk(t, t.Chunks), t.Tail)
		t.Chunks++
		t.Tail = nil
	}
	if tx.stored.Value, err = t.Encode(); err != nil {
		return o, err
	}
	tx.stored.Rev = storage.Pending
	tx.Put(tx.stored.Key, tx.stored.Value)
	if ends {
		return o, table.UnlistFromPlace(tx.Tx, t)
	}
	return o, nil
}
