package patience

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// thrifty are rules whose computer players think less, so that many deals can be played.
type thrifty struct{ engine.Rules }

func (r thrifty) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	st, err := r.Rules.Deal(setup, shuffler)
	if err != nil {
		return nil, err
	}
	think(st, 3)
	return st, nil
}

// think sets how much a computer player thinks, in positions looked at side by side.
func think(st engine.State, width int) {
	switch st := st.(type) {
	case *paganini:
		st.width, st.depth = 1, 10*width
	case *state:
		switch plays := st.plan.plays.(type) {
		case sorter:
			st.plan.plays = sorter{games: 4 * width}
		case lookout:
			plays.width, plays.depth = width, width
			st.plan.plays = plays
		}
	}
}

func TestContract(t *testing.T) {
	for _, rules := range All() {
		t.Run(rules.Info().Name, func(t *testing.T) { enginetest.Run(t, thrifty{rules}) })
	}
}
