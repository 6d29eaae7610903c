//go:build cluster

package etcd

import (
	"flag"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 1, "seed of the random tests")

// at is a place in the cluster where nothing was before.
func at(c *etcdtest.Cluster) Address { return Address{Hosts: c.Hosts(), Prefix: c.Prefix()} }

// patient is for what is tried apart from the time it takes.
var patient = Options{New: true, CallTime: time.Minute}

// TestContract runs the contract against three members.
func TestContract(t *testing.T) {
	c := etcdtest.Shared(t)
	storagetest.Run(t, func(t *testing.T) storage.Store { return opened(t, at(c), patient) })
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
