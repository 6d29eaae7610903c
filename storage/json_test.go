package storage_test

import (
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestJSON: what is written as JSON is read as it was, where nothing lies it is zero, and what isn't JSON is an error.
func TestJSON(t *testing.T) {
	s := mem.New()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		tx.Put("broken", []byte(`{"a":`))
		if err := storage.PutJSON(tx, "no JSON", func() {}); err == nil {
			t.Error("a function is written as JSON")
		}
		return storage.PutJSON(tx, "there", map[string]int{"a": 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key  string
		want int
		ok   bool
	}{
		{"there", 1, true},
		{"no JSON", 0, true},
		{"nowhere", 0, true},
		{"broken", 0, false},
	} {
		got, err := storage.Read(t.Context(), s, func(from storage.Reader) (map[string]int, error) {
			return storage.GetJSON[map[string]int](from, test.key)
		})
		if got["a"] != test.want || (err == nil) != test.ok {
			t.Errorf("%s is %v, %v", test.key, got, err)
		}
	}
}
