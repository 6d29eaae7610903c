//go:build !unix

package bolt

import (
	"io/fs"
	"os"
)

// linked is true where an open file can't be deleted.
func linked(*os.File) bool { return true }

// chown does nothing where files have no such owner.
func chown(string, fs.FileInfo) error { return nil }
