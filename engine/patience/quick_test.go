package patience

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
)

// TestThinksNoLonger: at a skill under 1 the computer player looks at no more positions than it may, in any patience.
func TestThinksNoLonger(t *testing.T) {
	looked := 0
	search := beam[int]{
		width: 1000, depth: 1000, most: quickThought,
		moves: func(_ *int, into []engine.Move) []engine.Move {
			return append(into, engine.Move{Verb: 1}, engine.Move{Verb: 2}, engine.Move{Verb: 3})
		},
		make:  func(n *int, m engine.Move) uint64 { *n = *n*3 + int(m.Verb); return rand.Uint64() },
		value: func(n *int) (int, int) { looked++; return looked, looked },
	}
	if path, worth := search.best(0); looked != quickThought || worth != quickThought || len(path) == 0 {
		t.Errorf("it looks at %d positions; the best is worth %d, after %d moves", looked, worth, len(path))
	}
	if thought(0.99) != quickThought || thought(1) != 0 {
		t.Errorf("it may look at %d, and with all its skill at %d", thought(0.99), thought(1))
	}
}
