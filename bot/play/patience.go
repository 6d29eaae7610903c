package play

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// aloneLife is how long a game for one waits for its player. Otherwise somebody who never comes back would keep one of the
// channel's places for tables.
const aloneLife = 7 * 24 * time.Hour

// isOver reports whether no move is left.
func isOver(state engine.State) bool {
	_, over := state.Result()
	return over
}

// single is a game for one.
type single struct{ free }

func (tx single) traits() traits {
	return traits{alone: true, computers: true, lines: maxLast, tooFew: table.ErrTooFew}
}

// opened lays the game at once: nobody else is there from whom the pack would have to be cut.
func (tx single) opened(o Opening) error {
	t := tx.table
	t.Limit, t.Numbered, t.Day = 0, o.Deal, o.Day
	if seed, taught := board.LessonSeed(tx.rules.Info(), t); taught {
		t.Seed = seed
	} else if o.Same != nil {
		t.Seed, t.Cut, t.Known = o.Same.Seed, o.Same.Cut, true
	} else if o.Deal == nil {
		t.Seed = tx.tables.Seed()
	} else {
		t.Seed = engine.NumberedSeed(t.Game, *o.Deal)
		if usual, err := tx.rules.Info().Complete(nil); err == nil && maps.Equal(usual, t.Options) {
			t.Grade = int(deals.LevelOf(t.Game, *o.Deal))
		}
	}
	_, err := tx.deal(false)
	return err
}

func (tx single) play(ctx context.Context, state engine.State, seat engine.Seat, move engine.Move) (outcome, error) {
	switch {
	case tx.isFinal(move):
		return tx.giveUp(ctx)
	case isOver(state):
		return outcome{}, table.ErrStuck
	}
	return tx.makeMove(state, seat, move)
}

// read makes several moves with commas between them, all or none.
func (tx single) read(ctx context.Context, state engine.State, seat engine.Seat, text string) (o outcome, err error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	for _, part := range parts {
		part = strings.TrimSpace(part)
		move, failed := board.Reader{Rules: tx.rules, Words: tx.tables.Words}.Meant(state.View(engine.Nobody), part)
		switch {
		case failed == nil && tx.isFinal(move) && len(parts) == 1:
			return tx.giveUp(ctx)
		case failed == nil && tx.isFinal(move):
			err = table.ErrFinalAlone
		case isOver(state):
			err = table.ErrStuck
		case failed != nil:
			err = failed
		default:
			err = tx.step(state, engine.Step{Seat: seat, Move: move})
		}
		if err != nil && len(parts) > 1 {
			return outcome{}, words.Refuse(string(table.ErrAtMove), words.Blanks{"what": chat.Shorten(part, 20), "why": *words.RefusalPhrase(err)})
		}
		if err != nil {
			return outcome{}, err
		}
	}
	tx.back(seat)
	return tx.settle(state, seat)
}

func (tx single) finished(state engine.State) (why string, result *engine.Result, over bool) {
	if result, over := state.Result(); over && !tx.isStuck(result) {
		return "", &result, true
	}
	return "stop-long", nil, tx.table.Moves >= tx.tables.MaxMoves || tx.table.Line >= MaxLine
}

// deadlines sets how long the game waits for its player. Turns have no limit.
func (tx single) deadlines(engine.State, engine.Seat) {
	tx.table.Ends = tx.now.Add(aloneLife)
	tx.patiently()
}

func (tx single) expire(context.Context) (outcome, error) {
	return tx.end("stop-idle", nil), nil
}

// leave gives the game up. Were it only closed, nobody would ever lose one.
func (tx single) leave(ctx context.Context, seat engine.Seat) (outcome, error) {
	if tx.playing() {
		return tx.giveUp(ctx)
	}
	return tx.free.leave(ctx, seat)
}

// stop gives the game up if its player asks for it, as leave does.
func (tx single) stop(ctx context.Context) (outcome, error) {
	if _, seated := tx.table.SeatOf(tx.req.Who.ID); seated && tx.playing() {
		return tx.giveUp(ctx)
	}
	return tx.free.stop(ctx)
}

// isStuck reports whether the game is over only because no move is left. Its player may still take moves back.
func (tx single) isStuck(result engine.Result) bool {
	return result.Patience != nil && !result.Patience.Solved && !tx.quits
}

// giveUp ends a game for one as it lies; one in which no move was made isn't lost. Its player is asked again, unless they
// have done nothing yet or no move is left. The answer counts only as long as the cards lie as they lay when it was asked.
func (tx single) giveUp(ctx context.Context) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err != nil {
		return outcome{}, err
	}
	if tx.table.Lesson {
		return tx.endLesson()
	}
	if tx.answered == nil && !isOver(state) && tx.table.Line > 0 {
		button := chat.Button{Label: tx.say("button.giveup"), Token: "!giveup", Look: chat.Danger}
		return tx.ask(words.Phrase{Key: "confirm-giveup"}, tx.table.Epoch(state), button)
	}
	if tx.table.Moves == 0 {
		return tx.end("stop-unplayed", nil), nil
	}
	tx.quits = true
	if !isOver(state) {
		quit := engine.Move{Verb: tx.rules.Info().VerbOf(engine.VerbQuits)}
		if err := tx.step(state, engine.Step{Seat: seat, Move: quit}); err != nil {
			return outcome{}, err
		}
	}
	return tx.settle(state, seat)
}

// alone is the deal in progress and the seat of the one who asks, in a game for one.
func (tx single) alone(ctx context.Context) (engine.State, engine.Seat, error) {
	state, seat, err := tx.seated(ctx)
	if err == nil && !tx.family.traits().alone {
		err = table.ErrNotAlone
	}
	return state, seat, err
}

// hintSkill is how hard the computer player thinks about a hint. With a skill under 1 it looks at few positions, which
// takes some milliseconds in any deal.
const hintSkill = 0.4

// hint tells what the computer would do.
func (tx single) hint(ctx context.Context) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err != nil {
		return outcome{}, err
	}
	end, err := tx.tables.Heavy.Begin(ctx, tx.req.Who.ID)
	if err != nil {
		return outcome{}, fmt.Errorf("think about a hint: %w", err)
	}
	defer end()
	plain := state.Auto(seat, hintSkill, table.RandomOf(tx.table, seat))
	move := plain
	if guide, ok := state.(engine.Guide); ok {
		been, err := tx.been(ctx)
		if err != nil {
			return outcome{}, err
		}
		move = guide.Hint(hintSkill, table.RandomOf(tx.table, seat), been)
	}
	if move == (engine.Move{}) {
		return outcome{}, table.ErrStuck
	}
	toast := tx.sayMove("hint", state.View(engine.Nobody), move)
	switch quits := tx.rules.Info().Verbs[move.Verb-1].Role == engine.VerbQuits; {
	case quits && plain != move:
		toast = &words.Phrase{Key: "hint-round"}
	case quits:
		toast = &words.Phrase{Key: "hint-quit"}
	}
	tx.table.Hints++
	named := table.Token{Table: tx.table.ID, Epoch: tx.table.Epoch(state), Do: tx.rules.Text(move)}
	return outcome{changed: true, toast: toast, hint: named.String()}, nil
}

// been are the positions of the moves that stand, from the deal on.
func (tx single) been(ctx context.Context) (map[uint64]bool, error) {
	dealt, err := table.DealAgain(tx.rules, tx.table)
	if err != nil {
		return nil, fmt.Errorf("deal again for a hint: %w", err)
	}
	been := map[uint64]bool{}
	note := func(state engine.State, _ engine.Step, _ engine.Outcome) {
		if guide, ok := state.(engine.Guide); ok {
			been[guide.Position()] = true
		}
	}
	note(dealt, engine.Step{}, engine.Outcome{})
	_, err = table.ReplayEach(ctx, tx.tables.Store, tx.rules, tx.table, note)
	if err != nil {
		return nil, fmt.Errorf("go through the moves for a hint: %w", err)
	}
	return been, nil
}

// toFoundations moves, card after card, what goes to the foundations without saying, or everything where nothing can go wrong any more. It
// ends, since each move puts one more card there.
func (tx single) toFoundations(ctx context.Context) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err != nil {
		return outcome{}, err
	}
	if isOver(state) {
		return outcome{}, table.ErrStuck
	}
	before := tx.steps
	var rest []engine.Move
	if sure, ok := state.(engine.Finisher); ok {
		rest = sure.Finish()
	}
	for _, move := range rest {
		if err := tx.step(state, engine.Step{Seat: seat, Move: move}); err != nil {
			return outcome{}, err
		}
	}
	for {
		move, ok := board.FoundationMove(tx.rules.Info(), state.View(engine.Nobody))
		if !ok {
			break
		}
		if err := tx.step(state, engine.Step{Seat: seat, Move: move}); err != nil {
			return outcome{}, err
		}
	}
	if tx.steps == before {
		return outcome{}, table.ErrNothing
	}
	tx.back(seat)
	return tx.settle(state, seat)
}

// choosePlaces shows the places to which the n-th of the cards can go that can go to several, or all cards again.
func (tx single) choosePlaces(ctx context.Context, epoch int, n string) (outcome, error) {
	state, _, err := tx.alone(ctx)
	if err == nil {
		err = tx.stillMeant(state, epoch)
	}
	if err != nil {
		return outcome{}, err
	}
	tx.table.Page, err = strconv.Atoi(cmp.Or(n, "0"))
	if err != nil || tx.table.Page < 0 {
		return outcome{}, table.ErrAction
	}
	return redrawn(), nil
}

// carry moves a whole pile to a foundation in one press, card after card. The text names both piles, as in a record.
func (tx single) carry(ctx context.Context, epoch int, what string) (outcome, error) {
	state, seat, err := tx.alone(ctx)
	if err == nil {
		err = tx.stillMeant(state, epoch)
	}
	if err != nil {
		return outcome{}, err
	}
	if isOver(state) {
		return outcome{}, table.ErrStuck
	}
	view := state.View(engine.Nobody)
	move, err := board.Reader{Rules: tx.rules, Words: tx.tables.Words}.Between(view, what)
	if err != nil {
		return outcome{}, err
	}
	n := board.WholePile(tx.rules.Info(), view, move)
	if n == 0 {
		return outcome{}, table.ErrAction
	}
	for i := range n {
		if err := tx.stepWith(state, engine.Step{Seat: seat, Move: move}, i > 0); err != nil {
			return outcome{}, err
		}
	}
	tx.back(seat)
	return tx.settle(state, seat)
}

const (
	// MaxLine is how many moves may stand in a game for one; then it is closed.
	MaxLine = 2000
)

// restart takes back all moves: the same cards lie as they were dealt. Its player is asked again, as before giving up.
func (tx single) restart(ctx context.Context) (outcome, error) {
	state, _, err := tx.alone(ctx)
	if err != nil {
		return outcome{}, err
	}
	if tx.table.Line > 0 && tx.answered == nil && !isOver(state) {
		button := chat.Button{Label: tx.say("button.restart"), Token: "!restart", Look: chat.Danger}
		return tx.ask(words.Phrase{Key: "confirm-restart"}, tx.table.Epoch(state), button)
	}
	return tx.takeBack(ctx, table.UndoMark, true)
}

// takeBack takes back what the last press did, or all, or does again what was taken back last, as the mark says.
func (tx single) takeBack(ctx context.Context, mark string, all bool) (outcome, error) {
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
	n := len(line)
	switch {
	case mark == table.RedoMark:
		n = table.NextPress(undone)
	case !all:
		n = table.LastPress(line)
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
	toast := &words.Phrase{Key: "restarted"}
	if !all {
		toast = tx.sayPress("undone", state.View(engine.Nobody), step.Move, n)
	}
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
	told := board.PileTold(tx.tables.Words.Lang(tx.table.Lang), tx.rules.Info(), view, m)
	return &words.Phrase{Key: key, Blanks: words.Blanks{"move": told}}
}

// sayMove is a sentence with a move in it.
func (tx single) sayMove(key string, view engine.View, m engine.Move) *words.Phrase {
	told := board.MoveTold(tx.tables.Words.Lang(tx.table.Lang), tx.rules.Info(), view, m)
	if tx.rules.Info().Verbs[m.Verb-1].Aim != engine.AimPiles {
		told = words.Phrase{Key: "told.verb", Blanks: words.Blanks{"verb": told}} // It is a button elsewhere.
	}
	return &words.Phrase{Key: key, Blanks: words.Blanks{"move": told}}
}
