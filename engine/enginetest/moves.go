package enginetest

import (
	"math/rand/v2"

	"zevaka/engine"
)

// run is some moves of a list, one after the other, that differ only in their number, which rises by one: of a list of
// all stakes from 5 to 300 it is all there is to keep.
type run struct {
	first engine.Move
	n     int32
}

// moveList is a list of moves as runs.
type moveList []run

func newMoveList(moves []engine.Move) moveList {
	var list moveList
	for _, m := range moves {
		if last := len(list) - 1; last >= 0 && list[last].at(list[last].n) == m {
			list[last].n++
			continue
		}
		list = append(list, run{first: m, n: 1})
	}
	return list
}

// at is the i-th move of the run, or the one that would come after the last.
func (r run) at(i int32) engine.Move {
	m := r.first
	m.N += i
	return m
}

// overlaps reports that a move is in both runs.
func (r run) overlaps(other run) bool {
	low, high := r, other
	if high.first.N < low.first.N {
		low, high = high, low
	}
	i := high.first.N - low.first.N
	return i < low.n && low.at(i) == high.first
}

func (l moveList) contains(m engine.Move) bool {
	for _, r := range l {
		if r.overlaps(run{first: m, n: 1}) {
			return true
		}
	}
	return false
}

// some are the first and the last move of each run and one of those between: all moves where no numbers count.
func (l moveList) some(luck *rand.Rand) []engine.Move {
	var moves []engine.Move
	for _, r := range l {
		moves = append(moves, r.first)
		if r.n > 2 {
			moves = append(moves, r.at(1+luck.Int32N(r.n-2)))
		}
		if r.n > 1 {
			moves = append(moves, r.at(r.n-1))
		}
	}
	return moves
}
