package banchok

import "zevaka/engine"

// Next passes the bank to the left (RULES.md 6.3): to the first player from seat 1 on who stays and can lay it out.
// Those before him can't, and have left the game. Everybody else who stays and can pay the least stake sits on in the same
// circle, the old banker last; the others sit this bank out, and may sit down again later. Who comes back to a bank that he owes sits
// before all of them, and not at all if he can't lay it out. Nobody holds
// the bank twice running: it reports false when nobody else can hold it, or nobody would play against it. When
// everybody has held it often enough is for the table to say.
//
// Standings behind those of the deal's seats are people who have sat down between the last seat and the banker.
func (r Rules) Next(setup engine.Setup, _ engine.Result, standings []engine.Standing) (engine.Setup, bool) {
	values, err := r.Info().Complete(setup.Options)
	if err != nil {
		return engine.Setup{}, false
	}
	opts := newOptions(values)
	standings = standings[:min(len(standings), maxSeats)]
	var order []engine.Seat
	for _, owes := range []bool{true, false} {
		for i := range standings {
			seat := (i + 1) % len(standings)
			s, needs := standings[seat], opts.size
			if len(order) > 0 && !owes {
				needs = min(opts.least, opts.size)
			}
			if s.Stays && s.Owes == owes && s.Chips >= needs {
				order = append(order, engine.Seat(seat))
			}
		}
	}
	if len(order) < minSeats {
		return engine.Setup{}, false
	}
	return engine.Setup{Seats: len(order), Options: setup.Options, Order: order}, true
}
