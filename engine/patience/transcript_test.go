package patience

import (
	"flag"
	"fmt"
	"math/rand/v2"
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
			name := script.rules.Info().Name
			head, _ := public(numbered(t, script.rules, script.options, 1).View(engine.Nobody))
			enginetest.Transcript{
				Rules: script.rules,
				Deal: engine.Record{
					Game: name, Options: enginetest.Options(t, script.rules, script.options), Seats: 1, Seed: engine.NumberedSeed(name, 1),
				},
				Next: func(st engine.State, r *rand.Rand) engine.Step { return engine.Step{Move: st.Auto(0, 0.5, r)} },
				Head: fmt.Sprintf("%s, deal %s:1. Options: %s.\n\n", script.title, name, script.options) +
					"A pile's column is the number of its cards and the uppermost, -- when it lies face down.\n\n" +
					fmt.Sprintf("%4s  %-16s %s  what happened\n", "", "move", head),
				Row: line,
			}.Check(t, script.file, *update)
		})
	}
}

// line is the row of a move, without its seat.
func line(n int, step string, st engine.State, told string) string {
	number := ""
	if n > 0 {
		number = fmt.Sprint(n)
	}
	_, row := public(st.View(engine.Nobody))
	return fmt.Sprintf("%4s  %-16s %s  %s", number, strings.TrimPrefix(step, "0 "), row, told)
}

// public is what everybody sees, in columns: of Паганини the gaps and what they wait for, else the piles.
func public(view engine.View) (head, row string) {
	if view.Piles[0].Kind == "g" {
		for _, pile := range view.Piles {
			if len(pile.Cards) == 0 {
				next := enginetest.Cards(pile.Next)
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
