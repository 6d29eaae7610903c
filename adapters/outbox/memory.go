package outbox

import (
	"container/list"
	"sync"
)

// Memory is a cache with a bound. It forgets what was least recently used. It is safe for use by many goroutines.
type Memory[K comparable, V any] struct {
	most int

	mu    sync.Mutex
	order list.List // of entries, the newest first
	items map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// NewMemory is an empty Memory of at most most values.
func NewMemory[K comparable, V any](most int) *Memory[K, V] {
	return &Memory[K, V]{most: most, items: map[K]*list.Element{}}
}

// Get is the value under the key; false if there is none.
func (m *Memory[K, V]) Get(key K) (V, bool) {
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

// Add remembers a value if there is none under its key, and reports whether it did.
func (m *Memory[K, V]) Add(key K, value V) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[key]; ok {
		m.order.MoveToFront(e)
		return false
	}
	m.put(key, value)
	return true
}

// Set remembers a value, in place of any other under its key.
func (m *Memory[K, V]) Set(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(key)
	m.put(key, value)
}

// Swap remembers a value in place of the one under its key, unless that one stays, and returns the one of them that isn't remembered now;
// false if nothing was there.
func (m *Memory[K, V]) Swap(key K, value V, stays func(before V) bool) (out V, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[key]; ok {
		out, known = e.Value.(entry[K, V]).value, true
		if stays(out) {
			return value, true
		}
	}
	m.drop(key)
	m.put(key, value)
	return out, known
}

// Drop forgets what is under the key.
func (m *Memory[K, V]) Drop(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(key)
}

// DropFunc forgets the values whose keys gone reports.
func (m *Memory[K, V]) DropFunc(gone func(K) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.items {
		if gone(key) {
			m.drop(key)
		}
	}
}

// All is all values, the most recently used first.
func (m *Memory[K, V]) All() []V {
	m.mu.Lock()
	defer m.mu.Unlock()
	values := make([]V, 0, len(m.items))
	for e := m.order.Front(); e != nil; e = e.Next() {
		values = append(values, e.Value.(entry[K, V]).value)
	}
	return values
}

func (m *Memory[K, V]) put(key K, value V) {
	if len(m.items) >= m.most {
		m.drop(m.order.Back().Value.(entry[K, V]).key)
	}
	m.items[key] = m.order.PushFront(entry[K, V]{key, value})
}

func (m *Memory[K, V]) drop(key K) {
	if e, ok := m.items[key]; ok {
		delete(m.items, key)
		m.order.Remove(e)
	}
}
