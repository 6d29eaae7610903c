package table

import (
	"container/list"
	"sync"

	"zevaka/engine"
	"zevaka/storage"
)

// Cache keeps the tables used last with their states, so that a press replays no log. A transaction takes a table out and
// puts it back only after its commit; nobody else holds what lies in the cache.
type Cache struct {
	mu      sync.Mutex
	max     int
	entries map[ID]*list.Element
	order   *list.List // of *cached, the one used last in front
}

// Cached is a table with its state, nil where none is needed, and the stored item that they agree with.
type Cached struct {
	Table  *Table
	State  engine.State
	Stored storage.Item
}

// NewCache is a cache of at most so many tables; it needs room for one at least.
func NewCache(most int) *Cache {
	return &Cache{max: most, entries: map[ID]*list.Element{}, order: list.New()}
}

// Take takes the table out and returns it; nil if it isn't there. The store may have a newer one.
func (c *Cache) Take(id ID) *Cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[id]
	if e == nil {
		return nil
	}
	c.order.Remove(e)
	delete(c.entries, id)
	return e.Value.(*Cached)
}

// Put puts a table in; the one unused for longest leaves when there are too many.
func (c *Cache) Put(entry *Cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.entries[entry.Table.ID]; old != nil {
		c.order.Remove(old)
	}
	c.entries[entry.Table.ID] = c.order.PushFront(entry)
	if c.order.Len() > c.max {
		oldest := c.order.Remove(c.order.Back()).(*Cached)
		delete(c.entries, oldest.Table.ID)
	}
}
