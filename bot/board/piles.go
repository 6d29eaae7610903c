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

// FoundationMove is the first move that goes without saying; false if there is none. It takes a card to a foundation, where
// there is no choice between foundations that differ. And it takes no move away from another card: neither one onto this
// card, nor one to the same foundation. So afterwards all can be done that could be done before, but for moves of this
// card.
func FoundationMove(info engine.Info, view engine.View) (engine.Move, bool) {
	for _, m := range view.Offers {
		if toFoundation(info, view, m) && isPlain(info, view, m) {
			return m, true
		}
	}
	return engine.Move{}, false
}

func toFoundation(info engine.Info, view engine.View, m engine.Move) bool {
	return info.Verbs[m.Verb-1].Aim == engine.AimPiles && view.Piles[m.To].Role == engine.PileFoundation
}

func isPlain(info engine.Info, view engine.View, m engine.Move) bool {
	target := view.Piles[m.To]
	// How many foundations are alike for the card, and which other cards fit where it goes.
	places, rivals := 0, []engine.Card{}
	for _, other := range view.Offers {
		if info.Verbs[other.Verb-1].Aim != engine.AimPiles {
			continue
		}
		switch itself := other.From == m.From && other.N == m.N; {
		case other.To == m.From && m.N == 0 && view.Piles[m.From].Role != engine.PileWaste:
			return false
		case view.Piles[other.To].Role != engine.PileFoundation:
		case itself && !asFar(view.Piles[other.To], target):
			return false
		case itself:
			places++
		case other.To == m.To:
			rivals = append(rivals, cardOf(view, other))
		}
	}
	if len(target.Cards) > 0 {
		return len(rivals) < places
	}
	return everyBaseFits(view) || !slices.Contains(rivals, cardOf(view, m))
}

// everyBaseFits reports whether every card that can begin a foundation has one: the foundations hold all cards, thirteen
// each. Otherwise cards alike share one.
func everyBaseFits(view engine.View) bool {
	room, cards := 0, 0
	for _, pile := range view.Piles {
		if pile.Role == engine.PileFoundation {
			room += 13
		}
		cards += len(pile.Cards)
	}
	return room >= cards
}

// WholePile is how many cards go to a foundation if the whole pile goes from which the move takes the top card. It is 0
// where the rules don't let a pile go as one, or it has one card.
func WholePile(info engine.Info, view engine.View, m engine.Move) int {
	if !toFoundation(info, view, m) || m.N > 0 {
		return 0
	}
	source := view.Piles[m.From]
	if n := len(source.Cards); n > 1 && source.AsOne {
		return n
	}
	return 0
}
