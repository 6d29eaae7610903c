package rating

import "math"

// Joined is what several ratings of one person say together that were come by apart, each from New, by games that the others know
// nothing of. The surer one is, the more it counts, and together they are surer than each (TestJoinedIsNearer), but only so far that
// no more is shown than by the best of them: who is far ahead of friends who let them win is ahead of them by as much in each circle,
// and nothing tells that from playing well (TestJoinedCollusion). The last bits depend on the order, so it should always be the
// same. Those who were never rated say nothing; of none at all it is the zero Kept.
func Joined(apart []Kept) Kept {
	first := New()
	start := 1 / float64(first.Spread*first.Spread)
	sure, weight, mean, games := start, 0.0, 0.0, int64(0)
	best := math.Inf(-1)
	for _, k := range apart {
		if k.Games == 0 {
			continue
		}
		r := k.Rating()
		own := 1 / float64(r.Spread*r.Spread)
		weight += own
		mean += float64(own * r.Mean)
		sure += max(own-start, 0)
		games += k.Games
		best = max(best, r.Shown())
	}
	if games == 0 {
		return Kept{}
	}
	all := Rating{mean / weight, math.Sqrt(1 / sure)}
	if all.Shown() > best {
		all.Spread = (all.Mean - best) / doubt
	}
	return kept(all, games)
}
