package web

import (
	"net/netip"
	"slices"
	"sync"
)

// slots bound how many of something there may be at a time: connections, or streams. One that only waits is evicted for a
// newcomer, first one of the same household, and of those the one that has waited for longest.
type slots struct {
	mu   sync.Mutex
	most int
	n    int
	from map[netip.Prefix][]*slot // the longest waiting first
}

// slot is one that was acquired. Its methods do nothing on nil.
type slot struct {
	all  *slots
	from netip.Prefix
	// evict ends what holds the slot, and doesn't wait for anything.
	evict func()
	// pinned says that it is not evicted.
	pinned   bool
	released bool
}

func newSlots(most int) *slots {
	return &slots{most: most, from: map[netip.Prefix][]*slot{}}
}

// acquire takes one more slot, of at most each for a household; nil if there is none and none can be evicted. Evict is
// called when this one is, and then it doesn't count any more; without an evict it never is.
func (all *slots) acquire(from netip.Prefix, each int, evict func()) *slot {
	all.mu.Lock()
	defer all.mu.Unlock()
	var out *slot
	switch {
	case len(all.from[from]) >= each:
		out = longestWaiting(all.from[from])
		if out == nil {
			return nil
		}
	case all.n >= all.most:
		out = all.busiest(len(all.from[from]))
		if out == nil {
			return nil
		}
	}
	if out != nil {
		all.remove(out)
		out.evict()
	}
	g := &slot{all: all, from: from, evict: evict, pinned: evict == nil}
	all.from[from] = append(all.from[from], g)
	all.n++
	return g
}

// busiest is which to evict when there is none left at all: one of the household that has most, if a newcomer's own, which
// has so many, hasn't more than that.
func (all *slots) busiest(own int) *slot {
	var out *slot
	for _, held := range all.from {
		if len(held) < own {
			continue
		}
		if one := longestWaiting(held); one != nil && (out == nil || len(held) > len(all.from[out.from])) {
			out = one
		}
	}
	return out
}

// longestWaiting is the one that has waited for longest; nil if all are pinned.
func longestWaiting(held []*slot) *slot {
	if i := slices.IndexFunc(held, func(g *slot) bool { return !g.pinned }); i >= 0 {
		return held[i]
	}
	return nil
}

// remove takes one out, once.
func (all *slots) remove(g *slot) {
	if g.released {
		return
	}
	g.released = true
	all.n--
	rest := slices.DeleteFunc(all.from[g.from], func(o *slot) bool { return o == g })
	all.from[g.from] = rest
	if len(rest) == 0 {
		delete(all.from, g.from)
	}
}

// pin says whether the slot is not to be evicted from now on, or only waits.
func (g *slot) pin(pinned bool) {
	if g == nil {
		return
	}
	all := g.all
	all.mu.Lock()
	defer all.mu.Unlock()
	if g.released {
		return
	}
	g.pinned = pinned
	held := all.from[g.from]
	i := slices.Index(held, g)
	copy(held[i:], held[i+1:])
	held[len(held)-1] = g
}

// release gives the slot back.
func (g *slot) release() {
	if g == nil {
		return
	}
	g.all.mu.Lock()
	defer g.all.mu.Unlock()
	g.all.remove(g)
}
