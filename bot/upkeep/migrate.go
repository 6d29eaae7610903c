package upkeep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/storage"
)

// Migrate takes a community's places and open tables along when the platform gives it another ID, in one transaction, and
// shows the tables there anew, unless another bot serves them under that: this one would go on ringing for them. Their full
// chunks of moves, the tables that ended, chips and scores stay where they are.
func (b *Keeper) Migrate(ctx context.Context, r chat.Request) (chat.Response, error) {
	from := r.In.Community
	to, err := chat.ParseCommunity(r.Data)
	if err != nil || to == from || to.Platform != from.Platform {
		return chat.Response{}, fmt.Errorf("community %s was moved to %.40q", from, r.Data)
	}
	var ids []table.ID
	var origin string
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		ids = nil
		places, err := table.Readable(ctx, b.Store, b.Log, table.PlacePrefix(from))
		if err != nil {
			return err
		}
		tables, err := table.Readable(ctx, b.Store, b.Log, keyspace.OpenTables+from.String()+"/")
		if err != nil {
			return err
		}
		if origin, err = table.Origin(tx, from); err != nil {
			return err
		}
		tx.Put(table.KeyOrigin(to), []byte(origin))
		if err := play.MoveTellings(tx, origin, to); err != nil {
			return err
		}
		for _, item := range places[:min(len(places), storage.MaxKeys/4)] {
			if err := movePlace(tx, item.Key, from, to); err != nil {
				return err
			}
		}
		for _, item := range tables[:min(len(tables), storage.MaxKeys/4)] {
			id, err := moveTable(tx, item.Key, from, to)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		return chat.Response{}, err
	}
	b.Index.AddName(origin, to.String())
	var response chat.Response
	if b.Serves != nil && !b.Serves(to) {
		return response, nil
	}
	for _, id := range ids {
		one, err := b.Tables.Redraw(ctx, r, id)
		if err != nil {
			return response, err
		}
		response.Posts = append(response.Posts, one.Posts...)
	}
	return response, nil
}

// movePlace moves what is stored of a place. A channel that bears its community's ID gets the new one, too. Tables that
// were opened there before the platform said so stay on its list.
func movePlace(tx storage.Tx, key string, from, to chat.Community) error {
	items, err := tx.Get(key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	var channel, thread int64
	if _, err := fmt.Sscanf(strings.TrimPrefix(key, table.PlacePrefix(from)), "%d/%d", &channel, &thread); err != nil {
		return fmt.Errorf("read the key of place %s: %w", key, err)
	}
	old := chat.Place{Community: from, Channel: channel, Thread: thread}
	record, err := table.GetPlace(tx, old)
	if err != nil {
		return err
	}
	there, err := table.GetPlace(tx, old.MigratedTo(to))
	if err != nil {
		return err
	}
	record.Tables = slices.Concat(record.Tables, there.Tables)
	tx.Delete(key)
	return table.PutPlace(tx, old.MigratedTo(to), record)
}

func moveTable(tx storage.Tx, key string, from, to chat.Community) (table.ID, error) {
	old := table.ID{Community: from, Name: strings.TrimPrefix(key, keyspace.OpenTables+from.String()+"/")}
	moved := table.ID{Community: to, Name: old.Name}
	items, err := tx.Get(key)
	if err != nil || items[0].Rev == 0 {
		return moved, err
	}
	t, err := table.Decode(old, items[0].Value)
	if err != nil {
		return moved, err
	}
	if t.FormerID == "" {
		t.FormerID = old.String()
	}
	t.FormerCommunity = t.Origin()
	t.ID, t.Place = moved, t.Place.MigratedTo(to)
	t.Board, t.Former, t.Boarded = "", "", 0
	value, err := t.Encode()
	if err != nil {
		return moved, err
	}
	tx.Delete(key)
	tx.Put(table.KeyOpen(moved), value)
	return moved, nil
}
