package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"zevaka/storage"
)

// stored is a table with where it lies.
type stored struct {
	key string
	*table
}

// partsOf yields the tables of a community in which the user has had a part, a page of them at a time, after the key
// given: those that are open and those that ended. One that can't be read is left out. Home is the community's first
// name. All its tables are read for that.
func (b *Bot) partsOf(ctx context.Context, home string, user int64, after string) iter.Seq2[[]stored, error] {
	return func(yield func([]stored, error) bool) {
		names, err := namesOf(ctx, b.store, home)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, prefix := range []string{openPrefix, endedPrefix} {
			for _, name := range names {
				within := prefix + name + "/"
				if after != "" && !strings.HasPrefix(after, within) {
					continue
				}
				if !b.partsIn(ctx, within, user, after, yield) {
					return
				}
				after = ""
			}
		}
	}
}

// partsIn yields the tables whose keys begin with the prefix; false ends it.
func (b *Bot) partsIn(ctx context.Context, prefix string, user int64, after string, yield func([]stored, error) bool) bool {
	const page = 500
	sits := fmt.Appendf(nil, `"user":%d,`, user)
	for {
		items, err := b.store.Scan(ctx, prefix, after, page)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return yield(nil, fmt.Errorf("look for tables of a person: %w", err))
		}
		var found []stored
		for _, item := range items {
			after = item.Key
			id, ok := parseTableID(item.Key[len(openPrefix):])
			if !ok || !bytes.Contains(item.Value, sits) {
				continue
			}
			if t, err := decodeTable(id, item.Value); err == nil {
				found = append(found, stored{item.Key, t})
			}
		}
		if !yield(found, nil) {
			return false
		}
		switch {
		case err != nil:
			after = damaged.Key
		case len(items) < page:
			return true
		}
	}
}

// namesOf are the names that a community has had, in order, as far as they can be read; the given one is the first.
func namesOf(ctx context.Context, s storage.Store, home string) ([]string, error) {
	names := []string{home}
	for items, err := range storage.Pages(ctx, s, homePrefix) {
		if err != nil && !storage.IsDamaged(err) {
			return nil, fmt.Errorf("read the names of communities: %w", err)
		}
		for _, item := range items {
			if name := strings.TrimPrefix(item.Key, homePrefix); string(item.Value) == home && name != home {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
