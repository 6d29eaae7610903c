package banchok

import (
	"math/rand/v2"

	"zevaka/engine"
)

// Three aces, with which one stakes the whole bank: of the 101 other cards they cover 75 (RULES.md 6.8).
const (
	acesGood = 75
	acesAll  = 101
)

// Auto reckons the odds from every card that the seat has seen. A punter whose hand wins more often than not stakes by
// how much: next to nothing when it is about even, the whole bank from three aces at the start of a bank upward; else the
// least. He shows such a hand when others may bet on it, and bets in the same way on one shown to him, once. With
// probability 1-skill a punter doesn't reckon: then he stakes anything up to half the bank, and shows or bets nothing. The
// banker never turns a card too early, and nobody ever leaves.
//
// Any stake from the least to the one returned is as legal, and any side bet from 1: a table with purses cuts them.
func (st *state) Auto(s engine.Seat, skill float64, r *rand.Rand) engine.Move {
	seat := int(s)
	switch {
	case seat < 0 || seat >= st.seats || !st.mayMove(seat):
		return engine.Move{}
	case seat == banker:
		if st.stake == 0 {
			return engine.Move{}
		}
		return engine.Move{Verb: Open}
	}
	reckons := skill >= 1 || skill > 0 && r.Float64() < skill
	switch {
	case st.mayStake(seat):
		return engine.Move{Verb: Stake, N: int32(st.autoStake(reckons, r))}
	case !reckons || !st.anySide():
	case st.mayShow(seat) && st.worth(seat) > 0:
		return engine.Move{Verb: Show}
	case st.maySide(seat) && st.sides[seat] == 0 && st.shown:
		if n := min(st.worth(seat), st.room()); n > 0 {
			return engine.Move{Verb: Side, N: int32(n)}
		}
	}
	return engine.Move{}
}

// autoStake is what the punter stakes.
func (st *state) autoStake(reckons bool, r *rand.Rand) int64 {
	least, most := st.limits()
	switch {
	case !reckons:
		return least + r.Int64N(max(most/2-least, 0)+1)
	case st.turned == 0:
		return max(least, st.worth(st.punter))
	case st.hands[st.punter].cover(st.turned) != 0:
		return most
	}
	return least
}

// worth is what the hand that is played is worth staking, as far as the seat knows; 0 if it loses more often than not.
func (st *state) worth(seat int) int64 {
	good, all := st.odds(seat, &st.hands[st.punter])
	edge, aces := int64(2*good-all), int64(2*acesGood-acesAll)
	if edge <= 0 {
		return 0
	}
	return min(st.bank, max(1, st.bank*edge*acesAll/(aces*int64(all))))
}

// Idle names the least stake for an absent punter and opens for an absent banker (RULES.md 6.6). Whoever need not move
// lets it be.
func (st *state) Idle(s engine.Seat) engine.Move {
	switch {
	case st.punter == noSeat || int(s) != st.must():
		return engine.Move{}
	case s == banker:
		return engine.Move{Verb: Open}
	}
	least, _ := st.limits()
	return engine.Move{Verb: Stake, N: int32(least)}
}
