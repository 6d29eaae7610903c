package play

import (
	"context"
	"slices"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// free is free play, and what the other families have in common with it.
type free struct{ *transaction }

const (
	// quietRounds is after how many rounds without a person's move a table goes to sleep.
	quietRounds = 3
	// maxLast is how many lines of what happened a picture tells.
	maxLast = 4
)

func (tx free) traits() traits {
	return traits{computers: true, lines: maxLast, tooFew: table.ErrTooFew}
}

func (tx free) opened(Opening) error { return nil }

func (tx free) enter() error { return nil }

func (tx free) drawn() (first int, err error) {
	return table.DrawDealer(tx.table.Draw, len(tx.table.Chairs)).First(false), nil
}

func (tx free) begin() error { return nil }

func (tx free) play(_ context.Context, state engine.State, seat engine.Seat, move engine.Move) (outcome, error) {
	missed := board.LessonMissed(tx.tables.reader(tx.req, tx.table), tx.rules, tx.table, state, seat, move)
	o, err := tx.makeMove(state, seat, move)
	if err == nil && missed != "" && o.toast == nil {
		o.toast = &words.Phrase{Key: "lesson.missed", Blanks: words.Blanks{"what": words.Text(missed)}}
	}
	return o, err
}

func (tx free) read(_ context.Context, state engine.State, seat engine.Seat, text string) (outcome, error) {
	move, err := board.Reader{Rules: tx.rules, Words: tx.tables.Words}.Said(text)
	if err != nil {
		return outcome{}, err
	}
	return tx.makeMove(state, seat, move)
}

func (tx free) clear(engine.State) (bool, error) { return false, nil }

func (tx free) attempt(state engine.State, seat engine.Seat, move engine.Move) error {
	return tx.step(state, engine.Step{Seat: seat, Move: move})
}

func (tx free) square(engine.State) error { return nil }

func (tx free) finished(state engine.State) (why string, result *engine.Result, over bool) {
	if result, over := state.Result(); over {
		ended := result
		return "", &ended, true
	}
	if board.LessonOver(tx.rules.Info(), tx.table, state) {
		return board.Done, nil, true
	}
	return "stop-long", nil, tx.table.Moves >= tx.tables.MaxMoves
}

func (tx free) deadlines(state engine.State, by engine.Seat) {
	t, turn := tx.table, state.Turn()
	if t.Quiet >= quietRounds*len(t.Chairs) && t.Played() {
		t.Asleep = true
	}
	before := t.ClearDeadlines()
	if t.Asleep || len(turn) == 0 {
		return
	}
	must := turn[0]
	t.Mover = int(must)
	if c := t.Chairs[must]; c.Computer() {
		t.Chance = tx.now.Add(c.Ways().Thinks)
		if tx.personsMay(turn[1:]) {
			t.Chance = tx.now.Add(c.Ways().Considers)
		}
		return
	}
	t.LimitFrom(tx.now, t.Limit)
	tx.patiently()
	if i := slices.IndexFunc(turn[1:], func(s engine.Seat) bool { return t.Chairs[s].Computer() }); i >= 0 {
		t.Chance = tx.now.Add(t.Chairs[turn[1+i]].Ways().Thinks)
	}
	if t.Limit > 0 {
		t.KeepDeadline(before, int(by))
	}
	table.CallOnce(t, before)
}

func (tx free) expire(ctx context.Context) (outcome, error) {
	if tx.table.Unhurried() {
		return tx.family.cutShort(ctx, "stop-slept")
	}
	return alarmed(tx).idle(ctx)
}

func (tx free) ownMove(ctx context.Context) (outcome, error) {
	return alarmed(tx).computers(ctx)
}

func (tx free) absent(seat engine.Seat) (event string) {
	tx.table.Chairs[seat].Away = true
	return "away"
}

func (tx free) leave(ctx context.Context, seat engine.Seat) (outcome, error) {
	return tx.family.takeOut(ctx, seat)
}

func (tx free) takeOut(ctx context.Context, seat engine.Seat) (outcome, error) {
	return seats(tx).vacate(ctx, seat)
}

// stop asks again before it ends a table that others have a part in.
func (tx free) stop(context.Context) (outcome, error) {
	s := seats(tx)
	switch {
	case !table.Manages(tx.table, tx.req.Who):
		return outcome{}, table.ErrNotHost
	case tx.answered == nil && table.StopsOthers(tx.table, tx.req.Who.ID):
		return s.askStop("confirm-stop", "button.stop-game")
	}
	return tx.end(table.Stops(tx.table, tx.req.Who.ID), nil), nil
}

func (tx free) cutShort(_ context.Context, why string) (outcome, error) {
	return tx.end(why, nil), nil
}

func (tx free) close() (*table.Table, error) { return nil, nil }

// playing reports whether the cards are dealt and the deal goes on.
func (tx *transaction) playing() bool { return tx.table.Phase == table.Playing }
