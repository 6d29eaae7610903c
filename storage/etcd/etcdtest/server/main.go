// Command server is etcd itself, for tests. It has a module of its own, so that the program doesn't carry it.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
