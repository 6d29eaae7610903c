package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

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

// failing is a store that can do nothing at first each time, for so many tries.
type failing struct {
	storage.Store
	tries, left int
}

func (f *failing) fail(why error) error {
	if f.left--; f.left < 0 {
		f.left = f.tries
		return nil
	}
	return why
}

func (f *failing) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if err := f.fail(storage.ErrUnknown); err != nil {
		return 0, err
	}
	return f.Store.Commit(ctx, t)
}

func (f *failing) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if err := f.fail(storage.ErrUnavailable); err != nil {
		return nil, err
	}
	return f.Store.Get(ctx, keys...)
}

func (f *failing) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	if err := f.fail(storage.ErrUnavailable); err != nil && after != "" {
		return nil, err
	}
	return f.Store.Scan(ctx, prefix, after, limit)
}

func (f *failing) View(ctx context.Context, fn func(storage.Reader) error) error {
	return f.Store.View(ctx, func(r storage.Reader) error { return fn(moment{r, f}) })
}

// moment is the reader of a failing store.
type moment struct {
	storage.Reader
	f *failing
}

func (m moment) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	if err := m.f.fail(storage.ErrUnavailable); err != nil {
		return nil, err
	}
	return m.Reader.Scan(prefix, after, limit)
}

// TestCopyIsPatient: what a store can't do for a moment breaks no copy off; what it can't do for long does.
func TestCopyIsPatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := mem.New()
		for i := range 1203 {
			err := storage.Update(t.Context(), from, func(tx storage.Tx) error { tx.Put(fmt.Sprint(i), []byte("1")); return nil })
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			tries int
			want  error
		}{{3, nil}, {1000, storage.ErrUnavailable}} {
			to := &failing{Store: mem.New(), tries: test.tries}
			n, err := copied(t.Context(), to, &failing{Store: from, tries: test.tries, left: test.tries})
			if !errors.Is(err, test.want) || err == nil && n != 1203 {
				t.Errorf("after %d failures each: %d items, %v", test.tries, n, err)
			}
		}
	})
}

// copied copies what a store has at one moment.
func copied(ctx context.Context, to, from storage.Store) (int, error) {
	return storage.Read(ctx, from, func(r storage.Reader) (int, error) { return storage.Copy(ctx, to, r, storage.Copying{}) })
}

// altering is a store whose reader sees a value that nobody wrote.
type altering struct{ storage.Store }

func (a altering) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := a.Store.Get(ctx, keys...)
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
	if n != 0 || err == nil || !strings.Contains(err.Error(), `"b" isn't there as it was written`) {
		t.Errorf("%d items, %v", n, err)
	}
}

// strewn is a reader of a store whose items lie in two places: under p/, and elsewhere.
type strewn struct{ storage.Reader }

func (s strewn) Places() []storage.Reader {
	return []storage.Reader{half{s.Reader, true}, half{s.Reader, false}}
}

// half reads one of the two places.
type half struct {
	storage.Reader
	under bool
}

func (h half) Scan(prefix, after string, limit int) (found []storage.Item, err error) {
	items, err := h.Reader.Scan(prefix, after, 1_000_000)
	for _, it := range items {
		if len(found) < limit && strings.HasPrefix(it.Key, "p/") == h.under {
			found = append(found, it)
		}
	}
	return found, err
}

// Scan of all in order is what costs much.
func (s strewn) Scan(string, string, int) ([]storage.Item, error) {
	return nil, errors.New("read in order")
}

// TestCopyScattered copies a store whose items lie in several places, one after the other.
func TestCopyScattered(t *testing.T) {
	from, to := mem.New(), mem.New()
	for i := range 1200 {
		key := fmt.Sprint([]string{"a/", "p/", "z/"}[i%3], i)
		if err := storage.Update(t.Context(), from, func(tx storage.Tx) error { tx.Put(key, []byte(key)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	n, err := storage.Read(t.Context(), from, func(r storage.Reader) (int, error) {
		return storage.Copy(t.Context(), to, strewn{r}, storage.Copying{})
	})
	if n != 1200 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
	if items, err := to.Get(t.Context(), "a/0", "p/1198", "z/1199"); err != nil || string(items[1].Value) != "p/1198" || items[0].Rev == 0 || items[2].Rev == 0 {
		t.Errorf("%v, %v", items, err)
	}
}

// TestCopyGoesOn: a copy that was broken off is brought to its end, writing what is missing and what differs, and what isn't of it is found.
func TestCopyGoesOn(t *testing.T) {
	from, to := mem.New(), mem.New()
	put := func(s storage.Store, key, value string) {
		t.Helper()
		if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { tx.Put(key, []byte(value)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1203 {
		key := fmt.Sprintf("%04d", i)
		if put(from, key, key); i%2 == 0 || i < 500 {
			put(to, key, key)
		}
	}
	put(to, "0700", "other")
	was := make([]string, 1203)
	note := func(check bool) {
		for i := range was {
			items, err := to.Get(t.Context(), fmt.Sprintf("%04d", i))
			if now := fmt.Sprint(items[0].Rev); err != nil || check && i < 500 && now != was[i] {
				t.Fatalf("item %d was written again: %v", i, err)
			} else {
				was[i] = now
			}
		}
	}
	note(false)
	var mu sync.Mutex
	written, told := 0, 0
	copying := storage.Copying{GoOn: true, Told: func(n int) { told = n }, Apart: func(n int, do func(int)) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				do(i)
				mu.Lock()
				written++
				mu.Unlock()
			})
		}
		all.Wait()
	}}
	again := func() (int, error) {
		return storage.Read(t.Context(), from, func(r storage.Reader) (int, error) { return storage.Copy(t.Context(), to, r, copying) })
	}
	if n, err := again(); n != 1203 || err != nil || told != 1203 || written == 0 {
		t.Errorf("%d items, %d told, %d transactions, %v", n, told, written, err)
	}
	note(true)
	put(to, "0000/another", "x")
	if _, err := again(); err == nil || !strings.Contains(err.Error(), "differ") {
		t.Errorf("with an item of something else: %v", err)
	}
}
