package patience

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
)

// BenchmarkRandomPlay plays random legal moves but quit through the State interface, listing them before each. A deal
// that hasn't ended after a thousand moves, as those that may go on for ever, is left. The deals themselves are not
// timed: BenchmarkDeal does that.
func BenchmarkRandomPlay(b *testing.B) {
	for _, rules := range All() {
		for _, options := range combinations(rules) {
			b.Run(rules.Info().Name+options, func(b *testing.B) { randomPlay(b, rules, options) })
		}
	}
}

func randomPlay(b *testing.B, rules engine.Rules, options string) {
	const ahead = 500
	r := rand.New(rand.NewPCG(1, 2))
	moves := make([]engine.Move, 0, 256)
	var waiting []engine.State
	var st engine.State
	deals, made := 0, 0
	for b.Loop() {
		for st == nil || made == 1000 || len(st.Turn()) == 0 {
			if len(waiting) == 0 {
				b.StopTimer()
				for i := range ahead {
					waiting = append(waiting, numbered(b, rules, options, int64(deals+i)))
				}
				b.StartTimer()
			}
			st, waiting = waiting[0], waiting[1:]
			deals++
			made = 0
		}
		moves = st.Moves(0, moves[:0])
		if n := len(moves) - 1; n > 0 {
			moves = moves[:n]
		}
		move := moves[int(uint64(r.Uint32())*uint64(len(moves))>>32)]
		if _, err := st.Apply(engine.Step{Move: move}); err != nil {
			b.Fatal(err)
		}
		made++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(b.N)/float64(deals), "moves/deal")
}

func BenchmarkDeal(b *testing.B) {
	for _, rules := range All() {
		b.Run(rules.Info().Name, func(b *testing.B) {
			for n := int64(0); b.Loop(); n++ {
				numbered(b, rules, "", n)
			}
		})
	}
}
