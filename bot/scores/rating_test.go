package scores

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVectors: the numbers that other programs work out for people who have never played, without drift.
func TestVectors(t *testing.T) {
	for name, test := range map[string]struct {
		places []int
		want   []Rating // A mean or spread of 0 isn't compared.
	}{
		"two": {[]int{1, 2}, []Rating{{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}},
		"four": {[]int{1, 2, 3, 4}, []Rating{
			{27.795084971874736, 8.263160757613477}, {26.552824984374855, 8.179213704945203}, {24.68943500312503, 8.083731307186588}, {20.96265504062538, 0},
		}},
		"five":          {[]int{1, 2, 3, 4, 5}, []Rating{{0, 8.290556877154474}, {0, 8.240145629781066}, {0, 8.179996679645559}, {0, 8.111796013701358}, {}}},
		"another order": {[]int{2, 1}, []Rating{{22.36476861652635, 8.065506316323548}, {27.63523138347365, 8.065506316323548}}},
	} {
		t.Run(name, func(t *testing.T) {
			before := make([]Rating, len(test.places))
			for i := range before {
				before[i] = FirstRating()
			}
			for i, got := range after(before, test.places, 0) {
				if want := test.want[i]; !near(got.Mean, want.Mean) || !near(got.Spread, want.Spread) {
					t.Errorf("person %d has %v, want %v", i, got, want)
				}
			}
		})
	}
}

func near(got, want float64) bool { return want == 0 || math.Abs(got-want) < 1e-9 }

// TestShared: who shares a place is moved as the other, and the sum of all that is given and taken is nothing.
func TestShared(t *testing.T) {
	now := RatingsAfter([]Rating{FirstRating(), FirstRating(), FirstRating(), FirstRating()}, []int{1, 2, 2, 4})
	if now[1] != now[2] || now[0].Mean <= now[1].Mean || now[1].Mean <= now[3].Mean {
		t.Errorf("after a shared second place: %v", now)
	}
	sum := 0.0
	for _, r := range now {
		sum += r.Mean - startMean
	}
	if math.Abs(sum) > 1e-9 {
		t.Errorf("together they have won %v", sum)
	}
}

// company are so many of some people, each once.
func company(chance *rand.Rand, people, n int) (sat []int) {
	for len(sat) < n {
		if p := chance.IntN(people); !slices.Contains(sat, p) {
			sat = append(sat, p)
		}
	}
	return sat
}

// drawn are the places of people in a game, by how well they truly play, as the model says.
func drawn(chance *rand.Rand, truth []float64, sat []int) []int {
	scale := math.Sqrt(float64(len(sat))) * luck
	worth := make([]float64, len(sat))
	for i, p := range sat {
		worth[i] = truth[p]/scale - math.Log(-math.Log(1-chance.Float64())) // Who draws the most is first: Plackett and Luce's law.
	}
	places := make([]int, len(sat))
	for i := range sat {
		for j := range sat {
			if worth[j] >= worth[i] {
				places[i]++
			}
		}
	}
	return places
}

// TestCalibrated: people who play as the model says finish before each other as often as it predicts, within 1 of 100 in each
// tenth of the predictions.
func TestCalibrated(t *testing.T) {
	const people, games, warm = 400, 500_000, 50_000
	chance := rand.New(rand.NewPCG(1, 2))
	truth, now := make([]float64, people), make([]Rating, people)
	for i := range truth {
		truth[i], now[i] = startMean+startSpread*chance.NormFloat64(), FirstRating()
	}
	var said, came, n [10]float64
	for game := range games {
		sat := company(chance, people, 2+chance.IntN(4))
		before := make([]Rating, len(sat))
		for i, p := range sat {
			before[i] = now[p]
		}
		places := drawn(chance, truth, sat)
		if game > warm {
			p := ChanceAhead(before, 0, 1)
			d := min(int(p*10), 9)
			said[d], n[d] = said[d]+p, n[d]+1
			if places[0] < places[1] {
				came[d]++
			}
		}
		for i, r := range RatingsAfter(before, places) {
			now[sat[i]] = r
		}
	}
	for d := range n {
		predicted, observed := said[d]/n[d], came[d]/n[d]
		t.Logf("%3.0f games: predicted %.4f, observed %.4f", n[d], predicted, observed)
		if math.Abs(predicted-observed) > 0.01 {
			t.Errorf("where %.3f was predicted %.3f came", predicted, observed)
		}
	}
}

// hundred are a hundred people who are all equally good, after so many games, each of some of them in an order of chance. At
// tables of which the first is always one the others let them finish first.
func hundred(chance *rand.Rand, games, size int, let bool) []Rating {
	now := make([]Rating, 100)
	for i := range now {
		now[i] = FirstRating()
	}
	for range games {
		sat := company(chance, len(now), size)
		if first := slices.Index(sat, 0); let && first >= 0 {
			sat[0], sat[first] = sat[first], sat[0]
		} else if let {
			sat[0] = 0
		}
		before, places := make([]Rating, size), make([]int, size)
		for i, p := range sat {
			before[i], places[i] = now[p], i
		}
		for i, r := range RatingsAfter(before, places) {
			now[sat[i]] = r
		}
	}
	return now
}

// TestCollusion: a hundred accounts that let one of them win lift it by less than one spread above what the best of a hundred
// equals is shown who play as much honestly; however often they do so, and at tables of any size.
func TestCollusion(t *testing.T) {
	for size := 2; size <= 6; size++ {
		for _, games := range []int{10, 100, 1000, 10_000, 100_000} {
			const enough = 300 // From then on the honest stay as they are.
			chance := rand.New(rand.NewPCG(3, uint64(size)))
			let, honest := hundred(chance, games, size, true)[0], 0.0
			for _, r := range hundred(chance, min(games, enough)*100/size, size, false) {
				honest = max(honest, r.Shown())
			}
			gain := let.Shown() - honest
			t.Logf("%d games of %d: shown %.1f, the best of the honest %.1f: %+.1f", games, size, let.Shown(), honest, gain)
			if gain >= startSpread {
				t.Errorf("a gain of %.1f by %d games of %d", gain, games, size)
			}
		}
	}
}

// BenchmarkAfter is one game of four.
func BenchmarkAfter(b *testing.B) {
	now := []Rating{FirstRating(), FirstRating(), FirstRating(), FirstRating()}
	places := []int{1, 2, 3, 4}
	for b.Loop() {
		RatingsAfter(now, places)
	}
}
