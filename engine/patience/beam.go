package patience

import (
	"math"
	"slices"

	"zevaka/engine"
)

// beam looks ahead from a position: of all positions that one more move leads to it follows the most promising. T is a
// position, which an assignment copies.
type beam[T any] struct {
	width, depth int
	// most is how many positions it looks at; 0 is as many as there are.
	most int
	// seen are the positions that it doesn't go to, by how far their sums are from that of the first; nil is only that one.
	seen map[uint64]bool
	// moves appends the moves of a position; make makes one and returns what it changes in the sum of where the cards
	// lie.
	moves func(*T, []engine.Move) []engine.Move
	make  func(*T, engine.Move) uint64
	// value is what a position promises, and what it is worth to get there: won if it is solved, lost if one can't stop
	// there.
	value func(*T) (promise, worth int)
}

const (
	won  = math.MaxInt
	lost = math.MinInt
)

// ahead is a position looked at.
type ahead[T any] struct {
	position T
	sum      uint64
	promise  int
	// last is its last move, by its place in the list of all.
	last int
}

// madeMove is a move with the one before it, by its place in the list of all.
type madeMove struct {
	move   engine.Move
	before int
}

// best returns the moves to the position that is worth most of those that it sees, and its worth, lost if there is none.
func (b beam[T]) best(start T) (path []engine.Move, worth int) {
	var buffer [maxMoves]engine.Move
	made := make([]madeMove, 0, b.width*b.depth)
	if b.most > 0 {
		made = make([]madeMove, 0, min(b.most, b.width*b.depth))
	}
	level, next := make([]ahead[T], 0, b.width+1), make([]ahead[T], 0, b.width+1)
	level = append(level, ahead[T]{position: start, last: -1})
	seen := b.seen
	if seen == nil {
		seen = map[uint64]bool{0: true}
	}
	best := -1
	worth = lost
	var child ahead[T]
	for range b.depth {
		next = next[:0]
		for i := range level {
			for _, m := range b.moves(&level[i].position, buffer[:0]) {
				child = level[i]
				child.sum += b.make(&child.position, m)
				if seen[child.sum] {
					continue
				}
				if b.most > 0 && len(made) == b.most {
					return pathTo(made, best), worth
				}
				seen[child.sum] = true
				made = append(made, madeMove{m, level[i].last})
				child.last = len(made) - 1
				var reached int
				if child.promise, reached = b.value(&child.position); reached > worth {
					best, worth = child.last, reached
				}
				next = keep(next, child, b.width)
			}
		}
		if worth == won {
			break
		}
		level, next = next, level
	}
	return pathTo(made, best), worth
}

// pathTo are the moves up to the one in that place of the list of all; -1 is none.
func pathTo(made []madeMove, last int) (path []engine.Move) {
	for ; last >= 0; last = made[last].before {
		path = append(path, made[last].move)
	}
	slices.Reverse(path)
	return path
}

// keep adds a position to the most promising ones, in order, if it is one of them.
func keep[T any](list []ahead[T], child ahead[T], width int) []ahead[T] {
	i := len(list)
	for i > 0 && list[i-1].promise < child.promise {
		i--
	}
	if i == width {
		return list
	}
	if len(list) < width {
		list = append(list, child)
	}
	copy(list[i+1:], list[i:len(list)-1])
	list[i] = child
	return list
}
