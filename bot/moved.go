package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/storage"
)

// moved takes a community's places and open tables along when the platform gives it another ID, in one transaction, and
// shows the tables there anew. Their full chunks of moves, the tables that ended, chips and scores stay where they are.
func (b *Bot) moved(ctx context.Context, r Request) (Response, error) {
	from := r.In.Community
	to, err := parseCommunity(r.Data)
	if err != nil || to == from || to.Platform != from.Platform {
		return Response{}, fmt.Errorf("community %s was moved to %.40q", from, r.Data)
	}
	var ids []tableID
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		ids = nil
		places, err := b.sound(ctx, placePrefix(from))
		if err != nil {
			return err
		}
		tables, err := b.sound(ctx, openPrefix+from.String()+"/")
		if err != nil {
			return err
		}
		first, err := home(tx, from)
		if err != nil {
			return err
		}
		tx.Put(keyHome(to), []byte(first))
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
		return Response{}, err
	}
	var response Response
	for _, id := range ids {
		one, err := b.at(ctx, r, id, func(v *visit) error { v.shown = true; return nil })
		if err != nil {
			return response, err
		}
		response.Posts = append(response.Posts, one.Posts...)
	}
	return response, nil
}

// movePlace moves what is stored of a place. A channel that bears its community's ID gets the new one, too. Tables that
// were opened there before the platform said so stay on its list.
func movePlace(tx storage.Tx, key string, from, to Community) error {
	items, err := tx.Get(key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	var channel, thread int64
	if _, err := fmt.Sscanf(strings.TrimPrefix(key, placePrefix(from)), "%d/%d", &channel, &thread); err != nil {
		return fmt.Errorf("read the key of place %s: %w", key, err)
	}
	old := Place{Community: from, Channel: channel, Thread: thread}
	record, err := getPlace(tx, old)
	if err != nil {
		return err
	}
	there, err := getPlace(tx, old.moved(to))
	if err != nil {
		return err
	}
	record.Tables = slices.Concat(record.Tables, there.Tables)
	tx.Delete(key)
	return putPlace(tx, old.moved(to), record)
}

func moveTable(tx storage.Tx, key string, from, to Community) (tableID, error) {
	old := tableID{from, strings.TrimPrefix(key, openPrefix+from.String()+"/")}
	moved := tableID{to, old.Name}
	items, err := tx.Get(key)
	if err != nil || items[0].Rev == 0 {
		return moved, err
	}
	t, err := decodeTable(old, items[0].Value)
	if err != nil {
		return moved, err
	}
	if t.Home == "" {
		t.Home = old.String()
	}
	t.Ledger = t.ledger()
	t.id, t.Place = moved, t.Place.moved(to)
	t.Board, t.Boarded = "", 0
	value, err := t.encode()
	if err != nil {
		return moved, err
	}
	tx.Delete(key)
	tx.Put(keyOpen(moved), value)
	return moved, nil
}

// moved is the place in the community's new ID.
func (p Place) moved(to Community) Place {
	if p.Channel == p.Community.ID {
		p.Channel = to.ID
	}
	p.Community = to
	return p
}

// placePrefix begins the keys of a community's places.
func placePrefix(c Community) string { return "p/" + c.String() + "/" }
