package bot

import (
	"context"

	"zevaka/bot/upkeep"
)

// Sweep lets leave at once what ended longer ago than Options.Keep.
func (b *Bot) Sweep(ctx context.Context) (upkeep.Swept, error) { return b.keeper.Sweep(ctx) }
