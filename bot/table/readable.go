package table

import (
	"context"
	"fmt"
	"log/slog"

	"zevaka/storage"
)

// Readable reads all items with a prefix but those that are damaged: these are logged.
func Readable(ctx context.Context, s storage.Store, log *slog.Logger, prefix string) ([]storage.Item, error) {
	var all []storage.Item
	for items, err := range storage.Pages(ctx, s, prefix) {
		if storage.IsDamaged(err) {
			log.Error("an item can't be read", "error", err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read what is under %s: %w", prefix, err)
		}
		all = append(all, items...)
	}
	return all, nil
}
