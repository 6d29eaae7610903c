package storagetest

import (
	"context"
	"errors"
	"testing"

	"zevaka/storage"
)

func testGet(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("b", "2"), put("a", "1"))
	items := get(t, s, "c", "b", "a", "b")
	want := []string{"", "2", "1", "2"}
	for i, key := range []string{"c", "b", "a", "b"} {
		if items[i].Key != key || string(items[i].Value) != want[i] {
			t.Errorf("item %d is %+v, want %q of %q", i, items[i], want[i], key)
		}
	}
	if items[0].Rev != 0 || items[0].Value != nil {
		t.Errorf("absent item is %+v, want Rev 0 and no value", items[0])
	}
	if none := get(t, s); len(none) != 0 {
		t.Errorf("Get of nothing: %v", none)
	}
	if _, err := s.Commit(t.Context(), storage.Txn{}); err != nil {
		t.Errorf("Commit of nothing: %v", err)
	}
}

func testPut(t *testing.T, s storage.Store) {
	commit(t, s, get(t, s, "a"), put("a", "1"))
	first := has(t, s, "a", []byte("1"))
	commit(t, s, get(t, s, "a"), put("a", "2"))
	second := has(t, s, "a", []byte("2"))
	commit(t, s, nil, put("a", "2"))
	third := has(t, s, "a", []byte("2"))
	if first >= second || second >= third {
		t.Errorf("revisions %d, %d, %d don't rise", first, second, third)
	}
}

func testDelete(t *testing.T, s storage.Store) {
	commit(t, s, nil, del("a"))
	has(t, s, "a", nil)
	commit(t, s, nil, put("a", "1"), put("b", "1"))
	before := has(t, s, "a", []byte("1"))
	commit(t, s, get(t, s, "a"), del("a"), put("c", "1"))
	has(t, s, "a", nil)
	has(t, s, "b", []byte("1"))
	between := has(t, s, "c", []byte("1"))
	commit(t, s, get(t, s, "a"), put("a", "1"))
	after := has(t, s, "a", []byte("1"))
	if before >= between || between >= after {
		t.Errorf("revisions %d, %d, %d don't rise over a deletion", before, between, after)
	}
}

func testEmptyValue(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("a", ""), put("b", "1"))
	has(t, s, "a", []byte{})
	items, err := s.Scan(t.Context(), "a", "", 10)
	if err != nil || len(items) != 1 || items[0].Value == nil || items[0].Rev == 0 {
		t.Errorf("Scan: %+v, %v; want one item with an empty value", items, err)
	}
	commit(t, s, get(t, s, "a"), put("b", ""), del("a"))
	has(t, s, "a", nil)
	has(t, s, "b", []byte{})
}

func testConflicts(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("changed", "1"), put("gone", "1"), put("anew", "1"), put("same", "1"))
	old := map[string]storage.Item{}
	for _, it := range get(t, s, "changed", "gone", "anew", "same", "absent", "born") {
		old[it.Key] = it
	}
	commit(t, s, nil, put("changed", "1"), put("born", "1"), del("gone"), del("anew"))
	commit(t, s, nil, put("anew", "1"))
	tests := []struct {
		name  string
		reads []string
		want  error
	}{
		{"nothing read", nil, nil},
		{"same", []string{"same"}, nil},
		{"still absent", []string{"absent", "same"}, nil},
		{"written since, with the same value", []string{"changed"}, storage.ErrConflict},
		{"deleted since", []string{"gone"}, storage.ErrConflict},
		{"deleted and written since", []string{"anew"}, storage.ErrConflict},
		{"born since", []string{"born"}, storage.ErrConflict},
		{"last of three changed", []string{"same", "absent", "changed"}, storage.ErrConflict},
		{"first of three changed", []string{"gone", "same", "absent"}, storage.ErrConflict},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var txn storage.Txn
			for _, k := range c.reads {
				txn.Reads = append(txn.Reads, storage.Item{Key: k, Rev: old[k].Rev})
			}
			if _, err := s.Commit(t.Context(), txn); !errors.Is(err, c.want) {
				t.Errorf("Commit without writes: %v, want %v", err, c.want)
			}
			txn.Writes = []storage.Write{put("out", c.name), put("out2", c.name)}
			if c.want == nil {
				commit(t, s, txn.Reads, txn.Writes...)
				has(t, s, "out", []byte(c.name))
				return
			}
			before := get(t, s, "out", "out2")
			refused(t, s, txn, c.want)
			commit(t, s, before)
		})
	}
}

func testOtherKey(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("lock", "1"))
	lock := get(t, s, "lock")
	commit(t, s, lock, put("a", "1"))
	commit(t, s, lock, put("a", "2"))
	commit(t, s, nil, put("lock", "2"))
	refused(t, s, storage.Txn{Reads: lock, Writes: []storage.Write{put("a", "3")}}, storage.ErrConflict)
	has(t, s, "a", []byte("2"))
}

func testRevisions(t *testing.T, s storage.Store) {
	var last uint64
	for i := range 20 {
		rev, err := commitRev(t.Context(), s, storage.Txn{Writes: []storage.Write{put("a", "1"), put("b", "1"), del("c")}})
		items := get(t, s, "a", "b")
		for _, it := range items {
			if it.Rev <= last || it.Rev == storage.Pending || it.Rev != rev || err != nil {
				t.Fatalf("round %d: revision %d of %q after %d; Commit says %d, %v", i, it.Rev, it.Key, last, rev, err)
			}
		}
		last = max(items[0].Rev, items[1].Rev)
		if i%3 == 0 {
			commit(t, s, items, del("a"), del("b"))
		}
	}
}

func testCopies(t *testing.T, s storage.Store) {
	given := []byte("1")
	commit(t, s, nil, storage.Write{Key: "a", Value: given})
	given[0] = 'x'
	it := get(t, s, "a")[0]
	it.Value[0] = 'y'
	_ = append(it.Value, 'z')
	items, err := s.Scan(t.Context(), "", "", 1)
	if err != nil || len(items) != 1 {
		t.Fatalf("Scan: %v, %v", items, err)
	}
	items[0].Value[0] = 'z'
	has(t, s, "a", []byte("1"))
}

func testEnded(t *testing.T, s storage.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	unavailable(ctx, t, s)
	for _, want := range errorsOf(ctx, s) {
		if !errors.Is(want, context.Canceled) {
			t.Errorf("error %v doesn't say that the context ended", want)
		}
	}
	has(t, s, "a", nil)
}

func testClosed(t *testing.T, s storage.Store) {
	commit(t, s, nil, put("a", "1"))
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	unavailable(t.Context(), t, s)
}

// errorsOf is what each call returns.
func errorsOf(ctx context.Context, s storage.Store) map[string]error {
	_, get := s.Get(ctx, "a")
	_, scan := s.Scan(ctx, "", "", 1)
	_, check := s.Commit(ctx, storage.Txn{Reads: []storage.Item{{Key: "a"}}})
	return map[string]error{
		"Get":                   get,
		"Scan":                  scan,
		"View":                  s.View(ctx, func(storage.Reader) error { return nil }),
		"Commit without writes": check,
		"Commit":                Commit(ctx, s, storage.Txn{Writes: []storage.Write{put("a", "1")}}),
		"Update": storage.Update(ctx, s, func(tx storage.Tx) error {
			tx.Put("a", []byte("1"))
			return nil
		}),
	}
}

func unavailable(ctx context.Context, t *testing.T, s storage.Store) {
	t.Helper()
	for call, err := range errorsOf(ctx, s) {
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("%s: %v, want %v", call, err, storage.ErrUnavailable)
		}
	}
}
