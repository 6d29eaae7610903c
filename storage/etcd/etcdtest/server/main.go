// Command server is etcd itself, for tests. It has a module of its own, so that the program doesn't carry it. It ends with its input,
// and takes away what it has stored: whoever started it is gone then.
package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		if at := slices.Index(os.Args, "--data-dir"); at > 0 && at+1 < len(os.Args) {
			_ = os.RemoveAll(os.Args[at+1])
			_ = os.Remove(filepath.Dir(os.Args[at+1])) // The last of the members does it.
		}
		os.Exit(0)
	}()
	etcdmain.Main(os.Args)
}
