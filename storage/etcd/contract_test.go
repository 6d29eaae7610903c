package etcd

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 0, "seed of the random tests; 0 is by the clock")

// patient is for what is tried apart from the time it takes.
var patient = Options{New: true, CallTime: time.Minute}

// TestContract runs the contract against three members.
func TestContract(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	n := 0
	storagetest.Run(t, func(t *testing.T) storage.Store {
		n++
		return opened(t, Address{Hosts: c.Hosts(), Prefix: fmt.Sprint("contract/", n)}, patient)
	})
}

// opened is a store that is closed with its test.
func opened(t *testing.T, a Address, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
