package bot

import (
	"context"
	"errors"
	"fmt"

	"zevaka/bot/purse"
	"zevaka/storage"
)

// Census is what a store holds, counted while others play.
type Census struct {
	// Open is how many tables are listed as open, ended ones too whose last picture was not shown yet.
	Open int
	// Chips are those of all accounts.
	Chips purse.Sums
}

// Census counts what the bot's store holds. It reads every open table and every account, so it is for once in a while.
// The error is one of the store, or of ctx.
func (b *Bot) Census(ctx context.Context) (Census, error) {
	const page = 256
	var c Census
	for after := ""; ; {
		items, err := b.store.Scan(ctx, openPrefix, after, page)
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
