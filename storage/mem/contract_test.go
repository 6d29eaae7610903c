package mem_test

import (
	"flag"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 1, "seed of the random tests")

func TestContract(t *testing.T) {
	storagetest.Run(t, func(*testing.T) storage.Store { return mem.New() })
}
