//go:build cluster

package etcd

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

// bySlash is a layout for tests: the community stands between the first two slashes, but in what begins with c/.
func bySlash(key string) (community string, whole bool) {
	family, rest, ok := strings.Cut(key, "/")
	if !ok || family == "c" {
		return "", false
	}
	community, _, whole = strings.Cut(rest, "/")
	return community, whole && community != ""
}

// TestDividedIsAStore runs the contract against the whole of a divided store.
func TestDividedIsAStore(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	storagetest.Run(t, func(t *testing.T) storage.Store { return opened(t, at(c), o) })
}

// TestParts: a part scans what is its own, gets what belongs to others by its key, and has things of its own besides; the
// whole finds all of it in order.
func TestParts(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	s := opened(t, at(c), o)
	put := func(s storage.Store, key string) {
		t.Helper()
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error { tx.Put(key, []byte(key)); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	put(s, "c/running")
	put(s, "o/friends/1")
	mine, others := PartOf("friends"), PartOf("strangers")
	if mine == others {
		t.Fatal("both communities are of one part")
	}
	j := joined(t, s, "one")
	one := part(t, taken(t, j, "mine"), mine)
	two := part(t, taken(t, j, "theirs"), others)
	put(one, "o/friends/2")
	put(two, "o/strangers/1")
	put(two, "c/rest")
	scanned := func(s storage.Store, prefix string, size int) string {
		t.Helper()
		var keys []string
		for after := ""; ; {
			items, err := s.Scan(t.Context(), prefix, after, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				if string(it.Value) != it.Key {
					t.Errorf("%s has the value %s", it.Key, it.Value)
				}
				keys, after = append(keys, it.Key), it.Key
			}
			if len(items) < size {
				return strings.Join(keys, " ")
			}
		}
	}
	for _, k := range []struct {
		name   string
		store  storage.Store
		prefix string
		want   string
	}{
		{"the first part", one, "o/", "o/friends/1 o/friends/2"},
		{"the second part", two, "o/", "o/strangers/1"},
		{"another's community", two, "o/friends/", "o/friends/1 o/friends/2"},
		{"a part's own, at first the whole's", one, "c/", "c/running"},
		{"a part's own", two, "c/", "c/rest c/running"},
		{"the whole", s, "", "c/running o/friends/1 o/friends/2 o/strangers/1"},
	} {
		for _, size := range []int{1, 2, 100} {
			if got := scanned(k.store, k.prefix, size); got != k.want {
				t.Errorf("%s, by %d: %q has %s, want %s", k.name, size, k.prefix, got, k.want)
			}
		}
	}
	if items, err := two.Get(t.Context(), "o/friends/2", "o/strangers/1"); err != nil || items[0].Rev == 0 || items[1].Rev == 0 {
		t.Errorf("Get over parts: %+v, %v", items, err)
	}
}

// TestScanOverParts scans many items of all parts by pages of any size, and finds each once, in order.
func TestScanOverParts(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	s := opened(t, at(c), o)
	const n = 700
	for from := 0; from < n; from += 100 {
		var t100 storage.Txn
		for i := from; i < from+100; i++ {
			// A third of all lies in one part.
			community := fmt.Sprint("many", i)
			if i%3 == 0 {
				community = "one"
			}
			t100.Writes = append(t100.Writes, storage.Write{Key: fmt.Sprintf("o/%s/%04d", community, i), Value: []byte{}})
		}
		if _, err := s.Commit(t.Context(), t100); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{1, 7, 64, 500, 1000} {
		after, found := "", 0
		for {
			items, err := s.Scan(t.Context(), "o/", after, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				if it.Key <= after {
					t.Fatalf("by %d: %q comes behind %q", size, it.Key, after)
				}
				after = it.Key
			}
			found += len(items)
			if len(items) < size {
				break
			}
		}
		if found != n {
			t.Errorf("by %d: %d items, want %d", size, found, n)
		}
	}
}

// TestViewOverParts: a View of a divided store is of one moment, also where what it scans has to be asked for several times.
func TestViewOverParts(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	s := opened(t, at(c), o)
	const many = 4 * spare
	put := func(value string) {
		t.Helper()
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			for i := range many {
				tx.Put(fmt.Sprintf("o/friends/%03d", i), []byte(value))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("before")
	for name, begin := range map[string]func(storage.Reader) error{
		"begun by a get":  func(r storage.Reader) error { _, err := r.Get("o/friends/000"); return err },
		"begun by a scan": func(r storage.Reader) error { _, err := r.Scan("", "", many); return err },
	} {
		put("before")
		seen, err := storage.Read(t.Context(), s, func(r storage.Reader) ([]storage.Item, error) {
			if err := begin(r); err != nil {
				return nil, err
			}
			put("after")
			return r.Scan("", "", many)
		})
		if err != nil || len(seen) != many {
			t.Fatalf("%s: %d items, %v", name, len(seen), err)
		}
		for _, it := range seen {
			if string(it.Value) != "before" {
				t.Errorf("%s: %s is of %s", name, it.Key, it.Value)
			}
		}
	}
}
