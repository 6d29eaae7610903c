package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestJoined: what several ratings come to; these very numbers on every machine.
func TestJoined(t *testing.T) {
	known, other := Kept{31_400_000, 3_100_000, 24}, Kept{18_000_000, 2_000_000, 90}
	for _, test := range []struct {
		name  string
		apart []Kept
		want  Kept
	}{
		{"none", nil, Kept{}},
		{"never rated", []Kept{{}, Start()}, Kept{}},
		{"one", []Kept{known}, known},
		{"one, and none", []Kept{{}, known, Start()}, known},
		{"two that are alike", []Kept{known, known}, Kept{31_400_000, 3_100_000, 48}},
		{"the surer counts for more", []Kept{known, other}, Kept{21_938_281, 1_715_848, 114}},
		{"who has learned nothing", []Kept{known, {25_000_000, 8_400_000, 3}}, Kept{30_632_830, 3_100_000, 27}},
	} {
		if got := Joined(test.apart); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestJoinedIsNearer: of people who play in three circles that don't know each other, what these say together lies nearer to how
// well they play than what any says alone, and as near as it says itself.
func TestJoinedIsNearer(t *testing.T) {
	const people, circles, games, seats = 60, 3, 600, 4
	chance := rand.New(rand.NewPCG(1, 2))
	truth := make([]float64, people)
	for i := range truth {
		truth[i] = startMean + startSpread*chance.NormFloat64()
	}
	var apart [circles][people]Kept
	for c := range circles {
		for range games {
			sat := company(chance, people, seats)
			before := make([]Kept, seats)
			for i, p := range sat {
				before[i] = apart[c][p]
			}
			for i, k := range PlayedOn(before, drawn(chance, truth, sat)) {
				apart[c][sat[i]] = k
			}
		}
	}
	off := func(k Kept, p int) float64 { return math.Pow(k.Rating().Mean-truth[p], 2) }
	var alone [circles]float64
	together, within := 0.0, 0
	for p := range people {
		all := []Kept{apart[0][p], apart[1][p], apart[2][p]}
		for c, k := range all {
			alone[c] += off(k, p)
		}
		joined := Joined(all)
		together += off(joined, p)
		if math.Abs(joined.Rating().Mean-truth[p]) < 2*joined.Rating().Spread {
			within++
		}
	}
	for c, sum := range alone {
		if together > 0.8*sum {
			t.Errorf("together they are off by %.3f, circle %d alone by %.3f", together/people, c, sum/people)
		}
	}
	if within < people*8/10 {
		t.Errorf("%d of %d are within two spreads", within, people)
	}
	t.Logf("together off by %.3f, alone by %.3f, %d of %d within two spreads", together/people, alone[0]/people, within, people)
}

// TestJoinedCollusion: a hundred accounts that let one of them win in as many circles as count together lift it by less than one
// spread above what the best of a hundred equals is shown who play as much honestly in as many.
func TestJoinedCollusion(t *testing.T) {
	const circles = 20
	for _, size := range []int{2, 3, 6} {
		chance := rand.New(rand.NewPCG(5, uint64(size)))
		let, honest := make([][]Kept, 1), make([][]Kept, 100)
		for range circles {
			let[0] = append(let[0], kept(hundred(chance, 10_000, size, true)[0], 10_000))
			for p, r := range hundred(chance, 300*100/size, size, false) {
				honest[p] = append(honest[p], kept(r, 300))
			}
		}
		best := 0.0
		for _, apart := range honest {
			best = max(best, Joined(apart).Rating().Shown())
		}
		gain := Joined(let[0]).Rating().Shown() - best
		t.Logf("at tables of %d: a gain of %+.1f", size, gain)
		if gain >= startSpread {
			t.Errorf("at tables of %d it is a gain of %.1f", size, gain)
		}
	}
}
