package zevaka

import (
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestAuto asks what an entirely attentive computer player does.
func TestAuto(t *testing.T) {
	for _, test := range []struct{ name, options, from, moves, want string }{
		{name: "plays the own top before flipping", want: "0 put 1", from: "> 0: 7C | JH\n1: 9C | TD"},
		{name: "flips when nothing fits", want: "0 flip", from: "> 0: 7C | JH\n1: 9C | 9D"},
		{name: "keeps what doesn't fit", want: "0 keep", from: "> 0: 7C | JH\n1: 9C | TD\nflipped 8S"},
		{name: "prefers the centre", want: "0 centre", from: "> 0: 7C | JH\n1: 9C | AD\nflipped 6S"},
		{name: "burdens whoever is nearest to going out", want: "0 put 2", from: "> 0: 7C | JH\n1: 9C 8C | TD\n2: 9H | TH"},
		{name: "of two alike, the next", want: "2 put 0", from: "0: 9C | TD\n1: 9H | TH\n> 2: 7C | JH"},
		{
			name: "leaves the own top where the variant forbids it", options: "open=off", want: "0 flip",
			from: "> 0: 7C | JH\n1: 9C | TD",
		},
		{
			name: "takes its card back", options: "penalty=auto", want: "0 fix, 1 take",
			from: "> 0: 7D TH | 8S\n1: 8H | 9C", moves: "0 flip, 0 keep",
		},
		{
			name: "and places it", options: "penalty=auto", want: "0 put 1",
			from: "> 0: 7D TH | 8S\n1: 8H | 9C", moves: "0 flip, 0 keep, 0 fix",
		},
		{
			name: "claims a mistake", options: "penalty=call", want: "1 yawn, 2 yawn",
			from: "> 0: 7D TH | 8S\n1: 8H | 9C\n2: 6H | 7H", moves: "0 flip, 0 keep, 1 flip",
		},
		{
			name: "claims none where there was none", options: "penalty=call", want: "1 put 0",
			from: "> 0: 7D TH | 8S\n1: 8H | 9H\n2: 6H | KH", moves: "0 flip, 0 put 1, 0 flip, 0 keep, 1 flip",
		},
	} {
		st := lay(t, test.options, test.from)
		enginetest.Steps(t, Rules{}, st, test.moves)
		got := ""
		for seat := range engine.Seat(st.seats) {
			if move := st.Auto(seat, 1, nil); move.Verb != 0 {
				got += ", " + engine.StepText(Rules{}, engine.Step{Seat: seat, Move: move})
			}
		}
		if got[2:] != test.want {
			t.Errorf("%s: %s, not %s", test.name, got[2:], test.want)
		}
	}
}

// TestAutoOverlooks counts how often a chance is taken at each skill.
func TestAutoOverlooks(t *testing.T) {
	st := lay(t, "", "> 0: 7C | JH\n1: 9C | AD\nflipped 6S")
	r := rand.New(rand.NewPCG(1, 1))
	for _, skill := range []float64{0, 0.3, 0.8, 1} {
		kept := 0
		for range 10_000 {
			if st.Auto(0, skill, r).Verb == Keep {
				kept++
			}
		}
		// Both chances, the centre and the ace, must be overlooked.
		want := 10_000 * (1 - skill) * (1 - skill)
		if diff := float64(kept) - want; diff < -300 || diff > 300 {
			t.Errorf("at skill %v the card is kept %d times of 10000, not about %.0f", skill, kept, want)
		}
	}
}

// TestAttentivePlayEnds plays whole deals attentively: none may come near the guard (RULES.md 1.2, "Termination").
func TestAttentivePlayEnds(t *testing.T) {
	for _, options := range []string{"", "deal=stock", "centre=rank", "open=off", "pack=52", "deal=stock others=off", "penalty=auto"} {
		for seats := minSeats; seats <= maxSeats; seats++ {
			for number := range 10 {
				setup := engine.Setup{Seats: seats, Options: enginetest.Options(t, Rules{}, options)}
				dealt := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.Seed{byte(number), byte(seats)}, ""))
				st := dealt.(*state)
				for len(st.Turn()) > 0 {
					seat := st.Turn()[0]
					if _, err := st.Apply(engine.Step{Seat: seat, Move: st.Auto(seat, 1, nil)}); err != nil {
						t.Fatal(err)
					}
					if st.waiting {
						t.Fatalf("%q, %d seats, deal %d: an attentive player misses a chance", options, seats, number)
					}
				}
				if st.idleTurns > st.guard() {
					t.Errorf("%q, %d seats, deal %d ends by the guard", options, seats, number)
				}
			}
		}
	}
}

// TestIdle asks what the table does for a sleeper (RULES.md 1.2, "Time that runs out").
func TestIdle(t *testing.T) {
	for _, test := range []struct{ name, options, from, moves, want string }{
		{name: "flips though the own top fits", want: "flip", from: "> 0: 7C | JH\n1: 9C | TD"},
		{name: "keeps what fits", want: "keep", from: "> 0: 7C | JH\n1: 9C | AD\nflipped 6S"},
		{name: "takes the turn with somebody's mistake", options: "penalty=auto", want: "take", from: "0: 7C | 9S\n> 1: 7D TH | 8S", moves: "1 flip, 1 keep"},
		{name: "places what was taken back", options: "penalty=auto", want: "put 1", from: "> 0: 7D TH | 8S\n1: 8H | 9C", moves: "0 flip, 0 keep, 0 fix"},
		{name: "claims nothing", options: "penalty=call", want: "flip", from: "0: 6H | 7H\n> 1: 7D TH | 8S\n2: 8H | 9C", moves: "1 flip, 1 keep"},
	} {
		st := lay(t, test.options, test.from)
		enginetest.Steps(t, Rules{}, st, test.moves)
		for seat := range engine.Seat(st.seats) {
			got, want := Rules{}.Text(st.Idle(seat)), ""
			if int(seat) == st.mover {
				want = test.want
			}
			if got != want {
				t.Errorf("%s: for seat %d the table makes the move %q, not %q", test.name, seat, got, want)
			}
		}
	}
}

// TestSleeperLoses has a seat sleep beside three that see four chances of five.
func TestSleeperLoses(t *testing.T) {
	const games, seats = 100, 4
	for _, options := range []string{
		"", "deal=stock", "centre=rank", "centre=free", "open=off", "pack=52", "deal=stock others=off", "deal=stock open=later",
		"penalty=auto", "penalty=call", "deal=stock penalty=auto", "deal=stock penalty=call", "end=first", "deal=stock end=first",
	} {
		won := 0
		for number := range games {
			if sleeper := engine.Seat(number % seats); sleepsThrough(t, options, number, seats, sleeper).Places[0] == sleeper {
				won++
			}
		}
		if awake := (games - won) / (seats - 1); 4*won > awake {
			t.Errorf("%q: the sleeper wins %d games of %d, and one who is awake %d", options, won, games, awake)
		}
	}
}

// sleepsThrough plays a deal in which a seat sleeps, and the others are awake.
func sleepsThrough(t *testing.T, options string, number, seats int, sleeper engine.Seat) engine.Result {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(number), 1))
	setup := engine.Setup{Seats: seats, Options: enginetest.Options(t, Rules{}, options)}
	st := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.NumberedSeed("zevaka", int64(number)), ""))
	for {
		result, over := st.Result()
		if over {
			return result
		}
		turn := st.Turn()
		step := engine.Step{Seat: turn[0], Move: st.Idle(turn[0])}
		for _, seat := range append(slices.Clone(turn[1:]), turn[0]) { // Those who may move come before the one who must.
			if move := st.Auto(seat, 0.8, r); seat != sleeper && move.Verb != 0 {
				step = engine.Step{Seat: seat, Move: move}
				break
			}
		}
		if _, err := st.Apply(step); err != nil {
			t.Fatalf("%q, deal %d: %v", options, number, err)
		}
	}
}
