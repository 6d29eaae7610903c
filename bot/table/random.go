package table

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"zevaka/engine"
)

// RandomOf is the chance of a computer player. It follows from the table with its secret seed, how many moves were made, and
// the seat, and from nothing outside. In a lesson, whose deal everybody gets, it is everybody's, too.
func RandomOf(t *Table, s engine.Seat) *rand.Rand {
	name := t.ID.String()
	if t.Lesson {
		name = "lesson"
	}
	seed := fmt.Appendf(nil, "computer:%s:%d:%d:%x", name, t.Moves, s, t.Seed)
	return rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
}
