package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

const (
	// errPlays refuses to forget somebody who has a part in what is still played.
	errPlays engine.Refusal = "forget-playing"
	// errForgetting refuses a seat to somebody who is being forgotten.
	errForgetting engine.Refusal = "being-forgotten"
)

// forgetting is stored of somebody as long as their name and scores are being taken out of a community. They can't sit
// down meanwhile, so that nothing is added of what is taken away; and it goes on after a crash.
type forgetting struct {
	// Scores says that the scores are gone: what tables that ended still say of the person counts no more.
	Scores bool `json:"scores"`
}

const forgettingPrefix = "x/"

func keyForgetting(home string, user int64) string {
	return forgettingPrefix + home + "/" + strconv.FormatInt(user, 36)
}

// commandForgetMe asks again before a person is forgotten.
func (b *Bot) commandForgetMe(_ context.Context, r Request, _ string) (Response, error) {
	lang := b.words.Lang(r.Who.Lang)
	message := offer(lang.Say("forget-ask"), []Button{{
		Label: lang.Say("button.forget"), Token: placeToken(r, "!forget"), Look: Danger,
	}})
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// forgetMe takes the name and the scores of the one who asks out of the community.
func (b *Bot) forgetMe(ctx context.Context, r Request) (Response, error) {
	first, err := b.homeOf(ctx, r)
	if err == nil {
		err = b.forget(ctx, first, r.Who.ID)
	}
	if err != nil {
		return Response{}, fmt.Errorf("forget a person: %w", err)
	}
	return b.toast(r, phrase{key: "forgotten"}), nil
}

// forget takes somebody's name and scores out of a community, step by step, each of which may be done again: first they
// are kept from sitting down, then the scores and the name in the purse go, then the names at tables that ended. Chips,
// moves and postings stay, under the bare number.
func (b *Bot) forget(ctx context.Context, home string, user int64) error {
	if err := b.beginForgetting(ctx, home, user); err != nil {
		return err
	}
	var keys []scores.Key
	for _, rules := range b.order {
		keys = append(keys, scores.Key{Community: home, Game: rules.Info().Name, User: user})
	}
	err := b.whileForgetting(ctx, home, user, func(tx storage.Tx) error {
		value, err := json.Marshal(forgetting{Scores: true})
		if err != nil {
			return fmt.Errorf("encode that somebody is being forgotten: %w", err)
		}
		tx.Put(keyForgetting(home, user), value)
		if err := scores.Forget(tx, keys...); err != nil {
			return err
		}
		return purse.Ledger{Tx: tx, Community: home, Now: b.now().Unix()}.Forget(user)
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := (scores.Book{Store: b.store, Community: home}).Remake(ctx, k.Game); err != nil {
			return err
		}
	}
	if err := b.forgetTables(ctx, home, user); err != nil {
		return err
	}
	return b.endForgetting(ctx, home, user)
}

// beginForgetting keeps the user from sitting down, unless they have a part in a game that goes on.
func (b *Bot) beginForgetting(ctx context.Context, home string, user int64) error {
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		key := keyForgetting(home, user)
		items, err := tx.Get(key)
		if err == nil && items[0].Rev == 0 {
			var value []byte
			value, err = json.Marshal(forgetting{})
			tx.Put(key, value)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to forget: %w", err)
	}
	for tables, err := range b.partsOf(ctx, home, user, "") {
		if err != nil {
			return err
		}
		if slices.ContainsFunc(tables, func(t stored) bool { return t.Phase != ended }) {
			if err := b.endForgetting(ctx, home, user); err != nil {
				return err
			}
			return errPlays
		}
	}
	return nil
}

// known refuses whoever is being forgotten.
func (v *visit) known() error {
	items, err := v.tx.Get(keyForgetting(v.table.ledger(), v.req.Who.ID))
	switch {
	case err != nil:
		return fmt.Errorf("look whether a person is being forgotten: %w", err)
	case items[0].Rev != 0:
		return errForgetting
	}
	return nil
}

func (b *Bot) endForgetting(ctx context.Context, home string, user int64) error {
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		tx.Delete(keyForgetting(home, user))
		return nil
	})
	if err != nil {
		return fmt.Errorf("end forgetting: %w", err)
	}
	return nil
}

// whileForgetting runs fn as one transaction that changes nothing unless the user is still being forgotten: where the
// same is done twice at once, the second can't take away what came after the first.
func (b *Bot) whileForgetting(ctx context.Context, home string, user int64, fn func(storage.Tx) error) error {
	return storage.Update(ctx, b.store, func(tx storage.Tx) error {
		items, err := tx.Get(keyForgetting(home, user))
		if err != nil || items[0].Rev == 0 {
			return err
		}
		return fn(tx)
	})
}

// forgetTables takes the user's name out of all tables that ended, some in each transaction.
func (b *Bot) forgetTables(ctx context.Context, home string, user int64) error {
	const atOnce = 50
	for tables, err := range b.partsOf(ctx, home, user, "") {
		if err != nil {
			return err
		}
		for some := range slices.Chunk(tables, atOnce) {
			err := b.whileForgetting(ctx, home, user, func(tx storage.Tx) error {
				for _, t := range some {
					if err := b.forgetAt(tx, t, user); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("take a name off tables: %w", err)
			}
		}
	}
	return nil
}

// forgetAt takes the user's name out of a table that ended, if it still lies there.
func (b *Bot) forgetAt(tx storage.Tx, t stored, user int64) error {
	items, err := tx.Get(t.key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	now, err := decodeTable(t.id, items[0].Value)
	if err != nil || now.Phase != ended {
		return err
	}
	now.forget(user, b.words.Lang(now.Lang).Say("nameless"))
	value, err := now.encode()
	if err != nil {
		return err
	}
	tx.Put(t.key, value)
	return nil
}

// forget calls the user as those are called who have no name, and takes out what belongs to their scores.
func (t *table) forget(user int64, nameless string) {
	for i := range t.Chairs {
		if c := &t.Chairs[i]; c.User == user {
			c.Name, c.Lang, c.N = nameless, "", 0
		}
	}
	if t.Session == nil {
		return
	}
	for i := range t.Session.People {
		if p := &t.Session.People[i]; p.User == user {
			p.Name, p.N = nameless, 0
		}
	}
}

// forgetRest goes on with what a stop of the process has interrupted.
func (b *Bot) forgetRest(ctx context.Context) error {
	var failed error
	for items, err := range storage.Pages(ctx, b.store, forgettingPrefix) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("look for people to forget: %w", err)
		}
		for _, item := range items {
			home, user, err := parseForgetting(item)
			if err == nil {
				err = b.forget(ctx, home, user)
			}
			if !errors.Is(err, errPlays) { // Who plays on has to ask again.
				failed = errors.Join(failed, err)
			}
		}
	}
	return failed
}

func parseForgetting(item storage.Item) (home string, user int64, err error) {
	home, number, _ := strings.Cut(strings.TrimPrefix(item.Key, forgettingPrefix), "/")
	user, err = strconv.ParseInt(number, 36, 64)
	if err != nil {
		return "", 0, fmt.Errorf("nobody is forgotten under %q: %w", item.Key, err)
	}
	return home, user, nil
}

// forgotten are those whose scores are gone though tables may still tell of them.
func (a *Archive) forgotten(ctx context.Context) (map[string]bool, error) {
	gone := map[string]bool{}
	for items, err := range storage.Pages(ctx, a.store, forgettingPrefix) {
		if err != nil {
			return nil, fmt.Errorf("read who is being forgotten: %w", err)
		}
		for _, item := range items {
			var f forgetting
			if err := json.Unmarshal(item.Value, &f); err != nil {
				return nil, fmt.Errorf("decode %s: %w", item.Key, err)
			}
			gone[item.Key] = f.Scores
		}
	}
	return gone, nil
}
