package enginetest

import (
	"testing"

	"zevaka/engine"
)

// Deal is the position before the first move.
func Deal(t testing.TB, rules engine.Rules, setup engine.Setup, shuffler engine.Shuffler) engine.State {
	t.Helper()
	st, err := rules.Deal(setup, shuffler)
	if err != nil {
		t.Fatalf("%s, %d seats, %v: %v", rules.Info().Name, setup.Seats, setup.Options, err)
	}
	return st
}

// Unshuffled leaves cards as they lie.
type Unshuffled struct{}

// Shuffle does nothing.
func (Unshuffled) Shuffle([]engine.Card) {}

// PileNames are the names of a position's piles, in their order.
func PileNames(st engine.State) []string {
	var names []string
	for _, pile := range st.View(engine.Nobody).Piles {
		names = append(names, pile.Name)
	}
	return names
}

// OptionsBy are options chosen by bits: of each option a value.
func OptionsBy(info engine.Info, bits byte) map[string]string {
	options := map[string]string{}
	for i, option := range info.Options {
		options[option.Name] = option.Values[int(bits>>min(i, 6))%len(option.Values)]
	}
	return options
}
