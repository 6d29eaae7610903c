// Package replay shows games that have ended: the list of them, each again from move to move, in a message, as data for a page
// and as an animated picture, and its record. It reads tables and never writes any. A game that goes on can't be had from it,
// so nothing hidden is ever told.
package replay

import (
	"context"
	"errors"
	"fmt"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Replays shows the games that have ended at these tables. It is safe for use by many goroutines.
type Replays struct {
	tables *play.Tables
	films  filmed
}

// New shows the games of these tables.
func New(tables *play.Tables) *Replays {
	return &Replays{tables, filmed{turn: make(chan struct{}, 1), who: map[filmgoer]bool{}}}
}

const (
	// errNoReplay refuses to show what hasn't ended, or isn't there.
	errNoReplay engine.Refusal = "no-replay"
	// errOldRules refuses to show a game again whose rules have changed since.
	errOldRules engine.Refusal = "replay-old"
)

// game is one that has ended, with the moves that stand.
type game struct {
	*table.Table
	rules engine.Rules
	moves []string
}

// find reads a game that has ended for the one who asks, who must be where it was played.
func (b *Replays) find(ctx context.Context, r chat.Request, id table.ID) (*table.Table, error) {
	if r.Barred() != nil {
		return nil, r.Barred()
	}
	origin, err := b.origin(ctx, r)
	if err != nil {
		return nil, err
	}
	t, err := b.tables.LookAt(ctx, id)
	switch {
	case errors.Is(err, table.ErrGone):
		return nil, errNoReplay
	case err != nil:
		return nil, err
	case t.Origin() != origin || !table.SamePlace(t.Place, r.In) || t.Phase != table.Ended:
		return nil, errNoReplay
	}
	return t, nil
}

// origin is that of the community in which somebody asks.
func (b *Replays) origin(ctx context.Context, r chat.Request) (string, error) {
	return storage.Read(ctx, b.tables.Store, func(from storage.Reader) (string, error) { return table.Origin(from, r.In.Community) })
}

// read reads the moves of a game that has ended.
func (b *Replays) read(ctx context.Context, t *table.Table) (*game, error) {
	rules := b.tables.Games[t.Game]
	switch {
	case t.Phase != table.Ended || t.Dealt == 0 || rules == nil:
		return nil, errNoReplay
	case t.Rev != rules.Info().Rev:
		return nil, errOldRules
	}
	moves, err := table.ReadLine(ctx, b.tables.Store, t)
	return &game{t, rules, moves}, err
}

// deal is the position before the first move.
func (g *game) deal() (engine.State, error) { return table.DealAgain(g.rules, g.Table) }

// run makes the first n moves, and tells each, which may be nil, of every one.
func (g *game) run(state engine.State, n int, each func(n int, step engine.Step, made engine.Outcome) error) error {
	for i, text := range g.moves[:n] {
		step, err := engine.ParseStep(g.rules, text)
		var made engine.Outcome
		if err == nil {
			made, err = state.Apply(step)
		}
		if err != nil {
			return fmt.Errorf("replay table %s: move %d, %q: %w", g.ID, i+1, text, table.AsFault(err))
		}
		if each != nil {
			if err := each(i+1, step, made); err != nil {
				return err
			}
		}
	}
	return nil
}

// at is the position after n moves, and all that had happened until then, which doesn't change any more.
func (g *game) at(n int) (engine.State, []engine.Event, error) {
	state, err := g.deal()
	if err != nil {
		return nil, nil, err
	}
	var events []engine.Event
	err = g.run(state, n, func(_ int, _ engine.Step, made engine.Outcome) error {
		events = append(events, made.Events...)
		return nil
	})
	return state, events, err
}

// record is the game's record, a line of JSON (RECORDS.md, "A record").
func (g *game) record() ([]byte, error) {
	line, err := table.RecordOf(g.rules, g.Table, g.moves).Marshal(g.rules.Info())
	if err != nil {
		return nil, fmt.Errorf("make the record of table %s: %w", g.ID, err)
	}
	return append(line, '\n'), nil
}

// drawing draws the game in a language.
func (b *Replays) drawing(g *game, lang *words.Lang) board.Drawing {
	return board.Drawing{Table: g.Table, Rules: g.rules, Lang: lang, Pictures: b.tables.Painter}
}

// giveRecord gives the one who asks the record of a game.
func (b *Replays) giveRecord(ctx context.Context, r chat.Request, t *table.Table) (chat.Response, error) {
	g, err := b.read(ctx, t)
	if err != nil {
		return chat.Response{}, err
	}
	line, err := g.record()
	if err != nil {
		return chat.Response{}, err
	}
	return b.give(r, "record-file", chat.File{Name: t.Game + "-" + t.ID.Name + ".json", Data: line}), nil
}

// give gives a file to the one who asks.
func (b *Replays) give(r chat.Request, key string, file chat.File) chat.Response {
	w := words.Writer{Lang: b.tables.Words.Lang(r.Who.Lang)}
	w.Say(chat.Plain, key)
	message := chat.Message{Text: w.Spans, File: &file}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}
