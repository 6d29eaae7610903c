package zevaka

import (
	"zevaka/engine"
)

// keep drops the flipped card on the mover's own pile: his turn ends, or waits for its mistake to be settled.
func (st *state) keep() {
	seat, card := st.mover, st.flipped
	turn := ended{seat: seat, kept: card, fitted: st.overlook(card), missed: st.missed}
	if turn.mistaken() {
		st.yawns[seat]++
	}
	st.flipped = 0
	st.opened[seat].push(card)
	st.tell(EventKept, seat, card)
	if st.leave(seat); st.mover == noSeat {
		return
	}
	switch st.penalty {
	case noPenalty:
		st.pass()
	case callPenalty:
		if st.pass(); st.mover != noSeat {
			st.last = turn
		}
	case autoPenalty:
		if !turn.mistaken() {
			st.pass()
			return
		}
		st.last = turn
		st.waiting = true
		st.mover = st.after(seat)
		st.events = append(st.events, engine.Event{
			What: EventMissed, Seat: engine.Seat(seat), To: engine.Seat(st.mover),
		})
	}
}

// pass gives the turn to the next player still in; the guard may stop the deal (RECORDS.md, Exactly 29).
func (st *state) pass() {
	st.mover = st.after(st.mover)
	st.countTurn()
}

// countTurn begins the mover's turn and counts the change.
func (st *state) countTurn() {
	st.missed = 0
	st.last = ended{seat: noSeat}
	st.waiting = false
	if st.idleTurns++; st.idleTurns > st.guard() {
		st.events = append(st.events, engine.Event{
			What: EventGuard, Seat: engine.Nobody, To: engine.Nobody, N: int32(st.idleTurns),
		})
		st.finish()
	}
}

// leaveAfterMove lets players go out after a placed card; the mover's going out ends his turn.
func (st *state) leaveAfterMove() {
	st.leave(st.mover)
	if st.mover != noSeat && !st.isIn(st.mover) {
		st.pass()
	}
}
