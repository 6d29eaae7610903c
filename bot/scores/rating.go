package scores

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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

// KeptRating is a rating as it is stored: Mean and Spread in millionths, after so many Games. The zero Kept is that of somebody who was
// never rated; as a number that others see it is 0.
type KeptRating struct{ Mean, Spread, Games int64 }

// millionth is one unit of a Kept.
const millionth = 1e6

const (
	// Settled is after how many games a rating is shown: before that it says more of luck.
	Settled = 10
	// glance is what a Rating is multiplied by to be read at a glance: somebody whose play is well known and middling has then
	// nearly 1,000.
	glance = 40
)

// StartRating is what is kept of somebody who is about to be rated for the first time.
func StartRating() KeptRating { return KeptRating{Mean: 25_000_000, Spread: 8_333_333} }

// Rating is what is kept; New where no game was rated.
func (k KeptRating) Rating() Rating {
	if k.Games == 0 {
		return FirstRating()
	}
	return Rating{float64(k.Mean) / millionth, float64(k.Spread) / millionth}
}

// IsRated reports whether a rating is kept, be it that of a Start.
func (k KeptRating) IsRated() bool { return k.Spread != 0 }

// Known reports whether enough games were played for others to be shown the rating.
func (k KeptRating) Known() bool { return k.Games >= Settled }

// Points are the number that people read: what somebody almost certainly deserves, from 0, with about 1,000 for a
// middling player whom many games have shown to be one.
func (k KeptRating) Points() int {
	if k.Games == 0 {
		return 0
	}
	const half = millionth / 2
	return int(max(0, ((k.Mean-doubt*k.Spread)*glance+half)/millionth))
}

// PlayedOn are After of what is kept of some people.
func PlayedOn(before []KeptRating, places []int) []KeptRating {
	now := make([]Rating, len(before))
	for i, k := range before {
		now[i] = k.Rating()
	}
	all := make([]KeptRating, len(before))
	for i, r := range RatingsAfter(now, places) {
		all[i] = kept(r, before[i].Games+1)
	}
	return all
}

// kept is a rating after so many games as it is kept.
func kept(r Rating, games int64) KeptRating {
	return KeptRating{int64(math.Floor(float64(r.Mean*millionth) + 0.5)), int64(math.Floor(float64(r.Spread*millionth) + 0.5)), games}
}

// MarshalJSON writes the three numbers as a list.
func (k KeptRating) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]int64{k.Mean, k.Spread, k.Games})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *KeptRating) UnmarshalJSON(text []byte) error {
	var numbers [3]int64
	if plain(text, &numbers) {
		*k = KeptRating{numbers[0], numbers[1], numbers[2]}
		return nil
	}
	if err := json.Unmarshal(text, &numbers); err != nil {
		return fmt.Errorf("decode a rating: %w", err)
	}
	*k = KeptRating{numbers[0], numbers[1], numbers[2]}
	return nil
}

// plain reads three numbers as MarshalJSON writes them, which takes a tenth of the time that JSON in general takes.
func plain(text []byte, numbers *[3]int64) bool {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return false
	}
	rest := text[1 : len(text)-1]
	for i := range numbers {
		first, more, another := bytes.Cut(rest, []byte{','})
		n, err := strconv.ParseInt(string(first), 10, 64)
		if err != nil || another != (i < len(numbers)-1) || first[0] == '+' {
			return false
		}
		numbers[i], rest = n, more
	}
	return true
}
