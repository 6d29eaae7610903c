package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// copyBytes is how many bytes of values Copy writes at once, at most; one value may be more.
const copyBytes = 512 << 10

// ErrNotEmpty is the error for a store that has something in it already.
var ErrNotEmpty = errors.New("storage: the store isn't empty")

// Copy copies all that a Reader reads to a store, which must be empty, ErrNotEmpty, and to which nobody else writes. It then
// reads both again, and returns how many items are in both, with the same values; their revisions are those of the store.
// What was begun and not ended leaves items behind, so that the store isn't empty any more.
func Copy(ctx context.Context, to Store, from Reader) (items int, err error) {
	there, err := to.Scan(ctx, "", "", 1)
	if err != nil {
		return 0, fmt.Errorf("copy: %w", err)
	}
	if len(there) > 0 {
		return 0, fmt.Errorf("copy: %w", ErrNotEmpty)
	}
	for after := ""; ; {
		items, err := from.Scan("", after, page)
		if err != nil {
			return 0, fmt.Errorf("copy: %w", err)
		}
		if err := putAll(ctx, to, items); err != nil {
			return 0, fmt.Errorf("copy: %w", err)
		}
		if len(items) < page {
			return compare(ctx, to, from)
		}
		after = items[len(items)-1].Key
	}
}

// putAll writes items, some at a time.
func putAll(ctx context.Context, to Store, items []Item) error {
	for len(items) > 0 {
		n, size := 0, 0
		for n < min(len(items), MaxKeys) && (n == 0 || size+len(items[n].Value) <= copyBytes) {
			size += len(items[n].Value)
			n++
		}
		err := Update(ctx, to, func(tx Tx) error {
			for _, it := range items[:n] {
				tx.Put(it.Key, it.Value)
			}
			return nil
		})
		if err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// compare counts the items of a store and a Reader, which have to be the same.
func compare(ctx context.Context, a Store, b Reader) (items int, err error) {
	after := ""
	for {
		as, err := a.Scan(ctx, "", after, page)
		if err != nil {
			return items, fmt.Errorf("compare: %w", err)
		}
		bs, err := b.Scan("", after, page)
		if err != nil {
			return items, fmt.Errorf("compare: %w", err)
		}
		for i := range max(len(as), len(bs)) {
			if i >= len(as) || i >= len(bs) || as[i].Key != bs[i].Key || !bytes.Equal(as[i].Value, bs[i].Value) {
				return items, fmt.Errorf("compare: the stores differ after %d items, behind %q", items, after)
			}
			items, after = items+1, as[i].Key
		}
		if len(as) < page {
			return items, nil
		}
	}
}
