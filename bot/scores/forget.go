package scores

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Forget takes the tallies of the keys away, with what is carried forward of them and the ways of their ratings, and their users
// off the boards and out of the seasons. A board or a season that has lost a row may lack the one that comes next until it is
// Remade. What is carried forward isn't read: a damaged one goes, too. The finishes must go from the tables that ended, too.
func Forget(tx storage.Tx, keys ...Key) error {
	for _, k := range keys {
		if err := k.check(); err != nil {
			return err
		}
		items, err := tx.Get(k.text(), k.way(), k.board(), k.season())
		if err != nil {
			return fmt.Errorf("read scores: %w", err)
		}
		board, err := decodeBoard(items[2])
		if err != nil {
			return err
		}
		season, err := decodeSeason(items[3])
		if err != nil {
			return err
		}
		tx.Delete(k.carried())
		for _, own := range items[:2] {
			if own.Rev != 0 {
				tx.Delete(own.Key)
			}
		}
		if left := season.Without(k.User); season.Has(k.User) {
			put(tx, k.season(), left.stored())
		}
		own := func(r Row) bool { return r.User == k.User }
		if !slices.ContainsFunc(slices.Concat(board.Wins, board.Chips), own) {
			continue
		}
		board.Wins, board.Chips = slices.DeleteFunc(board.Wins, own), slices.DeleteFunc(board.Chips, own)
		put(tx, k.board(), board.stored())
	}
	return nil
}

// Remake makes the board and the season of a game what the tallies say, all of which it reads. Others may finish games meanwhile.
func (b Book) Remake(ctx context.Context, game string) error {
	for {
		same, err := b.remake(ctx, game)
		if err != nil {
			return fmt.Errorf("make the board of %s anew: %w", game, err)
		}
		if same {
			return nil
		}
	}
}

// remake reports whether both were right before all tallies were read. Whoever rises meanwhile finds it so, and
// comes on it themselves.
func (b Book) remake(ctx context.Context, game string) (same bool, err error) {
	k := Key{Community: b.Community, Game: game}
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		items, err := tx.Get(k.board(), k.season())
		if err != nil {
			return err
		}
		board, season, err := b.best(ctx, game)
		if err != nil {
			return err
		}
		same = true
		for i, value := range [][]byte{board.stored(), season.stored()} {
			if !bytes.Equal(value, items[i].Value) {
				put(tx, items[i].Key, value)
				same = false
			}
		}
		return nil
	})
	return same, err
}

// put stores a value; one of nil takes the item away.
func put(tx storage.Tx, key string, value []byte) {
	if value != nil {
		tx.Put(key, value)
	} else {
		tx.Delete(key)
	}
}

// stored is the board as it is stored; nil if nobody is on it.
func (b Board) stored() []byte {
	if len(b.Wins) == 0 {
		return nil
	}
	return b.encode()
}

// best are the board and the season that the tallies of a game make.
func (b Book) best(ctx context.Context, game string) (board Board, season Season, err error) {
	read := 0
	for items, err := range storage.Pages(ctx, b.Store, keyspace.Tallies+b.Community+"/"+game+"/") {
		if err != nil {
			return board, season, err
		}
		if read += len(items); b.Most > 0 && read > b.Most {
			return board, season, ErrMany
		}
		for _, item := range items {
			k, err := parseKey(item.Key)
			if err != nil {
				return board, season, err
			}
			t, err := decode(item)
			if err != nil {
				return board, season, err
			}
			board.take(Row{k.User, t})
			season.take(Row{k.User, t})
		}
	}
	return board, season, nil
}
