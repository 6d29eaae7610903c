package scores

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Forget takes the tallies of the keys away, with what is carried forward of them, and their users off the boards. A board that has lost a row may lack the
// one that comes next until it is Remade. The finishes must go from the tables that ended, too.
func Forget(tx storage.Tx, keys ...Key) error {
	for _, k := range keys {
		if err := k.check(); err != nil {
			return err
		}
		items, err := tx.Get(k.text(), k.board(), k.carried())
		if err != nil {
			return fmt.Errorf("read scores: %w", err)
		}
		board, err := decodeBoard(items[1])
		if err != nil {
			return err
		}
		for _, own := range []storage.Item{items[0], items[2]} {
			if own.Rev != 0 {
				tx.Delete(own.Key)
			}
		}
		own := func(r Row) bool { return r.User == k.User }
		if !slices.ContainsFunc(slices.Concat(board.Wins, board.Chips), own) {
			continue
		}
		board.Wins, board.Chips = slices.DeleteFunc(board.Wins, own), slices.DeleteFunc(board.Chips, own)
		putBoard(tx, k.board(), board)
	}
	return nil
}

// Remake makes the board of a game what the tallies say, all of which it reads. Others may finish games meanwhile.
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

// remake reports whether the board was right before all tallies were read. Whoever rises meanwhile finds it so, and
// comes on it themselves.
func (b Book) remake(ctx context.Context, game string) (same bool, err error) {
	key := Key{Community: b.Community, Game: game}.board()
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		items, err := tx.Get(key)
		if err != nil {
			return err
		}
		board, err := b.best(ctx, game)
		if err != nil {
			return err
		}
		if same = bytes.Equal(board.stored(), items[0].Value); !same {
			putBoard(tx, key, board)
		}
		return nil
	})
	return same, err
}

// putBoard stores a board, or takes an empty one away.
func putBoard(tx storage.Tx, key string, b Board) {
	if value := b.stored(); value != nil {
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

// best is the board that the tallies of a game make.
func (b Book) best(ctx context.Context, game string) (board Board, err error) {
	read := 0
	for items, err := range storage.Pages(ctx, b.Store, keyspace.Tallies+b.Community+"/"+game+"/") {
		if err != nil {
			return board, err
		}
		if read += len(items); b.Most > 0 && read > b.Most {
			return board, ErrMany
		}
		for _, item := range items {
			k, err := parseKey(item.Key)
			if err != nil {
				return board, err
			}
			t, err := decode(item)
			if err != nil {
				return board, err
			}
			board.take(Row{k.User, t})
		}
	}
	return board, nil
}
