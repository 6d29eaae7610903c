package play

import (
	"context"
	"fmt"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// MaxLine is how many moves may stand in a game for one; then it is closed.
	MaxLine = 2000
)

// takeBack takes back what the last press did, or does again what was taken back last, as the mark says.
func (tx single) takeBack(ctx context.Context, mark string) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err != nil {
		return outcome{}, err
	}
	t := tx.table
	switch {
	case mark == table.UndoMark && t.Line == 0:
		return outcome{}, table.ErrNothingBack
	case mark == table.RedoMark && t.Undone == 0:
		return outcome{}, table.ErrNothingAgain
	}
	log, err := table.ReadLog(ctx, tx.tables.Store, t)
	if err != nil {
		return outcome{}, err
	}
	line, undone, err := table.Standing(log)
	if err != nil {
		return outcome{}, fmt.Errorf("read the moves of table %s: %w", t.ID, err)
	}
	n := table.LastPress(line)
	if mark == table.RedoMark {
		n = table.NextPress(undone)
	}
	t.Tail = append(t.Tail, strings.Repeat(mark+";", n)...)
	t.Moves += n
	for range n {
		log = append(log, mark)
	}
	t.Page, t.Last = 0, nil
	tx.steps++
	if mark == table.RedoMark {
		if err := t.ShortenLog(tx.Tx, log); err != nil {
			return outcome{}, err
		}
		return tx.redo(state, seat, undone[len(undone)-n:])
	}
	t.Line, t.Undone, t.Undos = t.Line-n, t.Undone+n, t.Undos+n
	step, err := table.ParseEntry(tx.rules, tx.table, line[len(line)-n])
	if err != nil {
		return outcome{}, err
	}
	tx.state = nil
	if state, err = tx.position(ctx); err != nil {
		return outcome{}, err
	}
	toast := tx.sayPress("undone", state.View(engine.Nobody), step.Move, n)
	if err := t.ShortenLog(tx.Tx, log); err != nil {
		return outcome{}, err
	}
	o, err := tx.settle(state, seat)
	o.toast = toast
	return o, err
}

// redo makes moves of one press again, the last of them first.
func (tx single) redo(state engine.State, seat engine.Seat, undone []string) (outcome, error) {
	t, n := tx.table, len(undone)
	t.Line, t.Undone = t.Line+n, t.Undone-n
	var events []engine.Event
	var toast *words.Phrase
	for i := range n {
		step, err := table.ParseEntry(tx.rules, tx.table, undone[n-1-i])
		if err != nil {
			return outcome{}, err
		}
		if i == 0 {
			toast = tx.sayPress("redone", state.View(engine.Nobody), step.Move, n)
		}
		made, err := state.Apply(step)
		if err != nil {
			return outcome{}, fmt.Errorf("make a move of table %s again: %w", t.ID, table.AsFault(err))
		}
		events = append(events, made.Events...)
	}
	t.Last = board.Newest(tx.rules.Info(), events, maxLast)
	o, err := tx.settle(state, seat)
	o.toast = toast
	return o, err
}

// sayPress is a sentence with what a press did in it: n moves, of which m is the first.
func (tx single) sayPress(key string, view engine.View, m engine.Move, n int) *words.Phrase {
	if n == 1 {
		return tx.sayMove(key, view, m)
	}
	label := board.PileLabel(tx.tables.Words.Lang(tx.table.Lang), tx.rules.Info(), view, m)
	return &words.Phrase{Key: key, Blanks: words.Blanks{"move": words.Text(label)}}
}

// sayMove is a sentence with a move in it.
func (tx single) sayMove(key string, view engine.View, m engine.Move) *words.Phrase {
	label := board.MoveLabel(tx.tables.Words.Lang(tx.table.Lang), tx.rules.Info(), view, m, true)
	return &words.Phrase{Key: key, Blanks: words.Blanks{"move": words.Text(label)}}
}
