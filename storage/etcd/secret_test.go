//go:build cluster

package etcd

import (
	"testing"

	"zevaka/storage/etcd/etcdtest"
)

// TestSecret: all have the same, whoever asks first, and another store has another.
func TestSecret(t *testing.T) {
	c := etcdtest.Shared(t)
	seen := map[[32]byte]int{}
	one, other := at(c), at(c)
	for _, a := range []Address{one, one, other} {
		s := opened(t, a, Options{New: true})
		for range 2 {
			secret, err := s.Secret(t.Context())
			if err != nil || secret == [32]byte{} {
				t.Errorf("%s: %x, %v", a, secret, err)
			}
			seen[secret]++
		}
		if items, err := s.Scan(t.Context(), "", "", 10); err != nil || len(items) > 0 {
			t.Errorf("the store holds %v, %v", items, err)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d different secrets", len(seen))
	}
}
