package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
			s.log.Error("a table can't be read", "community", p.Community.String(), "table", name, "error", err)
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

// IsOpen reports whether a table is open, and whether it is there at all.
func (s Shelf) IsOpen(ctx context.Context, id ID) (open, there bool, err error) {
	t, err := s.LookAt(ctx, id)
	if errors.Is(err, ErrGone) {
		return false, false, nil
	}
	return err == nil && t.Phase != Ended, err == nil, err
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
