package banchok_test

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/banchok"
	"zevaka/engine/enginetest"
)

// FuzzParseMove reads anything as a move.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{
		"stake 5", "stake 0", "stake 300", "stake 999999999", "stake 1000000000", "stake 05", "stake -5", "stake", "side 1",
		"side", "open", "allow on", "allow off", "allow", "show", "leave", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { enginetest.CheckText(t, banchok.Rules{}, text) })
}

// FuzzPlay reads bytes as options, seats and then moves of any seat: each is refused or made, cards and chips stay
// whole, and the epoch never falls.
func FuzzPlay(f *testing.F) {
	f.Add([]byte{0, 0, 1, 4, 17, 20})
	f.Add([]byte{6, 3, 0x11, 200, 0x32, 0, 0x0b, 3, 0x02, 0, 0x21, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		rules := banchok.Rules{}
		setup := engine.Setup{Seats: 2 + int(data[1])%11, Options: enginetest.OptionsBy(rules.Info(), data[0])}
		st := enginetest.Deal(t, rules, setup, engine.NewShuffler(engine.Seed{data[1]}, ""))
		purses := append([]int64(nil), st.View(engine.Nobody).Chips.Seats...)
		for data = data[2:]; len(data) > 1; data = data[2:] {
			step := engine.Step{
				Seat: engine.Seat(data[0]>>4) - 1,
				Move: engine.Move{Verb: engine.Verb(data[0] & 15)},
			}
			if step.Move.Verb == banchok.Stake || step.Move.Verb == banchok.Side {
				step.Move.N = int32(data[1]) * 2
			}
			for _, tr := range enginetest.Try(t, st, step).Transfers {
				if tr.From != engine.Nobody {
					purses[tr.From] -= tr.Amount
				} else {
					purses[tr.To] += tr.Amount
				}
			}
		}
		checkWhole(t, st, purses)
	})
}

// checkWhole counts cards and chips.
func checkWhole(t *testing.T, st engine.State, purses []int64) {
	view := st.View(engine.Referee)
	cards, sum := 0, view.Chips.Bank
	for _, pile := range view.Piles {
		cards += len(pile.Cards)
	}
	for seat, n := range view.Chips.Seats {
		sum += n
		if purses[seat] != n-view.Chips.Stakes[seat] {
			t.Errorf("seat %d has got %d, and the chips are %+v", seat, purses[seat], *view.Chips)
		}
	}
	if cards != 104 || sum != 0 || view.Chips.Bank < 0 {
		t.Errorf("%d cards, chips %+v", cards, *view.Chips)
	}
}
