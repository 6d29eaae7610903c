package enginetest

import (
	"math/rand/v2"
	"testing"

	"zevaka/engine"
)

// Solo is a game for one as a test plays it beside what it tests: by the computer player's moves.
type Solo struct {
	Rules engine.Rules
	State engine.State
	// Made are the moves made so far, without giving up.
	Made int
}

// Begin begins a numbered deal.
func (v Variant) Begin(t testing.TB, number int64) Solo {
	t.Helper()
	return Solo{Rules: v.Rules, State: v.Deal(t, number)}
}

// Next is the computer player's move; false when there is none.
func (s *Solo) Next(skill float64, chance *rand.Rand) (engine.Move, bool) {
	if _, over := s.State.Result(); over {
		return engine.Move{}, false
	}
	move := s.State.Auto(0, skill, chance)
	return move, s.Rules.Text(move) != "quit"
}

// Line makes the computer player's moves, at most most, and returns them as one types them.
func (s *Solo) Line(t testing.TB, most int, skill float64, chance *rand.Rand) []string {
	t.Helper()
	var line []string
	for len(line) < most {
		move, ok := s.Next(skill, chance)
		if !ok {
			break
		}
		line = append(line, s.Rules.Text(move))
		s.Apply(t, move)
	}
	return line
}

// Apply makes a move.
func (s *Solo) Apply(t testing.TB, move engine.Move) {
	t.Helper()
	if _, err := s.State.Apply(engine.Step{Seat: 0, Move: move}); err != nil {
		t.Fatalf("%s: %v", s.Rules.Text(move), err)
	}
	if s.Rules.Text(move) != "quit" {
		s.Made++
	}
}
