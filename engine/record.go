package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Record is one deal: its setup, its seed and cut, and the moves made (RECORDS.md, "A record"). Everything else follows.
type Record struct {
	// Game is Info.Name of its rules.
	Game string
	// Options holds every option of the game, defaults too.
	Options map[string]string
	Seats   int
	Seed    Seed
	// Cut is what one player added to the shuffle, at most MaxCut bytes of UTF-8; "" if nobody cut, or several did.
	Cut string
	// Cuts are what the seats added where several did, in their order, each like Cut; nil where at most one did.
	Cuts []string
	// Moves are the steps in their text form, as "2 put 0".
	Moves []string
	// Outcome is how the deal ended, nil while it goes on.
	Outcome *Result
}

const (
	// RecordVersion is the "v" of the records written and read here that have at most one cut.
	RecordVersion = 1
	// SharedVersion is the "v" of those with Cuts.
	SharedVersion = 2
	// MaxRecord is how many bytes a record may have.
	MaxRecord = 8 << 20
	// MaxMoves is how many moves a record may have.
	MaxMoves = 1 << 19
)

// ParseStep reads a step of the game, as "2 put 0", written exactly as StepText writes it. Its error is ErrMoveText,
// or what the rules say about the move.
func ParseStep(rules Rules, text string) (Step, error) {
	seat, move, ok := strings.Cut(text, " ")
	n, err := strconv.Atoi(seat)
	if !ok || err != nil || n < 0 || strconv.Itoa(n) != seat {
		return Step{}, ErrMoveText
	}
	m, err := rules.Parse(move)
	if err != nil {
		return Step{}, err
	}
	return Step{Seat: Seat(n), Move: m}, nil
}

// StepText writes a step of the game as records and logs keep it.
func StepText(rules Rules, step Step) string {
	return strconv.Itoa(int(step.Seat)) + " " + rules.Text(step.Move)
}

// Broken is where a record breaks.
type Broken struct {
	// Field is the key that is wrong, as "seats". Where it is "moves" and Move isn't 0, that is the number of the move, from 1,
	// and Step its text.
	Field string
	Move  int
	Step  string
	// Why says what is wrong there. It may be, or wrap, a Refusal.
	Why error
}

// Error says where the record breaks, and why.
func (b *Broken) Error() string {
	if b.Move > 0 {
		return fmt.Sprintf("move %d, %.40q: %v", b.Move, b.Step, b.Why)
	}
	return b.Field + ": " + b.Why.Error()
}

// Unwrap is the reason.
func (b *Broken) Unwrap() error { return b.Why }

// broken is a record that breaks at a key.
func broken(field, format string, values ...any) error {
	return &Broken{Field: field, Why: fmt.Errorf(format, values...)}
}

// Replay deals the record and makes its moves. It calls each, which may be nil, with n = 0 and no step after the deal,
// then after each move with its number, from 1, and its text; an error of each ends the replay and is returned as it is.
// The other errors are Broken: they say at which move, which text, and the Refusal it met.
func Replay(rules Rules, r Record, each func(n int, step string, st State) error) error {
	if each == nil {
		each = func(int, string, State) error { return nil }
	}
	return replay(rules, r, r.Shuffler(), each)
}

// replay is Replay with a shuffler of the record's.
func replay(rules Rules, r Record, shuffler Shuffler, each func(n int, step string, st State) error) error {
	if err := r.check(rules.Info()); err != nil {
		return err
	}
	st, err := rules.Deal(Setup{Seats: r.Seats, Options: r.Options}, shuffler)
	if err != nil {
		return &Broken{Field: "options", Why: err}
	}
	if err := each(0, "", st); err != nil {
		return err
	}
	for i, text := range r.Moves {
		if err := apply(rules, st, text); err != nil {
			return &Broken{Field: "moves", Move: i + 1, Step: text, Why: err}
		}
		if err := each(i+1, text, st); err != nil {
			return err
		}
	}
	return r.checkOutcome(st)
}

// Shuffler is the shuffler of the record's deal.
func (r Record) Shuffler() Shuffler {
	if r.Cuts != nil {
		return NewSharedShuffler(r.Seed, r.Cuts)
	}
	return NewShuffler(r.Seed, r.Cut)
}

// apply makes the move of a record, which must stand there as the log keeps it, but that it may name the place of a
// pile's top card (RECORDS.md, Exactly 11).
func apply(rules Rules, st State, text string) error {
	step, err := ParseStep(rules, text)
	if err != nil {
		return err
	}
	outcome, err := st.Apply(step)
	if err != nil {
		return err
	}
	plain := step.Move
	plain.N = 0
	if outcome.Move != step.Move && outcome.Move != plain {
		return fmt.Errorf("is recorded as %q", rules.Text(outcome.Move))
	}
	return nil
}

// check reports what is wrong with the record before its first move.
func (r Record) check(info Info) error {
	switch {
	case r.Game != info.Name:
		return broken("game", "%.40q is not %s", r.Game, info.Name)
	case r.Seats < info.MinSeats || r.Seats > info.MaxSeats:
		return broken("seats", "%s has %d to %d, not %d", info.Name, info.MinSeats, info.MaxSeats, r.Seats)
	}
	for _, option := range info.Options {
		value, ok := r.Options[option.Name]
		if !ok {
			return broken("options", "%s is missing", option.Name)
		}
		if !option.takes(value) {
			return broken("options", "%s can't be %.40q", option.Name, value)
		}
	}
	if len(r.Options) != len(info.Options) {
		return broken("options", "%s has %d, not %d", info.Name, len(info.Options), len(r.Options))
	}
	return r.checkSize()
}

// checkSize reports cuts or a list of moves that no record may have.
func (r Record) checkSize() error {
	if len(r.Moves) > MaxMoves {
		return broken("moves", "%d are more than %d", len(r.Moves), MaxMoves)
	}
	if r.Cuts == nil {
		return checkCut("cut", r.Cut)
	}
	if shared, _ := SharedCuts(r.Cuts); shared == nil || r.Cut != "" {
		return broken("cuts", "they are of two seats or more; where one alone has cut, that is the cut")
	}
	if len(r.Cuts) != r.Seats {
		return broken("cuts", "%d are not one for each of %d seats", len(r.Cuts), r.Seats)
	}
	for seat, cut := range r.Cuts {
		if err := checkCut("cuts", cut); err != nil {
			return broken("cuts", "seat %d: %w", seat, errors.Unwrap(err))
		}
	}
	return nil
}

func checkCut(field, cut string) error {
	switch {
	case len(cut) > MaxCut:
		return broken(field, "%d bytes are more than %d", len(cut), MaxCut)
	case !utf8.ValidString(cut):
		return broken(field, "not UTF-8")
	}
	return nil
}

// checkOutcome compares the outcome with the position after the last move.
func (r Record) checkOutcome(st State) error {
	result, over := st.Result()
	switch {
	case over && r.Outcome == nil:
		return broken("outcome", "missing, though the deal is over")
	case !over && r.Outcome != nil:
		return broken("outcome", "given, though the deal is not over after %d moves", len(r.Moves))
	case !over:
		return nil
	}
	want, got := string(appendOutcome(nil, result)), string(appendOutcome(nil, *r.Outcome))
	if got != want {
		return broken("outcome", "%.200s, but the deal ended in %s", got, want)
	}
	return nil
}
