package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// ErrPlays refuses to forget somebody who has a part in what is still played.
const ErrPlays engine.Refusal = "forget-playing"

// eraser takes people's names and scores out of a store.
type eraser struct {
	store  storage.Store
	games  []engine.Rules
	words  *words.Catalogue
	now    func() time.Time
	tables *play.Tables
	index  *table.Index
}

// Forgetting is stored of somebody as long as their name and scores are being taken out of a community. They can't sit
// down meanwhile, so that nothing is added of what is taken away; and it goes on after a crash.
type Forgetting struct {
	// Scores says that the scores are gone: what tables that ended still say of the person counts no more.
	Scores bool `json:"scores"`
}

// errMuch is what takes longer than a press may.
var errMuch = errors.New("there is more to do than a press may")

// forget takes somebody's name and scores out of a community, step by step, each of which may be done again: first they
// are kept from sitting down, then the scores and the name in the purse go, then the names at tables that ended. Chips,
// moves and postings stay, under the bare number. In short it does at once what a press may take, and returns errMuch
// where that was not all.
func (e *eraser) forget(ctx context.Context, origin string, user int64, short bool) error {
	if err := e.beginForgetting(ctx, origin, user); err != nil {
		return err
	}
	games, err := e.boardsWith(ctx, origin, user, short)
	if err != nil {
		return err
	}
	err = e.whileForgetting(ctx, origin, user, func(tx storage.Tx) error {
		if err := storage.PutJSON(tx, table.KeyForgetting(origin, user), Forgetting{Scores: true}); err != nil {
			return err
		}
		if err := scores.Forget(tx, tallyKeys(e.games, origin, user)...); err != nil {
			return err
		}
		if err := play.ForgetResults(tx, origin, user); err != nil {
			return err
		}
		tx.Delete(table.KeyQuestion(origin, user))
		table.ForgetChoices(tx, origin, user)
		day.Forget(tx, origin, user)
		if err := purse.ForgetNames(tx, origin, user); err != nil {
			return err
		}
		return purse.Ledger{Tx: tx, Community: origin, Now: e.now().Unix()}.Forget(user)
	})
	if err != nil {
		return err
	}
	book := scores.Book{Store: e.store, Community: origin}
	if short {
		book.Most = fewTallies
	}
	for _, game := range games {
		if err = book.Remake(ctx, game); errors.Is(err, scores.ErrMany) {
			return errMuch
		} else if err != nil {
			return err
		}
	}
	if err := e.forgetTables(ctx, origin, user, short); err != nil {
		return err
	}
	return e.endForgetting(ctx, origin, user)
}

// fewTallies is of how many people a press looks through the scores.
const fewTallies = 500

// boardsWith are the games on whose lists of the best the user may stand: those where they do, or all where an earlier
// forgetting may have taken them off.
func (e *eraser) boardsWith(ctx context.Context, origin string, user int64, short bool) ([]string, error) {
	games := gameNames(e.games)
	if !short {
		return games, nil
	}
	var boards []scores.Board
	var seasons []scores.Season
	err := e.store.View(ctx, func(from storage.Reader) (err error) {
		if boards, err = scores.Boards(from, origin, games...); err == nil {
			seasons, err = scores.Seasons(from, origin, games...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var with []string
	for i, board := range boards {
		listed := slices.ContainsFunc(slices.Concat(board.Wins, board.Chips), func(r scores.Row) bool { return r.User == user })
		if listed || seasons[i].Has(user) {
			with = append(with, games[i])
		}
	}
	return with, nil
}

// beginForgetting keeps the user from sitting down, unless they have a part in a game that goes on.
func (e *eraser) beginForgetting(ctx context.Context, origin string, user int64) error {
	err := storage.Update(ctx, e.store, func(tx storage.Tx) error {
		key := table.KeyForgetting(origin, user)
		items, err := tx.Get(key)
		if err == nil && items[0].Rev == 0 {
			err = storage.PutJSON(tx, key, Forgetting{})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to forget: %w", err)
	}
	if err = e.idle(ctx, origin, user); errors.Is(err, ErrPlays) {
		if failed := e.endForgetting(ctx, origin, user); failed != nil {
			return failed
		}
	}
	return err
}

// idle is ErrPlays if the user has a part in a game that goes on.
func (e *eraser) idle(ctx context.Context, origin string, user int64) (err error) {
	plays := false
	e.index.PartsIn(ctx, keyspace.OpenParts, origin, user, "", func(tables []table.Stored, failed error) bool {
		plays, err = slices.ContainsFunc(tables, func(t table.Stored) bool { return t.Phase != table.Ended }), failed
		return !plays
	})
	if err == nil && plays {
		err = ErrPlays
	}
	return err
}

func (e *eraser) endForgetting(ctx context.Context, origin string, user int64) error {
	err := storage.Update(ctx, e.store, func(tx storage.Tx) error {
		tx.Delete(table.KeyForgetting(origin, user))
		return nil
	})
	if err != nil {
		return fmt.Errorf("end forgetting: %w", err)
	}
	return nil
}

// whileForgetting runs fn as one transaction that changes nothing unless the user is still being forgotten: where the
// same is done twice at once, the second can't take away what came after the first.
func (e *eraser) whileForgetting(ctx context.Context, origin string, user int64, fn func(storage.Tx) error) error {
	return storage.Update(ctx, e.store, func(tx storage.Tx) error {
		items, err := tx.Get(table.KeyForgetting(origin, user))
		if err != nil || items[0].Rev == 0 {
			return err
		}
		return fn(tx)
	})
}

// forgetTables takes the user's name out of all tables that ended, some in each transaction; in short only of a few.
func (e *eraser) forgetTables(ctx context.Context, origin string, user int64, short bool) error {
	const atOnce, few = 45, 36
	done := 0
	for tables, err := range e.index.PartsOf(ctx, origin, user, "") {
		if err != nil {
			return err
		}
		for some := range slices.Chunk(tables, atOnce) {
			err := e.whileForgetting(ctx, origin, user, func(tx storage.Tx) error {
				for _, t := range some {
					if err := e.forgetAt(tx, t, user); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("take a name off tables: %w", err)
			}
		}
		if done += len(tables); short && done > few {
			return errMuch
		}
	}
	return nil
}

// forgetAt takes the user's name out of a table that ended, if it still lies there.
func (e *eraser) forgetAt(tx storage.Tx, t table.Stored, user int64) error {
	items, err := tx.Get(t.Key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	now, err := table.Decode(t.ID, items[0].Value)
	if err != nil || now.Phase != table.Ended {
		return err
	}
	play.LeaveResults(tx, now)
	now.Forget(user, e.words.Lang(now.Lang).Say("guest"))
	value, err := now.Encode()
	if err != nil {
		return err
	}
	tx.Put(t.Key, value)
	return nil
}

// resume goes on with what a stop of the process has interrupted.
func (e *eraser) resume(ctx context.Context) error {
	var failed error
	for items, err := range storage.Pages(ctx, e.store, keyspace.Forgetting) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("look for people to forget: %w", err)
		}
		for _, item := range items {
			origin, user, err := ParseForgetting(item)
			if err == nil {
				err = e.forget(ctx, origin, user, false)
			}
			if !errors.Is(err, ErrPlays) { // Who plays on has to ask again.
				failed = errors.Join(failed, err)
			}
		}
	}
	return failed
}

// ParseForgetting is who is being forgotten where, by the key of an item of keyspace.Forgetting. The error says that the
// key is none.
func ParseForgetting(item storage.Item) (origin string, user int64, err error) {
	origin, number, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Forgetting), "/")
	user, err = strconv.ParseInt(number, 36, 64)
	if err != nil {
		return "", 0, fmt.Errorf("nobody is forgotten under %q: %w", item.Key, err)
	}
	return origin, user, nil
}
