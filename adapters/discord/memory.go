package discord

import (
	"container/list"
	"sync"
)

// memory remembers at most max things, and forgets what was longest not asked for. It is safe for use by many
// goroutines.
type memory[K comparable, V any] struct {
	max int

	mu    sync.Mutex
	order list.List // of entries, the newest first
	items map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func newMemory[K comparable, V any](max int) *memory[K, V] {
	return &memory[K, V]{max: max, items: map[K]*list.Element{}}
}

// get is what is remembered under the key; false if nothing is.
func (m *memory[K, V]) get(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.items[key]
	if !ok {
		var none V
		return none, false
	}
	m.order.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true
}

// put remembers a value, and reports whether there was none under its key. One that is there stays.
func (m *memory[K, V]) put(key K, value V) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[key]; ok {
		m.order.MoveToFront(e)
		return false
	}
	if len(m.items) >= m.max {
		oldest := m.order.Back()
		delete(m.items, oldest.Value.(entry[K, V]).key)
		m.order.Remove(oldest)
	}
	m.items[key] = m.order.PushFront(entry[K, V]{key, value})
	return true
}

// drop forgets what is under the key.
func (m *memory[K, V]) drop(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[key]; ok {
		delete(m.items, key)
		m.order.Remove(e)
	}
}

// all is everything that is remembered, the newest first.
func (m *memory[K, V]) all() []V {
	m.mu.Lock()
	defer m.mu.Unlock()
	values := make([]V, 0, len(m.items))
	for e := m.order.Front(); e != nil; e = e.Next() {
		values = append(values, e.Value.(entry[K, V]).value)
	}
	return values
}
