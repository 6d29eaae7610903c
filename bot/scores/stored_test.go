package scores

import (
	"strings"
	"testing"

	"zevaka/storage"
)

// TestDecode: a tally that is stored with fewer numbers has zeros for the rest, and what is no tally is an error.
func TestDecode(t *testing.T) {
	places := strings.TrimSuffix(strings.Repeat("1 ", MaxPlaces), " ")
	tests := []struct {
		text string
		want Tally
	}{
		{"3//", Tally{Games: 3}},
		{"3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 31000000 2000000 2 24310 5 4 1//", Tally{
			Games: 3, Rating: KeptRating{Mean: 31_000_000, Spread: 2_000_000, Games: 2}, Month: Monthly{24310, 5, 4, 1},
		}},
		{"3 2/2 0 1/a/b\nc", Tally{Games: 3, Wins: 2, Places: [MaxPlaces]int64{2, 0, 1}, Name: "a/b\nc"}},
		{"9 1 2 3 4 -5 -6 7 8 9 10 11 12 13 14/" + places + "/Аня", Tally{
			Name: "Аня", Games: 9, Wins: 1, Last: 2, Streak: 3, Longest: 4, Chips: -5, BestChips: -6, Bank: 7, Solved: 8, Fastest: 9,
			Fewest: 10, Score: 11, Seconds: 12, Undos: 13, Hints: 14, Places: [MaxPlaces]int64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		}},
	}
	for _, test := range tests {
		got, err := decode(storage.Item{Key: "s/t1/zevaka/1", Value: []byte(test.text)})
		if err != nil || got != test.want {
			t.Errorf("%q: %+v, %v; want %+v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{
		"", "3", "3/", "//", "0//", "-1//", "2147483648//", "x//", "3 x//", "3  1//", "3/x/", "9 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23//", "3/" + places + " 1/",
	} {
		if got, err := decode(storage.Item{Key: "s/t1/zevaka/1", Value: []byte(text)}); err == nil || got != (Tally{}) {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}
