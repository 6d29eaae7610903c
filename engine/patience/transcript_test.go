package patience

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

var update = flag.Bool("update", false, "write the transcripts anew from the records that they end with")

// transcript is a deal to be read by people. A file that isn't there is played by the computer player and written by
// -update; one that is there keeps its moves.
type transcript struct {
	file, title string
	rules       engine.Rules
	options     string
}

func transcripts() []transcript {
	return []transcript{
		{"tecza.txt", "Tęcza", Tecza, ""},
		{"tecza8.txt", "Tęcza with eight bases of distinct ranks", Tecza, "bases=8 distinct=on"},
		{"sklep.txt", "Otwarty sklep", Sklep, ""},
		{"zaba.txt", "Żaba", Zaba, ""},
		{"zaba2.txt", "Żaba with two rows", Zaba, "rows=2"},
		{"gwiazda.txt", "Gwiazda", Gwiazda, ""},
		{"polusharia.txt", "«Полушарія»", Polusharia, ""},
		{"grobnitsa.txt", "«Гробница»", Grobnitsa, ""},
		{"paganini.txt", "Большой Паганини, облегчённый", Paganini{}, "reshuffles=2"},
		{"pauk.txt", "Паук", Pauk, ""},
		{"rounds.txt", "Паук dealt in rounds, beside only", Pauk, "deal=rounds restrict=adjacent"},
	}
}

func TestTranscripts(t *testing.T) {
	for _, script := range transcripts() {
		t.Run(script.file, func(t *testing.T) {
			enginetest.Transcript(t, filepath.Join("testdata", script.file), *update, script.play, script.write)
		})
	}
}

// play lets the computer player play deal number 1 to its end.
func (s transcript) play(t *testing.T) engine.Record {
	name := s.rules.Info().Name
	record := engine.Record{Game: name, Options: setOptions(t, s.rules, s.options), Seats: 1, Seed: engine.NumberedSeed(name, 1)}
	st := numbered(t, s.rules, s.options, 1)
	r := rand.New(rand.NewPCG(1, 1))
	for len(st.Turn()) > 0 {
		move := st.Auto(0, 0.5, r)
		if _, err := st.Apply(engine.Step{Move: move}); err != nil {
			t.Fatal(err)
		}
		record.Moves = append(record.Moves, engine.StepText(s.rules, engine.Step{Move: move}))
	}
	result, _ := st.Result()
	record.Outcome = &result
	return record
}

// write replays the record and says after each move what everybody sees and was told.
func (s transcript) write(t *testing.T, record engine.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, deal %s:1. Options: %s.\n\n", s.title, record.Game, s.options)
	b.WriteString("A pile's column is the number of its cards and the uppermost, -- when it lies face down.\n\n")
	st := dealt(t, s.rules, s.options, engine.NewShuffler(record.Seed, record.Cut))
	head, row := public(st.View(engine.Nobody))
	fmt.Fprintf(&b, "%4s  %-16s %s  what happened\n", "", "move", head)
	fmt.Fprintf(&b, "%4s  %-16s %s\n", "", "", strings.TrimRight(row, " "))
	for i, text := range record.Moves {
		step, err := engine.ParseStep(s.rules, text)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := st.Apply(step)
		if err != nil {
			t.Fatalf("move %d, %s: %v", i+1, text, err)
		}
		view := st.View(engine.Nobody)
		told := tell(st, outcome.Events)
		if view.Note != "" {
			told += " (" + view.Note + ")"
		}
		_, row := public(view)
		fmt.Fprintf(&b, "%4d  %-16s %s  %s\n", i+1, text[2:], row, told)
	}
	line, err := record.Marshal(s.rules.Info())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n%s\n", line)
	return b.String()
}

// public is what everybody sees, in columns: of Паганини the gaps and what they wait for, else the piles.
func public(view engine.View) (head, row string) {
	if view.Piles[0].Kind == "g" {
		for _, pile := range view.Piles {
			if len(pile.Cards) == 0 {
				next := words(pile.Next)
				if len(pile.Next) == 4 {
					next = "ace"
				}
				row += fmt.Sprintf("%-5s %-3s ", pile.Name, next)
			}
		}
		return fmt.Sprintf("%-80s", "gaps and the cards that go there"), row
	}
	for _, pile := range view.Piles {
		head += fmt.Sprintf("%-6.5s", pile.Name)
		if n := len(pile.Cards); n > 0 {
			row += fmt.Sprintf("%2d %s ", n, pile.Cards[n-1])
		} else {
			row += "      "
		}
	}
	return head, row
}
