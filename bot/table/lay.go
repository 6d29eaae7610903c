package table

import (
	"cmp"
	"fmt"
	"slices"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// ListInPlace puts a table on its place's list.
func ListInPlace(tx storage.Tx, t *Table) error {
	record, err := GetPlace(tx, t.Place)
	if err != nil {
		return err
	}
	record.Tables = append(slices.Clone(record.Tables), t.ID.Name)
	if err := PutPlace(tx, t.Place, record); err != nil {
		return fmt.Errorf("list table %s: %w", t.ID, err)
	}
	return nil
}

// partKey is where a person's part in the table stands.
func partKey(prefix string, t *Table, user int64) string {
	return KeyPart(prefix, t.Origin(), user, t.ID.Name)
}

// KeepParts makes the keys of people's parts in an open table those of the table as it is now. Before are those whom it
// named when it was read.
func KeepParts(tx storage.Tx, t *Table, before []int64) {
	now := t.People()
	for _, user := range now {
		if !slices.Contains(before, user) {
			tx.Put(partKey(keyspace.OpenParts, t, user), nil)
		}
	}
	for _, user := range before {
		if !slices.Contains(now, user) {
			tx.Delete(partKey(keyspace.OpenParts, t, user))
		}
	}
}

// LayAmongEnded moves the parts of people in the table, and the table itself from that key, from the open ones to those
// that ended, and lists it there. It returns the key under which the table is to be put.
func LayAmongEnded(tx storage.Tx, t *Table, key string) string {
	tx.Delete(key)
	ListEnded(tx, t)
	for i, user := range t.People() {
		if i < MaxParts {
			tx.Delete(partKey(keyspace.OpenParts, t, user))
		}
	}
	return KeyEnded(t.ID)
}

// MaxVanished is how many of the tables that vanished last a place remembers.
const MaxVanished = 16

// Vanish takes the table that lies under that key out of the store, with the parts of the people whom it named when it was
// read. Its place remembers for a while which request had opened it: delivered again that must not open another one.
func Vanish(tx storage.Tx, t *Table, key string, before []int64) error {
	tx.Delete(key)
	for _, user := range before {
		tx.Delete(partKey(keyspace.OpenParts, t, user))
	}
	record, err := GetPlace(tx, t.Place)
	if err != nil {
		return err
	}
	record.Vanished = append(slices.Clone(record.Vanished), cmp.Or(t.Opener, t.ID.Name))
	record.Vanished = record.Vanished[max(0, len(record.Vanished)-MaxVanished):]
	return PutPlace(tx, t.Place, record)
}
