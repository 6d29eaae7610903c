package scores

import (
	"testing"

	"zevaka/engine"
)

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
