// Package storagetest is the contract that every storage.Store passes.
package storagetest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"zevaka/storage"
)

// maxTries is how often a transaction whose conditions hold may be answered with ErrConflict all the same.
const maxTries = 3

// Run holds a kind of store to what package storage promises. Open returns an empty store for one test; Run closes
// it. A failure at random names its seed; a test binary that has a flag -seed can be given another.
func Run(t *testing.T, open func(t *testing.T) storage.Store) {
	each(t, func(t *testing.T) storage.Store { return opened(t, open) }, []named{
		{"Get", testGet},
		{"Put", testPut},
		{"Delete", testDelete},
		{"Empty value", testEmptyValue},
		{"Conflicts", testConflicts},
		{"Condition on a key not written", testOtherKey},
		{"Revisions", testRevisions},
		{"Largest", testLargest},
		{"Too large", testTooLarge},
		{"Scan", testScan},
		{"Scan by pages", testPages},
		{"Values are copies", testCopies},
		{"Ended context", testEnded},
		{"Closed", testClosed},
		{"Model", testModel},
		{"Transfers", testTransfers},
		{"One writer wins", testRace},
	})
	t.Run("View", func(t *testing.T) {
		runView(t, func(t *testing.T) storage.Store { return opened(t, open) })
	})
	t.Run("Update", func(t *testing.T) {
		runUpdate(t, func(t *testing.T) storage.Store { return opened(t, open) })
	})
}

// refusal is an error by which what calls on Update says no.
type refusal string

func (r refusal) Error() string { return string(r) }

// Refuses implements storage.Refusal.
func (refusal) Refuses() {}

const errRefused refusal = "not your turn"

// named is a test of an empty store.
type named struct {
	name string
	test func(*testing.T, storage.Store)
}

// each runs tests, each in a store of its own.
func each(t *testing.T, open func(*testing.T) storage.Store, tests []named) {
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func opened(t *testing.T, open func(t *testing.T) storage.Store) storage.Store {
	t.Helper()
	s := open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// Rand is a source for a random test. Its seed is that of the flag -seed if the test binary has one, else 1. It logs what to type to
// have the test run with it again.
func Rand(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if f := flag.Lookup("seed"); f != nil {
		seed = f.Value.(flag.Getter).Get().(uint64)
	}
	t.Logf("again: go test -run '^%s$' -seed %d", strings.ReplaceAll(t.Name(), "/", "$/^"), seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Commit makes a transaction whose conditions hold, and tries again when the store answers with a conflict all the
// same.
func Commit(ctx context.Context, s storage.Store, t storage.Txn) error {
	_, err := commitRev(ctx, s, t)
	return err
}

// commitRev is Commit with the revision that the store returns.
func commitRev(ctx context.Context, s storage.Store, t storage.Txn) (rev uint64, err error) {
	for range maxTries {
		if rev, err = s.Commit(ctx, t); !errors.Is(err, storage.ErrConflict) {
			return rev, err
		}
	}
	return rev, err
}

func get(t *testing.T, s storage.Store, keys ...string) []storage.Item {
	t.Helper()
	items, err := s.Get(t.Context(), keys...)
	if err != nil {
		t.Fatalf("Get(%q): %v", keys, err)
	}
	if len(items) != len(keys) {
		t.Fatalf("Get(%q): %d items", keys, len(items))
	}
	return items
}

func commit(t *testing.T, s storage.Store, reads []storage.Item, writes ...storage.Write) {
	t.Helper()
	if err := Commit(t.Context(), s, storage.Txn{Reads: reads, Writes: writes}); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

// refused checks that a transaction gets the error however often it is tried.
func refused(t *testing.T, s storage.Store, txn storage.Txn, want error) {
	t.Helper()
	for range maxTries {
		if _, err := s.Commit(t.Context(), txn); !errors.Is(err, want) {
			t.Errorf("Commit: %v, want %v", err, want)
		}
	}
}

// has checks the value of a key, nil for absent, and returns the revision.
func has(t *testing.T, s storage.Store, key string, want []byte) uint64 {
	t.Helper()
	it := get(t, s, key)[0]
	same := bytes.Equal(it.Value, want) && (it.Value == nil) == (want == nil)
	if it.Key != key || !same || (it.Rev == 0) != (want == nil) {
		t.Errorf("%q is %+v, want value %q", key, it, want)
	}
	return it.Rev
}

func put(key, value string) storage.Write { return storage.Write{Key: key, Value: []byte(value)} }

func del(key string) storage.Write { return storage.Write{Key: key} }
