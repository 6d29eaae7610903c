//go:build !race

package picture_test

import "testing"

// TestDrawAllocates: a picture takes no more than three allocations beside its own bytes, which the caller may keep.
// The race detector empties pools at random, so that it is left out there.
func TestDrawAllocates(t *testing.T) {
	p := newPainter(t)
	for _, name := range boards(t) {
		board := readBoard(t, name)
		out := p.Draw(nil, board)
		if n := testing.AllocsPerRun(20, func() { out = p.Draw(out[:0], board) }); n > 3 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
