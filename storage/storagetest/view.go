package storagetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"zevaka/storage"
)

// runView tests Store.View.
func runView(t *testing.T, open func(t *testing.T) storage.Store) {
	each(t, open, []named{
		{"reads", testViewReads},
		{"sees one moment", testViewMoment},
		{"sees one moment among writers", testViewTransfers},
		{"returns the error of fn", testViewError},
		{"lets a panic through", testViewPanic},
		{"is over", testViewOver},
		{"ends with its context", testViewEnded},
		{"minds the limits", testViewTooLarge},
	})
}

func view(t *testing.T, s storage.Store, fn func(storage.Reader)) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		fn(r)
		return nil
	})
	if err != nil {
		t.Fatalf("View: %v", err)
	}
}

// found is what a Reader gives for keys, and by a Scan of all, as text.
func found(t *testing.T, r storage.Reader, keys ...string) string {
	t.Helper()
	items, err := r.Get(keys...)
	if err != nil {
		t.Errorf("Get(%q): %v", keys, err)
	}
	all, err := r.Scan("", "", 100)
	if err != nil {
		t.Errorf("Scan: %v", err)
	}
	return fmt.Sprint(items, all)
}

func testViewReads(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("a/1", "1"), put("a/2", ""), put("b", "3"), put("gone", "4"))
	commit(t, s, nil, del("gone"))
	keys := []string{"b", "absent", "a/2", "gone", "b"}
	want := get(t, s, keys...)
	view(t, s, func(r storage.Reader) {
		if items, err := r.Get(keys...); err != nil || fmt.Sprint(items) != fmt.Sprint(want) {
			t.Errorf("Get: %v, %v; want %v", items, err, want)
		}
		for _, c := range []struct {
			prefix, after string
			limit         int
		}{{"", "", 9}, {"a", "", 9}, {"a/", "a/1", 9}, {"", "", 2}, {"", "", 0}, {"", "", -1}, {"c", "", 9}} {
			want, failed := s.Scan(t.Context(), c.prefix, c.after, c.limit)
			items, err := r.Scan(c.prefix, c.after, c.limit)
			if err != nil || failed != nil || fmt.Sprint(items) != fmt.Sprint(want) {
				t.Errorf("Scan(%+v): %v, %v; want %v, %v", c, items, err, want, failed)
			}
		}
		items, err := r.Get("b")
		if err != nil {
			t.Fatal(err)
		}
		_ = append(items[0].Value, 'x')
	})
	has(t, s, "b", []byte("3"))
}

// testViewMoment commits while a View runs, which must not wait for it and goes on seeing what it saw.
func testViewMoment(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("changed", "1"), put("gone", "1"), put("same", "1"))
	keys := []string{"changed", "gone", "same", "born"}
	before := ""
	view(t, s, func(r storage.Reader) {
		before = found(t, r, keys...)
		for i := range 3 {
			commit(t, s, nil, put("changed", fmt.Sprint(i)), put("born", "2"), del("gone"))
			if now := found(t, r, keys...); now != before {
				t.Errorf("a View sees %s, and saw %s", now, before)
			}
			view(t, s, func(inner storage.Reader) {
				if now := found(t, inner, keys...); now == before {
					t.Errorf("a View after a commit sees %s, as before it", now)
				}
			})
		}
	})
	has(t, s, "changed", []byte("2"))
	has(t, s, "gone", nil)
	has(t, s, "born", []byte("2"))
}

// testViewTransfers has many goroutines move amounts between accounts. Whoever reads them one by one, by Get and Scan,
// finds the same sum each time.
func testViewTransfers(t *testing.T, s storage.Store) {
	const start = 1000
	accounts := fill(t, s, 6, start)
	for range moving(t, s, accounts) {
		view(t, s, func(r storage.Reader) {
			var byGet, byScan uint64
			for i, key := range accounts {
				items, err := r.Get(key)
				if err != nil {
					t.Fatalf("Get: %v", err)
				}
				byGet += binary.BigEndian.Uint64(items[0].Value)
				last := ""
				if i > 0 {
					last = accounts[i-1]
				}
				if items, err = r.Scan("key/", last, 1); err != nil {
					t.Fatalf("Scan: %v", err)
				}
				byScan += binary.BigEndian.Uint64(items[0].Value)
			}
			if want := uint64(start * len(accounts)); byGet != want || byScan != want {
				t.Fatalf("accounts have %d together by Get, %d by Scan, want %d", byGet, byScan, want)
			}
		})
	}
}

func testViewError(t *testing.T, s storage.Store) {
	want := errors.New("broken")
	if err := s.View(t.Context(), func(storage.Reader) error { return want }); err != want {
		t.Errorf("View: %v, want %v as it is", err, want)
	}
}

func testViewPanic(t *testing.T, s storage.Store) {
	func() {
		defer func() {
			if p := recover(); p != "oh" {
				t.Errorf("panic %v came through, want oh", p)
			}
		}()
		_ = s.View(t.Context(), func(storage.Reader) error { panic("oh") })
	}()
	commit(t, s, nil, put("a", "1"))
	has(t, s, "a", []byte("1"))
}

// testViewOver keeps a Reader longer than it may.
func testViewOver(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("a", "1"))
	var kept storage.Reader
	view(t, s, func(r storage.Reader) { kept = r })
	if items, err := kept.Get("a"); items != nil || !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Get: %v, %v", items, err)
	}
	if items, err := kept.Scan("", "", 1); items != nil || !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Scan: %v, %v", items, err)
	}
}

func testViewEnded(t *testing.T, s storage.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	var got, scanned error
	_ = s.View(ctx, func(r storage.Reader) error {
		cancel()
		_, got = r.Get("a")
		_, scanned = r.Scan("", "", 1)
		return nil
	})
	for _, err := range []error{got, scanned} {
		if !errors.Is(err, context.Canceled) || !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("after the end of the context: %v", err)
		}
	}
	err := s.View(ctx, func(storage.Reader) error {
		t.Error("fn runs when the context has ended")
		return nil
	})
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("View: %v, want %v", err, storage.ErrUnavailable)
	}
}

// testViewTooLarge: one Get has the limits of a store's; all together have none.
func testViewTooLarge(t *testing.T, s storage.Store) {
	keys := manyKeys(storage.MaxKeys + 1)
	long := string(make([]byte, storage.MaxKey+1))
	view(t, s, func(r storage.Reader) {
		for _, bad := range [][]string{{""}, {"a", ""}, {long}, keys} {
			if _, err := r.Get(bad...); !errors.Is(err, storage.ErrTooLarge) {
				t.Errorf("Get of %d keys: %v, want %v", len(bad), err, storage.ErrTooLarge)
			}
		}
		for some := range slices.Chunk(keys, storage.MaxKeys/2) {
			if items, err := r.Get(some...); err != nil || len(items) != len(some) {
				t.Errorf("Get: %d items, %v", len(items), err)
			}
		}
	})
}
