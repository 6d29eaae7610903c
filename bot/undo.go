package bot

import (
	"context"
	"errors"
	"fmt"

	"zevaka/engine"
)

// A log of a game for one has, among its moves, marks where the player took the last one back, or made the one taken
// back last again. The record keeps only the line that stands.
const (
	undoMark = "<"
	redoMark = ">"
)

const (
	errNothingBack  engine.Refusal = "nothing-to-undo"
	errNothingAgain engine.Refusal = "nothing-to-redo"
	// errNotAlone refuses what belongs to games for one.
	errNotAlone engine.Refusal = "not-alone"
)

// errMarks is a log whose marks can't be meant.
var errMarks = errors.New("more is taken back than was done")

// standing is the line of a log that stands, and what was taken back and can be made again, the next move last.
func standing(log []string) (line, undone []string, err error) {
	for _, text := range log {
		from, to := &line, &undone
		switch text {
		case redoMark:
			from, to = &undone, &line
		case undoMark:
		default:
			line, undone = append(line, text), undone[:0]
			continue
		}
		last := len(*from) - 1
		if last < 0 {
			return nil, nil, errMarks
		}
		*to = append(*to, (*from)[last])
		*from = (*from)[:last]
	}
	return line, undone, nil
}

// line reads the moves of a table that stand.
func (b *Bot) line(ctx context.Context, t *table) ([]string, error) {
	log, err := b.moves(ctx, t)
	if err != nil {
		return nil, err
	}
	line, _, err := standing(log)
	if err != nil {
		return nil, fmt.Errorf("read the moves of table %s: %w", t.id, err)
	}
	return line, nil
}

// takeBack takes the last move back, or makes the one taken back last again, as the mark says.
func (v *visit) takeBack(ctx context.Context, mark string) error {
	state, seat, err := v.alone(ctx)
	if err != nil {
		return err
	}
	t := v.table
	switch {
	case mark == undoMark && t.Line == 0:
		return errNothingBack
	case mark == redoMark && t.Undone == 0:
		return errNothingAgain
	}
	log, err := v.bot.moves(ctx, t)
	if err != nil {
		return err
	}
	line, undone, err := standing(log)
	if err != nil {
		return fmt.Errorf("read the moves of table %s: %w", t.id, err)
	}
	t.tail = append(t.tail[:len(t.tail):len(t.tail)], mark+";"...)
	t.Moves++
	t.Page, t.Last = 0, nil
	v.steps++
	if mark == redoMark {
		t.Line, t.Undone = t.Line+1, t.Undone-1
		step, err := v.stepOf(undone[len(undone)-1])
		if err != nil {
			return err
		}
		v.toast = v.sayMove("redone", state.View(engine.Nobody), step.Move)
		outcome, err := state.Apply(step)
		if err != nil {
			return fmt.Errorf("make a move of table %s again: %w", t.id, asFault(err))
		}
		t.Last = newest(outcome.Events, maxLast)
		return v.settle(state, seat)
	}
	t.Line, t.Undone, t.Undos = t.Line-1, t.Undone+1, t.Undos+1
	step, err := v.stepOf(line[len(line)-1])
	if err != nil {
		return err
	}
	v.state = nil
	if state, err = v.play(ctx); err != nil {
		return err
	}
	v.toast = v.sayMove("undone", state.View(engine.Nobody), step.Move)
	return v.settle(state, seat)
}

// stepOf is a move of the log.
func (v *visit) stepOf(text string) (engine.Step, error) {
	step, err := engine.ParseStep(v.rules, text)
	if err != nil {
		return step, fmt.Errorf("read a move of table %s: %q: %w", v.table.id, text, asFault(err))
	}
	return step, nil
}
