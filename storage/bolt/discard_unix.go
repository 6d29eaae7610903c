//go:build linux || darwin

package bolt

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// firstPages is how many pages bbolt begins a file with.
const firstPages = 4

// discard removes what is left of a new file that could not be made to the end, as where there is no room, or that holds nothing yet, unless another
// process is at it.
// Who waits for the file meanwhile finds that another one is in its place.
func discard(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return explain(err)
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Size() > firstPages*int64(os.Getpagesize()) || stillAt(path, f) != nil {
		return err
	}
	return os.Remove(path)
}
