package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Shelf reads tables outside any request at one of them.
type Shelf struct {
	store storage.Store
	log   *slog.Logger
}

// NewShelf is the shelf of a store. Tables that can't be read are logged.
func NewShelf(store storage.Store, log *slog.Logger) Shelf { return Shelf{store, log} }

// TableIDs are the tables open in a place, the oldest first.
func (s Shelf) TableIDs(ctx context.Context, p chat.Place) ([]ID, error) {
	tables, err := s.Look(ctx, p)
	var ids []ID
	for _, t := range tables {
		ids = append(ids, t.ID)
	}
	return ids, err
}

// Look reads the tables that are open in a place, the oldest first, and changes nothing. One that can't be read is left
// out: the others can be played on.
func (s Shelf) Look(ctx context.Context, p chat.Place) ([]*Table, error) {
	return storage.Read(ctx, s.store, func(from storage.Reader) ([]*Table, error) {
		record, err := GetPlace(from, p)
		if err != nil {
			return nil, err
		}
		return s.lookAll(from, p, record.Tables)
	})
}

// lookAll reads the tables of these names that aren't over.
func (s Shelf) lookAll(from storage.Getter, p chat.Place, names []string) (tables []*Table, err error) {
	for _, name := range names {
		t, err := Look(from, ID{Community: p.Community, Name: name})
		var damaged storage.Damaged
		switch {
		case errors.Is(err, ErrGone):
		case errors.As(err, &damaged), errors.Is(err, ErrUnreadable):
			s.log.Error("a table can't be read", "table", ID{Community: p.Community, Name: name}, "error", err)
		case err != nil:
			return nil, err
		case t.Phase != Ended:
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// LookAt reads a table. It returns ErrGone if there is none.
func (s Shelf) LookAt(ctx context.Context, id ID) (*Table, error) {
	return storage.Read(ctx, s.store, func(from storage.Reader) (*Table, error) { return Look(from, id) })
}

// maxDeals is more than any session has deals.
const maxDeals = 1000

// Newest is the newest table of the session that goes on from a table, that itself where none does, and whether it is open.
func (s Shelf) Newest(ctx context.Context, id ID) (newest ID, open bool, err error) {
	for range maxDeals {
		t, err := s.LookAt(ctx, id)
		switch {
		case errors.Is(err, ErrGone):
			return id, false, nil
		case err != nil:
			return id, false, err
		case t.Phase != Ended || t.Next == "":
			return id, t.Phase != Ended, nil
		}
		id.Name = t.Next
	}
	return id, false, nil
}

// OpenIn are the tables open in a community.
func (s Shelf) OpenIn(ctx context.Context, c chat.Community) ([]ID, error) {
	items, err := Readable(ctx, s.store, s.log, keyspace.OpenTables+c.String()+"/")
	if err != nil {
		return nil, fmt.Errorf("look for the open tables of community %s: %w", c, err)
	}
	var ids []ID
	for _, item := range items {
		if id, ok := ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables)); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

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
// read. Its place remembers its name for a while: the request that had opened it, delivered again, must not open another one.
func Vanish(tx storage.Tx, t *Table, key string, before []int64) error {
	tx.Delete(key)
	for _, user := range before {
		tx.Delete(partKey(keyspace.OpenParts, t, user))
	}
	record, err := GetPlace(tx, t.Place)
	if err != nil {
		return err
	}
	record.Vanished = append(slices.Clone(record.Vanished), t.ID.Name)
	record.Vanished = record.Vanished[max(0, len(record.Vanished)-MaxVanished):]
	return PutPlace(tx, t.Place, record)
}
