package zevaka

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
)

// BenchmarkRandomPlay plays random legal moves through the State interface, listing them before each; deals included.
func BenchmarkRandomPlay(b *testing.B) {
	for _, bench := range []struct {
		name    string
		options map[string]string
	}{
		{"21а", nil},
		{"21б", map[string]string{"deal": "stock"}},
		{"auto", map[string]string{"penalty": "auto"}},
		{"call", map[string]string{"penalty": "call"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			setup := engine.Setup{Seats: 4, Options: bench.options}
			moves := make([]engine.Move, 0, 16)
			var st engine.State
			deals := 0
			for b.Loop() {
				if st == nil || len(st.Turn()) == 0 {
					st = benchDeal(b, setup, deals)
					deals++
				}
				turn := st.Turn()
				seat := turn[0]
				moves = st.Moves(seat, moves[:0])
				move := moves[int(uint64(r.Uint32())*uint64(len(moves))>>32)]
				if _, err := st.Apply(engine.Step{Seat: seat, Move: move}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(float64(b.N)/float64(deals), "moves/deal")
		})
	}
}

func benchDeal(b *testing.B, setup engine.Setup, number int) engine.State {
	seed := engine.Seed{byte(number), byte(number >> 8), byte(number >> 16)}
	st, err := Rules{}.Deal(setup, engine.NewShuffler(seed, ""))
	if err != nil {
		b.Fatal(err)
	}
	return st
}

// TestNoAllocations plays a deal of each kind: after the deal no move and no list of moves takes memory.
func TestNoAllocations(t *testing.T) {
	for _, options := range []string{"", "deal=stock", "penalty=auto", "penalty=call pack=52"} {
		dealt, err := Rules{}.Deal(engine.Setup{Seats: 6, Options: setOptions(t, options)}, engine.NewShuffler(engine.Seed{}, ""))
		if err != nil {
			t.Fatal(err)
		}
		fresh := *dealt.(*state)
		r := rand.New(rand.NewPCG(1, 2))
		moves := make([]engine.Move, 0, 16)
		st := dealt
		allocs := testing.AllocsPerRun(3, func() {
			*dealt.(*state) = fresh
			for len(st.Turn()) > 0 {
				turn := st.Turn()
				seat := turn[r.IntN(len(turn))]
				moves = st.Moves(seat, moves[:0])
				if _, err := st.Apply(engine.Step{Seat: seat, Move: moves[r.IntN(len(moves))]}); err != nil {
					t.Fatal(err)
				}
				if _, err := st.Apply(engine.Step{Seat: seat, Move: engine.Move{Verb: 99}}); err == nil {
					t.Fatal("a move that is none is accepted")
				}
			}
		})
		if allocs != 0 {
			t.Errorf("%q: %v allocations in a deal", options, allocs)
		}
	}
}
