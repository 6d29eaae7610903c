package storage

import (
	"context"
	"iter"
)

// page is how many items Pages asks for at once.
const page = 500

// Pages yields all items whose keys begin with the prefix, in order of key, some at a time and never none. They are not
// of one moment. An error comes last, with nil.
func Pages(ctx context.Context, s Store, prefix string) iter.Seq2[[]Item, error] {
	return func(yield func([]Item, error) bool) {
		for after := ""; ; {
			items, err := s.Scan(ctx, prefix, after, page)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(items) == 0 || !yield(items, nil) || len(items) < page {
				return
			}
			after = items[page-1].Key
		}
	}
}
