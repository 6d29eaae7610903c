package play

import (
	"slices"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/engine"
)

const (
	// maxMissed is how many turns the table makes for an absent person before the computer takes the seat.
	maxMissed = 3
	// thinking is how long the table waits after the last picture before it makes a banker's move for him.
	thinking = 1500 * time.Millisecond
	// maxAtOnce is how many moves the computer makes in one request.
	maxAtOnce = 200
)

// step makes a move in the deal and adds it to the log. It doesn't settle the table: that is done once, after the last
// move.
func (tx *transaction) step(state engine.State, step engine.Step) error {
	return tx.stepWith(state, step, false)
}

// stepWith makes a step. If joined, it belongs to the move before and is taken back with it.
func (tx *transaction) stepWith(state engine.State, step engine.Step, joined bool) error {
	before := state.Epoch()
	made, err := state.Apply(step)
	if err != nil {
		return err
	}
	tx.steps++
	tx.quits = tx.quits || tx.rules.Info().Verbs[step.Move.Verb-1].Role == engine.VerbQuits
	t := tx.table
	t.Log(tx.rules, engine.Step{Seat: step.Seat, Move: made.Move}, joined)
	for _, e := range made.Events {
		if tx.rules.Info().EventRole(e.What) == engine.EventGoesOut {
			t.Chairs = slices.Clone(t.Chairs)
			t.Chairs[e.Seat].Out = true
		}
	}
	tx.events = append(tx.events, made.Events...)
	if state.Epoch() != before {
		t.Quiet++
	}
	return nil
}

// settle ends a request that made moves. It makes the moves that go without saying, ends the deal if it is over, and sets
// the deadlines. By is who moved.
func (tx *transaction) settle(state engine.State, by engine.Seat) (outcome, error) {
	t := tx.table
	if t.Fast {
		tx.hasten(state)
	}
	if err := tx.family.square(state); err != nil {
		return outcome{}, table.ShowTable(err)
	}
	t.Last = board.Newest(tx.rules.Info(), append(t.Last, tx.events...), tx.family.traits().lines)
	if why, result, over := tx.family.finished(state); over {
		return tx.end(why, result), nil
	}
	tx.family.deadlines(state, by)
	if t.Ends == 0 && t.Chance == 0 {
		tx.waitLong()
	}
	return redrawn(), nil
}

// hasten keeps a card for a person where that is the only move.
func (tx *transaction) hasten(state engine.State) {
	turn := state.Turn()
	if len(turn) != 1 || tx.table.Chairs[turn[0]].Computer() {
		return
	}
	moves := state.Moves(turn[0], nil)
	if len(moves) != 1 || tx.rules.Info().Verbs[moves[0].Verb-1].Aim != engine.AimSelf {
		return
	}
	// A listed move is legal, so there is no refusal to tell.
	_ = tx.step(state, engine.Step{Seat: turn[0], Move: moves[0]})
}

// waitLong sets how long a table without a deadline waits for people: as long as what has ended is kept. It waits for ever
// if all is kept for ever.
func (tx *transaction) waitLong() {
	if tx.tables.Keep > 0 {
		tx.table.Ends = tx.now.Add(tx.tables.Keep)
	}
}
