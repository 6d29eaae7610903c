package play

import (
	"slices"

	"zevaka/engine"
)

// LeastStake is whose turn it is to stake, and how much at least; Nobody if it is nobody's.
func LeastStake(info engine.Info, state engine.State) (engine.Seat, int64) {
	turn := state.Turn()
	if len(turn) == 0 {
		return engine.Nobody, 0
	}
	least := state.Idle(turn[0])
	if info.Verbs[least.Verb-1].Aim != engine.AimAmount {
		return engine.Nobody, 0
	}
	return turn[0], int64(least.N)
}

// MayLeave reports whether the seat may throw its hand in now.
func MayLeave(info engine.Info, state engine.State, seat engine.Seat) bool {
	return slices.ContainsFunc(state.View(seat).Offers, func(m engine.Move) bool {
		return info.Verbs[m.Verb-1].Role == engine.VerbLeaves
	})
}

// BetVerb is the verb that takes an amount among those that the seat is offered; zero if there is none.
func BetVerb(info engine.Info, state engine.State, seat engine.Seat) engine.Verb {
	for _, m := range state.View(seat).Offers {
		if info.Verbs[m.Verb-1].Aim == engine.AimAmount {
			return m.Verb
		}
	}
	return 0
}

// Laid are the chips of the deal as purses must have laid them out. That is what the state says, and the least stake of
// somebody who has to name one and can't leave any more: they may not spend it elsewhere before they do.
func Laid(info engine.Info, state engine.State) engine.Chips {
	chips := *state.View(engine.Nobody).Chips
	if seat, least := LeastStake(info, state); seat != engine.Nobody && !MayLeave(info, state, seat) {
		chips.Stakes[seat] += least
	}
	return chips
}

// Broken are the chips of a deal that was broken off: the bank is the banker's, and nothing is at stake.
func Broken(chips engine.Chips) engine.Chips {
	seats := slices.Clone(chips.Seats)
	seats[0] += chips.Bank
	return engine.Chips{Seats: seats, Stakes: make([]int64, len(seats))}
}

// Bound reports whether a hand must be settled before the deal can be broken off: something is staked on it, or a card
// was turned too early for it.
func Bound(info engine.Info, state engine.State) bool {
	return slices.ContainsFunc(Laid(info, state).Stakes, func(n int64) bool { return n != 0 })
}

// CardsOf are the cards of a seat's pile of that role; nil if it has none.
func CardsOf(view engine.View, role engine.PileRole, seat engine.Seat) []engine.Card {
	for _, pile := range view.Piles {
		if pile.Role == role && pile.Seat == seat {
			return pile.Cards
		}
	}
	return nil
}
