//go:build !race

package bot_test

import (
	"path/filepath"
	"testing"
)

// TestPressAllocates: a press takes no more allocations than it needs, a commit of its own to bbolt among them. What they
// cost, with the collection of them, is a third of what the bot does for a press. By the names that tables are given bbolt's
// pages lie so that two more are needed, or none. The race detector has some of its own, so that it is left out there.
func TestPressAllocates(t *testing.T) {
	p := newBench(t, filepath.Join(t.TempDir(), "allocates.db"), 0).sit(1, "limit=60s")
	n := testing.AllocsPerRun(300, func() {
		if !p.move() {
			t.Fatal("the deal is over")
		}
	})
	if n > 107 {
		t.Errorf("a press takes %v allocations", n)
	}
}
