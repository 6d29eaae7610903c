//go:build linux || darwin

package bolt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"
)

// TestShares: where files can't be locked or mapped it is said what to do, and nothing stays of a file that was to be new.
func TestShares(t *testing.T) {
	for _, err := range ofShares() {
		if said := explain(&fs.PathError{Op: "mmap", Path: "z.db", Err: err}); !strings.Contains(said.Error(), "on a disk of this machine") {
			t.Error(said)
		}
	}
	if said := explain(syscall.EIO); said.Error() != syscall.EIO.Error() {
		t.Error(said)
	}
	folder := t.TempDir()
	bare, ours := filepath.Join(folder, "bare.db"), filepath.Join(folder, "ours.db")
	db, err := bbolt.Open(bare, 0o600, nil)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(ours, Options{})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, goes := range map[string]bool{bare: true, ours: false} {
		if err := discard(path); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) != goes {
			t.Errorf("%s: %v", path, err)
		}
	}
}
