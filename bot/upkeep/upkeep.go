// Package upkeep keeps a store in order: what is old leaves, a community that gets another ID takes its tables along, what
// is damaged is made anew, and audits find what doesn't agree.
package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/storage"
)

// Keeper keeps a store in order while people play. It is safe for use by many goroutines.
type Keeper struct {
	Options
	// repairing is held while a damaged item is made anew.
	repairing sync.Mutex
}

// Options are what a Keeper is made of. All must be given but those of which it is said otherwise.
type Options struct {
	table.House
	// SaveRecords is given the records of deals that are about to leave the store; nil lets them leave unsaved. They must
	// be durable when it returns nil; otherwise they stay. It may get a record again that it has saved.
	SaveRecords func(context.Context, []Saved) error
	// MaxEnded is how many tables of one community that ended stay; 0 is 100,000. Where there are more, those leave early
	// that ended first.
	MaxEnded int
	// MaxPostings is how many postings of one community that belong to no table stay; 0 is 100,000. Where there are more, those
	// are carried forward early that were made first.
	MaxPostings int
	Tables      *play.Tables
	Index       *table.Index
	// Serves reports whether a community is this bot's to serve.
	Serves func(chat.Community) bool
}

// New is the keeper of a store.
func New(o Options) *Keeper {
	o.MaxEnded, o.MaxPostings = cmp.Or(o.MaxEnded, maxEnded), cmp.Or(o.MaxPostings, maxPostings)
	return &Keeper{Options: o}
}

// Counts is what a store holds, counted while others play.
type Counts struct {
	// Open is how many tables are listed as open, ended ones too whose last picture was not shown yet; Games how many of each game, those left
	// out that can't be read. Live are the ones that somebody looks at in a browser, as who serves knows.
	Open, Live int
	Games      map[string]int
	// Chats are the communities in which somebody has used the bot, People those whom it knows there: somebody in two counts twice.
	Chats, People int
	// Chips are those of all accounts.
	Chips purse.Sums
}

// Add adds what another store holds.
func (c *Counts) Add(other Counts) {
	c.Open += other.Open
	c.Live += other.Live
	c.Chats += other.Chats
	c.People += other.People
	if c.Games == nil {
		c.Games = map[string]int{}
	}
	for game, n := range other.Games {
		c.Games[game] += n
	}
	c.Chips.Add(other.Chips)
}

// Count counts what the bot's store holds. It reads every open table and every account, so it is for once in a while.
// The error is one of the store, or of ctx.
func (b *Keeper) Count(ctx context.Context) (Counts, error) { return Count(ctx, b.Store) }

// Count counts what a store holds, as Keeper.Count does.
func Count(ctx context.Context, s storage.Store) (c Counts, err error) {
	c.Games = map[string]int{}
	chats := map[string]bool{}
	in := func(key string) {
		if name, ok := keyspace.Community(key); ok {
			chats[name] = true
		}
	}
	c.Open, err = each(ctx, s, keyspace.OpenTables, func(item storage.Item) {
		in(item.Key)
		if game := table.GameOf(item.Value); game != "" {
			c.Games[game]++
		}
	})
	if err != nil {
		return c, fmt.Errorf("count the open tables: %w", err)
	}
	if _, err = each(ctx, s, keyspace.Places, func(item storage.Item) { in(item.Key) }); err != nil {
		return c, fmt.Errorf("count the chats: %w", err)
	}
	c.Chats = len(chats)
	if c.People, err = each(ctx, s, keyspace.Names, func(storage.Item) {}); err != nil {
		return c, fmt.Errorf("count the people: %w", err)
	}
	c.Chips, err = purse.Sum(ctx, s)
	return c, err
}

// Communities are those in which somebody has used the bot, with how many tables are listed as open in each. It reads every place of
// theirs, and every open table.
func Communities(ctx context.Context, s storage.Store) (map[chat.Community]int, error) {
	all := map[chat.Community]int{}
	for _, family := range []struct {
		prefix string
		tables int
	}{{keyspace.Places, 0}, {keyspace.OpenTables, 1}} {
		_, err := each(ctx, s, family.prefix, func(item storage.Item) {
			name, _ := keyspace.Community(item.Key)
			if c, err := chat.ParseCommunity(name); err == nil {
				all[c] += family.tables
			}
		})
		if err != nil {
			return nil, fmt.Errorf("look for the chats: %w", err)
		}
	}
	return all, nil
}

// each calls fn with each item whose key has the prefix, damaged ones without what they hold, and returns how many there are.
func each(ctx context.Context, s storage.Store, prefix string, fn func(storage.Item)) (n int, err error) {
	const page = 256
	for after := ""; ; {
		items, err := s.Scan(ctx, prefix, after, page)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return n, err
		}
		for _, item := range items {
			fn(item)
		}
		n += len(items)
		switch {
		case err != nil:
			fn(storage.Item{Key: damaged.Key})
			n++
			after = damaged.Key
		case len(items) < page:
			return n, nil
		default:
			after = items[page-1].Key
		}
	}
}
