package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
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
// writes. It reads each item back that it has written, and counts all of them in the end; it returns how many items are in both, with the
// same values; their revisions are those of the store. What a store can't do for a moment is tried again for a while. What was begun and not
// ended leaves items behind.
func Copy(ctx context.Context, to Store, from Reader, c Copying) (items int, err error) {
	there, err := to.Scan(ctx, "", "", 1)
	if err != nil {
		return 0, fmt.Errorf("copy: %w", err)
	}
	if len(there) > 0 && !c.GoOn {
		return 0, fmt.Errorf("copy: %w", ErrNotEmpty)
	}
	places := []Reader{from}
	if scattered, ok := from.(Scattered); ok {
		places = scattered.Places()
	}
	for _, place := range places {
		err := paged(ctx, place.Scan, func(page []Item) (err error) {
			wanted := page
			if len(there) > 0 {
				wanted, err = missing(ctx, to, page)
			}
			if err == nil {
				err = c.putAll(ctx, to, wanted)
			}
			if items += len(page); err == nil && c.Told != nil {
				c.Told(items)
			}
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("copy: %w", err)
		}
	}
	has := 0
	scan := func(prefix, after string, limit int) ([]Item, error) { return to.Scan(ctx, prefix, after, limit) }
	if err := paged(ctx, scan, func(page []Item) error { has += len(page); return nil }); err != nil {
		return 0, fmt.Errorf("copy: count what was written: %w", err)
	}
	if has != items {
		return 0, fmt.Errorf("copy: the stores differ: %d items were copied, and there are %d", items, has)
	}
	return items, nil
}

// missing are those of the items that a store doesn't have as they are.
func missing(ctx context.Context, to Store, items []Item) (missing []Item, err error) {
	for some := range slices.Chunk(items, MaxKeys) {
		keys := make([]string, len(some))
		for i, it := range some {
			keys[i] = it.Key
		}
		var there []Item
		err := patiently(ctx, func() (err error) {
			there, err = to.Get(ctx, keys...)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, it := range some {
			if there[i].Rev == 0 || !bytes.Equal(there[i].Value, it.Value) {
				missing = append(missing, it)
			}
		}
	}
	return missing, nil
}

// paged calls do with some of the items after the others that a scan finds.
func paged(ctx context.Context, scan func(prefix, after string, limit int) ([]Item, error), do func([]Item) error) error {
	for after := ""; ; {
		var items []Item
		err := patiently(ctx, func() (err error) {
			items, err = scan("", after, page)
			return err
		})
		if err == nil {
			err = do(items)
		}
		if err != nil || len(items) < page {
			return err
		}
		after = items[len(items)-1].Key
	}
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

// putAll writes items, some in each transaction, and reads them back.
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
	one := func(i int) {
		errs[i] = put(ctx, to, parts[i])
	}
	if c.Apart != nil {
		c.Apart(len(parts), one)
		return errors.Join(errs...)
	}
	for i := range parts {
		if one(i); errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// put writes items in one transaction, and reads them back.
func put(ctx context.Context, to Store, items []Item) error {
	err := patiently(ctx, func() error { // Nobody else writes, so it doesn't matter whether an earlier try has.
		return Update(ctx, to, func(tx Tx) error {
			for _, it := range items {
				tx.Put(it.Key, it.Value)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	differ, err := missing(ctx, to, items)
	if err == nil && len(differ) > 0 {
		err = fmt.Errorf("the stores differ: %q isn't there as it was written", differ[0].Key)
	}
	return err
}
