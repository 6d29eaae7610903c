package enginetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/engine"
)

// Transcript is a deal written for people, in a file of testdata whose last line is the deal's record.
type Transcript struct {
	Rules engine.Rules
	// Deal is the record before the first move.
	Deal engine.Record
	// Moves is how many moves are played; 0 plays to the end.
	Moves int
	// Next is the step that a computer player makes.
	Next func(engine.State, *rand.Rand) engine.Step
	// Head is what stands above the rows, each line with its end.
	Head string
	// Row is the line of the n-th step: what everybody sees after it, and what the step was told as. Before the first
	// step n is 0, and step and told are empty.
	Row func(n int, step string, st engine.State, told string) string
}

// Begun is the record of a deal before its first move, with a seed made of a name.
func Begun(t *testing.T, rules engine.Rules, options string, seats int, name string) engine.Record {
	t.Helper()
	record := engine.Record{Game: rules.Info().Name, Options: Options(t, rules, options), Seats: seats, Cut: "17"}
	copy(record.Seed[:], name)
	return record
}

// Check compares the deal with the file: it replays the file's record, so that the moves stay those of the file. Update
// writes the file instead, and a file that isn't there from what computer players play.
func (s Transcript) Check(t *testing.T, file string, update bool) {
	t.Helper()
	path := filepath.Join("testdata", file)
	old, err := os.ReadFile(path)
	if err != nil && !update {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(old)), "\n")
	var record engine.Record
	if err != nil {
		record = s.play(t)
	} else if record, err = engine.ParseRecord([]byte(lines[len(lines)-1])); err != nil {
		t.Fatal(err)
	}
	text := s.write(t, record)
	if update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d is\n%s\nand %s has\n%s", i+1, line, path, lines[min(i, len(lines)-1)])
		}
	}
	if text != string(old) {
		t.Errorf("%s has more lines than the deal", path)
	}
}

// play lets computer players play the deal.
func (s Transcript) play(t *testing.T) engine.Record {
	record, st := s.Deal, s.dealt(t, s.Deal)
	chance := rand.New(rand.NewPCG(1, 1))
	for len(st.Turn()) > 0 && (s.Moves == 0 || len(record.Moves) < s.Moves) {
		step := s.Next(st, chance)
		if _, err := st.Apply(step); err != nil {
			t.Fatal(err)
		}
		record.Moves = append(record.Moves, engine.StepText(s.Rules, step))
	}
	if result, over := st.Result(); over {
		record.Outcome = &result
	}
	return record
}

// write replays the record and says after each step what everybody sees and was told.
func (s Transcript) write(t *testing.T, record engine.Record) string {
	st := s.dealt(t, record)
	var b strings.Builder
	b.WriteString(s.Head)
	row := func(n int, step, told string) {
		b.WriteString(strings.TrimRight(s.Row(n, step, st, told), " ") + "\n")
	}
	row(0, "", "")
	for i, text := range record.Moves {
		step, err := engine.ParseStep(s.Rules, text)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := st.Apply(step)
		if err != nil {
			t.Fatalf("move %d, %s: %v", i+1, text, err)
		}
		told := Tell(s.Rules, st, outcome.Events)
		if note := st.View(engine.Nobody).Note; note != "" {
			told += " (" + note + ")"
		}
		row(i+1, text, told)
	}
	line, err := record.Marshal(s.Rules.Info())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n%s\n", line)
	return b.String()
}

// dealt is the position that a record begins with.
func (s Transcript) dealt(t *testing.T, record engine.Record) engine.State {
	t.Helper()
	return Deal(t, s.Rules, engine.Setup{Seats: record.Seats, Options: record.Options}, engine.NewShuffler(record.Seed, record.Cut))
}
