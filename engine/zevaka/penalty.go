package zevaka

import (
	"math/bits"

	"zevaka/engine"
)

// fix gives the card kept by mistake back to whoever kept it, and the turn with it (RECORDS.md, Exactly 31).
func (st *state) fix() {
	turn := st.last
	if !st.waiting {
		st.idleTurns--
	}
	st.yawns[turn.seat]--
	st.last = ended{seat: noSeat}
	st.waiting = false
	st.mover = turn.seat
	st.flipped = st.opened[turn.seat].pop()
	st.mustPlace = true
	st.missed = turn.missed
	st.tell(EventFixed, st.mover, st.flipped)
}

// take pays the penalty that waits and begins the mover's turn, or the next one's if that was his last card.
func (st *state) take() {
	st.reveal()
	st.pay()
	if st.mover == noSeat {
		return
	}
	if !st.isIn(st.mover) {
		st.mover = st.after(st.mover)
	}
	st.countTurn()
}

// yawn settles a seat's claim. A right one is paid at once; a wrong one is only used up. Either is a move after which
// those who hold nothing go out (RECORDS.md, Exactly 28), which shows while the last card of the stock is pending.
func (st *state) yawn(seat int) {
	what := EventClaimedWrong
	if st.last.mistaken() {
		what = EventClaimedRight
	}
	st.events = append(st.events, engine.Event{
		What: what, Seat: engine.Seat(seat), To: engine.Seat(st.last.seat),
	})
	if !st.last.mistaken() {
		st.last.claimed |= 1 << seat
		st.leaveAfterMove()
		return
	}
	st.reveal()
	st.pay()
	st.last = ended{seat: noSeat}
	if st.mover != noSeat && !st.isIn(st.mover) {
		st.pass()
	}
}

// reveal tells what the last turn overlooked, when none of it can be put right any more and the penalty for it is paid. A
// mistake that nobody has claimed stays untold: who noticed it would have played for the others.
func (st *state) reveal() {
	for missed := st.last.overlooked(); missed != 0; missed &= missed - 1 {
		card := engine.Card(bits.TrailingZeros64(missed))
		at := st.chances[st.last.seat][card]
		event := engine.Event{What: EventCouldPut, Seat: engine.Seat(st.last.seat), To: engine.Seat(at.seat), Card: card, On: at.on}
		if at.seat == noSeat {
			event.What, event.To = EventCouldCentre, engine.Nobody
		}
		st.events = append(st.events, event)
	}
}

// pay gives the player of the last turn the top of everybody else's open pile, from his left, and lets those who hold
// nothing more go out, from the first who gave (RECORDS.md, Exactly 28).
func (st *state) pay() {
	to := st.last.seat
	first := st.mover
	at := len(st.events)
	st.events = append(st.events, engine.Event{What: EventPenalty, Seat: engine.Seat(to), To: engine.Nobody})
	for i := range st.seats - 1 {
		from := (to + 1 + i) % st.seats
		if st.opened[from].n == 0 {
			continue
		}
		if st.events[at].N == 0 {
			first = from
		}
		card := st.opened[from].pop()
		st.opened[to].push(card)
		st.events = append(st.events, engine.Event{
			What: EventGiven, Seat: engine.Seat(from), To: engine.Seat(to), Card: card,
		})
		st.events[at].N++
	}
	st.leave(first)
}
