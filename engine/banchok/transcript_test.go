package banchok

import (
	"flag"
	"fmt"
	"math/rand/v2"
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
			enginetest.Transcript{
				Rules: Rules{}, Deal: enginetest.Begun(t, Rules{}, script.options, script.seats, script.file),
				Moves: script.moves, Next: script.next, Head: script.head(), Row: script.row,
			}.Check(t, script.file, *update)
		})
	}
}

// next is the step of computer players who reckon four times of five, or a whim.
func (s transcript) next(st engine.State, r *rand.Rand) engine.Step {
	step := autoStep(st, 0.8, r)
	for _, seat := range st.Turn() {
		whim := engine.Move{Verb: s.whim}
		if slices.Contains(st.Moves(seat, nil), whim) && r.IntN(s.every) == 0 {
			step = engine.Step{Seat: seat, Move: whim}
		}
	}
	return step
}

// head is what the transcript is of, and the names of the columns.
func (s transcript) head() string {
	names := []string{"", "step", "bank", "pack", "table", "early"}
	for seat := 1; seat < s.seats; seat++ {
		names = append(names, fmt.Sprint(" seat ", seat))
	}
	return fmt.Sprintf("%s; %d players. Options: %s.\n\n", s.title, s.seats, s.options) +
		"A punter's column is his hand as everybody sees it and what he has at stake; > marks who must move.\n\n" +
		columns(append(names, "what happened")) + "\n"
}

// row is the line of a step; of each deal it says, too, what each punter sees of his own.
func (s transcript) row(n int, step string, st engine.State, told string) string {
	number := fmt.Sprint(n)
	switch {
	case n == 0:
		number, told = "", own(st, s.seats)
	case strings.Contains(told, EventCollected):
		told += "; " + own(st, s.seats)
	}
	return columns(append(public(st.View(engine.Nobody), number, step), told))
}

// own is what the punters see of their own hands.
func own(st engine.State, seats int) string {
	var hands []string
	for seat := 1; seat < seats; seat++ {
		if hand := st.View(engine.Seat(seat)).Piles[seat].Cards; len(hand) > 0 {
			hands = append(hands, fmt.Sprintf("%d sees %s", seat, enginetest.Cards(hand)))
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
		n, step, bank, fmt.Sprint(len(view.Piles[0].Cards)), fmt.Sprint(len(view.Piles[last].Cards)), enginetest.Cards(view.Piles[last-1].Cards),
	}
	for seat := 1; seat < len(view.Chips.Seats); seat++ {
		mark := " "
		if len(view.Turn) > 0 && view.Turn[0] == engine.Seat(seat) {
			mark = ">"
		}
		column := mark + enginetest.Cards(view.Piles[seat].Cards)
		if n := view.Chips.Stakes[seat]; n > 0 {
			column += fmt.Sprint(" ", n)
		}
		row = append(row, column)
	}
	return row
}

// columns writes the columns of a line; the last one ends it.
func columns(row []string) string {
	widths := []int{4, 11, 5, 4, 5, 5}
	line := ""
	for i, column := range row[:len(row)-1] {
		width := 13
		if i < len(widths) {
			width = widths[i]
		}
		line += column + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(column))) + "  "
	}
	return line + row[len(row)-1]
}
