package scores

import (
	"encoding/json"
	"math"
	"testing"
)

// TestExp: the exponential is that of mathematics, and bits are those that are written here on every machine.
func TestExp(t *testing.T) {
	for x := -30.0; x <= 30; x += 0.0137 {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-15 {
			t.Errorf("exp(%v) is %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, -1000: exp(-700), 1000: exp(700)} {
		if got := exp(x); got != want || math.IsInf(got, 0) {
			t.Errorf("exp(%v) is %v, want %v", x, got, want)
		}
	}
}

// TestKept: what is kept of three after a game, the first of whom had never played; these very numbers on every machine.
func TestKept(t *testing.T) {
	before := []KeptRating{{}, {Mean: 31_400_000, Spread: 3_100_000, Games: 24}, {Mean: 18_000_000, Spread: 2_000_000, Games: 90}}
	want := []KeptRating{{29_153_586, 8_001_967, 1}, {30_875_341, 3_094_285, 25}, {17_878_038, 2_000_567, 91}}
	got := PlayedOn(before, []int{1, 2, 3})
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("person %d has %v, want %v", i, got[i], want[i])
		}
	}
	text, err := json.Marshal(got[0])
	var back KeptRating
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || back != got[0] {
		t.Errorf("%s is read as %v, %v", text, back, err)
	}
}

// TestPoints: one number to read at a glance, which is hidden before ten games.
func TestPoints(t *testing.T) {
	for _, test := range []struct {
		kept  KeptRating
		want  int
		known bool
	}{
		{KeptRating{}, 0, false},
		{KeptRating{25_000_000, 8_333_333, 1}, 0, false},
		{KeptRating{25_000_000, 0, 10}, 1000, true},
		{KeptRating{30_000_000, 2_000_000, 9}, 960, false},
		{KeptRating{10_000_000, 5_000_000, 12}, 0, true},
		{KeptRating{25_012_500, 1_000_000, 12}, 881, true},
	} {
		if got := test.kept.Points(); got != test.want || test.kept.Known() != test.known {
			t.Errorf("%v: %d points, known: %v", test.kept, got, test.kept.Known())
		}
	}
}
