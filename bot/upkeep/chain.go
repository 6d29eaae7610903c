package upkeep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// sweepChains lets go of the chains whose newest table has left.
func (s *sweep) sweepChains(ctx context.Context) error {
	const atOnce = storage.MaxKeys / 3
	for items, err := range storage.Pages(ctx, s.store, keyspace.Chains) {
		if storage.IsDamaged(err) {
			continue // It is made anew by whoever wants to know.
		}
		if err != nil {
			return fmt.Errorf("look for chains of tables: %w", err)
		}
		for some := range slices.Chunk(items, atOnce) {
			err := storage.Update(ctx, s.store, func(tx storage.Tx) error { return unchain(tx, some) })
			if err != nil {
				return fmt.Errorf("let go of chains of tables: %w", err)
			}
		}
	}
	return nil
}

// unchain deletes those of the items whose newest table isn't there.
func unchain(tx storage.Tx, items []storage.Item) error {
	for _, item := range items {
		origin, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.Chains))
		newest := table.ID{Community: origin.Community, Name: string(item.Value)}
		there, err := tx.Get(item.Key, table.KeyOpen(newest), table.KeyEnded(newest))
		if err != nil {
			return err
		}
		if !ok || string(there[0].Value) == newest.Name && there[1].Rev == 0 && there[2].Rev == 0 {
			tx.Delete(item.Key)
		}
	}
	return nil
}

// examineChain wants a chain to be of a table, and its newest to be called like one.
func examineChain(item storage.Item) error {
	if _, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.Chains)); !ok {
		return errNoKey
	}
	if !table.IsName(string(item.Value)) {
		return fmt.Errorf("%s: no table is called %.40q", item.Key, item.Value)
	}
	return nil
}
