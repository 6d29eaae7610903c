package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/engine"
	"zevaka/storage"
)

// The log of a game for one has marks among its moves: UndoMark where the player took back the last move, RedoMark where
// they made it again. A move with a JoinMark in front was made in one press with the move before; both are taken back
// together, and made again together. The record keeps only the moves that stand.
const (
	UndoMark = "<"
	RedoMark = ">"
	JoinMark = "+"
)

// errMarks is a log whose marks can't be meant.
var errMarks = errors.New("more is taken back than was done")

// Standing splits a log into the moves that stand and those that were taken back and can be made again, the next of them
// last. Moves keep their JoinMark.
func Standing(log []string) (line, undone []string, err error) {
	for _, text := range log {
		from, to := &line, &undone
		switch text {
		case RedoMark:
			from, to = &undone, &line
		case UndoMark:
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

// ReadLine reads the moves of a table that stand.
func ReadLine(ctx context.Context, s storage.Store, t *Table) ([]string, error) {
	log, err := ReadLog(ctx, s, t)
	if err != nil {
		return nil, err
	}
	line, _, err := Standing(log)
	if err != nil {
		return nil, fmt.Errorf("read the moves of table %s: %w", t.ID, err)
	}
	for i := range line {
		line[i] = strings.TrimPrefix(line[i], JoinMark)
	}
	return line, nil
}

// LastPress is how many moves at the end of a line were made in one press.
func LastPress(line []string) int {
	n := 1
	for n < len(line) && strings.HasPrefix(line[len(line)-n], JoinMark) {
		n++
	}
	return n
}

// NextPress is how many of the moves taken back, the next one last, were made in one press.
func NextPress(undone []string) int {
	n := 1
	for n < len(undone) && strings.HasPrefix(undone[len(undone)-1-n], JoinMark) {
		n++
	}
	return n
}

// Setup is what the table's cards are dealt for: its seats and options. The rules must not change the options.
func (t *Table) Setup() engine.Setup {
	return engine.Setup{Seats: len(t.Chairs), Options: t.Options}
}

// ReadLog reads the texts of all moves made at the table. Full chunks never change, so they are read outside the
// transaction.
func ReadLog(ctx context.Context, s storage.Store, t *Table) ([]string, error) {
	var moves []string
	for first := 0; first < t.Chunks; first += storage.MaxKeys {
		var keys []string
		for n := first; n < min(t.Chunks, first+storage.MaxKeys); n++ {
			keys = append(keys, KeyChunk(t, n))
		}
		items, err := s.Get(ctx, keys...)
		if err != nil {
			return nil, fmt.Errorf("read the moves of table %s: %w", t.ID, err)
		}
		for _, item := range items {
			moves = append(moves, splitMoves(item.Value)...)
		}
	}
	moves = append(moves, splitMoves(t.Tail)...)
	if len(moves) != t.Moves {
		return nil, fmt.Errorf("read the moves of table %s: %d are stored, and there should be %d", t.ID, len(moves), t.Moves)
	}
	return moves, nil
}

func splitMoves(chunk []byte) []string {
	text := strings.TrimSuffix(string(chunk), ";")
	if text == "" {
		return nil
	}
	return strings.Split(text, ";")
}

// Log adds a move to the log, joined with the one before or not. Giving up doesn't count among the moves that stand.
func (t *Table) Log(rules engine.Rules, step engine.Step, joined bool) {
	text := engine.StepText(rules, step) + ";"
	if joined {
		text = JoinMark + text
	}
	t.Tail = append(t.Tail, text...)
	t.Moves++
	if rules.Info().ForOne() && rules.Info().Verbs[step.Move.Verb-1].Role != engine.VerbQuits {
		t.Line, t.Undone, t.Page = t.Line+1, 0, 0
	}
}

// TailMoves are the moves of a table after its full chunks.
func TailMoves(t *Table) []string { return splitMoves(t.Tail) }

// ParseEntry reads an entry of the table's log that is a move. The error is never a Refusal.
func ParseEntry(rules engine.Rules, t *Table, text string) (engine.Step, error) {
	step, err := engine.ParseStep(rules, strings.TrimPrefix(text, JoinMark))
	if err != nil {
		return step, fmt.Errorf("read a move of table %s: %q: %w", t.ID, text, AsFault(err))
	}
	return step, nil
}

// DealAgain is the position before the first move. The state is nil with an error, which is never a Refusal.
func DealAgain(rules engine.Rules, t *Table) (engine.State, error) {
	state, err := rules.Deal(t.Setup(), ShufflerOf(t))
	if err != nil {
		return nil, fmt.Errorf("deal table %s again: %w", t.ID, AsFault(err))
	}
	return state, nil
}

// RecordOf is the record of the table's deal with the moves that stand (RECORDS.md, "A record"); without an outcome if it is not over by them. A
// patience in which no move is left is, though its player hasn't given it up.
func RecordOf(rules engine.Rules, t *Table, moves []string) engine.Record {
	r := engine.Record{
		Game: t.Game, Options: t.Options, Seats: len(t.Chairs), Seed: t.Seed, Cut: t.Cut, Cuts: SharedCuts(t), Moves: moves, Outcome: t.Result,
	}
	if r.Outcome != nil {
		return r
	}
	state, err := dealAndPlay(rules, t, moves, nil)
	if err != nil {
		return r // Its rules have changed, perhaps; whoever proves it says where.
	}
	if result, over := state.Result(); over {
		r.Outcome = &result
	}
	return r
}

// Replay deals the table's cards again, and makes the moves that stand. The state is nil with an error, which is never a
// Refusal.
func Replay(ctx context.Context, s storage.Store, rules engine.Rules, t *Table) (engine.State, error) {
	return ReplayEach(ctx, s, rules, t, nil)
}

// ReplayEach is Replay that tells each, which may be nil, of every move and of the state after it. The outcome's slices are
// valid during the call.
func ReplayEach(ctx context.Context, s storage.Store, rules engine.Rules, t *Table, each func(engine.State, engine.Step, engine.Outcome)) (engine.State, error) {
	moves, err := ReadLine(ctx, s, t)
	if err != nil {
		return nil, err
	}
	return dealAndPlay(rules, t, moves, each)
}

func dealAndPlay(rules engine.Rules, t *Table, moves []string, each func(engine.State, engine.Step, engine.Outcome)) (engine.State, error) {
	state, err := DealAgain(rules, t)
	if err != nil {
		return nil, err
	}
	for i, text := range moves {
		step, err := engine.ParseStep(rules, text)
		var made engine.Outcome
		if err == nil {
			made, err = state.Apply(step)
		}
		if err != nil {
			return nil, fmt.Errorf("replay table %s: move %d, %q: %w", t.ID, i+1, text, AsFault(err))
		}
		if each != nil {
			each(state, step, made)
		}
	}
	return state, nil
}

// AsFault makes a refusal into an error for the operator: what was accepted once can't be refused when it is replayed.
func AsFault(err error) error { return errors.New(err.Error()) }

const (
	// MaxMarks is how many entries more than needed a log may have. maxRewritten is how many chunks one transaction writes
	// anew.
	MaxMarks, maxRewritten = 512, 60
)

// ShortenLog rewrites a log, given as ReadLog reads it, that has too many marks. It keeps the moves that stand, those that
// can be made again, and the marks that take these back. So taking back costs the same however often it is done.
func (t *Table) ShortenLog(tx storage.Tx, log []string) error {
	line, undone, err := Standing(log)
	if err != nil {
		return fmt.Errorf("read the moves of table %s: %w", t.ID, err)
	}
	if len(log) <= len(line)+2*len(undone)+MaxMarks {
		return nil
	}
	short := slices.Clone(line)
	for _, text := range slices.Backward(undone) {
		short = append(short, text)
	}
	for range undone {
		short = append(short, UndoMark)
	}
	var chunks [][]byte
	var tail []byte
	for _, text := range short {
		if tail = append(tail, text+";"...); len(tail) > MaxTail {
			chunks, tail = append(chunks, tail), nil
		}
	}
	if t.Chunks > maxRewritten || len(chunks) > t.Chunks {
		return nil
	}
	for n := range t.Chunks {
		if n < len(chunks) {
			tx.Put(KeyChunk(t, n), chunks[n])
		} else {
			tx.Delete(KeyChunk(t, n))
		}
	}
	t.Chunks, t.Tail, t.Moves = len(chunks), tail, len(short)
	return nil
}
