package bolt

import (
	"bytes"
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// A reader is the storage.Reader of one View; its bucket is nil when that is over.
type reader struct {
	ctx    context.Context
	bucket *bbolt.Bucket
}

// Get implements storage.Reader.
func (r *reader) Get(keys ...string) ([]storage.Item, error) {
	err := storage.CheckKeys(keys)
	if err == nil {
		err = r.ready()
	}
	if err != nil {
		return nil, fmt.Errorf("bolt: get: %w", err)
	}
	found, err := get(r.bucket, keys)
	if err != nil {
		return nil, fmt.Errorf("bolt: get: %w: %w", storage.ErrUnavailable, err)
	}
	return found, nil
}

// Scan implements storage.Reader.
func (r *reader) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	if err := r.ready(); err != nil {
		return nil, fmt.Errorf("bolt: scan %q: %w", prefix, err)
	}
	found, err := scan(r.bucket, prefix, after, limit)
	if err != nil {
		return found, fmt.Errorf("bolt: scan %q: %w: %w", prefix, storage.ErrUnavailable, err)
	}
	return found, nil
}

func (r *reader) ready() error { return storage.CheckView(r.ctx, r.bucket == nil) }

// get reads items by their keys. The error is that of a damaged one.
func get(b *bbolt.Bucket, keys []string) ([]storage.Item, error) {
	found := make([]storage.Item, len(keys))
	var k [storage.MaxKey]byte
	for i, key := range keys {
		name := append(k[:0], key...)
		value, rev, err := unpack(name, b.Get(name))
		if err != nil {
			return nil, err
		}
		found[i] = storage.Item{Key: key, Value: bytes.Clone(value), Rev: rev}
	}
	return found, nil
}

// scan reads items in order of their keys. The error is that of a damaged one; what comes before it is found.
func scan(b *bbolt.Bucket, prefix, after string, limit int) (found []storage.Item, err error) {
	found = make([]storage.Item, 0, max(0, min(limit, usual)))
	defer func() { own(found) }()
	c := b.Cursor()
	k, v := c.Seek([]byte(max(prefix, after)))
	if after != "" && string(k) == after {
		k, v = c.Next()
	}
	for ; k != nil && len(found) < limit && bytes.HasPrefix(k, []byte(prefix)); k, v = c.Next() {
		value, rev, err := unpack(k, v)
		if err != nil {
			return found, err
		}
		found = append(found, storage.Item{Key: string(k), Value: value, Rev: rev})
	}
	return found, nil
}

// usual is for how many items a Scan makes room at once: those who read all ask for as many at a time.
const usual = 500

// own gives the items copies of their values, which belong to bbolt until then, all in one piece of memory.
func own(items []storage.Item) {
	size := 0
	for _, item := range items {
		size += len(item.Value)
	}
	values := make([]byte, 0, size)
	for i, item := range items {
		start := len(values)
		values = append(values, item.Value...)
		items[i].Value = values[start:len(values):len(values)]
	}
}
