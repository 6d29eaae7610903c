package patience

import (
	"math/bits"
	"slices"

	"zevaka/engine"
)

// seek looks for moves by which a deal comes out. It goes from level to level, as from draw to draw: what it compares lies on
// one level, where the same cards are still to come. On each it follows the most promising positions, by whatever number of
// moves they were reached. T is a position, which an assignment copies.
type seek[T any] struct {
	// width is how many positions it follows on a level, and how many it takes over to the next.
	width int
	// moves appends the moves of a position that are worth a look.
	moves func(*T, []engine.Move) []engine.Move
	// make makes a move, and returns what it changes in the sum of where the cards lie, and whether it leads to the next level.
	make func(*T, engine.Move) (change uint64, onward bool)
	// value is what a position promises; won if it is solved.
	value func(*T) int

	found []sought[T]
	// free are the places in found that may be used again.
	free []int32
	made []madeMove
	seen sums
}

// sought is a position found.
type sought[T any] struct {
	position T
	sum      uint64
	// last is its last move, by its place in the list of all.
	last int
}

// candidate is a position to follow, by its place in seek.found.
type candidate struct {
	value int
	at    int32
}

// run returns the moves from a position to one that is solved, nil if it meets none.
func (s *seek[T]) run(start T) []engine.Move {
	s.seen = newSums(s.width)
	s.seen.add(0)
	level := []candidate{{at: s.store(&sought[T]{position: start, last: -1})}}
	var next []candidate
	var buffer [maxMoves]engine.Move
	var child sought[T]
	for len(level) > 0 {
		for left := s.width - 1; left >= 0 && len(level) > 0; left-- {
			from := level[0].at
			level = level[1:]
			for _, m := range s.moves(&s.found[from].position, buffer[:0]) {
				child = s.found[from]
				change, onward := s.make(&child.position, m)
				child.sum += change
				if !s.seen.add(child.sum) {
					continue
				}
				s.made = append(s.made, madeMove{m, child.last})
				child.last = len(s.made) - 1
				switch value := s.value(&child.position); {
				case value == won:
					return pathTo(s.made, child.last)
				case onward:
					next = s.keep(next, value, &child, s.width)
				default:
					level = s.keep(level, value, &child, left)
				}
			}
			s.free = append(s.free, from)
		}
		for _, rest := range level {
			s.free = append(s.free, rest.at)
		}
		level, next = next, nil
	}
	return nil
}

// store keeps a position, and returns its place.
func (s *seek[T]) store(p *sought[T]) int32 {
	if last := len(s.free) - 1; last >= 0 {
		at := s.free[last]
		s.free = s.free[:last]
		s.found[at] = *p
		return at
	}
	s.found = append(s.found, *p)
	return int32(len(s.found) - 1)
}

// keep adds a position to a list of the most promising ones, the best first, if it is one of them.
func (s *seek[T]) keep(list []candidate, value int, p *sought[T], width int) []candidate {
	if n := len(list); n >= width {
		if width == 0 || list[n-1].value >= value {
			return list
		}
		s.free = append(s.free, list[n-1].at)
		list = list[:n-1]
	}
	i, _ := slices.BinarySearchFunc(list, value, func(c candidate, value int) int {
		if c.value >= value {
			return -1
		}
		return 1
	})
	return slices.Insert(list, i, candidate{value, s.store(p)})
}

// sums is a set of sums, of which half the places stay empty.
type sums struct {
	places []uint64
	n      int
}

// newSums is an empty one.
func newSums(width int) sums { return sums{places: make([]uint64, 1<<bits.Len(uint(64*width)))} }

// add adds a sum, and reports whether it is new.
func (s *sums) add(sum uint64) bool {
	sum |= 1 // No sum is zero: that is an empty place.
	if 2*s.n >= len(s.places) {
		old := s.places
		s.places, s.n = make([]uint64, 2*len(old)), 0
		for _, sum := range old {
			if sum != 0 {
				s.add(sum)
			}
		}
	}
	at := sum >> 1 * 0x9e37_79b9_7f4a_7c15 >> 32 & uint64(len(s.places)-1)
	for s.places[at] != 0 {
		if s.places[at] == sum {
			return false
		}
		at = (at + 1) & uint64(len(s.places)-1)
	}
	s.places[at] = sum
	s.n++
	return true
}
