//go:build unix

package bolt

import (
	"io/fs"
	"os"
	"syscall"
)

// linked reports whether an open file still has a name in some folder. Without one nobody else can open it any more, and it is gone when it is
// closed.
func linked(file *os.File) bool {
	var info syscall.Stat_t
	return syscall.Fstat(int(file.Fd()), &info) != nil || info.Nlink > 0
}

// chown gives a file to the user and group of another.
func chown(path string, like fs.FileInfo) error {
	owner, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}
