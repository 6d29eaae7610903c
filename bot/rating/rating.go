// Package rating tells from the orders in which people finish how well they play: Weng and Lin's Plackett–Luce model (A Bayesian
// Approximation Method for Online Ranking, JMLR 12, 2011). It knows no game, keeps nothing, and gives the same numbers for the same
// finishes in the same order on every machine of one kind.
package rating

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
	// least is what remains of a spread after a game, at the least, as a part of its square.
	least = 1e-4
	// doubt is how many spreads a rating is shown below the mean.
	doubt = 3
)

// Rating is what is known of how well somebody plays: most likely Mean, and the less sure the larger Spread is. The zero Rating is
// none; begin with New.
type Rating struct{ Mean, Spread float64 }

// New is the rating of somebody who has never played.
func New() Rating { return Rating{startMean, startSpread} }

// Shown is the number that others see: one that somebody almost certainly deserves. It is 0 for who has never played.
func (r Rating) Shown() float64 { return r.Mean - doubt*r.Spread }

// After are the ratings of people after a game in which each of them, in the same order, came to a place: the smaller the better,
// with the same number for who shared one. It panics if there are not as many places as ratings.
func After(before []Rating, places []int) []Rating { return after(before, places, drift) }

func after(before []Rating, places []int, drift float64) []Rating {
	if len(places) != len(before) {
		panic(fmt.Sprintf("rating: %d places of %d people", len(places), len(before)))
	}
	now := make([]Rating, len(before))
	for i, r := range before {
		now[i] = Rating{r.Mean, math.Sqrt(float64(r.Spread*r.Spread) + drift*drift)}
	}
	scale := scaleOf(now)
	strength := make([]float64, len(now))
	for i, r := range now {
		strength[i] = math.Exp(r.Mean / scale)
	}
	rest, shared := make([]float64, len(now)), make([]float64, len(now))
	for q := range now {
		for i := range now {
			if places[i] >= places[q] {
				rest[q] += strength[i]
			}
			if places[i] == places[q] {
				shared[q]++
			}
		}
	}
	changed := make([]Rating, len(now))
	for i, r := range now {
		changed[i] = r.moved(pull(i, places, strength, rest, shared), scale)
	}
	return changed
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

// pull is what a game says of person i. A game is a row of draws, each of which somebody wins against the rest; rest is the strength
// of all who took part in the draw for each one's place, and shared by how many a place was won.
func pull(i int, places []int, strength, rest, shared []float64) (f force) {
	for q := range places {
		if places[q] > places[i] {
			continue
		}
		chance := strength[i] / rest[q]
		won := 0.0
		if i == q {
			won = 1
		}
		f.mean += (won - chance) / shared[q]
		f.says += float64(chance*(1-chance)) / shared[q]
	}
	return f
}

// moved is the rating after a game.
func (r Rating) moved(f force, scale float64) Rating {
	square := float64(r.Spread * r.Spread)
	part := float64(square/float64(scale*scale)) * f.says * (r.Spread / scale)
	return Rating{
		Mean:   r.Mean + float64(square/scale*f.mean),
		Spread: r.Spread * math.Sqrt(max(1-part, least)),
	}
}

// Ahead is how likely the first of some people who play together finishes before the second of them, as far as their ratings tell.
func Ahead(all []Rating, first, second int) float64 {
	return 1 / (1 + math.Exp((all[second].Mean-all[first].Mean)/scaleOf(all)))
}
