package table

import (
	"container/list"
	"context"
	"fmt"
	"sync"

	"zevaka/engine"
	"zevaka/storage"
)

// Cache keeps the tables used last with their states, so that a press replays no log. A transaction takes a table out and
// puts it back only after its commit; nobody else holds what lies in the cache.
type Cache struct {
	mu    sync.Mutex
	max   int
	slots map[ID]*list.Element
	order *list.List // of *slot, the one used last in front
}

// Cached is a table with its state, nil where none is needed, and the stored item that they agree with.
type Cached struct {
	Table  *Table
	State  engine.State
	Stored storage.Item
}

// slot is where a table lies, and stays when it is taken out: it will be back in a moment.
type slot struct {
	id    ID
	entry *Cached
}

// NewCache is a cache of at most so many tables; it needs room for one at least.
func NewCache(most int) *Cache {
	return &Cache{max: most, slots: map[ID]*list.Element{}, order: list.New()}
}

// Take takes the table out and returns it; nil if it isn't there. The store may have a newer one.
func (c *Cache) Take(id ID) *Cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.slots[id]
	if e == nil {
		return nil
	}
	s := e.Value.(*slot)
	taken := s.entry
	s.entry = nil
	return taken
}

// has reports whether a table is there, or is about to be put back.
func (c *Cache) has(id ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slots[id] != nil
}

// Put puts a table in; the one unused for longest leaves when there are too many.
func (c *Cache) Put(entry *Cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := entry.Table.ID
	if e := c.slots[id]; e != nil {
		e.Value.(*slot).entry = entry
		c.order.MoveToFront(e)
		return
	}
	c.slots[id] = c.order.PushFront(&slot{id, entry})
	if c.order.Len() > c.max {
		oldest := c.order.Remove(c.order.Back()).(*slot)
		delete(c.slots, oldest.id)
	}
}

// Find reads the item of a table among the open ones, or else among those that ended. It returns ErrGone if there is none.
func Find(from storage.Getter, id ID) (storage.Item, error) {
	items, err := from.Get(KeyOpen(id))
	if err == nil && items[0].Rev == 0 {
		items, err = from.Get(KeyEnded(id))
	}
	if err != nil {
		return storage.Item{}, fmt.Errorf("load table %s: %w", id, err)
	}
	if items[0].Rev == 0 {
		return storage.Item{}, ErrGone
	}
	return items[0], nil
}

// Look is Find with the table that the item is.
func Look(from storage.Getter, id ID) (*Table, error) {
	item, err := Find(from, id)
	if err != nil {
		return nil, err
	}
	return Decode(id, item.Value)
}

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
