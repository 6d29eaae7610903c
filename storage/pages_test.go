package storage_test

import (
	"context"
	"errors"
	"fmt"
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
