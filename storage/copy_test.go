package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
)

// TestCopy copies what is small, what is large, and more than a page of it, there and back.
func TestCopy(t *testing.T) {
	from := mem.New()
	put := func(s storage.Store, key string, value []byte) {
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error { tx.Put(key, value); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1203 {
		put(from, fmt.Sprintf("small/%04d", i), fmt.Append(nil, i))
	}
	for i := range 40 {
		put(from, fmt.Sprintf("large/%02d", i), bytes.Repeat([]byte{byte(i)}, storage.MaxValue))
	}
	put(from, "\xff", nil)
	file, err := bolt.Open(filepath.Join(t.TempDir(), "z.db"), bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	back := mem.New()
	for _, step := range []struct{ to, from storage.Store }{{file, from}, {back, file}} {
		if n, err := copied(t.Context(), step.to, step.from); n != 1244 || err != nil {
			t.Fatalf("%d items, %v", n, err)
		}
	}
	items, err := back.Get(t.Context(), "small/0999", "large/39", "\xff")
	if err != nil || string(items[0].Value) != "999" || len(items[1].Value) != storage.MaxValue || items[2].Value == nil {
		t.Errorf("copied twice: %.200v, %v", items, err)
	}
	if _, err := copied(t.Context(), back, from); !errors.Is(err, storage.ErrNotEmpty) {
		t.Errorf("over what is there: %v", err)
	}
}

// copied copies what a store has at one moment.
func copied(ctx context.Context, to, from storage.Store) (int, error) {
	return storage.Read(ctx, from, func(r storage.Reader) (int, error) { return storage.Copy(ctx, to, r) })
}

// altering is a store whose reader sees a value that nobody wrote.
type altering struct{ storage.Store }

func (a altering) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := a.Store.Scan(ctx, prefix, after, limit)
	for i := range items {
		if items[i].Key == "b" {
			items[i].Value = []byte("other")
		}
	}
	return items, err
}

// TestCopyCompares: what isn't the same in the copy is found.
func TestCopyCompares(t *testing.T) {
	from, to := mem.New(), mem.New()
	for _, key := range []string{"a", "b", "c"} {
		err := storage.Update(t.Context(), from, func(tx storage.Tx) error { tx.Put(key, []byte("1")); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	n, err := copied(t.Context(), altering{to}, from)
	if n != 1 || err == nil || !strings.Contains(err.Error(), `behind "a"`) {
		t.Errorf("%d items, %v", n, err)
	}
}
