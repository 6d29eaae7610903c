package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/storage"
)

// Migrate takes a community's places and open tables along when the platform gives it another ID, in one transaction, and
// shows the tables there anew, unless another bot serves them under that: this one would go on ringing for them. Their full
// chunks of moves, the tables that ended, chips and scores stay where they are. What was won under the new ID before comes to that.
func (b *Keeper) Migrate(ctx context.Context, r chat.Request) (chat.Response, error) {
	from := r.In.Community
	to, err := chat.ParseCommunity(r.Data)
	if err != nil || to == from || to.Platform != from.Platform {
		return chat.Response{}, fmt.Errorf("community %s was moved to %.40q", from, r.Data)
	}
	var origin string
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
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
			if err := moveTable(tx, item.Key, from, to); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return chat.Response{}, err
	}
	b.Index.AddName(origin, to.String())
	if err := b.takeOver(ctx, to.String(), origin); err != nil {
		return chat.Response{}, err
	}
	if !b.Serves(to) {
		return chat.Response{}, nil
	}
	return b.redraw(ctx, r, to)
}

// takeOver gives people the chips that they have won since the community has its new ID, where the platform says only now whose that is: until then
// it was taken for a new one. Its scores are left behind, and what is on the table there.
func (b *Keeper) takeOver(ctx context.Context, own, origin string) error {
	if own == origin {
		return nil
	}
	purses, chips, err := purse.TakeOver(ctx, b.Store, own, origin, b.Now().Unix(), func(key string, err error) {
		b.Log.Error("a purse can't be taken over", "key", key, "error", err)
	})
	if purses > 0 {
		b.Log.Warn("a chat has played under its new ID before the bot was told whose that is: the chips are taken over, the scores aren't",
			"chat", own, "origin", origin, "purses", purses, "chips", chips)
	}
	return err
}

// redraw shows all tables of a community: those, too, that were taken along by an earlier try, whose pictures nobody has got.
func (b *Keeper) redraw(ctx context.Context, r chat.Request, in chat.Community) (response chat.Response, err error) {
	prefix := keyspace.OpenTables + in.String() + "/"
	tables, err := table.Readable(ctx, b.Store, b.Log, prefix)
	if err != nil {
		return response, err
	}
	for _, item := range tables {
		one, err := b.Tables.Redraw(ctx, r, table.ID{Community: in, Name: strings.TrimPrefix(item.Key, prefix)})
		switch {
		case errors.Is(err, storage.ErrUnavailable) || ctx.Err() != nil:
			return response, errors.Join(err, ctx.Err())
		case err != nil && !errors.Is(err, table.ErrGone):
			b.Log.Error("a table that was taken along can't be shown", "key", item.Key, "error", err)
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

func moveTable(tx storage.Tx, key string, from, to chat.Community) error {
	old := table.ID{Community: from, Name: strings.TrimPrefix(key, keyspace.OpenTables+from.String()+"/")}
	moved := table.ID{Community: to, Name: old.Name}
	items, err := tx.Get(key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	t, err := table.Decode(old, items[0].Value)
	if err != nil {
		return err
	}
	if t.FormerID == "" {
		t.FormerID = old.String()
	}
	t.FormerCommunity = t.Origin()
	t.ID, t.Place = moved, t.Place.MigratedTo(to)
	t.Board, t.Former, t.Boarded = "", "", 0
	value, err := t.Encode()
	if err != nil {
		return err
	}
	tx.Delete(key)
	tx.Put(table.KeyOpen(moved), value)
	return nil
}
