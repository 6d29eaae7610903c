package scores

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// record records one finish and returns its number.
func record(t testing.TB, s storage.Store, k Key, name string, f Finish) int {
	t.Helper()
	var n int
	err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) { n, err = Record(tx, k, name, f); return err })
	if err != nil {
		t.Error(err)
	}
	return n
}

// TestRecord: each finish goes to the tally of its user, community and game, and to no other.
func TestRecord(t *testing.T) {
	keys := []Key{{"t1", "zevaka", 1}, {"t1", "zevaka", 37}, {"t1", "banchok", 1}, {"t10", "zevaka", 1}, {"t-1", "zevaka", -1}}
	stores.Each(t, func(t *testing.T, s storage.Store) {
		for round := 1; round <= 3; round++ {
			for i, k := range keys {
				name := []string{"", "A", "B\xff", ""}[round]
				if n := record(t, s, k, name, Finish{Won: true, Chips: int64(i + 1)}); n != round {
					t.Errorf("round %d: the finish of %+v has the number %d", round, k, n)
				}
			}
		}
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			tallies, err := Read(tx, append(keys, Key{"t1", "zevaka", 2})...)
			for i, got := range tallies {
				want := Tally{Name: "B�", Games: 3, Wins: 3, Streak: 3, Longest: 3, Chips: int64(3*i + 3), BestChips: int64(i + 1)}
				if i == len(keys) {
					want = Tally{}
				}
				if got != want {
					t.Errorf("tally %d is %+v, want %+v", i, got, want)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestNobodysKey(t *testing.T) {
	s := stores.Bolt(t)
	for _, k := range []Key{{}, {"", "g", 1}, {"c", "", 1}, {"c", "g", 0}, {"c/d", "g", 1}, {"c", "g/h", 1}} {
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error { _, err := Record(tx, k, "", Finish{}); return err })
		if err == nil {
			t.Errorf("%+v has scores", k)
		}
		if NewRebuilder().Add(Entry{Key: k, N: 1}) == nil {
			t.Errorf("%+v has a finish", k)
		}
	}
}

// TestRace lets twenty goroutines record finishes of the same three users at once: every number is given once, and
// what is worked out again from all of them is what is stored.
func TestRace(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		var mu sync.Mutex
		var entries []Entry
		var all sync.WaitGroup
		for g := range 20 {
			all.Go(func() {
				for i := range 9 {
					e := Entry{Key: Key{"t1", "zevaka", int64(i%3 + 1)}, Name: fmt.Sprint(g), Finish: Finish{Won: (g+i)%3 > 0, Place: g%4 + 1}}
					e.N = record(t, s, e.Key, e.Name, e.Finish)
					mu.Lock()
					entries = append(entries, e)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		agree(t, s, entries)
	})
}

func TestFinishOf(t *testing.T) {
	type seats = []engine.Seat
	places := func(order seats, ties ...seats) engine.Result { return engine.Result{Places: order, Ties: ties} }
	chips := engine.Result{Chips: []int64{-300, 500, -200, 0}}
	tests := []struct {
		name   string
		result engine.Result
		seat   engine.Seat
		want   Finish
	}{
		{"the first", places(seats{2, 0, 1}), 2, Finish{Place: 1, Won: true}},
		{"the second", places(seats{2, 0, 1}), 0, Finish{Place: 2}},
		{"the last", places(seats{2, 0, 1}), 1, Finish{Place: 3, Last: true}},
		{"two first", places(seats{0, 2, 1}, seats{0, 2}), 2, Finish{Place: 1, Won: true}},
		{"after two first", places(seats{0, 2, 1}, seats{0, 2}), 1, Finish{Place: 3, Last: true}},
		{"two last", places(seats{3, 0, 1, 2}, seats{1, 2}), 1, Finish{Place: 3, Last: true}},
		{"two in the middle", places(seats{3, 0, 1, 2}, seats{0, 1}), 1, Finish{Place: 2}},
		{"the second of two ties", places(seats{2, 3, 0, 1}, seats{2, 3}, seats{0, 1}), 1, Finish{Place: 3, Last: true}},
		{"all tie", places(seats{0, 1, 2}, seats{0, 1, 2}), 1, Finish{Place: 1}},
		{"the loser of two", places(seats{1, 0}), 0, Finish{Place: 2, Last: true}},
		{"alone", places(seats{0}), 0, Finish{Place: 1}},
		{"no seat of it", places(seats{0, 1}), 5, Finish{}},
		{"chips lost", chips, 0, Finish{Chips: -300}},
		{"chips won", chips, 1, Finish{Chips: 500, Won: true}},
		{"nothing won", chips, 3, Finish{}},
		{"no seat with chips", chips, 4, Finish{}},
		{"nobody", chips, engine.Nobody, Finish{}},
		{"a patience that came out", engine.Result{Patience: &engine.Patience{Solved: true, Score: 104}}, 0, Finish{Solved: true, Score: 104, Won: true}},
		{"one that didn't", engine.Result{Patience: &engine.Patience{Score: 31}}, 0, Finish{Score: 31}},
	}
	for _, test := range tests {
		if got := FinishOf(test.result, test.seat); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestTally(t *testing.T) {
	won, lost := Finish{Won: true, Place: 1}, Finish{Place: 3, Last: true}
	tests := []struct {
		name     string
		finishes []Finish
		want     Tally
	}{
		{"nothing", nil, Tally{}},
		{"one won", []Finish{won}, Tally{Games: 1, Wins: 1, Places: [MaxPlaces]int64{1}, Streak: 1, Longest: 1}},
		{"one lost", []Finish{lost}, Tally{Games: 1, Places: [MaxPlaces]int64{0, 0, 1}, Last: 1}},
		{"a streak goes on", []Finish{lost, won, won}, Tally{Games: 3, Wins: 2, Places: [MaxPlaces]int64{2, 0, 1}, Last: 1, Streak: 2, Longest: 2}},
		{"a streak ends", []Finish{won, won, lost, won}, Tally{Games: 4, Wins: 3, Places: [MaxPlaces]int64{3, 0, 1}, Last: 1, Streak: 1, Longest: 2}},
		{"a longer one", []Finish{won, lost, won, won, lost}, Tally{Games: 5, Wins: 3, Places: [MaxPlaces]int64{3, 0, 2}, Last: 2, Longest: 2}},
		{"far behind", []Finish{{Place: 12}, {Place: 13}, {Place: 500}}, Tally{Games: 3, Places: [MaxPlaces]int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3}}},
		{"chips only lost", []Finish{{Chips: -500}, {Chips: -20}, {Chips: -90}}, Tally{Games: 3, Chips: -610, BestChips: -20}},
		{"chips and banks", []Finish{{Chips: -300, Bank: 450}, {Chips: 700, Bank: 900, Won: true}, {Chips: 100, Bank: 100, Won: true}},
			Tally{Games: 3, Wins: 2, Streak: 2, Longest: 2, Chips: 500, BestChips: 700, Bank: 900}},
		{"patiences", []Finish{
			{Score: 40, Seconds: 50, Moves: 60, Undos: 1, Hints: 2},
			{Won: true, Solved: true, Score: 52, Seconds: 300, Moves: 200, Undos: 3},
			{Won: true, Solved: true, Score: 52, Seconds: 280, Moves: 210, Hints: 4},
			{Score: 3, Seconds: 5, Moves: 6},
		}, Tally{Games: 4, Wins: 2, Longest: 2, Solved: 2, Fastest: 280, Fewest: 200, Score: 52, Seconds: 635, Undos: 4, Hints: 6}},
		{"known deals", []Finish{{Level: 1, Won: true, Solved: true, Looked: true}, {Level: 3}, {Level: 1}, {}},
			Tally{Games: 4, Wins: 1, Longest: 1, Solved: 1, Levels: [MaxLevel]Graded{{2, 1}, {}, {1, 0}}}},
		{"a patience solved at once", []Finish{{Solved: true}}, Tally{Games: 1, Solved: 1, Fastest: 1, Fewest: 1}},
	}
	for _, test := range tests {
		var got Tally
		for _, f := range test.finishes {
			got = got.add(f)
		}
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

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
		{"3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1790000000//", Tally{Games: 3, Firsts: [MaxFeats]int64{1: 1_790_000_000}}},
		{"3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 1 0 0 1//", Tally{Games: 3, Levels: [MaxLevel]Graded{{2, 1}, {}, {1, 0}}}},
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
		"", "3", "3/", "//", "0//", "-1//", "2147483648//", "x//", "3 x//", "3  1//", "3/x/", "9 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36//", "3/" + places + " 1/",
	} {
		if got, err := decode(storage.Item{Key: "s/t1/zevaka/1", Value: []byte(text)}); err == nil || got != (Tally{}) {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

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

// FuzzStored decodes anything under any key: what can be decoded can be written and decoded again, and takes one
// finish more.
func FuzzStored(f *testing.F) {
	f.Add("s/t1/zevaka/1", []byte("3 1 2 0 1 0 0 0 0 0 0 0 510 0 0/1 0 2/Аня"))
	f.Add("s/t-1x9/tecza/-zz", []byte("1 1 0 1 1 0 0 0 1 280 200 104 280 1 2//a/b"))
	f.Add("s/t1/banchok/1/2", []byte("2147483647 0 0 0 0 -9223372036854775808 -1 900//"))
	f.Add("s//zevaka/01", []byte("1/1 1 1 1 1 1 1 1 1 1 1 1 1/"))
	f.Fuzz(func(t *testing.T, key string, value []byte) {
		if k, err := parseKey(key); err == nil && (k.text() != key || k.check() != nil) {
			t.Errorf("%q is %+v, whose key is %q", key, k, k.text())
		}
		tally, err := decode(storage.Item{Key: key, Value: value})
		if err != nil {
			return
		}
		again, err := decode(storage.Item{Key: key, Value: tally.encode()})
		if err != nil || tally != again {
			t.Errorf("%+v, then %+v, %v", tally, again, err)
		}
		if more := tally.add(Finish{Won: true, Place: 2}); more.Games != tally.Games+1 {
			t.Errorf("%+v, then %+v", tally, more)
		}
	})
}
