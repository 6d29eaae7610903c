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

// Copying says how to copy. The zero Copying is right for a store that is near.
type Copying struct {
	// GoOn takes what is in the store already for the beginning of this copy, and writes only what differs.
	GoOn bool
	// Apart calls do with each of the numbers from 0 to n-1, several at a time, and returns when all are done; nil: one after the other.
	Apart func(n int, do func(i int))
	// Told is told how many items have been copied so far; nil is nobody.
	Told func(items int)
}

// Copy copies all that a Reader reads to a store, which must be empty, ErrNotEmpty, unless the copy goes on, and to which nobody else
// writes. It then reads both again, and returns how many items are in both, with the same values; their revisions are those of the
// store. What a store can't do for a moment is tried again for a while. What was begun and not ended leaves items behind.
func Copy(ctx context.Context, to Store, from Reader, c Copying) (items int, err error) {
	there, err := to.Scan(ctx, "", "", 1)
	if err != nil {
		return 0, fmt.Errorf("copy: %w", err)
	}
	if len(there) > 0 && !c.GoOn {
		return 0, fmt.Errorf("copy: %w", ErrNotEmpty)
	}
	for after, done := "", 0; ; {
		items, err := scanned(ctx, after, from.Scan)
		if err != nil {
			return 0, fmt.Errorf("copy: %w", err)
		}
		missing := items
		if len(there) > 0 {
			missing, err = c.missing(ctx, to, items, after)
		}
		if err == nil {
			err = c.putAll(ctx, to, missing)
		}
		if err != nil {
			return 0, fmt.Errorf("copy: %w", err)
		}
		if done += len(items); c.Told != nil {
			c.Told(done)
		}
		if len(items) < page {
			return compare(ctx, to, from)
		}
		after = items[len(items)-1].Key
	}
}

// missing are those of the items, which come behind a key, that a store doesn't have as they are.
func (c Copying) missing(ctx context.Context, to Store, items []Item, after string) (missing []Item, err error) {
	there, err := scanned(ctx, after, func(prefix, after string, limit int) ([]Item, error) { return to.Scan(ctx, prefix, after, limit) })
	if err != nil {
		return nil, err
	}
	has := map[string][]byte{}
	for _, it := range there {
		has[it.Key] = it.Value
	}
	for _, it := range items {
		if value, ok := has[it.Key]; !ok || !bytes.Equal(value, it.Value) {
			missing = append(missing, it)
		}
	}
	return missing, nil
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

// putAll writes items, some in each transaction.
func (c Copying) putAll(ctx context.Context, to Store, items []Item) error {
	var parts [][]Item
	for len(items) > 0 {
		n, size := 0, 0
		for n < min(len(items), MaxKeys) && (n == 0 || size+len(items[n].Value) <= copyBytes) {
			size += len(items[n].Value)
			n++
		}
		parts, items = append(parts, items[:n]), items[n:]
	}
	errs := make([]error, len(parts))
	put := func(i int) {
		errs[i] = patiently(ctx, func() error { // Nobody else writes, so it doesn't matter whether an earlier try has.
			return Update(ctx, to, func(tx Tx) error {
				for _, it := range parts[i] {
					tx.Put(it.Key, it.Value)
				}
				return nil
			})
		})
	}
	if c.Apart != nil {
		c.Apart(len(parts), put)
		return errors.Join(errs...)
	}
	for i := range parts {
		if put(i); errs[i] != nil {
			return errs[i]
		}
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
