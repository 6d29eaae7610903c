package play

import (
	"fmt"
	"strconv"

	"zevaka/bot/keyspace"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// RecordResults adds what has ended at the table, if anything has, to the scores, and notes at the table what was added. The table is
// of a game with this info, and is about to be stored in the same transaction.
func RecordResults(tx storage.Tx, t *table.Table, info engine.Info) error {
	if t.Numbered != nil && t.Result != nil {
		first, err := count(tx, t)
		if err != nil || !first {
			return err
		}
	}
	counting := t.Counting(info.MaxSeats)
	keys := make([]scores.Key, len(counting))
	for i, f := range counting {
		keys[i] = scores.Key{Community: t.Origin(), Game: t.Game, User: f.User}
	}
	if len(counting) == 0 {
		return nil
	}
	if counting[0].Before != nil {
		if err := rate(tx, t, counting, keys); err != nil {
			return fmt.Errorf("rate the people at table %s: %w", t.ID, err)
		}
		counting = t.Counting(info.MaxSeats)
	}
	for i, f := range counting {
		n, err := scores.Record(tx, keys[i], f.Name, f.Finish)
		if err != nil {
			return fmt.Errorf("record the result of table %s: %w", t.ID, err)
		}
		*f.N = n
	}
	return nil
}

// rate notes at the table what the people's ratings are before what ended there is counted.
func rate(tx storage.Tx, t *table.Table, counting []table.Finished, keys []scores.Key) error {
	if err := scores.Ahead(tx, keys...); err != nil {
		return err
	}
	tallies, err := scores.Read(tx, keys...)
	if err != nil {
		return err
	}
	for i, f := range counting {
		*f.Before = tallies[i].Rating
		if !f.Before.IsRated() {
			*f.Before = scores.StartRating()
		}
	}
	return note(tx, t)
}

// keyNumber is where it stands that a person has finished the deal of a number.
func keyNumber(t *table.Table) string {
	parts := t.Origin() + "/" + t.Game + "/" + strconv.FormatInt(t.Chairs[0].User, 36) + "/" + strconv.FormatInt(*t.Numbered, 36)
	return keyspace.Numbers + parts
}

// count notes that the one at the table has finished the deal of its number, and reports whether that is the first time, as far as
// tables tell that are kept. Then it counts once.
func count(tx storage.Tx, t *table.Table) (first bool, err error) {
	items, err := tx.Get(keyNumber(t))
	if err != nil {
		return false, fmt.Errorf("look whether deal %d was played before: %w", *t.Numbered, err)
	}
	if items[0].Rev != 0 {
		return false, nil
	}
	tx.Put(keyNumber(t), nil)
	t.Once = true
	return true, nil
}

// LeaveResults takes away what is stored beside a table of the number of its deal: when the table leaves, or its player is forgotten.
func LeaveResults(tx storage.Tx, t *table.Table) {
	if t.Once {
		tx.Delete(keyNumber(t))
		t.Once = false
	}
}

// ExamineNumber returns an error if an item isn't what says that a deal was played.
func ExamineNumber(item storage.Item) error {
	if len(item.Value) != 0 {
		return fmt.Errorf("%s: there is nothing to say of a number", item.Key)
	}
	return nil
}
