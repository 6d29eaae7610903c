package account

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/storage"
)

// Forgotten is what was taken out of one community when a person was forgotten there.
type Forgotten struct {
	// Community is its origin.
	Community string
	// Stopped are the tables that were closed for it, Tables those that had the name, and Scores the games with scores.
	Stopped, Tables, Scores int
	// Days says that there were results of patiences of a day.
	Days bool
	// Purse says that the purse had a name, Settings that the private chat had a language, looks or an hour of its post, Offers how many
	// questions where to play a patience were the person's.
	Purse, Settings bool
	Offers          int
}

// ErrStillPlays is the refusal to forget somebody who has a part in a game that isn't over.
var ErrStillPlays = errors.New("has a part in games that aren't over")

// forgetEverywhere is Accounts.ForgetEverywhere.
func (e *eraser) forgetEverywhere(ctx context.Context, on chat.Platform, user int64, stop bool, tell func(Forgotten)) error {
	for more := !e.index.Done(); more; {
		var err error
		if more, err = e.index.Step(ctx, e.store); err != nil {
			return err
		}
	}
	origins, err := e.origins(ctx, on)
	if err != nil {
		return err
	}
	playing := 0
	open := map[string][]table.ID{}
	for _, origin := range origins {
		if open[origin], err = e.openParts(ctx, origin, user); err != nil {
			return err
		}
		playing += len(open[origin])
	}
	if playing > 0 && !stop {
		return fmt.Errorf("%w: %d", ErrStillPlays, playing)
	}
	for _, origin := range origins {
		done := Forgotten{Community: origin}
		for _, id := range open[origin] {
			if err := e.tables.CloseTable(ctx, id); err != nil {
				return fmt.Errorf("close table %s: %w", id, err)
			}
			done.Stopped++
		}
		if err := e.forgetIn(ctx, origin, user, &done); err != nil {
			return fmt.Errorf("forget a person in %s: %w", origin, err)
		}
		if done != (Forgotten{Community: origin}) {
			tell(done)
		}
	}
	return nil
}

// forgetIn forgets a person in one community, and counts what there is to forget.
func (e *eraser) forgetIn(ctx context.Context, origin string, user int64, done *Forgotten) error {
	if err := e.countKept(ctx, origin, user, done); err != nil {
		return err
	}
	if done.Stopped+done.Tables+done.Scores > 0 || done.Purse || done.Days {
		if err := e.forget(ctx, origin, user, false); err != nil {
			return err
		}
	}
	err := storage.Update(ctx, e.store, func(tx storage.Tx) error {
		table.ForgetChoices(tx, origin, user)
		return purse.ForgetNames(tx, origin, user)
	})
	if err != nil {
		return err
	}
	if done.Offers, err = e.forgetOffers(ctx, origin, user); err != nil {
		return err
	}
	done.Settings, err = e.forgetSettings(ctx, origin, user)
	return err
}

// origins are those of all communities of a platform that anything is stored of, in order.
func (e *eraser) origins(ctx context.Context, on chat.Platform) ([]string, error) {
	origins := map[string]string{}
	for items, err := range storage.Pages(ctx, e.store, keyspace.Origins) {
		if err != nil {
			return nil, fmt.Errorf("read the names of communities: %w", err)
		}
		for _, item := range items {
			origins[strings.TrimPrefix(item.Key, keyspace.Origins)] = string(item.Value)
		}
	}
	all := map[string]bool{}
	for _, family := range keyspace.All() {
		if !family.Found {
			continue
		}
		prefix := family.Prefix
		within := prefix + string(rune(on))
		for items, err := range storage.Pages(ctx, e.store, within) {
			if err != nil {
				return nil, fmt.Errorf("look for communities: %w", err)
			}
			for _, item := range items {
				name, _, _ := strings.Cut(strings.TrimPrefix(item.Key, prefix), "/")
				if origin, ok := origins[name]; ok {
					name = origin
				}
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// openParts are the tables of a community that aren't over and have the person.
func (e *eraser) openParts(ctx context.Context, origin string, user int64) ([]table.ID, error) {
	var open []table.ID
	for tables, err := range e.index.PartsOf(ctx, origin, user, "") {
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			if t.Phase != table.Ended {
				open = append(open, t.ID)
			}
		}
	}
	return open, nil
}

// countKept counts what there is to forget.
func (e *eraser) countKept(ctx context.Context, origin string, user int64, done *Forgotten) error {
	for tables, err := range e.index.PartsOf(ctx, origin, user, "") {
		if err != nil {
			return err
		}
		for _, t := range tables {
			if t.Knows(user, e.words.Lang(t.Lang).Say("guest")) {
				done.Tables++
			}
		}
	}
	return e.store.View(ctx, func(from storage.Reader) error {
		done.Scores = 0
		p, tallies, err := kept(from, e.games, origin, user)
		for _, t := range tallies {
			if t.Games > 0 {
				done.Scores++
			}
		}
		done.Purse = p.Name != ""
		if err != nil {
			return err
		}
		days, err := day.PersonOf(from, origin, user)
		done.Days = days.Played > 0
		return err
	})
}

// forgetOffers takes back what the person was asked where to play it.
func (e *eraser) forgetOffers(ctx context.Context, origin string, user int64) (n int, err error) {
	for _, name := range e.index.NamesOf(origin) {
		c, err := chat.ParseCommunity(name)
		if err != nil {
			continue // Nobody was asked anything in what is no community.
		}
		own := 0
		err = storage.Update(ctx, e.store, func(tx storage.Tx) error {
			all, err := table.GetOffers(tx, c)
			left := slices.DeleteFunc(slices.Clone(all), func(o table.Offered) bool { return o.Asked == user })
			if own = len(all) - len(left); err != nil || own == 0 {
				return err
			}
			return table.PutOffers(tx, c, left)
		})
		if err != nil {
			return n, err
		}
		n += own
	}
	return n, nil
}

// forgetSettings takes away the language, the looks and the hour of the post of a chat that is the person's own, as far as its name
// says so: a private chat on Telegram has the number of its person.
func (e *eraser) forgetSettings(ctx context.Context, origin string, user int64) (had bool, err error) {
	if (chat.Community{Platform: chat.Telegram, ID: user}).String() != origin {
		return false, nil
	}
	p := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user}
	err = storage.Update(ctx, e.store, func(tx storage.Tx) error {
		posted, err := day.ForgetHour(tx, p)
		if err != nil {
			return err
		}
		record, err := table.GetPlace(tx, p)
		chosen := record.Lang != "" || record.Looks != table.Looks{}
		if had = posted || chosen; err != nil || !chosen {
			return err
		}
		return table.PutPlace(tx, p, table.PlaceRecord{Tables: record.Tables})
	})
	return had, err
}
