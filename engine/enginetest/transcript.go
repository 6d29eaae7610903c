package enginetest

import (
	"os"
	"strings"
	"testing"

	"zevaka/engine"
)

// Transcript compares a deal written for people with the file at path, whose last line is the deal's record: it replays
// that, so that the moves stay those of the file. Update writes the file instead, and a file that isn't there from what
// play plays.
func Transcript(t *testing.T, path string, update bool, play func(*testing.T) engine.Record, write func(*testing.T, engine.Record) string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !update {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(old)), "\n")
	var record engine.Record
	if err != nil {
		record = play(t)
	} else if record, err = engine.ParseRecord([]byte(lines[len(lines)-1])); err != nil {
		t.Fatal(err)
	}
	text := write(t, record)
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
