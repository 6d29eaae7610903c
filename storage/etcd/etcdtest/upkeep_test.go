package etcdtest

import "testing"

// TestTidyIdle tidies a cluster to which nothing is written in between, which leaves nothing to compact.
func TestTidyIdle(t *testing.T) {
	c := New(t, Options{Members: 1})
	c.Tidy()
	c.Tidy()
}
