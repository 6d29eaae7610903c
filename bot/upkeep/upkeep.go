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
	Tables   *play.Tables
	Index    *table.Index
	// Serves reports whether a community is this bot's to serve; nil: all are.
	Serves func(chat.Community) bool
}

// New is the keeper of a store.
func New(o Options) *Keeper {
	o.MaxEnded = cmp.Or(o.MaxEnded, maxEnded)
	return &Keeper{Options: o}
}

// Counts is what a store holds, counted while others play.
type Counts struct {
	// Open is how many tables are listed as open, ended ones too whose last picture was not shown yet.
	Open int
	// Chips are those of all accounts.
	Chips purse.Sums
}

// Add adds what another store holds.
func (c *Counts) Add(other Counts) {
	c.Open += other.Open
	c.Chips.Add(other.Chips)
}

// Count counts what the bot's store holds. It reads every open table and every account, so it is for once in a while.
// The error is one of the store, or of ctx.
func (b *Keeper) Count(ctx context.Context) (Counts, error) { return Count(ctx, b.Store) }

// Count counts what a store holds, as Keeper.Count does.
func Count(ctx context.Context, s storage.Store) (c Counts, err error) {
	if c.Open, err = keys(ctx, s, keyspace.OpenTables, func(string) {}); err != nil {
		return c, fmt.Errorf("count the open tables: %w", err)
	}
	c.Chips, err = purse.Sum(ctx, s)
	return c, err
}

// Chats counts the communities in which somebody has used the bot. It reads every place of theirs.
func Chats(ctx context.Context, s storage.Store) (n int, err error) {
	all, err := Communities(ctx, s)
	return len(all), err
}

// Communities are those in which somebody has used the bot, with how many tables are listed as open in each. It reads every place of
// theirs, and every open table.
func Communities(ctx context.Context, s storage.Store) (map[chat.Community]int, error) {
	all := map[chat.Community]int{}
	for _, family := range []struct {
		prefix string
		tables int
	}{{keyspace.Places, 0}, {keyspace.OpenTables, 1}} {
		_, err := keys(ctx, s, family.prefix, func(key string) {
			name, _ := keyspace.Community(key)
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

// keys calls fn with each key that has the prefix, those of damaged items, too, and returns how many there are.
func keys(ctx context.Context, s storage.Store, prefix string, fn func(key string)) (n int, err error) {
	const page = 256
	for after := ""; ; {
		items, err := s.Scan(ctx, prefix, after, page)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return n, err
		}
		for _, item := range items {
			fn(item.Key)
		}
		n += len(items)
		switch {
		case err != nil:
			fn(damaged.Key)
			n++
			after = damaged.Key
		case len(items) < page:
			return n, nil
		default:
			after = items[page-1].Key
		}
	}
}
