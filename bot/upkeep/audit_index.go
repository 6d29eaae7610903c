package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// auditIndex reports people who can't be found at their tables or by their names, and those who would be found elsewhere.
// Before a database was gone through for the first time there is nothing to find.
func (a *Archive) auditIndex(ctx context.Context, report func(purse.Problem)) error {
	state, err := table.ReadIndexProgress(ctx, a.store)
	if err != nil || !state.Done {
		return err
	}
	if err := a.index.ReadNames(ctx); err != nil {
		return err
	}
	err = a.items(ctx, func(key string, t *table.Table, _ engine.Rules, err error) error {
		if err != nil {
			return nil // It was told already.
		}
		prefix := keyspace.OpenParts
		if strings.HasPrefix(key, keyspace.EndedTables) {
			prefix = keyspace.EndedParts
			if err := a.auditListed(ctx, t, report); err != nil {
				return err
			}
		}
		people := t.People()
		for some := range slices.Chunk(people, storage.MaxKeys) {
			var keys []string
			for _, user := range some {
				name := t.ID.Name
				if prefix == keyspace.EndedParts {
					name = table.EndedAs(t)
				}
				keys = append(keys, table.KeyPart(prefix, t.Origin(), user, name))
			}
			items, err := a.store.Get(ctx, keys...)
			if err != nil {
				return fmt.Errorf("look for people at table %s: %w", t.ID, err)
			}
			for _, item := range items {
				if item.Rev == 0 || prefix == keyspace.EndedParts && string(item.Value) != string(t.PartValue()) {
					report(purse.Problem{Key: item.Key, What: fmt.Sprintf("somebody isn't found at table %s", t.ID)})
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, prefix := range []string{keyspace.OpenParts, keyspace.EndedParts} {
		if err := a.auditParts(ctx, prefix, report); err != nil {
			return err
		}
	}
	if err := a.auditPlayed(ctx, report); err != nil {
		return err
	}
	return purse.AuditNames(ctx, a.store, func(key, what string) { report(purse.Problem{Key: key, What: what}) })
}

// auditListed reports a table that has ended and doesn't stand in the list of games, or stands there as another community's.
func (a *Archive) auditListed(ctx context.Context, t *table.Table, report func(purse.Problem)) error {
	if !table.IsListed(t) {
		return nil
	}
	items, err := a.store.Get(ctx, table.KeyPlayed(t))
	if err != nil {
		return fmt.Errorf("look for table %s in the list of games: %w", t.ID, err)
	}
	if items[0].Rev == 0 || string(items[0].Value) != string(t.PartValue()) {
		report(purse.Problem{Key: items[0].Key, What: fmt.Sprintf("table %s isn't found in the list of games", t.ID)})
	}
	return nil
}

// auditPlayed reports games in the list that there aren't.
func (a *Archive) auditPlayed(ctx context.Context, report func(purse.Problem)) error {
	for items, err := range storage.Pages(ctx, a.store, keyspace.Played) {
		var damaged storage.Damaged
		switch {
		case errors.As(err, &damaged):
			report(purse.Problem{Key: damaged.Key, What: err.Error()})
			continue
		case err != nil:
			return fmt.Errorf("read the list of games: %w", err)
		}
		for _, item := range items {
			if err := examinePlayed(item); err != nil {
				report(purse.Problem{Key: item.Key, What: err.Error()})
				continue
			}
			t, err := table.ListedTable(ctx, a.store, item)
			if err != nil {
				return err
			}
			if t == nil || table.KeyPlayed(t) != item.Key {
				report(purse.Problem{Key: item.Key, What: "there is no such table in the list of games, or another one"})
			}
		}
	}
	return nil
}

// isLeaving reports whether something of a table is yet to leave that has left.
func (a *Archive) isLeaving(ctx context.Context, origin, name string) (bool, error) {
	for _, community := range a.index.NamesOf(origin) {
		items, err := a.store.Get(ctx, keyspace.Leftovers+community+"/"+name)
		if err != nil {
			return false, fmt.Errorf("look for what table %s has left: %w", name, err)
		}
		if items[0].Rev != 0 {
			return true, nil
		}
	}
	return false, nil
}

// auditParts reports parts in tables where somebody has none.
func (a *Archive) auditParts(ctx context.Context, prefix string, report func(purse.Problem)) error {
	for items, err := range storage.Pages(ctx, a.store, prefix) {
		var damaged storage.Damaged
		switch {
		case errors.As(err, &damaged):
			report(purse.Problem{Key: damaged.Key, What: err.Error()})
			continue
		case err != nil:
			return fmt.Errorf("read people's parts: %w", err)
		}
		for _, item := range items {
			parts := strings.Split(item.Key, "/")
			if err := examinePart(item); err != nil {
				report(purse.Problem{Key: item.Key, What: err.Error()})
				continue
			}
			user, err := strconv.ParseInt(parts[2], 36, 64)
			if err != nil {
				return fmt.Errorf("read people's parts: %w", err)
			}
			found, err := a.index.TablesOf(ctx, prefix, parts[1], user, []storage.Item{item})
			if err != nil {
				return err
			}
			gone, err := a.isLeaving(ctx, parts[1], table.NameIn(item.Key))
			if err != nil {
				return err
			}
			if len(found) == 0 && !gone {
				report(purse.Problem{Key: item.Key, What: "there is no such table, or somebody else's"})
			}
		}
	}
	return nil
}
