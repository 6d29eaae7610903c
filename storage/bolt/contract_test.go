package bolt

import (
	"flag"
	"path/filepath"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 1, "seed of the random tests")

func TestContract(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storage.Store { return newStore(t) })
}

// newStore is an empty store in a new file. Like reopen it doesn't wait for the disk.
func newStore(t testing.TB) *Store {
	t.Helper()
	return reopen(t, filepath.Join(t.TempDir(), "z.db"))
}

// reopen opens a file that may be there. It is closed when the test ends, if it isn't closed by then.
func reopen(t testing.TB, path string) *Store {
	t.Helper()
	return openedWith(t, path, Options{NoSync: true})
}

func openedWith(t testing.TB, path string, o Options) *Store {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
