package storage

import (
	"container/list"
	"context"
	"sync"
)

// Memory is a store that remembers items which were read and written through it, so that Update doesn't ask the store for them
// again: it assumes them, and when one has changed, runs again on fresh reads. Nothing but Update is served from memory, so a
// Memory keeps all that a Store promises.
//
// It is for a store that is far away, and of which little is written by others.
type Memory struct {
	Store
	once func(key string) bool
	room int

	mu    sync.Mutex
	items map[string]*list.Element
	order *list.List // of Item, the one used last in front
}

// Remember is the store with a memory of so many bytes of keys and values; those unused for longest are forgotten. Keys of which
// once reports true are written under a name that was never used before, but by the same request: they are assumed to be absent
// until the store says otherwise. Nil reports false.
func Remember(s Store, bytes int, once func(key string) bool) *Memory {
	return &Memory{Store: s, once: once, room: bytes, items: map[string]*list.Element{}, order: list.New()}
}

// Get implements Store.
func (m *Memory) Get(ctx context.Context, keys ...string) ([]Item, error) {
	items, err := m.Store.Get(ctx, keys...)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, item := range items {
			m.keep(item)
		}
	}
	return items, err
}

// Commit implements Store.
func (m *Memory) Commit(ctx context.Context, t Txn) (uint64, error) {
	rev, err := m.Store.Commit(ctx, t)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		for _, read := range t.Reads {
			m.forget(read.Key)
		}
		for _, w := range t.Writes {
			m.forget(w.Key)
		}
		return rev, err
	}
	// What is written without having been read is seldom read afterwards.
	read := make(map[string]bool, len(t.Reads))
	for _, r := range t.Reads {
		read[r.Key] = true
	}
	for _, w := range t.Writes {
		switch {
		case w.Value == nil, m.isOnce(w.Key), !read[w.Key]:
			m.forget(w.Key)
		default:
			m.keep(Item{w.Key, w.Value, rev})
		}
	}
	return rev, nil
}

// Ahead asks a Memory at one go for keys of which an Update is going to need some, the first of them in any case, so that it
// doesn't ask for one after the other, and returns their items. It asks nothing where the first is remembered, and nothing of a
// store that is no Memory.
func Ahead(ctx context.Context, s Store, keys ...string) ([]Item, error) {
	m, ok := s.(*Memory)
	if !ok {
		return nil, nil
	}
	if _, known := m.recall(keys[0]); known {
		return nil, nil
	}
	return m.Get(ctx, keys...)
}

// recall is what is remembered of a key.
func (m *Memory) recall(key string) (Item, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.items[key]; e != nil {
		m.order.MoveToFront(e)
		return e.Value.(Item), true
	}
	return Item{Key: key}, m.isOnce(key)
}

func (m *Memory) isOnce(key string) bool { return m.once != nil && m.once(key) }

// keep remembers an item, unless a newer one is known.
func (m *Memory) keep(item Item) {
	if e := m.items[item.Key]; e != nil {
		if e.Value.(Item).Rev > item.Rev {
			return
		}
		m.forget(item.Key)
	}
	m.items[item.Key] = m.order.PushFront(item)
	for m.room -= size(item); m.room < 0; {
		m.forget(m.order.Back().Value.(Item).Key)
	}
}

func (m *Memory) forget(key string) {
	if e := m.items[key]; e != nil {
		m.room += size(m.order.Remove(e).(Item))
		delete(m.items, key)
	}
}

// perItem is what an item takes beside its bytes, about.
const perItem = 200

func size(item Item) int { return len(item.Key) + len(item.Value) + perItem }
