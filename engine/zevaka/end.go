package zevaka

import (
	"zevaka/engine"
)

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

// Feats implements engine.Chronicle.
func (st *state) Feats(seat engine.Seat) []string {
	if st.mover != noSeat || seat < 0 || int(seat) >= st.seats || st.yawns[seat] > 0 {
		return nil
	}
	return []string{FeatAwake}
}
