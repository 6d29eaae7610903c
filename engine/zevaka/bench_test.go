package zevaka

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
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
			enginetest.Bench(b, Rules{}, engine.Setup{Seats: 4, Options: bench.options}, nil)
		})
	}
}

// TestNoAllocations plays a deal of each kind: after the deal no move and no list of moves takes memory.
func TestNoAllocations(t *testing.T) {
	for _, options := range []string{"", "deal=stock", "penalty=auto", "penalty=call pack=52"} {
		dealt := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 6, Options: enginetest.Options(t, Rules{}, options)}, engine.NewShuffler(engine.Seed{}, ""))
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
