package banchok

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

var update = flag.Bool("update", false, "write the transcripts anew from the records that they end with")

// transcripts are banks to be read by people. A file that isn't there is played by computer players and written by
// -update; one that is there keeps its moves.
func transcripts() []transcript {
	return []transcript{
		{file: "bank.txt", title: "A bank of 300, the banker turns the cards", seats: 4, moves: 100},
		{file: "early.txt", title: "Cards turned too early", seats: 3, options: "bank=200 min=20", whim: Open, every: 3},
		{file: "side.txt", title: "With side bets, some refused", seats: 5, options: "side=on", whim: AllowOff, every: 9, moves: 100},
		{file: "bot.txt", title: "The card turns itself, side bets before it", seats: 4, options: "side=on dealer=bot bank=500"},
		{file: "leave.txt", title: "Punters leave, until none is left", seats: 6, options: "dealer=bot", whim: Leave, every: 20},
	}
}

type transcript struct {
	file, title, options string
	seats                int
	// whim is a move that everybody makes now and then, where it is legal: once every so often.
	whim  engine.Verb
	every int
	// moves is how many moves are played; 0 plays to the end.
	moves int
}

func TestTranscripts(t *testing.T) {
	for _, script := range transcripts() {
		t.Run(script.file, func(t *testing.T) {
			enginetest.Transcript(t, filepath.Join("testdata", script.file), *update, script.play, script.write)
		})
	}
}

// play lets computer players play the bank who reckon four times of five.
func (s transcript) play(t *testing.T) engine.Record {
	record := engine.Record{Game: "banchok", Options: setOptions(t, s.options), Seats: s.seats, Cut: "17"}
	copy(record.Seed[:], s.file)
	st, err := Rules{}.Deal(engine.Setup{Seats: s.seats, Options: record.Options}, engine.NewShuffler(record.Seed, record.Cut))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for len(st.Turn()) > 0 && (s.moves == 0 || len(record.Moves) < s.moves) {
		step := autoStep(st, 0.8, r)
		for _, seat := range st.Turn() {
			whim := engine.Move{Verb: s.whim}
			if slices.Contains(st.Moves(seat, nil), whim) && r.IntN(s.every) == 0 {
				step = engine.Step{Seat: seat, Move: whim}
			}
		}
		if _, err := st.Apply(step); err != nil {
			t.Fatal(err)
		}
		record.Moves = append(record.Moves, engine.StepText(Rules{}, step))
	}
	if result, over := st.Result(); over {
		record.Outcome = &result
	}
	return record
}

// write replays the record and says after each step what everybody sees and was told; and of each deal, what each
// punter sees of his own.
func (s transcript) write(t *testing.T, record engine.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; %d players. Options: %s.\n\n", s.title, record.Seats, s.options)
	b.WriteString("A punter's column is his hand as everybody sees it and what he has at stake; > marks who must move.\n\n")
	st, err := Rules{}.Deal(engine.Setup{Seats: record.Seats, Options: record.Options}, engine.NewShuffler(record.Seed, record.Cut))
	if err != nil {
		t.Fatal(err)
	}
	head := []string{"", "step", "bank", "pack", "table", "early"}
	for seat := 1; seat < record.Seats; seat++ {
		head = append(head, fmt.Sprint(" seat ", seat))
	}
	writeRow(&b, append(head, "what happened"))
	writeRow(&b, append(public(st.View(engine.Nobody), "", ""), own(st, record.Seats)))
	for i, text := range record.Moves {
		step, err := engine.ParseStep(Rules{}, text)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := st.Apply(step)
		if err != nil {
			t.Fatalf("move %d, %s: %v", i+1, text, err)
		}
		view := st.View(engine.Nobody)
		told := tell(outcome.Events)
		if last := outcome.Events[len(outcome.Events)-1]; last.What == EventCollected {
			told += "; " + own(st, record.Seats)
		}
		if view.Note != "" {
			told += " (" + view.Note + ")"
		}
		writeRow(&b, append(public(view, fmt.Sprint(i+1), text), told))
	}
	line, err := record.Marshal(Rules{}.Info())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n%s\n", line)
	return b.String()
}

// own is what the punters see of their own hands.
func own(st engine.State, seats int) string {
	var hands []string
	for seat := 1; seat < seats; seat++ {
		if hand := st.View(engine.Seat(seat)).Piles[seat].Cards; len(hand) > 0 {
			hands = append(hands, fmt.Sprintf("%d sees %s", seat, words(hand)))
		}
	}
	return strings.Join(hands, ", ")
}

// public is what everybody sees, in words.
func public(view engine.View, n, step string) []string {
	last := len(view.Piles) - 1
	bank := fmt.Sprint(view.Chips.Bank)
	if len(view.Turn) > 0 && view.Turn[0] == banker {
		bank = ">" + bank
	}
	row := []string{
		n, step, bank, fmt.Sprint(len(view.Piles[0].Cards)), fmt.Sprint(len(view.Piles[last].Cards)), words(view.Piles[last-1].Cards),
	}
	for seat := 1; seat < len(view.Chips.Seats); seat++ {
		mark := " "
		if len(view.Turn) > 0 && view.Turn[0] == engine.Seat(seat) {
			mark = ">"
		}
		column := mark + words(view.Piles[seat].Cards)
		if n := view.Chips.Stakes[seat]; n > 0 {
			column += fmt.Sprint(" ", n)
		}
		row = append(row, column)
	}
	return row
}

// writeRow writes the columns of a line; the last one ends it.
func writeRow(b *strings.Builder, row []string) {
	widths := []int{4, 11, 5, 4, 5, 5}
	line := ""
	for i, column := range row[:len(row)-1] {
		width := 13
		if i < len(widths) {
			width = widths[i]
		}
		line += column + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(column))) + "  "
	}
	b.WriteString(strings.TrimRight(line+row[len(row)-1], " ") + "\n")
}
