package zevaka

import "zevaka/engine"

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

// fix gives the card kept by mistake back to whoever kept it, and the turn with it (RECORDS.md, Exactly 31).
func (st *state) fix() {
	turn := st.last
	if !st.waiting {
		st.idleTurns--
	}
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
	st.pay()
	st.last = ended{seat: noSeat}
	if st.mover != noSeat && !st.isIn(st.mover) {
		st.pass()
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

// leaveAfterMove lets players go out after a placed card; the mover's going out ends his turn.
func (st *state) leaveAfterMove() {
	st.leave(st.mover)
	if st.mover != noSeat && !st.isIn(st.mover) {
		st.pass()
	}
}

// leave lets the seats that hold nothing go out, in seat order from the given one, and ends the deal if that is due
// (RECORDS.md, Exactly 28).
func (st *state) leave(from int) {
	if st.stock.n != 0 {
		return
	}
	before := st.nPlaces
	for i := range st.seats {
		seat := from + i
		if seat >= st.seats {
			seat -= st.seats
		}
		if st.isIn(seat) && st.held(seat) == 0 {
			st.in &^= 1 << seat
			st.places[st.nPlaces] = engine.Seat(seat)
			st.nPlaces++
			st.events = append(st.events, engine.Event{
				What: EventOut, Seat: engine.Seat(seat), To: engine.Nobody, N: int32(st.nPlaces),
			})
		}
	}
	if st.nPlaces != before && (st.endFirst || st.nPlaces >= st.seats-1) {
		st.finish()
	}
}

// finish ends the deal and places those still in by the cards they hold, fewest first (RECORDS.md, Exactly 29).
func (st *state) finish() {
	for seat := range st.seats {
		if !st.isIn(seat) {
			continue
		}
		n := st.held(seat)
		i := st.nPlaces
		for i > 0 && st.isIn(int(st.places[i-1])) && st.held(int(st.places[i-1])) > n {
			st.places[i] = st.places[i-1]
			i--
		}
		st.places[i] = engine.Seat(seat)
		st.nPlaces++
	}
	for i := 1; i < st.seats; i++ {
		a, b := int(st.places[i-1]), int(st.places[i])
		st.tied[i] = st.isIn(a) && st.held(a) == st.held(b)
	}
	loser := st.places[st.seats-1]
	if st.tied[st.seats-1] {
		loser = engine.Nobody
	}
	st.events = append(st.events, engine.Event{What: EventOver, Seat: loser, To: engine.Nobody})
	st.last = ended{seat: noSeat}
	st.waiting = false
	st.mover = noSeat
}

// Result is the order of the places, and who shares one.
func (st *state) Result() (engine.Result, bool) {
	if st.mover != noSeat {
		return engine.Result{}, false
	}
	result := engine.Result{Places: append([]engine.Seat(nil), st.places[:st.seats]...)}
	for i := 0; i < st.seats; {
		end := i + 1
		for end < st.seats && st.tied[end] {
			end++
		}
		if end > i+1 {
			result.Ties = append(result.Ties, append([]engine.Seat(nil), st.places[i:end]...))
		}
		i = end
	}
	return result, true
}
