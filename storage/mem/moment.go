package mem

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/storage"
)

// A moment is what a store holds. While somebody reads it, nothing is written into it: a store goes on with a copy.
type moment struct {
	items   map[string]storage.Item
	order   []string // the keys of items, sorted
	readers int
}

func (m *moment) clone() *moment {
	return &moment{items: maps.Clone(m.items), order: slices.Clone(m.order)}
}

func (m *moment) get(keys []string) []storage.Item {
	items := make([]storage.Item, len(keys))
	for i, k := range keys {
		items[i] = m.item(k)
	}
	return items
}

func (m *moment) scan(prefix, after string, limit int) []storage.Item {
	i, _ := slices.BinarySearch(m.order, max(prefix, after))
	var items []storage.Item
	for ; i < len(m.order) && len(items) < limit; i++ {
		k := m.order[i]
		if !strings.HasPrefix(k, prefix) {
			break
		}
		if k > after {
			items = append(items, m.item(k))
		}
	}
	return items
}

// item is a copy of the item of a key.
func (m *moment) item(key string) storage.Item {
	it := m.items[key]
	return storage.Item{Key: key, Value: bytes.Clone(it.Value), Rev: it.Rev}
}

// write makes one write at a revision.
func (m *moment) write(w storage.Write, rev uint64) {
	_, there := m.items[w.Key]
	i, _ := slices.BinarySearch(m.order, w.Key)
	switch {
	case w.Value == nil && there:
		delete(m.items, w.Key)
		m.order = slices.Delete(m.order, i, i+1)
		return
	case w.Value == nil:
		return
	case !there:
		m.order = slices.Insert(m.order, i, w.Key)
	}
	m.items[w.Key] = storage.Item{Key: w.Key, Value: bytes.Clone(w.Value), Rev: rev}
}

// A reader is the storage.Reader of one View; its moment is nil when that is over.
type reader struct {
	ctx    context.Context
	moment *moment
}

// Get implements storage.Reader.
func (r *reader) Get(keys ...string) ([]storage.Item, error) {
	err := storage.CheckKeys(keys)
	if err == nil {
		err = r.ready()
	}
	if err != nil {
		return nil, fmt.Errorf("mem: get: %w", err)
	}
	return r.moment.get(keys), nil
}

// Scan implements storage.Reader.
func (r *reader) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	if err := r.ready(); err != nil {
		return nil, fmt.Errorf("mem: scan %q: %w", prefix, err)
	}
	return r.moment.scan(prefix, after, limit), nil
}

func (r *reader) ready() error { return storage.CheckView(r.ctx, r.moment == nil) }
