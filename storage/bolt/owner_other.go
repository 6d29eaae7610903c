//go:build !unix

package bolt

import "io/fs"

// chown does nothing where files have no such owner.
func chown(string, fs.FileInfo) error { return nil }
