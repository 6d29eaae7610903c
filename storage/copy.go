package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// copyBytes is how many bytes of values Copy writes at once, at most; one value may be more.
const copyBytes = 512 << 10

// ErrNotEmpty is the error for a store that has something in it already.
var ErrNotEmpty = errors.New("storage: the store isn't empty")

// Copy copies all that a Reader reads to a store, which must be empty, ErrNotEmpty, and to which nobody else writes. It then
// reads both again, and returns how many items are in both, with the same values; their revisions are those of the store. What a
// store can't do for a moment is tried again for a while.
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
		items, err := scanned(ctx, after, from.Scan)
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

// scanned is a page of what a scan finds.
func scanned(ctx context.Context, after string, scan func(prefix, after string, limit int) ([]Item, error)) (items []Item, err error) {
	err = patiently(ctx, func() (err error) {
		items, err = scan("", after, page)
		return err
	})
	return items, err
}

// copyTries is how often something is tried, and copyPause the pause after the first time; it doubles.
const copyTries, copyPause = 5, time.Second

// patiently does something again that a store can't do for a moment.
func patiently(ctx context.Context, do func() error) error {
	pause := copyPause
	for range copyTries - 1 {
		err := do()
		if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrUnknown) || IsDamaged(err) {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
		pause *= 2
	}
	return do()
}

// putAll writes items, some at a time.
func putAll(ctx context.Context, to Store, items []Item) error {
	for len(items) > 0 {
		n, size := 0, 0
		for n < min(len(items), MaxKeys) && (n == 0 || size+len(items[n].Value) <= copyBytes) {
			size += len(items[n].Value)
			n++
		}
		err := patiently(ctx, func() error { // Nobody else writes, so it doesn't matter whether an earlier try has.
			return Update(ctx, to, func(tx Tx) error {
				for _, it := range items[:n] {
					tx.Put(it.Key, it.Value)
				}
				return nil
			})
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
		as, err := scanned(ctx, after, func(prefix, after string, limit int) ([]Item, error) { return a.Scan(ctx, prefix, after, limit) })
		if err != nil {
			return items, fmt.Errorf("compare: %w", err)
		}
		bs, err := scanned(ctx, after, b.Scan)
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
