package mem_test

import (
	"flag"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 0, "seed of the random tests; 0 is by the clock")

func TestContract(t *testing.T) {
	storagetest.Run(t, func(*testing.T) storage.Store { return mem.New() })
}
