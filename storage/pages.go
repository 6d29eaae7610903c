package storage

import (
	"context"
	"errors"
	"iter"
)

// page is how many items Pages asks for at once.
const page = 500

// Pages yields all items whose keys begin with the prefix, in order of key, some at a time and never none. They are not
// of one moment. An error comes with nil, and last, unless it is Damaged: after that come the items behind that one.
func Pages(ctx context.Context, s Store, prefix string) iter.Seq2[[]Item, error] {
	return func(yield func([]Item, error) bool) {
		for after := ""; ; {
			items, err := s.Scan(ctx, prefix, after, page)
			var damaged Damaged
			isDamaged := errors.As(err, &damaged)
			if err != nil && !isDamaged {
				yield(nil, err)
				return
			}
			if len(items) > 0 {
				after = items[len(items)-1].Key
				if !yield(items, nil) {
					return
				}
			}
			if isDamaged {
				after = damaged.Key
				if !yield(nil, err) {
					return
				}
			} else if len(items) < page {
				return
			}
		}
	}
}
