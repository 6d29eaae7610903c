package scores

import (
	"context"
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// TallyAt is whose tally lies under a key; false if none does.
func TallyAt(key string) (Key, bool) {
	k, err := parseKey(key)
	return k, err == nil && k.text() == key
}

// BoardAt is of which community and game the board or the season is that lies under a key; false if neither is.
func BoardAt(key string) (community, game string, ok bool) {
	rest, ok := strings.CutPrefix(key, keyspace.Boards)
	if !ok {
		rest, ok = strings.CutPrefix(key, keyspace.Seasons)
	}
	community, game, found := strings.Cut(rest, "/")
	return community, game, ok && found && community != "" && game != "" && !strings.Contains(game, "/")
}

// Replace stores the tally of a key as it was worked out with what is carried forward, whatever is stored there now:
// that need not be readable. Nobody may finish a game of it meanwhile.
func (r *Rebuilder) Replace(ctx context.Context, s storage.Store, k Key) error {
	err := storage.Update(ctx, s, func(tx storage.Tx) error {
		items, err := tx.Get(k.carried())
		if err != nil {
			return err
		}
		t := *r.rebuilt(k)
		if items[0].Rev != 0 {
			c, err := decodeCarried(items[0])
			if err != nil {
				return err
			}
			t.carry(c)
		}
		sum, _ := t.tally()
		if sum.Games == 0 {
			tx.Delete(k.text())
		} else {
			tx.Put(k.text(), sum.encode())
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("work %s out again: %w", k.text(), err)
	}
	return nil
}

// Replace makes the board and the season of a game anew, whatever is stored there now: that need not be readable.
func (b Book) Replace(ctx context.Context, game string) error {
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		k := Key{Community: b.Community, Game: game}
		tx.Delete(k.board())
		tx.Delete(k.season())
		return nil
	})
	if err != nil {
		return fmt.Errorf("take the board and the season of %s away: %w", game, err)
	}
	return b.Remake(ctx, game)
}
