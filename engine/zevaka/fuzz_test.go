package zevaka_test

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/zevaka"
)

// FuzzParseMove reads anything as a move.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"flip", "put 0", "put 5", "put 6", "centre", "keep", "fix", "take", "yawn", "", "put 01"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { enginetest.CheckText(t, zevaka.Rules{}, text) })
}

// FuzzPlay reads bytes as options, seats and then moves of any seat: each is refused or made, the cards stay whole,
// and the epoch never falls.
func FuzzPlay(f *testing.F) {
	f.Add([]byte{0, 0, 1, 4, 17, 20})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		rules := zevaka.Rules{}
		setup := engine.Setup{Seats: 2 + int(data[1])%5, Options: enginetest.OptionsBy(rules.Info(), data[0])}
		st := enginetest.Deal(t, rules, setup, engine.NewShuffler(engine.Seed{data[1]}, ""))
		for _, b := range data[2:] {
			step := engine.Step{
				Seat: engine.Seat(b>>3&7) - 1,
				Move: engine.Move{Verb: engine.Verb(b & 7)},
			}
			if step.Move.Verb == zevaka.Put {
				step.Move.To = int16(b >> 5)
			}
			enginetest.Try(t, st, step)
		}
		cards := 0
		for _, pile := range st.View(engine.Referee).Piles {
			cards += len(pile.Cards)
		}
		if cards != 36 && cards != 52 {
			t.Fatalf("%d cards", cards)
		}
	})
}
