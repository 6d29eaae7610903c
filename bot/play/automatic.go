package play

import (
	"context"
	"fmt"
	"slices"

	"zevaka/bot/table"
	"zevaka/engine"
)

func (tx *transaction) personsMay(seats []engine.Seat) bool {
	return slices.ContainsFunc(seats, func(s engine.Seat) bool { return !tx.table.Chairs[s].Computer() })
}

// idle makes the move of a person whose time is up.
func (tx alarmed) idle(ctx context.Context) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	seat, err := tx.idleMove(state)
	if err != nil {
		return outcome{}, err
	}
	if seat == engine.Nobody {
		return tx.settle(state, seat)
	}
	tx.table.Chairs = slices.Clone(tx.table.Chairs)
	c, what := &tx.table.Chairs[seat], "timed-out"
	if c.Missed++; c.Missed >= maxMissed {
		what = tx.family.absent(seat)
	}
	tx.events = append(tx.events, engine.Event{What: what, Seat: seat, To: engine.Nobody})
	return tx.settle(state, seat)
}

// idleMove makes what moves the table owes for the seat whose turn it is, and returns that seat: one where chips are at
// stake, else the whole turn, so that nobody waits for a sleeper twice. The seat is Nobody if somebody had to leave first.
func (tx alarmed) idleMove(state engine.State) (engine.Seat, error) {
	if gone, err := tx.family.clear(state); err != nil || gone {
		return engine.Nobody, err
	}
	seat := state.Turn()[0]
	for range maxAtOnce {
		if err := tx.step(state, engine.Step{Seat: seat, Move: state.Idle(seat)}); err != nil {
			return seat, fmt.Errorf("move for seat %d of table %s: %w", seat, tx.table.ID, table.AsFault(err))
		}
		if turn := state.Turn(); len(turn) == 0 || turn[0] != seat || tx.family.traits().chips {
			break
		}
	}
	return seat, nil
}

// computers lets the computer players move. If a person can still act in the position, that is one move; otherwise it is
// the whole turn of the one that must move. When all people are out, they play on without stopping.
func (tx alarmed) computers(ctx context.Context) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	must := state.Turn()[0]
	by := engine.Nobody
	for range maxAtOnce {
		step, ok := tx.computerStep(state)
		if !ok {
			break
		}
		by = step.Seat
		if err := tx.step(state, step); err != nil {
			return outcome{}, fmt.Errorf("move for computer %d of table %s: %w", step.Seat, tx.table.ID, table.AsFault(err))
		}
		tx.table.Helped(step.Seat)
		turn := state.Turn()
		if len(turn) == 0 || tx.table.Played() && (turn[0] != must || tx.personsMay(turn[1:])) {
			break
		}
	}
	if by == engine.Nobody {
		tx.table.Chance = 0
		return outcome{changed: true}, nil
	}
	return tx.settle(state, by)
}

// computerStep is what the computer players do in the position. Those that may move come before the one that must.
func (tx alarmed) computerStep(state engine.State) (engine.Step, bool) {
	turn := slices.Clone(state.Turn())
	if len(turn) == 0 {
		return engine.Step{}, false
	}
	for _, s := range append(turn[1:], turn[0]) {
		c := tx.table.Chairs[s]
		if !c.Computer() {
			continue
		}
		if move := state.Auto(s, c.Ways().Skill, table.RandomOf(tx.table, s)); move != (engine.Move{}) {
			return engine.Step{Seat: s, Move: move}, true
		}
	}
	return engine.Step{}, false
}
