package scores

import (
	"fmt"
	"math"
)

// The model's constants. How far they lie apart matters, not where they lie.
const (
	// startMean and startSpread are what is thought of somebody who has never played.
	startMean, startSpread = 25.0, startMean / 3
	// luck is how far a single game may lie from how well somebody plays.
	luck = startMean / 6
	// drift is how much people may have changed from one game to the next.
	drift = startMean / 300
	// leastSpread is what remains of a spread after a game, at the least, as a part of its square.
	leastSpread = 1e-4
	// doubt is how many spreads a rating is shown below the mean.
	doubt = 3
	// ahead is how far apart two are of whom nothing is learned when the better one finishes first, and upset how much the
	// opposite counts then.
	ahead, upset = startSpread, 1.0 / 16
)

// Rating is what is known of how well somebody plays: most likely Mean, and the less sure the larger Spread is. The zero Rating is
// none; begin with New.
type Rating struct{ Mean, Spread float64 }

// FirstRating is the rating of somebody who has never played.
func FirstRating() Rating { return Rating{startMean, startSpread} }

// Shown is the number that others see: one that somebody almost certainly deserves. It is 0 for who has never played.
func (r Rating) Shown() float64 { return r.Mean - float64(doubt*r.Spread) }

// RatingsAfter are the ratings of people after a game in which each of them, in the same order, came to a place: the smaller the better,
// with the same number for who shared one. It panics if there are not as many places as ratings.
func RatingsAfter(before []Rating, places []int) []Rating { return after(before, places, drift) }

func after(before []Rating, places []int, drift float64) []Rating {
	if len(places) != len(before) {
		panic(fmt.Sprintf("rating: %d places of %d people", len(places), len(before)))
	}
	g := game{places: places, now: make([]Rating, len(before)), strength: make([]float64, len(before))}
	for i, r := range before {
		g.now[i] = Rating{r.Mean, math.Sqrt(float64(r.Spread*r.Spread) + float64(drift*drift))}
	}
	scale := scaleOf(g.now)
	for i, r := range g.now {
		g.strength[i] = exp(r.Mean / scale)
	}
	changed := make([]Rating, len(before))
	for i, r := range g.now {
		far, expected, alone := g.far(i)
		f := g.pull(i, far)
		if far != expected {
			all := g.pull(i, expected)
			f.mean += float64(upset * (all.mean - f.mean))
			f.says += float64(upset * (all.says - f.says))
		}
		if changed[i] = before[i]; !alone {
			changed[i] = r.moved(f, scale)
		}
	}
	return changed
}

// seats say something of each of at most 16 people.
type seats [16]bool

// game is one game: in which places people finished, what is known of each now, and how strong that makes them.
type game struct {
	places   []int
	now      []Rating
	strength []float64
}

// far are those who are far from person i, and expected those of them who finished as was expected. Alone says that nothing is
// learned of i.
func (g *game) far(i int) (far, expected seats, alone bool) {
	alone = true
	for j := range g.now {
		gap := g.now[i].Mean - g.now[j].Mean
		far[j] = math.Abs(gap) > ahead
		expected[j] = far[j] && gap > 0 == (g.places[i] < g.places[j])
		alone = alone && (j == i || expected[j])
	}
	return far, expected, alone
}

// scaleOf is how far apart strengths are that make one person's chance e times another's, in a game of these.
func scaleOf(all []Rating) float64 {
	sum := 0.0
	for _, r := range all {
		sum += float64(r.Spread*r.Spread) + luck*luck
	}
	return math.Sqrt(sum)
}

// force is how a game moves a mean, and how much it says of it.
type force struct{ mean, says float64 }

// pull is what a game says of person i, as if some hadn't been there. A game is a row of draws, each of which somebody wins
// against the rest.
func (g *game) pull(i int, without seats) (f force) {
	for q, place := range g.places {
		if without[q] || place > g.places[i] {
			continue
		}
		rest, shared := 0.0, 0.0
		for j, other := range g.places {
			if other >= place && !without[j] {
				rest += g.strength[j]
				if other == place {
					shared++
				}
			}
		}
		chance := g.strength[i] / rest
		won := 0.0
		if i == q {
			won = 1
		}
		f.mean += (won - chance) / shared
		f.says += float64(chance*(1-chance)) / shared
	}
	return f
}

// moved is the rating after a game.
func (r Rating) moved(f force, scale float64) Rating {
	square := float64(r.Spread * r.Spread)
	part := float64(square/float64(scale*scale)) * f.says
	part = float64(float64(part) * (r.Spread / scale))
	return Rating{
		Mean:   r.Mean + float64(square/scale*f.mean),
		Spread: r.Spread * math.Sqrt(max(1-part, leastSpread)),
	}
}

// ChanceAhead is how likely the first of some people who play together finishes before the second of them, as far as their ratings tell.
func ChanceAhead(all []Rating, first, second int) float64 {
	return 1 / (1 + exp((all[second].Mean-all[first].Mean)/scaleOf(all)))
}

// exp is e to the power of x, good to the last two or three bits; beyond 700 either way it stays as it is there.
func exp(x float64) float64 {
	const furthest = 700
	x = max(-furthest, min(x, furthest))
	// x is so many times the logarithm of 2, which is high and low, and a rest. High ends in zeros: the product is exact.
	const high, low = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33
	twos := math.Floor(float64(x*math.Log2E) + 0.5)
	rest := x - float64(twos*high) - float64(twos*low)
	sum := 1.0
	for n := 14.0; n > 0; n-- {
		sum = 1 + float64(rest*sum)/n
	}
	return math.Ldexp(sum, int(twos))
}
