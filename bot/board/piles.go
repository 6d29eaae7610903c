package board

import (
	"slices"

	"zevaka/engine"
)

// alike reports whether it makes no difference which of the moves is made: all take the same card, to empty places of one
// kind or to foundations that are equally far.
func alike(view engine.View, moves []engine.Move) bool {
	first := moves[0]
	return !slices.ContainsFunc(moves, func(m engine.Move) bool {
		a, b := view.Piles[first.To], view.Piles[m.To]
		same := a.Kind == b.Kind && (len(a.Cards)+len(b.Cards) == 0 || a.Role == engine.PileFoundation && asFar(a, b))
		return m != first && (m.From != first.From || m.N != first.N || !same)
	})
}

// asFar reports whether two foundations have come equally far.
func asFar(a, b engine.Pile) bool {
	return len(a.Cards) == len(b.Cards) && top(a).Rank() == top(b).Rank()
}

// cardOf is the card that a move moves.
func cardOf(view engine.View, m engine.Move) engine.Card {
	pile := view.Piles[m.From]
	if m.N > 0 && int(m.N) <= len(pile.Cards) {
		return pile.Cards[m.N-1]
	}
	return top(pile)
}

// top is the pile's uppermost card; zero if there is none.
func top(pile engine.Pile) engine.Card {
	if len(pile.Cards) == 0 {
		return 0
	}
	return pile.Cards[len(pile.Cards)-1]
}

// landmark is the card by which people know a place: the one that lies there. For a gap in a row it is the card before it,
// or after it at the head of the row. It is zero if there is none.
func landmark(view engine.View, place int16) engine.Card {
	pile := view.Piles[place]
	if !isCell(pile) || len(pile.Cards) > 0 {
		return top(pile)
	}
	beside := int(place) - 1
	if pile.Column == 0 {
		beside = int(place) + 1
	}
	if beside >= len(view.Piles) || view.Piles[beside].Row != pile.Row {
		return 0
	}
	return top(view.Piles[beside])
}
