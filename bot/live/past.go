package live

import (
	"context"
	"fmt"
	"slices"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/engine"
)

// Past is a game that has ended, from move to move, as it was seen through somebody's eyes.
type Past struct {
	// Scene is what was to be seen after the deal. Its Steps are nil.
	Scene Scene      `json:"scene"`
	Steps []PastStep `json:"steps"`
}

// PastStep is a move, and what was different after it beside the piles.
type PastStep struct {
	Step
	// Turn is who had to move then, -1 for nobody; Task and Note are as in a Scene.
	Turn int    `json:"turn"`
	Task string `json:"task,omitempty"`
	Note string `json:"note,omitempty"`
	// Seats and Bank are nil where they are as before.
	Seats []Seat `json:"seats,omitempty"`
	Bank  *Bank  `json:"bank,omitempty"`
}

const (
	// errNotOver refuses to show a game again that goes on, or in which nothing was dealt.
	errNotOver engine.Refusal = "no-replay"
	// errOldRules refuses to show a game again whose rules have changed since.
	errOldRules engine.Refusal = "replay-old"
	// errLong refuses to show a game as a whole that has more than maxPast moves.
	errLong engine.Refusal = "film-long"
	// maxPast is how many moves are shown as a whole.
	maxPast = 4000
)

// Past is the game that the viewer looks at, if it has ended, as it was seen through the eyes of a seat, of everybody as
// engine.Nobody, or with all cards as engine.Referee. It takes its turn among what takes long. The error is a Refusal where there
// is nothing to show, or no time to.
func (k *Look) Past(ctx context.Context, eyes engine.Seat) (*Past, error) {
	t := k.at.newest()
	rules := k.all.Games[t.Game]
	switch {
	case t.Phase != table.Ended || t.Dealt == 0 || rules == nil || eyes < engine.Referee || int(eyes) >= len(t.Chairs):
		return nil, errNotOver
	case t.Rev != rules.Info().Rev:
		return nil, errOldRules
	case t.Moves > maxPast+2*table.MaxMarks && !rules.Info().ForOne() || t.Line > maxPast:
		return nil, errLong
	}
	end, err := k.all.Tables.Watching.Begin(ctx, k.who.ID)
	if err != nil {
		return nil, err
	}
	defer end()
	state, err := table.DealAgain(rules, t)
	if err != nil {
		return nil, err
	}
	k.at.mu.Lock()
	who, chosen := k.who, k.own
	k.at.mu.Unlock()
	lang := k.all.Words.Lang(who.Lang)
	d := board.Drawing{Table: table.ReadIn(t, lang), Rules: rules, Lang: lang}
	at := func(events []engine.Event) Sight {
		now := d
		now.Table = d.Then(events)
		return Sight{Drawing: now, Who: who, Own: chosen, State: state}
	}
	past := &Past{Scene: at(nil).Past(eyes), Steps: []PastStep{}}
	moves, err := table.ReadLine(ctx, k.all.Store, t)
	if err != nil {
		return nil, err
	}
	last, events := past.Scene, []engine.Event(nil)
	for i, text := range moves {
		before := state.View(eyes)
		step, err := engine.ParseStep(rules, text)
		var made engine.Outcome
		if err == nil {
			made, err = state.Apply(step)
		}
		if err != nil {
			return nil, fmt.Errorf("replay table %s: move %d, %q: %w", t.ID, i+1, text, table.AsFault(err))
		}
		own := slices.Clone(made.Events)
		events = append(events, own...)
		now := at(events)
		seen := now.Past(eyes)
		one := PastStep{Step: now.Step(Made{
			N: i + 1, Step: step, Computer: t.Chairs[step.Seat].User == 0, Events: own, Before: before, After: state.View(eyes), Eyes: eyes,
		}), Turn: seen.Turn, Task: seen.Task, Note: seen.Note}
		if !slices.Equal(seen.Seats, last.Seats) {
			one.Seats = seen.Seats
		}
		if seen.Bank != nil && (last.Bank == nil || *seen.Bank != *last.Bank) {
			one.Bank = seen.Bank
		}
		past.Steps = append(past.Steps, one)
		if last = seen; ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return past, nil
}
