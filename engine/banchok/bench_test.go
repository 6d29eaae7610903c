package banchok

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// BenchmarkPlay plays banks of five through the State interface, deals included: moves of computer players, or random
// legal ones, listed before each.
func BenchmarkPlay(b *testing.B) {
	for _, bench := range []struct {
		name, options string
		random        bool
	}{
		{name: "auto"},
		{name: "auto/side", options: "side=on"},
		{name: "auto/bot", options: "dealer=bot"},
		{name: "random", random: true},
		{name: "random/side", options: "side=on", random: true},
		{name: "random/100000", options: "bank=100000", random: true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			setup := engine.Setup{Seats: 5, Options: enginetest.Options(b, Rules{}, bench.options)}
			if bench.random {
				enginetest.Bench(b, Rules{}, setup, nil)
				return
			}
			r := rand.New(rand.NewPCG(1, 2))
			enginetest.Bench(b, Rules{}, setup, func(st engine.State) engine.Step { return autoStep(st, 0.8, r) })
		})
	}
}

// BenchmarkHand is one hand, stake and card: what Apply alone takes, the reshuffle after every fourth hand included.
func BenchmarkHand(b *testing.B) {
	dealt := enginetest.Deal(b, Rules{}, engine.Setup{Seats: 5}, engine.NewShuffler(engine.Seed{}, "")).(*state)
	fresh := *dealt
	b.ReportAllocs()
	for b.Loop() {
		if dealt.punter == noSeat {
			*dealt = fresh
		}
		for _, step := range [...]engine.Step{
			{Seat: engine.Seat(dealt.punter), Move: engine.Move{Verb: Stake, N: int32(min(dealt.least, dealt.bank))}},
			{Seat: banker, Move: engine.Move{Verb: Open}},
		} {
			if _, err := dealt.Apply(step); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

// TestNoAllocations plays a bank of each kind: after the deal no move takes memory, nor a list of moves that has room,
// but what the shuffler takes.
func TestNoAllocations(t *testing.T) {
	for _, options := range []string{"", "side=on", "dealer=bot", "side=on dealer=bot"} {
		dealt := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 12, Options: enginetest.Options(t, Rules{}, options)}, chance{rand.New(rand.NewPCG(1, 2))})
		fresh := *dealt.(*state)
		r := rand.New(rand.NewPCG(1, 2))
		moves := make([]engine.Move, 0, 1000)
		rounds := 0
		allocs := testing.AllocsPerRun(20, func() {
			*dealt.(*state) = fresh
			for len(dealt.Turn()) > 0 {
				for _, seat := range dealt.Turn() {
					moves = dealt.Moves(seat, moves[:0])
				}
				step := autoStep(dealt, 0.8, r)
				outcome, err := dealt.Apply(step)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range outcome.Events {
					if e.What == EventCollected {
						rounds++
					}
				}
				if _, err := dealt.Apply(engine.Step{Seat: step.Seat, Move: engine.Move{Verb: 99}}); err == nil {
					t.Fatal("a move that is none is accepted")
				}
			}
		})
		if allocs != 0 || rounds < 10 {
			t.Errorf("%q: %v allocations in a bank, %d rounds in all", options, allocs, rounds)
		}
	}
}
