package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"zevaka/storage"
	"zevaka/storage/storagetest"
)

// TestDamagedValue flips a bit in each part of one value: whoever reads it is told so, by name, and all else goes on.
func TestDamagedValue(t *testing.T) {
	for _, at := range []int{0, sumSize, headSize, headSize + 6} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "z.db")
			s := reopen(t, path)
			for _, key := range []string{"a", "b", "c"} {
				set(t, s, key, "value "+key)
			}
			s.Close()
			s = reopen(t, flipStored(t, path, "b", at))
			readsDamaged(t, s, "b")
			if items, err := s.Scan(t.Context(), "", "", 9); len(items) != 1 || items[0].Key != "a" || !isDamaged(err, "b") {
				t.Errorf("Scan: %v, %v; want what comes before b", items, err)
			}
			if items, err := s.Scan(t.Context(), "", "b", 9); len(items) != 1 || items[0].Key != "c" || err != nil {
				t.Errorf("Scan after b: %v, %v", items, err)
			}
			set(t, s, "a", "goes on")
			set(t, s, "b", "anew")
			if it := one(t, s, "b"); string(it.Value) != "anew" {
				t.Errorf("written anew: %+v", it)
			}
		})
	}
}

// TestDamagedAlong: what is made of a file with a damaged value has all that the file has, also that value as it is, and names it; a good backup stays
// beside it. What is wrong beside values makes no file.
func TestDamagedAlong(t *testing.T) {
	path := flipStored(t, fill(t, 10), "key/0003", headSize)
	backup := func(path, to string) (Report, error) {
		return Backup(to, true, noon, func(w io.Writer) error { return Copy(path, w) })
	}
	saved := filepath.Join(t.TempDir(), "saved.db")
	if _, err := backup(fill(t, 100), saved); err != nil {
		t.Fatal(err)
	}
	good, made := contents(t, saved), saved+BackupDamaged
	named := func(r Report, items int, err error) {
		t.Helper()
		if err != nil || r.Items != items || fmt.Sprint(r.Damaged) != "[key/0003]" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for range 2 {
		r, err := backup(path, saved)
		named(r, 10, err)
	}
	if contents(t, saved) != good || fmt.Sprint(beside(t, saved)) != "[saved.db.damaged]" {
		t.Errorf("there is %v", beside(t, saved))
	}
	if err := os.Remove(saved); err != nil {
		t.Fatal(err)
	}
	if _, err := Backup(saved, false, noon, func(w io.Writer) error { return Copy(path, w) }); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), made) {
		t.Errorf("beside a damaged one: %v", err)
	}
	worse := changed(t, flipStored(t, fill(t, 10), "key/0007", 0), foreignBucket)
	if _, err := backup(worse, saved); err == nil || !strings.Contains(err.Error(), "widgets") || fmt.Sprint(beside(t, saved)) != "[saved.db.damaged]" {
		t.Errorf("of worse: %v, %v", err, beside(t, saved))
	}
	restored := fill(t, 1)
	_, r, err := Restore(restored, made, noon())
	named(r, 10, err)
	_, r, err = Compact(restored)
	named(r, 10, err)
	s := reopen(t, restored)
	if it := one(t, s, "key/0004"); it.Rev == 0 || s.CopiedAt().IsZero() {
		t.Errorf("%+v, copied at %v", it, s.CopiedAt())
	}
	if _, err := s.Get(t.Context(), "key/0003"); !isDamaged(err, "key/0003") {
		t.Errorf("it is there as %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func isDamaged(err error, key string) bool {
	var d storage.Damaged
	return errors.As(err, &d) && d.Key == key && errors.Is(err, storage.ErrUnavailable)
}

// readsDamaged checks that reading a key, alone and with another, says that it is damaged.
func readsDamaged(t *testing.T, s storage.Store, key string) {
	t.Helper()
	for _, keys := range [][]string{{key}, {"a", key}} {
		if items, err := s.Get(t.Context(), keys...); items != nil || !isDamaged(err, key) {
			t.Errorf("Get(%q): %v, %v", keys, items, err)
		}
	}
	err := s.View(t.Context(), func(r storage.Reader) error {
		if items, err := r.Get("a", key); items != nil || !isDamaged(err, key) {
			t.Errorf("Get(%q) in a View: %v, %v", key, items, err)
		}
		items, err := r.Scan("", "", 9)
		if len(items) == 0 || items[len(items)-1].Key >= key || !isDamaged(err, key) {
			t.Errorf("Scan in a View: %v, %v; want what comes before %s", items, err, key)
		}
		if items, err = r.Scan("", key, 9); len(items) == 0 || items[0].Key <= key || err != nil {
			t.Errorf("Scan in a View after %s: %v, %v", key, items, err)
		}
		return nil
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
	err = storage.Update(t.Context(), s, func(tx storage.Tx) error {
		_, err := tx.Get(key)
		tx.Put("a", []byte("not written"))
		return err
	})
	if !isDamaged(err, key) || string(one(t, s, "a").Value) == "not written" {
		t.Errorf("Update: %v", err)
	}
}

// flipStored flips a bit of what is stored under a key.
func flipStored(t *testing.T, path, key string, at int) string {
	return changed(t, path, func(tx *bbolt.Tx) error {
		items := tx.Bucket([]byte(itemBucket))
		stored := bytes.Clone(items.Get([]byte(key)))
		stored[at] ^= 4
		return items.Put([]byte(key), stored)
	})
}

// TestFlippedBits flips one bit of a file, again and again elsewhere. Whatever that does to the file, it must not crash
// the process or show a wrong value, and what was lost must be found by Check.
func TestFlippedBits(t *testing.T) {
	r := storagetest.Rand(t)
	path, want := mixedFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := newestMeta(bytes.NewReader(whole))
	if !ok {
		t.Fatal("no meta page")
	}
	whole = whole[:m.end*m.pageSize]
	outcomes := map[string]int{}
	for i := range 400 {
		// A name of its own for each: a file whose opening made bbolt panic stays locked.
		flipped := fmt.Sprint(path, i)
		bit := r.IntN(len(whole) * 8)
		whole[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(flipped, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		whole[bit/8] ^= 1 << (bit % 8)
		outcome, err := afterFlip(t, flipped, want)
		if err := os.Remove(flipped); err != nil {
			t.Fatal(err)
		}
		outcomes[outcome]++
		if err != nil {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
	}
	t.Log(outcomes)
	if outcomes["refused"] == 0 || outcomes["lost"] == 0 || outcomes["none"] == 0 {
		t.Errorf("not all that can happen did: %v", outcomes)
	}
}

// mixedFile is a file with branch pages, values that need several pages, and pages that are free. It returns what the
// file has.
func mixedFile(t *testing.T) (path string, want map[string]string) {
	path, want = filepath.Join(t.TempDir(), "z.db"), map[string]string{}
	s := reopen(t, path)
	for i := range 160 {
		key, value := fmt.Sprintf("key/%04d", i*7%160), strings.Repeat(fmt.Sprint(i), 30+i%20*i%20)
		if i%40 == 0 {
			value = strings.Repeat("long ", 2000)
		}
		set(t, s, key, value)
		want[key] = value
	}
	for i := range 20 {
		key := fmt.Sprintf("key/%04d", i)
		if _, err := s.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: key}}}); err != nil {
			t.Fatal(err)
		}
		delete(want, key)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, want
}

// afterFlip says what a flipped bit did: none, lost for an item, older for the last commit, or
// refused for the whole file.
func afterFlip(t *testing.T, path string, want map[string]string) (outcome string, err error) {
	t.Helper()
	var wrong []error
	_, checked := Check(path, nil, func(err error) { wrong = append(wrong, err) })
	s, opened := Open(path, Options{NoSync: true})
	if opened != nil {
		if checked == nil && len(wrong) == 0 {
			return "refused", fmt.Errorf("Open says %w, and Check finds nothing", opened)
		}
		return "refused", nil
	}
	defer s.Close()
	left, err := readable(t, s, want)
	switch {
	case checked == nil && len(wrong) > 0 && strings.Contains(wrong[0].Error(), "the last commit may be missing"):
		return "older", nil
	case err != nil:
		return "wrong", err
	case left == len(want):
		return "none", nil
	case checked == nil && len(wrong) == 0:
		return "lost", fmt.Errorf("%d of %d items are left, and Check finds nothing", left, len(want))
	}
	return "lost", nil
}

// readable counts the items that a store still gives, each of which must be as it was.
func readable(t *testing.T, s storage.Store, want map[string]string) (left int, err error) {
	t.Helper()
	for after, more := "", true; more; {
		items, err := s.Scan(t.Context(), "", after, 50)
		for _, it := range items {
			if want[it.Key] != string(it.Value) {
				return 0, fmt.Errorf("%q has %.20q, want %.20q", it.Key, it.Value, want[it.Key])
			}
			after = it.Key
			left++
		}
		var d storage.Damaged
		switch {
		case errors.As(err, &d):
			after = d.Key
		case err != nil:
			return 0, err
		default:
			more = len(items) > 0
		}
	}
	return left, nil
}
