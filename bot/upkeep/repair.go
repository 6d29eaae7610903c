package upkeep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/storage"
)

// MaxRepairs is how many damaged items one request may have made anew.
const MaxRepairs = 3

// Repaired makes the item anew that an error says is damaged, if that can be done from what is stored beside it, and
// reports whether it was. What can't be is set aside: whoever needs it reads that something broke, and all others play
// on.
func (b *Keeper) Repaired(ctx context.Context, failed error) bool {
	var damaged storage.Damaged
	if !errors.As(failed, &damaged) {
		return false
	}
	b.repairing.Lock()
	defer b.repairing.Unlock()
	if _, err := b.Store.Get(ctx, damaged.Key); !storage.IsDamaged(err) {
		return err == nil // Another request was faster.
	}
	err := b.repair(ctx, damaged.Key)
	switch {
	case errors.Is(err, errNoRepair):
		return false
	case err != nil:
		b.Log.Error("a damaged item can't be made anew", "key", damaged.Key, "error", err)
		return false
	}
	b.Log.Error("an item was damaged, and is made anew", "key", damaged.Key)
	return true
}

// errNoRepair is an item that nothing else tells of.
var errNoRepair = errors.New("nothing else tells of it")

func (b *Keeper) repair(ctx context.Context, key string) error {
	if place, ok := table.ParsePlace(key); ok {
		return b.repairPlace(ctx, place)
	}
	if k, ok := scores.TallyAt(key); ok {
		return b.repairTally(ctx, k)
	}
	if community, game, ok := scores.BoardAt(key); ok {
		return scores.Book{Store: b.Store, Community: community}.Replace(ctx, game)
	}
	if strings.HasPrefix(key, keyspace.Numbers) { // That it is there says all.
		return storage.Update(ctx, b.Store, func(tx storage.Tx) error { tx.Put(key, nil); return nil })
	}
	if purse.HoldsName(key) {
		return purse.RepairNames(ctx, b.Store, key)
	}
	if slices.Contains([]string{keyspace.OpenParts, keyspace.EndedParts, keyspace.Played}, key[:min(2, len(key))]) {
		return b.repairPart(ctx, key)
	}
	listed := []string{keyspace.Personal, keyspace.Wishes, keyspace.Ways, keyspace.Tellings, keyspace.Offers, keyspace.Questions, keyspace.Draws, keyspace.Chains}
	if !slices.ContainsFunc(listed, func(p string) bool { return strings.HasPrefix(key, p) }) && !purse.IsList(key) {
		return errNoRepair
	}
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		// What was chosen, offered or asked has to be chosen or asked for again, people draw again, a list is made when it is wanted, a rating's way and
		// what is told of months begin anew.
		tx.Delete(key)
		return nil
	})
}

// Drop takes a table away that can't be read: its chips go back to those for whom they lie there, people's parts in it and its place's list lose it,
// and the next sweep takes what is left of it. How it went is gone.
func (b *Keeper) Drop(ctx context.Context, id table.ID) error {
	origin, err := storage.Read(ctx, b.Store, func(from storage.Reader) (string, error) { return table.Origin(from, id.Community) })
	if err != nil {
		return err
	}
	keys := []string{table.KeyOpen(id), table.KeyEnded(id)}
	left := leftover{Community: origin, ChunksAt: id.String(), Chunks: 1} // One may be what can't be read.
	var places []chat.Place
	for _, prefix := range []string{
		keyspace.OpenParts + origin, keyspace.EndedParts + origin, keyspace.Played + origin,
		keyspace.Moves + left.ChunksAt, keyspace.Places + id.Community.String(),
	} {
		items, err := table.Readable(ctx, b.Store, b.Log, prefix+"/")
		if err != nil {
			return err
		}
		for _, item := range items {
			place, listed := table.ParsePlace(item.Key)
			switch {
			case strings.HasPrefix(item.Key, keyspace.Moves):
				left.Chunks++
			case listed && bytes.Contains(item.Value, []byte(`"`+id.Name+`"`)):
				places = append(places, place)
			case table.NameIn(item.Key) == id.Name:
				keys = append(keys, item.Key)
			}
		}
	}
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		ledger := purse.Ledger{Tx: tx, Community: origin, Now: b.Now().Unix()}
		cause := purse.Cause{Kind: purse.KindRefund, Table: id.Name, Deal: 1}
		if _, err := ledger.Refund(cause.ID()+"/dropped", cause); err != nil {
			return err
		}
		for _, key := range keys {
			tx.Delete(key)
		}
		for _, place := range places {
			t := &table.Table{ID: id}
			t.Place = place
			if err := table.UnlistFromPlace(tx, t); err != nil {
				return err
			}
		}
		return storage.PutJSON(tx, keyLeftover(id), left)
	})
	if err != nil {
		return fmt.Errorf("drop table %s: %w", id, err)
	}
	b.Log.Warn("a table that can't be read was dropped", "table", id)
	return nil
}

// repairPart makes a person's part in a table anew, or a game in the list of those that ended: where the table lies follows from the tables themselves.
func (b *Keeper) repairPart(ctx context.Context, key string) error {
	parts := strings.Split(key, "/")
	if len(parts) < 4 {
		return errNoRepair
	}
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		value := []byte{}
		for _, name := range b.Index.NamesOf(parts[1])[1:] {
			items, err := tx.Get(keyspace.EndedTables + name + "/" + table.NameIn(key))
			if err != nil {
				return err
			}
			if items[0].Rev != 0 && !strings.HasPrefix(key, keyspace.OpenParts) {
				value = []byte(name)
			}
		}
		tx.Put(key, value)
		return nil
	})
}

// repairPlace lists the tables that are open in a place again, and takes the language and the game from the newest of them.
func (b *Keeper) repairPlace(ctx context.Context, place chat.Place) error {
	items, err := table.Readable(ctx, b.Store, b.Log, keyspace.OpenTables+place.Community.String()+"/")
	if err != nil {
		return err
	}
	var tables []*table.Table
	for _, item := range items {
		id, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables))
		if !ok {
			continue
		}
		if t, err := table.Decode(id, item.Value); err == nil && t.Phase != table.Ended && t.Place.Same(place) {
			tables = append(tables, t)
		}
	}
	slices.SortStableFunc(tables, func(s, t *table.Table) int { return cmp.Compare(s.Opened, t.Opened) })
	var record table.PlaceRecord
	for _, t := range tables {
		record.Lang, record.Looks, record.Newest = t.Lang, t.Looks, t.Game
		record.Tables = append(record.Tables, t.ID.Name)
	}
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error { return table.PutPlace(tx, place, record) })
}

// repairTally works a tally out again from what is carried forward and the tables of its user.
func (b *Keeper) repairTally(ctx context.Context, k scores.Key) error {
	again := scores.NewRebuilder()
	for tables, err := range b.Index.PartsOf(ctx, k.Community, k.User, "") {
		if err != nil {
			return err
		}
		for _, t := range tables {
			if t.Game != k.Game || t.Phase != table.Ended || b.Games[t.Game] == nil {
				continue
			}
			for _, f := range t.Finishes(b.Games[t.Game].Info().MaxSeats) {
				if *f.N == 0 || f.User != k.User {
					continue
				}
				if err := again.Add(f.Entry(t.Table)); err != nil {
					return err
				}
			}
		}
	}
	return again.Replace(ctx, b.Store, k)
}
