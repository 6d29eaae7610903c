package storage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest"
)

// TestPages: every key with the prefix comes once, in order, whatever their number, until the reader or the store stops.
func TestPages(t *testing.T) {
	const page = 500
	for _, n := range []int{0, 1, page - 1, page, page + 1, 2*page + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := mem.New()
			put(t, s, "a", "c/")
			for i := range n {
				put(t, s, fmt.Sprintf("b/%04d", i))
			}
			var got []string
			for items, err := range storage.Pages(t.Context(), s, "b/") {
				if err != nil || len(items) == 0 {
					t.Fatal(items, err)
				}
				for _, item := range items {
					got = append(got, item.Key)
				}
			}
			for i, key := range got {
				if key != fmt.Sprintf("b/%04d", i) {
					t.Fatalf("key %d is %s", i, key)
				}
			}
			if len(got) != n {
				t.Errorf("%d keys come, want %d", len(got), n)
			}
			for items, err := range storage.Pages(t.Context(), s, "b/") {
				if err != nil || items[0].Key != "b/0000" {
					t.Error(items, err)
				}
				break
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for items, err := range storage.Pages(t.Context(), s, "b/") {
				if items != nil || !errors.Is(err, storage.ErrUnavailable) {
					t.Errorf("a closed store gives %v, %v", items, err)
				}
			}
		})
	}
}

// broken is a store in which some values are damaged.
type broken struct {
	storage.Store
	keys []string
}

func (b broken) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := b.Store.Scan(ctx, prefix, after, limit)
	for i, item := range items {
		if slices.Contains(b.keys, item.Key) {
			return items[:i], fmt.Errorf("%w: %w", storage.ErrUnavailable, storage.Damaged{Key: item.Key})
		}
	}
	return items, err
}

// TestPagesDamaged: what is damaged comes as an error, and the rest comes all the same.
func TestPagesDamaged(t *testing.T) {
	keys := []string{"a/1", "a/2", "a/3", "a/4"}
	for mask := range 1 << len(keys) {
		s := broken{Store: mem.New()}
		put(t, s, keys...)
		var want, got []string
		for i, key := range keys {
			if mask&(1<<i) != 0 {
				s.keys = append(s.keys, key)
				key += " damaged"
			}
			want = append(want, key)
		}
		for items, err := range storage.Pages(t.Context(), s, "a/") {
			var damaged storage.Damaged
			if errors.As(err, &damaged) {
				got = append(got, damaged.Key+" damaged")
			} else if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				got = append(got, item.Key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v come, want %v", got, want)
		}
	}
}

func put(t *testing.T, s storage.Store, keys ...string) {
	t.Helper()
	var txn storage.Txn
	for _, key := range keys {
		txn.Writes = append(txn.Writes, storage.Write{Key: key, Value: []byte{}})
	}
	if err := storagetest.Commit(context.Background(), s, txn); err != nil {
		t.Fatal(err)
	}
}
