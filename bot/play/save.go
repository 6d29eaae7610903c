package play

import (
	"cmp"
	"slices"

	"zevaka/bot/index"
	"zevaka/bot/keyspace"
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
		return o, tx.vanish()
	case o.lastShown:
		tx.layAmongEnded()
	case tx.stored.Key == table.KeyOpen(t.ID):
		tx.keepParts()
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
		return o, table.Unlist(tx.Tx, t)
	}
	return o, nil
}

// partKey is where a person's part in the table stands.
func partKey(prefix string, t *table.Table, user int64) string {
	return table.KeyPart(prefix, t.Origin(), user, t.ID.Name)
}

// keepParts makes the keys of people's parts in an open table those of the table as it is now.
func (tx *transaction) keepParts() {
	now := tx.table.People()
	for _, user := range now {
		if !slices.Contains(tx.people, user) {
			tx.Put(partKey(keyspace.OpenParts, tx.table, user), nil)
		}
	}
	for _, user := range tx.people {
		if !slices.Contains(now, user) {
			tx.Delete(partKey(keyspace.OpenParts, tx.table, user))
		}
	}
}

// layAmongEnded moves the table, and people's parts in it, from the open ones to those that ended.
func (tx *transaction) layAmongEnded() {
	tx.Delete(tx.stored.Key)
	tx.stored.Key = table.KeyEnded(tx.table.ID)
	for i, user := range tx.table.People() {
		tx.Put(partKey(keyspace.EndedParts, tx.table, user), tx.table.PartValue())
		if i < index.MaxParts {
			tx.Delete(partKey(keyspace.OpenParts, tx.table, user))
		}
	}
}

// MaxVanished is how many of the tables that vanished last a place remembers.
const MaxVanished = 16

// vanish takes the table out of the store. Its place remembers for a while which request had opened it: delivered again
// that must not open another one.
func (tx *transaction) vanish() error {
	tx.Delete(tx.stored.Key)
	tx.stored.Rev = 0
	for _, user := range tx.people {
		tx.Delete(partKey(keyspace.OpenParts, tx.table, user))
	}
	record, err := table.GetPlace(tx.Tx, tx.table.Place)
	if err != nil {
		return err
	}
	record.Vanished = append(slices.Clone(record.Vanished), cmp.Or(tx.table.Opener, tx.table.ID.Name))
	record.Vanished = record.Vanished[max(0, len(record.Vanished)-MaxVanished):]
	return table.PutPlace(tx.Tx, tx.table.Place, record)
}
