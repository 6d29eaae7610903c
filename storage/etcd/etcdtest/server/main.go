// Command server is etcd itself, for tests. It has a module of its own, so that the program doesn't carry it. When its input ends, whoever
// started it is gone: it ends, too, and what it has stored is removed.
package main

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	etcdmain.Main(os.Args)
}

// end has the process become one that removes the data: nothing else of it is left that could write there.
func end() {
	rm, err := exec.LookPath("rm")
	if at := slices.Index(os.Args, "--data-dir"); err == nil && at > 0 && at+1 < len(os.Args) {
		_ = syscall.Exec(rm, []string{rm, "-rf", os.Args[at+1]}, os.Environ())
	}
	os.Exit(1)
}
