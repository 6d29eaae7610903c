package storage_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest"
	"zevaka/storage/storagetest/stores"
)

// TestMemoryContract: a store with a memory keeps what a store promises, be the memory ample or small.
func TestMemoryContract(t *testing.T) {
	for _, bytes := range []int{0, 1000, 1 << 20} {
		t.Run(fmt.Sprint(bytes), func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T) storage.Store {
				return storage.Remember(stores.Bolt(t), bytes, func(key string) bool { return key != "" && key[0]%2 == 0 })
			})
		})
	}
}

// asked is a store that counts how often it is asked.
type asked struct {
	storage.Store
	gets, commits int
}

func (a *asked) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	a.gets++
	return a.Store.Get(ctx, keys...)
}

func (a *asked) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	a.commits++
	return a.Store.Commit(ctx, t)
}

// counts changes a value by one and returns what it is now, or the refusal.
func counts(t *testing.T, s storage.Store, key string, refused error) string {
	t.Helper()
	var now string
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		items, err := tx.Get(key)
		if err != nil {
			return err
		}
		now = string(items[0].Value) + "|"
		tx.Put(key, []byte(now))
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	return now
}

// refusal is a storage.Refusal.
type refusal struct{ error }

// Refuses implements storage.Refusal.
func (refusal) Refuses() {}

var errRefused = refusal{errors.New("refused")}

// TestMemory: what was read or written isn't asked for again; what another has changed is, whether it ends in a write or in a
// refusal; and what must be new is taken to be, until it isn't.
func TestMemory(t *testing.T) {
	below := &asked{Store: stores.Bolt(t)}
	s := storage.Remember(below, 1<<20, func(key string) bool { return strings.HasPrefix(key, "new/") })
	for _, step := range []struct {
		what          string
		do            func() string
		want          string
		gets, commits int
	}{
		{"unknown", func() string { return counts(t, s, "a", nil) }, "|", 1, 1},
		{"known", func() string { return counts(t, s, "a", nil) }, "||", 0, 1},
		{"known and refused", func() string { return counts(t, s, "a", errRefused) }, "|||", 0, 1},
		{"changed by another", func() string { counts(t, below.Store, "a", nil); return counts(t, s, "a", nil) }, "||||", 1, 2},
		{"changed and refused", func() string {
			counts(t, below.Store, "a", nil)
			return counts(t, s, "a", errRefused)
		}, "||||||", 1, 1},
		{"new", func() string { return counts(t, s, "new/1", nil) }, "|", 0, 1},
		{"not new", func() string { return counts(t, s, "new/1", nil) }, "||", 1, 2},
	} {
		below.gets, below.commits = 0, 0
		if got := step.do(); got != step.want || below.gets != step.gets || below.commits != step.commits {
			t.Errorf("%s: %q with %d gets and %d commits; want %q with %d and %d", step.what, got, below.gets, below.commits, step.want, step.gets, step.commits)
		}
	}
	small := storage.Remember(below, 300, nil)
	for _, key := range []string{"b", "c", "b", "b"} {
		counts(t, small, key, nil)
	}
	below.gets = 0
	if counts(t, small, "b", nil); below.gets != 0 {
		t.Error("the newest isn't remembered")
	}
	if counts(t, small, "c", nil); below.gets != 1 {
		t.Error("more is remembered than there is room for")
	}
}
