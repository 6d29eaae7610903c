package banchok

import (
	"slices"

	"zevaka/engine"
)

const (
	// banker is the banker's seat.
	banker = 0
	// noSeat stands for a seat where there is none.
	noSeat = -1
)

// state is one bank. After the deal only the shuffler takes memory.
type state struct {
	options
	seats    int
	shuffler engine.Shuffler

	pack  pack
	hands [maxSeats]hand
	// turned is the card that the banker has turned too early, until its punter names his stake; zero without one.
	turned engine.Card
	// table are the cards thrown in this round.
	table pile

	bank int64
	// net are the changes per seat by what has been settled.
	net [maxSeats]int64
	// in are the punters who have not left, as bits.
	in uint16
	// refuse are the punters who allow no side bets, as bits.
	refuse uint16
	// round is the number of the round, from 1.
	round int
	// punter is whose hand is played; noSeat when the bank has ended.
	punter int
	// breaker is whose hand has broken the bank, noSeat as long as none has; tripled says that the bank has at least tripled.
	breaker int
	tripled bool
	// begun says that a stake has been named in this round.
	begun bool
	// stake is what the punter has named for the hand that is played; 0 before.
	stake int64
	// sides are the side bets on that hand, and sideSum their sum.
	sides   [maxSeats]int64
	sideSum int64
	// shown says that the punter has shown that hand.
	shown bool
	epoch int

	turn      [maxSeats]engine.Seat
	events    []engine.Event
	transfers []engine.Transfer
}

const (
	// maxEvents is more than any one move can cause: a stake, a card, a hand of three, who has won, the odds, ten side
	// bets, the bank, a new round.
	maxEvents = 24
	// maxTransfers is more than any one move can cause: a stake, eleven bets won, the rest of the bank.
	maxTransfers = 16
)

// newState is a bank laid out, before any card is dealt.
func newState(opts options, seats int, shuffler engine.Shuffler) *state {
	st := &state{
		options:   opts,
		seats:     seats,
		shuffler:  shuffler,
		bank:      opts.size,
		in:        1<<seats - 1 - 1<<banker,
		breaker:   noSeat,
		events:    make([]engine.Event, 0, maxEvents),
		transfers: make([]engine.Transfer, 0, maxTransfers),
	}
	st.net[banker] = -opts.size
	return st
}

// dealRound deals three cards to each punter still in, one at a time, and begins with the first.
func (st *state) dealRound() {
	for range handSize {
		for seat := range st.seats {
			if !st.isIn(seat) {
				continue
			}
			h := &st.hands[seat]
			h.layers[h.n] = st.pack.top
			h.cards[h.n] = st.pack.draw()
			h.n++
		}
	}
	st.round++
	st.begun = false
	st.punter = st.after(banker)
}

// isIn reports that the seat is one, a punter's, and has not left.
func (st *state) isIn(seat int) bool { return seat >= 0 && st.in&(1<<seat) != 0 }

// after is the next punter still in between the seat and the last one; noSeat when there is none.
func (st *state) after(seat int) int {
	for seat++; seat < st.seats; seat++ {
		if st.isIn(seat) {
			return seat
		}
	}
	return noSeat
}

// limits are the least and the highest stake (RECORDS.md, Exactly 36).
func (st *state) limits() (least, most int64) {
	most = st.bank
	if st.turned != 0 {
		most = max(1, st.bank/2)
	}
	return min(st.least, most), most
}

// room is how much may still be bet on the side: what the bank could pay beside the bets that stand.
func (st *state) room() int64 { return st.bank - st.stake - st.sideSum }

// must is the seat that must move: the banker once the stake stands, before that the punter.
func (st *state) must() int {
	if st.stake != 0 {
		return banker
	}
	return st.punter
}

// mayOpen reports whether the banker may turn a card: after the stake, or too early.
func (st *state) mayOpen() bool { return st.stake != 0 || st.byHand && st.turned == 0 }

// mayStake reports whether the seat is to name its stake.
func (st *state) mayStake(seat int) bool { return seat == st.punter && st.stake == 0 }

// maySide reports whether the seat may bet on the hand that is played (RECORDS.md, Exactly 38).
func (st *state) maySide(seat int) bool {
	return st.side && st.stake != 0 && seat != st.punter && st.isIn(seat) && st.refuse&(1<<seat|1<<st.punter) == 0 &&
		st.room() > 0
}

// anySide reports whether anybody may bet on the side.
func (st *state) anySide() bool {
	for seat := range st.seats {
		if st.maySide(seat) {
			return true
		}
	}
	return false
}

// mayAllow reports whether punters may change their mind about side bets (RECORDS.md, Exactly 38).
func (st *state) mayAllow() bool { return st.side && !st.begun && st.turned == 0 }

// mayShow reports whether the seat may show its hand (RECORDS.md, Exactly 38).
func (st *state) mayShow(seat int) bool {
	return st.side && st.stake != 0 && seat == st.punter && !st.shown
}

// mayLeave reports whether the seat may throw its hand in (RECORDS.md, Exactly 39).
func (st *state) mayLeave(seat int) bool {
	return st.isIn(seat) && st.sides[seat] == 0 && (seat != st.punter || st.stake == 0 && st.turned == 0)
}

// mayMove reports whether the seat may do anything.
func (st *state) mayMove(seat int) bool {
	switch {
	case st.punter == noSeat:
		return false
	case seat == banker:
		return st.mayOpen()
	case !st.isIn(seat):
		return false
	}
	return st.mayStake(seat) || st.mayLeave(seat) || st.maySide(seat) || st.mayShow(seat) || st.mayAllow()
}

// Turn lists the seats that may move: the one that must, then from the punter on round the table. A punter may leave at
// nearly any time, so most are listed; who is being waited for is the first, and in a View that is Brief those who bet
// on the side.
func (st *state) Turn() []engine.Seat {
	if st.punter == noSeat {
		return nil
	}
	must := st.must()
	turn := append(st.turn[:0], engine.Seat(must))
	for i := range st.seats {
		seat := st.punter + i
		if seat >= st.seats {
			seat -= st.seats
		}
		if seat != must && st.mayMove(seat) {
			turn = append(turn, engine.Seat(seat))
		}
	}
	return turn
}

// Moves appends the legal moves of the seat: every stake and every side bet that the bank can pay, in rising order.
func (st *state) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	seat := int(s)
	switch {
	case seat < 0 || seat >= st.seats || !st.mayMove(seat):
		return into
	case seat == banker:
		return append(into, engine.Move{Verb: Open})
	}
	if st.mayStake(seat) {
		least, most := st.limits()
		into = appendAll(into, Stake, least, most)
	}
	if st.maySide(seat) {
		into = appendAll(into, Side, 1, st.room())
	}
	if st.mayAllow() {
		into = append(into, st.allowMove(seat))
	}
	if st.mayShow(seat) {
		into = append(into, engine.Move{Verb: Show})
	}
	if st.mayLeave(seat) {
		into = append(into, engine.Move{Verb: Leave})
	}
	return into
}

// appendAll appends the verb with every amount from the least to the most.
func appendAll(into []engine.Move, verb engine.Verb, least, most int64) []engine.Move {
	into = slices.Grow(into, int(most-least)+1)
	for n := least; n <= most; n++ {
		into = append(into, engine.Move{Verb: verb, N: int32(n)})
	}
	return into
}

// allowMove is the move that changes whether the seat allows side bets.
func (st *state) allowMove(seat int) engine.Move {
	if st.refuse&(1<<seat) != 0 {
		return engine.Move{Verb: AllowOn}
	}
	return engine.Move{Verb: AllowOff}
}

// Epoch counts the hands, and the cards turned too early: a stake offered before such a card means another thing after it.
func (st *state) Epoch() int { return st.epoch }
