package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"zevaka/storage"
)

// TestDeleted: nothing is taken that would be gone with the process, while what was taken before can still be copied; a file that has only
// got another name, or another one beside it, serves on.
func TestDeleted(t *testing.T) {
	for name, test := range map[string]struct {
		change func(path string) error
		gone   bool
	}{
		"deleted": {os.Remove, true},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("another"), 0o600), os.Rename(path+".new", path))
		}, true},
		"moved": {func(path string) error { return os.Rename(path, path+".moved") }, false},
		"linked": {func(path string) error {
			return errors.Join(os.Link(path, path+".link"), os.Remove(path))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "z.db")
			s := reopen(t, path)
			set(t, s, "before", "1")
			if err := test.change(path); err != nil {
				t.Fatal(err)
			}
			_, err := s.Commit(t.Context(), writes("after", "1"))
			if gone := errors.Is(err, storage.ErrUnavailable); gone != test.gone || err != nil && !gone {
				t.Errorf("Commit: %v", err)
			}
			saved := filepath.Join(t.TempDir(), "saved.db")
			copied, err := os.Create(saved)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.WriteTo(copied); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(copied.Close(), s.Close()); err != nil {
				t.Fatal(err)
			}
			if it := one(t, reopen(t, saved), "before"); string(it.Value) != "1" {
				t.Errorf("the copy has %+v", it)
			}
		})
	}
}
