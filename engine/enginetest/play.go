package enginetest

import (
	"strings"
	"testing"

	"zevaka/engine"
)

// Table is how the tests of a game write its positions.
type Table[S engine.State] struct {
	Rules engine.Rules
	// Lay puts a position on the table, as it is written; options are as Options reads them.
	Lay func(t *testing.T, options, position string) S
	// Draw writes a position, in the form that Tidy gives it.
	Draw func(S) string
}

// Play is a test: moves made in a position lead to another one.
type Play struct {
	Name string
	// Options are those that differ from the defaults.
	Options string
	From    string
	// Moves are what Script reads.
	Moves string
	// Want is the position at the end; "" where the moves say all.
	Want string
}

// Run runs plays, each as a test of its own.
func (g Table[S]) Run(t *testing.T, plays []Play) {
	t.Helper()
	for _, p := range plays {
		g.RunThen(t, p, func(S) {})
	}
}

// RunThen runs one play and then asks more of the position.
func (g Table[S]) RunThen(t *testing.T, p Play, then func(S)) {
	t.Helper()
	t.Run(p.Name, func(t *testing.T) {
		st := g.Lay(t, p.Options, p.From)
		g.Script(t, st, p.Moves)
		if got, want := g.Draw(st), Tidy(p.Want); p.Want != "" && got != want {
			t.Errorf("the table is\n%s\nand should be\n%s", got, want)
		}
		then(st)
	})
}

// Script makes moves and asks about them, one a line or between semicolons:
//
//	0 put 1                   a step; in a game for one it begins with the verb
//	0 put 1 -> does-not-fit   is refused, and changes nothing
//	1 flip = take             goes into the log as take
//	turn 1 0                  who may move
//	may 1: fix, take          the legal moves of a seat; in a game for one "may: draw, quit"
//	note: solved              the remark on the position
//	events: 0 put TH 1        what the last step was told as (Tell)
//	purses: 1-50 0+600        what it took out of purses and gave back
func (g Table[S]) Script(t *testing.T, st S, lines string) {
	t.Helper()
	var last engine.Outcome
	for _, line := range strings.Split(Tidy(lines), "\n") {
		got, want, asked := g.ask(t, st, line, last)
		switch {
		case asked && got != want:
			t.Errorf("%s\nbut it is: %s", line, got)
		case !asked && line != "":
			last = g.step(t, st, line)
		}
	}
}

// ask answers a line that is a question, with what it expects.
func (g Table[S]) ask(t *testing.T, st S, line string, last engine.Outcome) (got, want string, asked bool) {
	t.Helper()
	question, want, _ := strings.Cut(line, " ")
	switch question {
	case "turn":
		return seats(st.Turn()), want, true
	case "may":
		seat, moves, _ := strings.Cut(want, ":")
		return MoveTexts(g.Rules, st.Moves(engine.Seat(Number(t, seat)), nil)), strings.TrimSpace(moves), true
	case "may:":
		return MoveTexts(g.Rules, st.Moves(0, nil)), want, true
	case "note:":
		return st.View(0).Note, want, true
	case "events:":
		return Tell(g.Rules, st, last.Events), want, true
	case "purses:":
		return purses(last.Transfers), want, true
	}
	return "", "", false
}

// step makes the step of a line, or sees it refused. The outcome is valid until the next step.
func (g Table[S]) step(t *testing.T, st S, line string) engine.Outcome {
	t.Helper()
	text, refusal, refused := strings.Cut(line, " -> ")
	text, recorded, other := strings.Cut(text, " = ")
	step := parseStep(t, g.Rules, text)
	logged := step.Move
	if other {
		logged = parseMove(t, g.Rules, recorded)
	}
	old := g.Draw(st)
	outcome, err := st.Apply(step)
	switch {
	case refused && (err == nil || err.Error() != refusal || g.Draw(st) != old):
		t.Fatalf("%s: error %v, and the table\n%s", line, err, g.Draw(st))
	case !refused && err != nil:
		t.Fatalf("%s: %v at the table\n%s", line, err, old)
	case !refused && outcome.Move != logged:
		t.Errorf("%s: goes into the log as %s", line, g.Rules.Text(outcome.Move))
	}
	return outcome
}

// Steps makes legal steps, written as "0 flip, 0 keep", and returns the outcome of the last one.
func Steps(t testing.TB, rules engine.Rules, st engine.State, list string) engine.Outcome {
	t.Helper()
	var outcome engine.Outcome
	for _, text := range SplitList(list) {
		var err error
		if outcome, err = st.Apply(parseStep(t, rules, text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return outcome
}

// parseStep reads a step; in a game for one the seat is left out.
func parseStep(t testing.TB, rules engine.Rules, text string) engine.Step {
	t.Helper()
	if rules.Info().MaxSeats == 1 {
		return engine.Step{Move: parseMove(t, rules, text)}
	}
	step, err := engine.ParseStep(rules, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return step
}

func parseMove(t testing.TB, rules engine.Rules, text string) engine.Move {
	t.Helper()
	move, err := rules.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return move
}
