package upkeep

import (
	"context"
	"errors"
	"fmt"

	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/storage"
)

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
func (b *Keeper) Count(ctx context.Context) (Counts, error) {
	const page = 256
	var c Counts
	for after := ""; ; {
		items, err := b.store.Scan(ctx, keyspace.OpenTables, after, page)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return c, fmt.Errorf("count the open tables: %w", err)
		}
		c.Open += len(items)
		switch {
		case err != nil:
			c.Open++
			after = damaged.Key
			continue
		case len(items) == page:
			after = items[page-1].Key
			continue
		}
		c.Chips, err = purse.Sum(ctx, b.store)
		return c, err
	}
}
