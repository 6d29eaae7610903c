package enginetest

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
)

// Bench plays deal after deal, which is timed, too, and reports moves in a second and in a deal. Next is the step made; nil
// for random legal ones, listed before each.
func Bench(b *testing.B, rules engine.Rules, setup engine.Setup, next func(engine.State) engine.Step) {
	chance := rand.New(rand.NewPCG(1, 2))
	moves := make([]engine.Move, 0, 16)
	var st engine.State
	deals := 0
	for b.Loop() {
		if st == nil || len(st.Turn()) == 0 {
			st = Deal(b, rules, setup, engine.NewShuffler(engine.Seed{byte(deals), byte(deals >> 8), byte(deals >> 16)}, ""))
			deals++
		}
		var step engine.Step
		if next != nil {
			step = next(st)
		} else {
			step.Seat = st.Turn()[0]
			moves = st.Moves(step.Seat, moves[:0])
			step.Move = moves[int(uint64(chance.Uint32())*uint64(len(moves))>>32)]
		}
		if _, err := st.Apply(step); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(b.N)/float64(deals), "moves/deal")
}
