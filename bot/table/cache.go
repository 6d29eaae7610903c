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
