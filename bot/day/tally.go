package day

import (
	"maps"
	"math"
	"slices"
)

const (
	// movesEach is how many moves share a bin, maxMoves the last bin; maxTimes is the last bin of times, of which two double them.
	movesEach, maxMoves, maxTimes = 10, 199, 47
)

// Tally is how one deal went for all who have ended it: how many there are, how many of them have solved it, and of these how many
// needed as many moves, and as long, as the bin says. It knows nobody.
type Tally struct {
	Ended  int64 `json:"n"`
	Solved int64 `json:"ok,omitempty"`
	Moves  Bins  `json:"m,omitempty"`
	Times  Bins  `json:"t,omitempty"`
}

// Bins are how many fall into each bin.
type Bins map[int]int64

// movesBin is the bin of so many moves.
func movesBin(moves int) int { return min(max(moves, 0)/movesEach, maxMoves) }

// leastMoves is the fewest moves in a bin.
func leastMoves(bin int) int { return bin * movesEach }

// timesBin is the bin of so many seconds.
func timesBin(seconds int64) int {
	return min(int(2*math.Log2(float64(max(seconds, 1)))), maxTimes)
}

// leastTime is the shortest time in a bin, in seconds.
func leastTime(bin int) int64 { return int64(math.Ceil(math.Pow(2, float64(bin)/2))) }

// add is the tally with one result more.
func (t Tally) add(r Result) Tally {
	one := Tally{Ended: 1}
	if r.Solved {
		one.Solved, one.Moves, one.Times = 1, Bins{movesBin(r.Moves): 1}, Bins{timesBin(r.Seconds): 1}
	}
	return t.Plus(one)
}

// Plus is both tallies together. Neither changes.
func (t Tally) Plus(other Tally) Tally { return t.with(other, 1) }

// minus is what the tally has more than an earlier one.
func (t Tally) minus(other Tally) Tally { return t.with(other, -1) }

func (t Tally) with(other Tally, sign int64) Tally {
	return Tally{
		t.Ended + sign*other.Ended, t.Solved + sign*other.Solved, t.Moves.with(other.Moves, sign), t.Times.with(other.Times, sign),
	}
}

func (b Bins) with(other Bins, sign int64) Bins {
	all := maps.Clone(b)
	for bin, n := range other {
		if all == nil {
			all = Bins{}
		}
		if all[bin] += sign * n; all[bin] == 0 {
			delete(all, bin)
		}
	}
	return all
}

// isZero reports whether nothing is counted.
func (t Tally) isZero() bool { return t.Ended == 0 && t.Solved == 0 && len(t.Moves)+len(t.Times) == 0 }

// ends are the first and the last bin with anybody in it; false if there is none.
func (b Bins) ends() (first, last int, ok bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	bins := slices.Sorted(maps.Keys(b))
	return bins[0], bins[len(bins)-1], true
}

// above is which share, in percent, of the others fall into a higher bin than one of them does; those in the same bin count half. It
// is 0 where there are no others.
func (b Bins) above(bin int) int {
	var higher, all int64
	for at, n := range b {
		all += n
		switch {
		case at > bin:
			higher += 2 * n
		case at == bin:
			higher += n - 1
		}
	}
	if all < 2 {
		return 0
	}
	return int(50 * higher / (all - 1))
}

// columns is how many columns a Drawing of bins has at most.
const columns = 8

// Drawn is how many fall into which bins, as a row of columns, the highest of which is the fullest; empty where there is but one bin.
func (b Bins) Drawn() string {
	first, last, ok := b.ends()
	if !ok || first == last {
		return ""
	}
	each := (last - first + columns) / columns
	heights := make([]int64, (last-first)/each+1)
	for bin, n := range b {
		heights[(bin-first)/each] += n
	}
	most := slices.Max(heights)
	const steps = "▁▂▃▄▅▆▇█"
	drawn := make([]rune, len(heights))
	for i, n := range heights {
		step := int64(0)
		if n > 0 {
			step = 1 + (6*n+most/2)/most
		}
		drawn[i] = []rune(steps)[step]
	}
	return string(drawn)
}
