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
	// Cut is what the players added to the shuffle, at most MaxCut bytes of UTF-8; "" if nobody cut.
	Cut string
	// Moves are the steps in their text form, as "2 put 0".
	Moves []string
	// Outcome is how the deal ended, nil while it goes on.
	Outcome *Result
}

const (
	// RecordVersion is the "v" of the records written and read here.
	RecordVersion = 1
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

// Replay deals the record and makes its moves. It calls each, which may be nil, with n = 0 and no step after the deal,
// then after each move with its number, from 1, and its text; an error of each ends the replay and is returned as it is.
// The other errors say what is wrong with the record: at which move, which text, and the Refusal it met.
func Replay(rules Rules, r Record, each func(n int, step string, st State) error) error {
	if err := r.check(rules.Info()); err != nil {
		return err
	}
	st, err := rules.Deal(Setup{Seats: r.Seats, Options: r.Options}, NewShuffler(r.Seed, r.Cut))
	if err != nil {
		return err
	}
	if each == nil {
		each = func(int, string, State) error { return nil }
	}
	if err := each(0, "", st); err != nil {
		return err
	}
	for i, text := range r.Moves {
		if err := apply(rules, st, text); err != nil {
			return fmt.Errorf("move %d, %.40q: %w", i+1, text, err)
		}
		if err := each(i+1, text, st); err != nil {
			return err
		}
	}
	return r.checkOutcome(st)
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
		return fmt.Errorf("game: %.40q is not %s", r.Game, info.Name)
	case r.Seats < info.MinSeats || r.Seats > info.MaxSeats:
		return fmt.Errorf("seats: %s has %d to %d, not %d", info.Name, info.MinSeats, info.MaxSeats, r.Seats)
	}
	for _, option := range info.Options {
		value, ok := r.Options[option.Name]
		if !ok {
			return fmt.Errorf("options: %s is missing", option.Name)
		}
		if !option.takes(value) {
			return fmt.Errorf("options: %s can't be %.40q", option.Name, value)
		}
	}
	if len(r.Options) != len(info.Options) {
		return fmt.Errorf("options: %s has %d, not %d", info.Name, len(info.Options), len(r.Options))
	}
	return r.checkSize()
}

// checkSize reports a cut or a list of moves that no record may have.
func (r Record) checkSize() error {
	switch {
	case len(r.Cut) > MaxCut:
		return fmt.Errorf("cut: %d bytes are more than %d", len(r.Cut), MaxCut)
	case !utf8.ValidString(r.Cut):
		return errors.New("cut: not UTF-8")
	case len(r.Moves) > MaxMoves:
		return fmt.Errorf("moves: %d are more than %d", len(r.Moves), MaxMoves)
	}
	return nil
}

// checkOutcome compares the outcome with the position after the last move.
func (r Record) checkOutcome(st State) error {
	result, over := st.Result()
	switch {
	case over && r.Outcome == nil:
		return errors.New("outcome: missing, though the deal is over")
	case !over && r.Outcome != nil:
		return fmt.Errorf("outcome: given, though the deal is not over after %d moves", len(r.Moves))
	case !over:
		return nil
	}
	want, got := string(appendOutcome(nil, result)), string(appendOutcome(nil, *r.Outcome))
	if got != want {
		return fmt.Errorf("outcome: %.200s, but the deal ended in %s", got, want)
	}
	return nil
}
