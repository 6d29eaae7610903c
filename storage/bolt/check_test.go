package bolt

import (
	"errors"
	"os"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// TestCheckNames: what is wrong is said with its key, also what only the caller's own look at the items finds.
func TestCheckNames(t *testing.T) {
	deep := func(tx *bbolt.Tx) error {
		_, err := tx.Bucket([]byte(itemBucket)).CreateBucket([]byte("deep"))
		return err
	}
	more := func(tx *bbolt.Tx) error { return errors.Join(foreignBucket(tx), deep(tx)) }
	late := func(tx *bbolt.Tx) error { return tx.Bucket([]byte(itemBucket)).SetSequence(5) }
	tests := []struct {
		name, path string
		want       []string
	}{
		{"good", fill(t, 10), nil},
		{"two values", flipStored(t, flipStored(t, fill(t, 10), "key/0003", 0), "key/0007", headSize), []string{"key/0003", "key/0007"}},
		{"buckets", changed(t, fill(t, 10), more), []string{`"widgets"`, `"deep"`}},
		{"revisions", changed(t, fill(t, 7), late), []string{`"key/0005" is 6`, `"key/0006" is 7`}},
		{"odd", withKey(t, "odd"), []string{`"odd": I don't know it`}},
		{"earlier format", golden(t, firstFormat), nil},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			was, _ := os.ReadFile(c.path)
			var found []error
			look := func(it storage.Item) error {
				if !strings.HasPrefix(it.Key, "key/") && !strings.HasPrefix(it.Key, "o/") {
					return errors.New("I don't know it")
				}
				return nil
			}
			r, err := Check(c.path, look, func(err error) { found = append(found, err) })
			if err != nil || r.Items == 0 || len(found) != len(c.want) {
				t.Fatalf("Check: %+v, %v, %v; want %q", r, found, err, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(found[i].Error(), want) {
					t.Errorf("found %v, want %q", found[i], want)
				}
			}
			if now, _ := os.ReadFile(c.path); string(now) != string(was) {
				t.Error("Check changed the file")
			}
		})
	}
}

func foreignBucket(tx *bbolt.Tx) error {
	_, err := tx.CreateBucket([]byte("widgets"))
	return err
}

func withKey(t *testing.T, key string) string {
	path := fill(t, 1)
	s := reopen(t, path)
	set(t, s, key, "1")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
