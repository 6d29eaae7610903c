package storagetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/storage"
)

// A wrapped store is one whose calls a test may answer itself.
type wrapped struct {
	storage.Store
	gets    int
	commits []storage.Txn
	// afterGet runs after the nth Get, from 1.
	afterGet func(n int)
	// answer makes or drops the nth Commit, from 1. Without it, every commit is made.
	answer func(n int, make func() error) error
}

func (w *wrapped) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := w.Store.Get(ctx, keys...)
	w.gets++
	if w.afterGet != nil {
		w.afterGet(w.gets)
	}
	return items, err
}

func (w *wrapped) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	w.commits = append(w.commits, storage.Txn{Reads: slices.Clone(t.Reads), Writes: slices.Clone(t.Writes)})
	if w.answer == nil {
		return w.Store.Commit(ctx, t)
	}
	var rev uint64
	err := w.answer(len(w.commits), func() (err error) {
		rev, err = commitRev(ctx, w.Store, t)
		return err
	})
	return rev, err
}

// runUpdate tests storage.Update over a kind of store.
func runUpdate(t *testing.T, open func(t *testing.T) storage.Store) {
	tests := []struct {
		name string
		test func(*testing.T, *wrapped)
	}{
		{"reads its own writes", testOwnWrites},
		{"keeps the first item", testFirstItem},
		{"runs again after a conflict", testRunsAgain},
		{"ends with its context", testEndsWithContext},
		{"writes nothing after an error", testFnError},
		{"writes nothing after a panic", testPanic},
		{"commits no single read", testSingleRead},
		{"checks torn reads", testTornReads},
		{"checks no reads after an error", testTornError},
		{"minds a failed Get", testFailedGet},
		{"returns the revision", testUpdateRev},
		{"believes what holds", testAssume},
		{"believes nothing out of date", testAssumeOld},
		{"refuses what is too large", testUpdateTooLarge},
		{"returns when unavailable", testUnavailable},
		{"resends what is unknown", testUnknown},
		{"runs again after an unknown conflict", testUnknownConflict},
		{"stays unknown", testStaysUnknown},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.test(t, &wrapped{Store: open(t)}) })
	}
}

func update(t *testing.T, s storage.Store, fn func(storage.Tx) error) {
	t.Helper()
	if err := storage.Update(t.Context(), s, fn); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

func read(tx storage.Tx, keys ...string) []storage.Item {
	items, err := tx.Get(keys...)
	if err != nil {
		panic(err)
	}
	return items
}

func testOwnWrites(t *testing.T, w *wrapped) {
	commit(t, w, nil, put("a", "1"), put("b", "1"))
	update(t, w, func(tx storage.Tx) error {
		first := read(tx, "a", "b", "c")
		tx.Put("a", []byte("2"))
		tx.Put("a", []byte("3"))
		tx.Delete("b")
		tx.Put("c", nil)
		tx.Put("d", []byte("4"))
		tx.Delete("e")
		got := fmt.Sprint(read(tx, "a", "b", "c", "d", "e"))
		p := storage.Pending
		want := fmt.Sprint([]storage.Item{
			{Key: "a", Value: []byte("3"), Rev: p}, {Key: "b"}, {Key: "c", Value: []byte{}, Rev: p},
			{Key: "d", Value: []byte("4"), Rev: p}, {Key: "e"},
		})
		if got != want || string(first[0].Value) != "1" {
			t.Errorf("transaction reads %s, want %s", got, want)
		}
		tx.Delete("d")
		tx.Put("e", []byte("5"))
		return nil
	})
	for key, want := range map[string][]byte{"a": []byte("3"), "b": nil, "c": {}, "d": nil, "e": []byte("5")} {
		has(t, w, key, want)
	}
}

func testFirstItem(t *testing.T, w *wrapped) {
	commit(t, w, nil, put("a", "1"))
	runs := 0
	update(t, w, func(tx storage.Tx) error {
		runs++
		first := read(tx, "a")[0]
		if runs == 1 {
			commit(t, w.Store, nil, put("a", "2"))
		}
		again := read(tx, "b", "a", "a")
		if again[1].Rev != first.Rev || string(again[2].Value) != string(first.Value) {
			t.Errorf("second read is %+v after %+v", again, first)
		}
		tx.Put("b", first.Value)
		return nil
	})
	has(t, w, "b", []byte("2"))
}

func testRunsAgain(t *testing.T, w *wrapped) {
	runs := 0
	update(t, w, func(tx storage.Tx) error {
		runs++
		n := len(read(tx, "a")[0].Value)
		if runs < 4 {
			commit(t, w.Store, nil, put("a", "xxxxx"[:runs]))
		}
		tx.Put("a", make([]byte, n+1))
		return nil
	})
	has(t, w, "a", make([]byte, 4))
}

func testEndsWithContext(t *testing.T, w *wrapped) {
	w.answer = func(int, func() error) error { return fmt.Errorf("test: %w", storage.ErrConflict) }
	var err error
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err = storage.Update(ctx, w, func(tx storage.Tx) error {
			tx.Put("a", nil)
			return nil
		})
	})
	if !errors.Is(err, storage.ErrConflict) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Update: %v, want a conflict and the end of the context", err)
	}
	if n := len(w.commits); n < 3 || n > 300 {
		t.Errorf("Update tried %d times in 100 ms", n)
	}
}

func testFnError(t *testing.T, w *wrapped) {
	for _, want := range []error{errors.New("broken"), fmt.Errorf("game: %w", errRefused)} {
		err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
			read(tx, "a")
			tx.Put("a", []byte("1"))
			return want
		})
		if err != want {
			t.Errorf("Update: %v, want %v as it is", err, want)
		}
	}
	if len(w.commits) != 0 {
		t.Errorf("commits after an error: %+v", w.commits)
	}
	has(t, w, "a", nil)
}

func testPanic(t *testing.T, w *wrapped) {
	func() {
		defer func() {
			if p := recover(); p != "oh" {
				t.Errorf("panic %v came through, want oh", p)
			}
		}()
		_ = storage.Update(t.Context(), w, func(tx storage.Tx) error {
			tx.Put("a", []byte("1"))
			panic("oh")
		})
	}()
	has(t, w, "a", nil)
	commit(t, w, get(t, w, "a"), put("a", "2"))
}

func testSingleRead(t *testing.T, w *wrapped) {
	for _, want := range []error{nil, errRefused} {
		err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
			read(tx, "a", "b")
			read(tx, "b", "a")
			return want
		})
		if err != want || len(w.commits) != 0 {
			t.Errorf("Update: %v with %d commits, want %v without", err, len(w.commits), want)
		}
	}
}

// testTornReads changes two keys, which are always equal, between the reads of them.
func testTornReads(t *testing.T, w *wrapped) {
	for _, want := range []error{nil, fmt.Errorf("game: %w", errRefused)} {
		commit(t, w.Store, nil, put("a", "1"), put("b", "1"), del("c"))
		runs, torn := 0, false
		err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
			runs++
			a := read(tx, "a")[0]
			if runs == 1 {
				commit(t, w.Store, nil, put("a", "2"), put("b", "2"))
			}
			torn = string(a.Value) != string(read(tx, "b")[0].Value)
			if want != nil {
				tx.Put("c", []byte("1"))
			}
			return want
		})
		if err != want || torn || runs < 2 {
			t.Errorf("Update: %v after %d runs, the last with torn reads: %v; want %v", err, runs, torn, want)
		}
		has(t, w, "c", nil)
	}
	for _, txn := range w.commits {
		if len(txn.Reads) != 2 || len(txn.Writes) != 0 {
			t.Errorf("check of the reads is %+v", txn)
		}
	}
}

func testTornError(t *testing.T, w *wrapped) {
	want := errors.New("broken")
	err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
		read(tx, "a")
		read(tx, "b")
		return want
	})
	if err != want || len(w.commits) != 0 {
		t.Errorf("Update: %v with %d commits, want %v without", err, len(w.commits), want)
	}
}

// testFailedGet takes no notice of a Get that failed.
func testFailedGet(t *testing.T, w *wrapped) {
	for _, verdict := range []error{nil, errRefused} {
		err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
			if _, err := tx.Get(""); !errors.Is(err, storage.ErrTooLarge) {
				t.Errorf("Get of an empty key: %v", err)
			}
			tx.Put("a", []byte("1"))
			return verdict
		})
		if !errors.Is(err, storage.ErrTooLarge) || len(w.commits) != 0 {
			t.Errorf("Update: %v with %d commits", err, len(w.commits))
		}
	}
}

func testUpdateRev(t *testing.T, w *wrapped) {
	rev, err := storage.UpdateRev(t.Context(), w, func(tx storage.Tx) error {
		tx.Put("a", []byte("1"))
		tx.Put("b", []byte("1"))
		return nil
	})
	if a, b := has(t, w, "a", []byte("1")), has(t, w, "b", []byte("1")); err != nil || rev != a || rev != b {
		t.Errorf("UpdateRev: %d, %v; the revisions are %d and %d", rev, err, a, b)
	}
	for _, want := range []error{nil, errRefused} {
		rev, err := storage.UpdateRev(t.Context(), w, func(tx storage.Tx) error {
			read(tx, "a")
			return want
		})
		if rev != 0 || err != want {
			t.Errorf("UpdateRev without writes: %d, %v; want 0, %v", rev, err, want)
		}
	}
}

// testAssume writes on an item that isn't read, again and again.
func testAssume(t *testing.T, w *wrapped) {
	commit(t, w.Store, nil, put("a", "1"))
	item := get(t, w.Store, "a")[0]
	for n := range 3 {
		value := []byte("12345"[:n+2])
		rev, err := storage.UpdateRev(t.Context(), w, func(tx storage.Tx) error {
			if !tx.Assume(item) || tx.Assume(storage.Item{Key: "a"}) {
				t.Error("the second of two Assumes counts")
			}
			if got := read(tx, "a")[0]; got.Rev != item.Rev || string(got.Value) != string(item.Value) {
				t.Errorf("after Assume(%v) Get gives %v", item, got)
			}
			tx.Put("a", value)
			return nil
		})
		if err != nil || has(t, w.Store, "a", value) != rev {
			t.Fatalf("UpdateRev: %d, %v", rev, err)
		}
		item = storage.Item{Key: "a", Value: value, Rev: rev}
	}
	if w.gets != 0 {
		t.Errorf("the store was asked %d times", w.gets)
	}
}

// testAssumeOld assumes what another has changed, or deleted, meanwhile.
func testAssumeOld(t *testing.T, w *wrapped) {
	changes := []storage.Write{put("a", "2"), del("a")}
	for _, change := range changes {
		for _, want := range []error{nil, errRefused, errors.New("broken")} {
			for _, writes := range []bool{false, true} {
				commit(t, w.Store, nil, put("a", "1"), del("b"))
				old := get(t, w.Store, "a")[0]
				commit(t, w.Store, nil, change)
				runs, seen := 0, storage.Item{}
				err := storage.Update(t.Context(), w, func(tx storage.Tx) error {
					if runs++; runs == 1 {
						tx.Assume(old)
					}
					seen = read(tx, "a")[0]
					if writes {
						tx.Put("b", seen.Value)
					}
					return want
				})
				if err != want || runs < 2 || string(seen.Value) != string(change.Value) {
					t.Errorf("Update: %v after %d runs, the last saw %v; want %v on %v", err, runs, seen, want, change)
				}
			}
		}
	}
}

func testUpdateTooLarge(t *testing.T, w *wrapped) {
	keys := manyKeys(storage.MaxKeys + 1)
	tests := map[string]func(tx storage.Tx) error{
		"value": func(tx storage.Tx) error {
			tx.Put("a", make([]byte, storage.MaxValue+1))
			return nil
		},
		"writes": func(tx storage.Tx) error {
			for _, k := range keys {
				tx.Delete(k)
			}
			return nil
		},
		"reads": func(tx storage.Tx) error {
			read(tx, keys[:50]...)
			read(tx, keys[50:]...)
			return nil
		},
		"one Get": func(tx storage.Tx) error {
			_, err := tx.Get(keys...)
			return err
		},
	}
	for name, fn := range tests {
		if err := storage.Update(t.Context(), w, fn); !errors.Is(err, storage.ErrTooLarge) {
			t.Errorf("%s: Update: %v, want %v", name, err, storage.ErrTooLarge)
		}
	}
}
