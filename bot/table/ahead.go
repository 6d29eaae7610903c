package table

import (
	"context"
	"fmt"

	"zevaka/storage"
)

// aheadChunks is how many chunks of a log are asked for together with their table. Few tables have more.
const aheadChunks = 8

// Found is what was asked for ahead of a table. The zero Found is nothing.
type Found struct {
	storage.Store
	items map[string]storage.Item
}

// Ahead asks a store that is far away at one go for a table that the cache doesn't have, and for its log.
func (c *Cache) Ahead(ctx context.Context, s storage.Store, id ID) (Found, error) {
	if c.has(id) {
		return Found{}, nil
	}
	keys := []string{KeyOpen(id), KeyEnded(id)}
	for n := range aheadChunks {
		keys = append(keys, ChunkKey(id.String(), n))
	}
	items, err := storage.Ahead(ctx, s, keys...)
	if err != nil {
		return Found{}, fmt.Errorf("load table %s: %w", id, err)
	}
	found := Found{s, map[string]storage.Item{}}
	for _, item := range items {
		found.items[item.Key] = item
	}
	return found, nil
}

// LogOf is a store that has the log of a table as it is stored: what was found if that is of the same moment, else the other.
func (f Found) LogOf(stored storage.Item, other storage.Store) storage.Store {
	if item, ok := f.items[stored.Key]; ok && item.Rev == stored.Rev {
		return f
	}
	return other
}

// Get implements storage.Store. What was found isn't asked for again.
func (f Found) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items := make([]storage.Item, len(keys))
	for i, key := range keys {
		item, ok := f.items[key]
		if !ok {
			return f.Store.Get(ctx, keys...)
		}
		items[i] = item
	}
	return items, nil
}
