package storagetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/storage"
)

var (
	errUnknown     = fmt.Errorf("test: %w", storage.ErrUnknown)
	errUnavailable = fmt.Errorf("test: %w", storage.ErrUnavailable)
)

// count adds 1 to the length of the value of a key, once for each request.
func count(tx storage.Tx, request string) error {
	items, err := tx.Get("n", request)
	if err != nil || items[1].Rev != 0 {
		return err
	}
	tx.Put("n", append(items[0].Value, 'x'))
	tx.Put(request, nil)
	return nil
}

func testUnavailable(t *testing.T, w *wrapped) {
	w.answer = func(int, func() error) error { return errUnavailable }
	err := storage.Update(t.Context(), w, func(tx storage.Tx) error { return count(tx, "r") })
	if !errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrUnknown) || len(w.commits) != 1 {
		t.Errorf("Update: %v after %d commits, want %v after one", err, len(w.commits), storage.ErrUnavailable)
	}
}

// testUnknown loses the answers of some commits, which were made or not.
func testUnknown(t *testing.T, w *wrapped) {
	for i, made := range []int{0, 1, 3} {
		w.commits = nil
		w.answer = func(n int, make func() error) error {
			if n == made {
				_ = make()
			}
			if n == 2 {
				return errUnavailable
			}
			if n < 4 {
				return errUnknown
			}
			return make()
		}
		request := fmt.Sprint("request ", made)
		update(t, w, func(tx storage.Tx) error { return count(tx, request) })
		has(t, w, "n", []byte("xxxx"[:i+1]))
		if len(w.commits) < 4 {
			t.Fatalf("%d commits, want 4", len(w.commits))
		}
		for _, txn := range w.commits[1:4] {
			if !reflect.DeepEqual(txn, w.commits[0]) {
				t.Errorf("resent %+v after %+v", txn, w.commits[0])
			}
		}
	}
}

// testUnknownConflict makes a transaction, loses the answer, and changes the key again: fn must be asked again.
func testUnknownConflict(t *testing.T, w *wrapped) {
	w.answer = func(n int, make func() error) error {
		if n > 1 {
			return make()
		}
		_ = make()
		commit(t, w.Store, nil, put("n", "xx"))
		return errUnknown
	}
	runs := 0
	update(t, w, func(tx storage.Tx) error {
		runs++
		return count(tx, "r")
	})
	has(t, w, "n", []byte("xx"))
	if runs != 2 {
		t.Errorf("fn ran %d times, want 2", runs)
	}
}

// testStaysUnknown ends Update in several ways after an answer was lost.
func testStaysUnknown(t *testing.T, w *wrapped) {
	broken := errors.New("broken")
	tests := []struct {
		name   string
		answer func(n int) error
		again  error // what fn returns when it is run again
		also   error
	}{
		{"always unknown", func(int) error { return errUnknown }, nil, context.DeadlineExceeded},
		{"then unavailable", func(n int) error {
			if n == 1 {
				return errUnknown
			}
			return errUnavailable
		}, nil, context.DeadlineExceeded},
		{"then always in conflict", func(n int) error {
			if n == 1 {
				return errUnknown
			}
			return storage.ErrConflict
		}, nil, context.DeadlineExceeded},
		{"then broken", func(n int) error {
			if n == 1 {
				return errUnknown
			}
			return storage.ErrConflict
		}, broken, broken},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			w.commits = nil
			w.answer = func(n int, _ func() error) error { return c.answer(n) }
			runs := 0
			var err error
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
				defer cancel()
				err = storage.Update(ctx, w, func(tx storage.Tx) error {
					runs++
					if runs > 1 && c.again != nil {
						return c.again
					}
					tx.Put("n", []byte("1"))
					return nil
				})
			})
			if !errors.Is(err, storage.ErrUnknown) || !errors.Is(err, c.also) {
				t.Errorf("Update: %v, want %v and %v", err, storage.ErrUnknown, c.also)
			}
		})
	}
}
