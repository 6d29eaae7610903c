package share

import (
	"cmp"
	"container/heap"
	"container/list"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// measured are the times that a simulation of cells takes its own from: the times of commits of one cell, and of looks into one
// directory, when so many are under way at once, and those of a hop from one process to another.
type measured struct {
	commits map[int][]time.Duration
	looks   map[int][]time.Duration
	hop     []time.Duration
}

// world is what is simulated.
type world struct {
	cells, communities int
	processes          int           // of each cell
	presses            float64       // a second, of all
	lasts              time.Duration // so long
	// alpha is that of the Pareto distribution of how much is played in communities: most of them hardly at all. None has more than
	// most presses a second: so many let the gate through.
	alpha, most float64
	remembers   int // communities that a process remembers
	// directories are among how many the communities are divided.
	directories int
}

// simulated is what came of it.
type simulated struct {
	offered, carried float64 // presses a second
	p50, p95, worst  time.Duration
	busiest          float64 // presses a second in the busiest cell
	looks, elsewhere float64 // looks into the directories for each press, and the share of presses passed to another process
	// busy is how many looks a second the busiest directory is asked for, looked how long 95 % of those take at most that it answers.
	busy   float64
	looked time.Duration
	lost   float64 // looks a second that it doesn't answer
}

// sample is of how many presses of each cell the quantiles of all are, at least.
const sample = 1000

// simulate has people press: each press arrives at some process, which looks up where the community lives unless it remembers,
// passes it to the one that serves it, and there it is one commit. A cell makes at most as many commits at once as was measured,
// each takes as long as one of those when as many were under way, and the others wait in their order.
func simulate(m measured, w world, r *rand.Rand) simulated {
	rates, sum := make([]float64, w.communities), 0.0
	for i := range rates {
		rates[i] = math.Pow(1-r.Float64(), -1/w.alpha)
		sum += rates[i]
	}
	offered := make([]float64, w.cells)
	for i := range rates {
		rates[i] = min(rates[i]*w.presses/sum, w.most)
		// New communities settle in the emptier of two cells: so all have as many.
		offered[i%w.cells] += rates[i]
	}
	var found simulated
	looks, busiest := w.looks(rates, r)
	processes := float64(w.processes * w.cells)
	found.elsewhere, found.looks = 1-1/processes, looks
	for _, rate := range offered {
		found.offered += rate
	}
	var look []time.Duration
	if found.busy = found.offered * looks * busiest; found.busy > 0 {
		look = w.queue(m.looks, found.busy, r)
		found.looked = quantile(slices.Clone(look), 0.95)
		found.lost = max(0, found.busy-float64(len(look))/w.lasts.Seconds())
	}
	var all []time.Duration
	worst := 0
	for i, rate := range offered {
		if rate > offered[worst] {
			worst = i
		}
	}
	n := 0
	for i, rate := range offered {
		took := w.cell(m, look, rate, looks, found.elsewhere, r)
		n += len(took)
		if i == worst {
			found.busiest, found.worst = rate, quantile(slices.Clone(took), 0.95)
		}
		for k := 0; k < len(took); k += 1 + len(took)/sample {
			all = append(all, took[k])
		}
	}
	found.carried = float64(n) / w.lasts.Seconds()
	found.p50, found.p95 = quantile(all, 0.5), quantile(all, 0.95)
	return found
}

// cell is how long the presses of one cell took that were answered in time.
func (w world) cell(m measured, look []time.Duration, rate, looks, elsewhere float64, r *rand.Rand) []time.Duration {
	took := w.queue(m.commits, rate, r)
	for i := range took {
		if r.Float64() < elsewhere {
			took[i] += pick(m.hop, r)
		}
		if r.Float64() < looks && len(look) > 0 {
			took[i] += pick(look, r)
		}
	}
	return took
}

// queue is how long what a cluster is asked for at random took, of that which it answered in time. It does at most as much at once
// as was measured, each takes as long as one of those when as many were under way, and the others wait in their order.
func (w world) queue(times map[int][]time.Duration, rate float64, r *rand.Rand) (took []time.Duration) {
	levels := slices.Sorted(maps.Keys(times))
	most := levels[len(levels)-1]
	var waiting []time.Duration // since when
	var ends ending             // of those under way
	begin := func(since, now time.Duration) {
		i, ok := slices.BinarySearch(levels, len(ends)+1)
		if !ok && i > 0 && r.IntN(levels[i]-levels[i-1]) >= len(ends)+1-levels[i-1] {
			i-- // Between two that were measured, one of them, the nearer the likelier.
		}
		end := now + pick(times[levels[i]], r)
		heap.Push(&ends, end)
		if end < w.lasts {
			took = append(took, end-since)
		}
	}
	for next := time.Duration(0); ; {
		next += time.Duration(r.ExpFloat64() / rate * float64(time.Second))
		for len(ends) > 0 && ends[0] <= next {
			now := heap.Pop(&ends).(time.Duration)
			if len(waiting) > 0 {
				begin(waiting[0], now)
				waiting = waiting[1:]
			}
		}
		if next >= w.lasts {
			return took
		}
		if len(ends) < most {
			begin(next, next)
		} else {
			waiting = append(waiting, next)
		}
	}
}

// looks is how often a press has somebody look into a directory, when all communities are known that are pressed now and then, and
// the share of those looks that the busiest directory has.
func (w world) looks(rates []float64, r *rand.Rand) (each, busiest float64) {
	until := make([]float64, len(rates))
	sum := 0.0
	for i, rate := range rates {
		sum += rate
		until[i] = sum
	}
	// At first it remembers those that are asked for most.
	order, known := list.New(), map[int]*list.Element{}
	byRate := make([]int, len(rates))
	for i := range byRate {
		byRate[i] = i
	}
	slices.SortFunc(byRate, func(i, j int) int { return cmp.Compare(rates[j], rates[i]) })
	for _, c := range byRate[:min(w.remembers, len(byRate))] {
		known[c] = order.PushBack(c)
	}
	missed, n := make([]int, w.directories), min(4*max(w.remembers, len(rates)), 4_000_000)
	for i := range n {
		c, _ := slices.BinarySearch(until, r.Float64()*sum)
		e, ok := known[c]
		if ok {
			order.MoveToFront(e)
			continue
		}
		if i > n/2 { // Slots are in directories in turn, and communities in slots by a hash.
			missed[c*2_654_435_761%4096%w.directories]++
		}
		if order.Len() >= w.remembers {
			delete(known, order.Remove(order.Back()).(int))
		}
		known[c] = order.PushFront(c)
	}
	misses := 0
	for _, one := range missed {
		misses += one
	}
	return float64(misses) / float64(n-n/2), float64(slices.Max(missed)) / max(1, float64(misses))
}

// ending is a heap of moments.
type ending []time.Duration

func (e ending) Len() int           { return len(e) }
func (e ending) Less(i, j int) bool { return e[i] < e[j] }
func (e ending) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ending) Push(x any)        { *e = append(*e, x.(time.Duration)) }
func (e *ending) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func pick(all []time.Duration, r *rand.Rand) time.Duration { return all[r.IntN(len(all))] }

// quantile sorts.
func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))]
}
