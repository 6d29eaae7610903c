package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/storage"
)

// maxMends is how many damaged items one request may have made anew.
const maxMends = 3

// mended makes the item anew that an error says is damaged, if that can be done from what is stored beside it, and
// reports whether it was. What can't be is set aside: whoever needs it reads that something broke, and all others play
// on.
func (b *Bot) mended(ctx context.Context, failed error) bool {
	var damaged storage.Damaged
	if !errors.As(failed, &damaged) {
		return false
	}
	b.mending.Lock()
	defer b.mending.Unlock()
	if _, err := b.store.Get(ctx, damaged.Key); !storage.IsDamaged(err) {
		return err == nil // Another request was faster.
	}
	err := b.mend(ctx, damaged.Key)
	switch {
	case errors.Is(err, errNoMending):
		return false
	case err != nil:
		b.log.Error("a damaged item can't be made anew", "key", damaged.Key, "error", err)
		return false
	}
	b.log.Error("an item was damaged, and is made anew", "key", damaged.Key)
	return true
}

// errNoMending is an item that nothing else tells of.
var errNoMending = errors.New("nothing else tells of it")

func (b *Bot) mend(ctx context.Context, key string) error {
	if place, ok := parsePlace(key); ok {
		return b.mendPlace(ctx, place)
	}
	if k, ok := scores.TallyAt(key); ok {
		return b.mendTally(ctx, k)
	}
	if community, game, ok := scores.BoardAt(key); ok {
		return scores.Book{Store: b.store, Community: community}.Replace(ctx, game)
	}
	if !strings.HasPrefix(key, offersPrefix) && !purse.IsList(key) {
		return errNoMending
	}
	return storage.Update(ctx, b.store, func(tx storage.Tx) error {
		tx.Delete(key) // What was offered has to be asked for again, and a list is made when it is wanted.
		return nil
	})
}

// mendPlace lists the tables that are open in a place again, and takes the language from the newest of them.
func (b *Bot) mendPlace(ctx context.Context, place Place) error {
	items, err := b.sound(ctx, openPrefix+place.Community.String()+"/")
	if err != nil {
		return err
	}
	var tables []*table
	for _, item := range items {
		id, ok := parseTableID(strings.TrimPrefix(item.Key, openPrefix))
		if !ok {
			continue
		}
		if t, err := decodeTable(id, item.Value); err == nil && t.Phase != ended && t.Place.same(place) {
			tables = append(tables, t)
		}
	}
	slices.SortStableFunc(tables, func(s, t *table) int { return cmp.Compare(s.Opened, t.Opened) })
	var record placeRecord
	for _, t := range tables {
		record.Lang, record.looks = t.Lang, t.looks
		record.Tables = append(record.Tables, t.id.Name)
	}
	return storage.Update(ctx, b.store, func(tx storage.Tx) error { return putPlace(tx, place, record) })
}

// mendTally works a tally out again from what is carried forward and the tables of its user.
func (b *Bot) mendTally(ctx context.Context, k scores.Key) error {
	again := scores.NewRebuilder()
	for tables, err := range b.partsOf(ctx, k.Community, k.User, "") {
		if err != nil {
			return err
		}
		for _, t := range tables {
			if t.Game != k.Game || t.Phase != ended || b.games[t.Game] == nil {
				continue
			}
			for _, f := range t.finishes(b.games[t.Game].Info().MaxSeats) {
				if *f.n == 0 || f.user != k.User {
					continue
				}
				if err := again.Add(f.entry(t.table)); err != nil {
					return err
				}
			}
		}
	}
	return again.Replace(ctx, b.store, k)
}

// sound reads all items with a prefix but those that are damaged.
func (b *Bot) sound(ctx context.Context, prefix string) ([]storage.Item, error) {
	var all []storage.Item
	for items, err := range storage.Pages(ctx, b.store, prefix) {
		if storage.IsDamaged(err) {
			b.log.Error("an item can't be read", "error", err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read what is under %s: %w", prefix, err)
		}
		all = append(all, items...)
	}
	return all, nil
}
