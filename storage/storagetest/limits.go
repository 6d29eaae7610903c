package storagetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/storage"
)

func testLargest(t *testing.T, s storage.Store) {
	key, value := strings.Repeat("k", storage.MaxKey), bytes.Repeat([]byte("v"), storage.MaxValue)
	commit(t, s, get(t, s, key), storage.Write{Key: key, Value: value})
	has(t, s, key, value)

	keys := manyKeys(storage.MaxKeys)
	var writes []storage.Write
	for _, k := range keys {
		writes = append(writes, put(k, "1"))
	}
	commit(t, s, get(t, s, keys...), writes...)
	reads := get(t, s, keys[:50]...)
	commit(t, s, reads, writes[50:]...)
	reads = get(t, s, keys...)
	commit(t, s, reads)
	has(t, s, keys[99], []byte("1"))

	for i, k := range keys {
		writes[i].Value = bytes.Repeat([]byte(k), 1000)
	}
	commit(t, s, nil, writes...)
	for _, w := range writes {
		has(t, s, w.Key, w.Value)
	}
}

func testTooLarge(t *testing.T, s storage.Store) {
	long, keys := strings.Repeat("k", storage.MaxKey+1), manyKeys(storage.MaxKeys+1)
	var reads []storage.Item
	var writes []storage.Write
	for _, k := range keys {
		reads, writes = append(reads, storage.Item{Key: k}), append(writes, put(k, "1"))
	}
	a := put("a", "1")
	tests := []struct {
		name string
		txn  storage.Txn
	}{
		{"empty key read", storage.Txn{Reads: []storage.Item{{}}, Writes: []storage.Write{a}}},
		{"empty key read, nothing written", storage.Txn{Reads: []storage.Item{{}}}},
		{"empty key written", storage.Txn{Writes: []storage.Write{a, put("", "1")}}},
		{"empty key deleted", storage.Txn{Writes: []storage.Write{a, del("")}}},
		{"long key read", storage.Txn{Reads: []storage.Item{{Key: long}}, Writes: []storage.Write{a}}},
		{"long key written", storage.Txn{Writes: []storage.Write{a, put(long, "1")}}},
		{"long key deleted", storage.Txn{Writes: []storage.Write{a, del(long)}}},
		{"long value", storage.Txn{Writes: []storage.Write{a, {Key: "b", Value: make([]byte, storage.MaxValue+1)}}}},
		{"many keys read", storage.Txn{Reads: reads, Writes: writes[:1]}},
		{"many keys read, nothing written", storage.Txn{Reads: reads}},
		{"many keys written", storage.Txn{Writes: writes}},
		{"many keys together", storage.Txn{Reads: reads[:51], Writes: writes[51:]}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			refused(t, s, c.txn, storage.ErrTooLarge)
			has(t, s, "a", nil)
			has(t, s, keys[0], nil)
		})
	}
	for _, bad := range [][]string{{""}, {"a", ""}, {long}, keys} {
		if _, err := s.Get(t.Context(), bad...); !errors.Is(err, storage.ErrTooLarge) {
			t.Errorf("Get of %d keys: %v, want %v", len(bad), err, storage.ErrTooLarge)
		}
	}
}

func manyKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key/%03d", i)
	}
	return keys
}

func testScan(t *testing.T, s storage.Store) {
	all := []string{"\x00", "a", "a\x00", "a/", "a/1", "a/10", "a/2", "a0", "b", "\xff", "\xff\xff"}
	for i, k := range slices.Backward(all) {
		commit(t, s, nil, put(k, fmt.Sprint(i)), put("a/gone", "1"))
	}
	commit(t, s, nil, del("a/gone"))
	tests := []struct {
		prefix, after string
		limit         int
		want          []string
	}{
		{"", "", 100, all},
		{"", "", 2, all[:2]},
		{"", "", 0, nil},
		{"", "", -1, nil},
		{"", "a/1", 2, []string{"a/10", "a/2"}},
		{"", "\xff\xff", 9, nil},
		{"a", "", 100, all[1:8]},
		{"a/", "", 100, all[3:7]},
		{"a/", "", 3, all[3:6]},
		{"a/", "a/", 100, all[4:7]},
		{"a/", "a/1", 100, all[5:7]},
		{"a/", "a/11", 100, all[6:7]},
		{"a/", "a/2", 100, nil},
		{"a/", "A", 100, all[3:7]},
		{"a/", "b", 100, nil},
		{"a/1", "", 100, []string{"a/1", "a/10"}},
		{"\xff", "", 100, all[9:]},
		{"\xff", "\xff", 100, all[10:]},
		{"c", "", 100, nil},
		{strings.Repeat("c", storage.MaxKey+1), "", 100, nil},
	}
	for _, c := range tests {
		items, err := s.Scan(t.Context(), c.prefix, c.after, c.limit)
		if err != nil {
			t.Errorf("Scan(%q, %q, %d): %v", c.prefix, c.after, c.limit, err)
		}
		var keys []string
		for _, it := range items {
			keys = append(keys, it.Key)
			if same := get(t, s, it.Key)[0]; same.Rev != it.Rev || !bytes.Equal(same.Value, it.Value) {
				t.Errorf("Scan finds %+v, Get %+v", it, same)
			}
		}
		if !slices.Equal(keys, c.want) {
			t.Errorf("Scan(%q, %q, %d) = %q, want %q", c.prefix, c.after, c.limit, keys, c.want)
		}
	}
}

func testPages(t *testing.T, s storage.Store) {
	keys := manyKeys(250)
	for batch := range slices.Chunk(keys, storage.MaxKeys) {
		var writes []storage.Write
		for _, k := range batch {
			writes = append(writes, put(k, strings.Repeat(k, 30)))
		}
		commit(t, s, nil, writes...)
	}
	commit(t, s, nil, put("kex", "1"), put("key", "1"), put("key0", "1"))
	var found []string
	for after := ""; ; after = found[len(found)-1] {
		items, err := s.Scan(t.Context(), "key/", after, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			found = append(found, it.Key)
		}
		if len(items) < 7 {
			break
		}
	}
	if !slices.Equal(found, keys) {
		t.Errorf("pages have %d keys, want %d in order: %q", len(found), len(keys), found)
	}
}
