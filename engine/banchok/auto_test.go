package banchok

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestAuto asks what computer players do who reckon every time.
func TestAuto(t *testing.T) {
	const poor = "bank 300\n> 1: 2S 3H 4D\n2: 9C 9D 9H\n3: 8C 8D 8H\npack 7C 2S 6S TH KC"
	const good = "bank 300\n> 1: AS KH QD\n2: 9S 9D 9H\n3: 8S 8D 8H\npack 7C 2S 6S KC TH"
	for _, test := range []struct{ name, options, from, moves, want string }{
		{name: "the least on a poor hand", from: poor, want: "1 stake 5"},
		{name: "the bank is no more than the bank", from: strings.Replace(poor, "300", "4", 1), want: "1 stake 4"},
		// Of 11 cards AS KH QD cover all but two clubs.
		{name: "as much as a good hand is worth", from: good, want: "1 stake 300"},
		{
			// It wins 6 of 11 times. That is an edge of 1/11, where three aces have 49/101.
			name: "a little on a hand that wins a little more often than not",
			from: "bank 300\n> 1: AS KH 2C\n2: 9S 9D 9H\n3: 8S 8D 8H\npack 7C 2S 6H TC KC",
			want: "1 stake 56",
		},
		{name: "all that may be on an early card that it covers", from: good, moves: "0 open", want: "1 stake 150"},
		{name: "the least on one that it doesn't", from: poor, moves: "0 open", want: "1 stake 5"},
		{name: "the banker waits for the stake", from: good, moves: "1 stake 5", want: "0 open"},
		{name: "a good hand is shown", options: "side=on", from: good, moves: "1 stake 5", want: "0 open, 1 show"},
		{name: "not if nobody may bet on it", options: "side=on", from: good, moves: "1 allow off, 1 stake 5", want: "0 open"},
		{name: "nor if there is no room", options: "side=on", from: good, moves: "1 stake 300", want: "0 open"},
		{name: "a poor one is not", options: "side=on", from: poor, moves: "1 stake 5", want: "0 open"},
		{name: "nobody bets on a hand he can't see", options: "side=on", from: good, moves: "1 stake 5, 2 side 1", want: "0 open, 1 show"},
		{
			name: "a shown one is bet on, once", options: "side=on", from: good,
			moves: "1 stake 5, 1 show, 2 side 1", want: "0 open, 3 side 294",
		},
		{
			// AS covers three of the eight cards that each of the others can't see.
			name: "the hand shown is not among the cards to come", options: "side=on", moves: "1 stake 5, 1 show", want: "0 open",
			from: "bank 300\n> 1: AS 3H 4D\n2: 9S 9D 9H\n3: 8S 8D 8H\npack 7C 2S 6S KC TH",
		},
		{name: "but not a poor one", options: "side=on", from: poor, moves: "1 stake 5, 1 show", want: "0 open"},
	} {
		st := lay(t, test.options, test.from)
		enginetest.Steps(t, Rules{}, st, test.moves)
		var got []string
		for seat := range engine.Seat(st.seats) {
			if move := st.Auto(seat, 1, nil); move.Verb != 0 {
				got = append(got, engine.StepText(Rules{}, engine.Step{Seat: seat, Move: move}))
			}
		}
		if list := strings.Join(got, ", "); list != test.want {
			t.Errorf("%s: %s, not %s", test.name, list, test.want)
		}
	}
}

// TestAutoDoesNotReckon counts the stakes of players who reckon only sometimes: else they name anything up to half the
// bank.
func TestAutoDoesNotReckon(t *testing.T) {
	st := lay(t, "side=on", "bank 300\n> 1: 2S 3H 4D\n2: 9C 9D 9H\npack 7C 2S 6S TH KC")
	r := rand.New(rand.NewPCG(1, 1))
	for _, skill := range []float64{0, 0.3, 0.8, 1} {
		var stakes []int32
		for range 10_000 {
			stakes = append(stakes, st.Auto(1, skill, r).N)
		}
		slices.Sort(stakes)
		if lo, hi := stakes[0], stakes[len(stakes)-1]; lo != 5 || hi > 150 || skill < 1 && hi < 149 {
			t.Errorf("at skill %v the stakes go from %d to %d", skill, lo, hi)
		}
		least, _ := slices.BinarySearch(stakes, 6)
		want := 10_000 * (skill + (1-skill)/146)
		if diff := float64(least) - want; diff < -300 || diff > 300 {
			t.Errorf("at skill %v the least is staked %d times of 10000, not about %.0f", skill, least, want)
		}
	}
}

// TestAutoEnds lets computer players play whole banks of any size: none may get near what a record holds.
func TestAutoEnds(t *testing.T) {
	for _, options := range []string{"", "side=on", "bank=20 min=1", "bank=100000", "bank=100000 min=1", "bank=100000 min=1 side=on", "min=100000"} {
		for i := range 60 {
			setup := engine.Setup{Seats: 2 + i%11, Options: enginetest.Options(t, Rules{}, options)}
			st := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.Seed{byte(i)}, ""))
			r := rand.New(rand.NewPCG(uint64(i), 1))
			moves := 0
			for len(st.Turn()) > 0 {
				if _, err := st.Apply(autoStep(st, float64(i%6)/5, r)); err != nil {
					t.Fatal(err)
				}
				moves++
			}
			if moves > 20_000 {
				t.Errorf("%s, %d seats: the bank takes %d moves", options, setup.Seats, moves)
			}
		}
	}
}

// autoStep is what computer players do next: those who may but need not are asked first.
func autoStep(st engine.State, skill float64, r *rand.Rand) engine.Step {
	turn := st.Turn()
	for _, seat := range turn[1:] {
		if move := st.Auto(seat, skill, r); move.Verb != 0 {
			return engine.Step{Seat: seat, Move: move}
		}
	}
	return engine.Step{Seat: turn[0], Move: st.Auto(turn[0], skill, r)}
}

// TestIdle asks what the table does for the absent (RULES.md 6.6).
func TestIdle(t *testing.T) {
	from := "bank 300\n> 1: AS KH QD\n2: 9S 9D 9H\npack 7C 2S 6S TH KC"
	for _, test := range []struct{ options, from, moves, want string }{
		{from: from, want: "1 stake 5"},
		{options: "min=20", from: from, want: "1 stake 20"},
		{from: strings.Replace(from, "300", "4", 1), want: "1 stake 4"},
		{from: from, moves: "0 open", want: "1 stake 5"},
		{from: strings.Replace(from, "300", "8", 1), moves: "0 open", want: "1 stake 4"},
		{from: from, moves: "1 stake 50", want: "0 open"},
		{options: "side=on dealer=bot", from: from, moves: "1 stake 50", want: "0 open"},
		{from: from, moves: "1 leave, 2 leave", want: ""},
	} {
		st := lay(t, test.options, test.from)
		enginetest.Steps(t, Rules{}, st, test.moves)
		var got []string
		for seat := engine.Referee; seat < engine.Seat(st.seats)+1; seat++ {
			if move := st.Idle(seat); move.Verb != 0 {
				got = append(got, engine.StepText(Rules{}, engine.Step{Seat: seat, Move: move}))
			}
		}
		if list := strings.Join(got, ", "); list != test.want {
			t.Errorf("%s, after %s: %s, not %s", test.options, test.moves, list, test.want)
		}
	}
}
