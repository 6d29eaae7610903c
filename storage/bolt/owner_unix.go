//go:build unix

package bolt

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives a file to the user and group of another.
func chown(path string, like fs.FileInfo) error {
	owner, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}
