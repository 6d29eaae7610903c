package share

import (
	"testing"

	"zevaka/storage/etcd"
)

// TestFair: all parts are held, and nobody holds two more than another.
func TestFair(t *testing.T) {
	for n := 1; n <= 70; n++ {
		all := 0
		for i := range n {
			share := fair(etcd.Parts, n, i)
			if share < etcd.Parts/n || share > etcd.Parts/n+1 {
				t.Errorf("%d of %d hold %d", i, n, share)
			}
			all += share
		}
		if all != etcd.Parts {
			t.Errorf("%d hold %d", n, all)
		}
	}
}
