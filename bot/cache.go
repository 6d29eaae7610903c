package bot

import (
	"bytes"
	"container/list"
	"sync"

	"zevaka/engine"
)

// cache keeps the tables used last, with their states, so that a press replays no log. What lies in it belongs to the
// cache alone: a transaction takes it out, and it is put back only after that has committed.
type cache struct {
	mu      sync.Mutex
	max     int
	entries map[tableID]*list.Element
	order   *list.List // of *cached, the one used last in front
}

// cached is a table with its state, nil where none is needed, and the stored value that they agree with.
type cached struct {
	table *table
	state engine.State
	value []byte
}

func newCache(most int) *cache {
	return &cache{max: most, entries: map[tableID]*list.Element{}, order: list.New()}
}

// take takes the table out, and returns it if it agrees with the stored value.
func (c *cache) take(id tableID, value []byte) (*cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[id]
	if e == nil {
		return nil, false
	}
	c.order.Remove(e)
	delete(c.entries, id)
	entry := e.Value.(*cached)
	return entry, bytes.Equal(entry.value, value)
}

// put puts a table in; the one unused for longest leaves when there are too many.
func (c *cache) put(entry *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.entries[entry.table.id]; old != nil {
		c.order.Remove(old)
	}
	c.entries[entry.table.id] = c.order.PushFront(entry)
	if c.order.Len() > c.max {
		oldest := c.order.Remove(c.order.Back()).(*cached)
		delete(c.entries, oldest.table.id)
	}
}
