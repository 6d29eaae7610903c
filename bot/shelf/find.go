// Package shelf is where tables lie in the store: it finds them without changing them, and puts them where they belong as
// they open, end and vanish.
package shelf

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/refusal"
	"zevaka/bot/table"
	"zevaka/storage"
)

// Shelf reads tables outside any request at one of them.
type Shelf struct {
	store storage.Store
	log   *slog.Logger
}

// New is the shelf of a store. Tables that can't be read are logged.
func New(store storage.Store, log *slog.Logger) Shelf { return Shelf{store, log} }

// TableIDs are the tables open in a place, the oldest first.
func (s Shelf) TableIDs(ctx context.Context, p chat.Place) ([]table.ID, error) {
	tables, err := s.Look(ctx, p)
	var ids []table.ID
	for _, t := range tables {
		ids = append(ids, t.ID)
	}
	return ids, err
}

// Look reads the tables that are open in a place, the oldest first, and changes nothing. One that can't be read is left
// out: the others can be played on.
func (s Shelf) Look(ctx context.Context, p chat.Place) ([]*table.Table, error) {
	return storage.Read(ctx, s.store, func(from storage.Reader) ([]*table.Table, error) {
		record, err := table.GetPlace(from, p)
		if err != nil {
			return nil, err
		}
		return s.lookAll(from, p, record.Tables)
	})
}

// lookAll reads the tables of these names that aren't over.
func (s Shelf) lookAll(from storage.Getter, p chat.Place, names []string) (tables []*table.Table, err error) {
	for _, name := range names {
		t, err := table.Look(from, table.ID{Community: p.Community, Name: name})
		var damaged storage.Damaged
		switch {
		case errors.Is(err, refusal.Gone):
		case errors.As(err, &damaged), errors.Is(err, table.ErrUnreadable):
			s.log.Error("a table can't be read", "community", p.Community.String(), "table", name, "error", err)
		case err != nil:
			return nil, err
		case t.Phase != table.Ended:
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// LookAt reads a table. It returns refusal.Gone if there is none.
func (s Shelf) LookAt(ctx context.Context, id table.ID) (*table.Table, error) {
	return storage.Read(ctx, s.store, func(from storage.Reader) (*table.Table, error) { return table.Look(from, id) })
}

// IsOpen reports whether a table is open, and whether it is there at all.
func (s Shelf) IsOpen(ctx context.Context, id table.ID) (open, there bool, err error) {
	t, err := s.LookAt(ctx, id)
	if errors.Is(err, refusal.Gone) {
		return false, false, nil
	}
	return err == nil && t.Phase != table.Ended, err == nil, err
}

// OpenIn are the tables open in a community.
func (s Shelf) OpenIn(ctx context.Context, c chat.Community) ([]table.ID, error) {
	items, err := table.Readable(ctx, s.store, s.log, keyspace.OpenTables+c.String()+"/")
	if err != nil {
		return nil, fmt.Errorf("look for the open tables of community %s: %w", c, err)
	}
	var ids []table.ID
	for _, item := range items {
		if id, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables)); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
