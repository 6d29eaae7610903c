package zevaka

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

type transcript struct {
	file, title, options string
	seats                int
	// moves is how many moves are played; 0 plays to the end.
	moves int
}

// transcripts are deals to be read by people. A file that isn't there is played by computer players and written by
// -update; one that is there keeps its moves.
func transcripts() []transcript {
	return []transcript{
		{file: "21a.txt", title: "21.а: hands dealt, the centre in suit", seats: 3},
		{file: "21b.txt", title: "21.б: nothing dealt, the centre by rank", seats: 3, options: "deal=stock"},
		{file: "rank.txt", title: "21.в: the centre by rank", seats: 2, options: "centre=rank"},
		{file: "later.txt", title: "21.б, its first phase strict: open piles play once the pack is used up", seats: 3, options: "deal=stock open=later"},
		{file: "free.txt", title: "21.в, begun by any lowest card", seats: 2, options: "centre=free"},
		{file: "strict.txt", title: "Strict: the own open pile may not be played", seats: 4, options: "open=off end=first"},
		{file: "auto.txt", title: "With the penalty, mistakes found by the table", seats: 4, options: "penalty=auto", moves: 240},
		{file: "call.txt", title: "With the penalty, mistakes claimed", seats: 3, options: "penalty=call deal=stock pack=52", moves: 240},
	}
}

var update = flag.Bool("update", false, "write the transcripts anew from the records that they end with")

func TestTranscripts(t *testing.T) {
	for _, script := range transcripts() {
		t.Run(script.file, func(t *testing.T) {
			enginetest.Transcript{
				Rules: Rules{}, Deal: enginetest.Begun(t, Rules{}, script.options, script.seats, script.file),
				Moves: script.moves, Next: overlooking, Head: script.head(), Row: line,
			}.Check(t, script.file, *update)
		})
	}
}

// overlooking is the step of computer players who overlook a fifth of their chances.
func overlooking(st engine.State, r *rand.Rand) engine.Step {
	turn := st.Turn()
	for i := len(turn) - 1; i > 0; i-- {
		if move := st.Auto(turn[i], 0.4, r); move.Verb != 0 {
			return engine.Step{Seat: turn[i], Move: move}
		}
	}
	return engine.Step{Seat: turn[0], Move: st.Auto(turn[0], 0.8, r)}
}

// head is what the transcript is of, and the names of the columns.
func (s transcript) head() string {
	names := row{step: "step", flipped: "flipped", centre: "centre", stock: "stock", events: "what happened"}
	for seat := range s.seats {
		names.seats = append(names.seats, fmt.Sprintf(" seat %d", seat))
	}
	return fmt.Sprintf("%s; %d players. Options: %s.\n\n", s.title, s.seats, s.options) +
		"A player's column is the cards of his closed pile, those of his open one, and its top; > marks who must move.\n\n" +
		names.line(0) + "\n"
}

// line is the row of a step.
func line(n int, step string, st engine.State, told string) string {
	r := public(st.View(engine.Nobody))
	r.step, r.events = step, told
	return r.line(n)
}

// row is one line of a transcript.
type row struct {
	step, flipped, centre, stock, events string
	seats                                []string
}

// public is what everybody sees, in words.
func public(view engine.View) row {
	var r row
	n := (len(view.Piles) - 3) / 2
	for seat := range n {
		closed, open := view.Piles[seat].Cards, view.Piles[n+seat].Cards
		mark := " "
		if len(view.Turn) > 0 && view.Turn[0] == engine.Seat(seat) {
			mark = ">"
		}
		r.seats = append(r.seats, fmt.Sprintf("%s%2d %2d %s", mark, len(closed), len(open), top(open)))
	}
	centre, flipped, stock := view.Piles[2*n].Cards, view.Piles[2*n+1].Cards, view.Piles[2*n+2].Cards
	r.centre, r.flipped, r.stock = fmt.Sprintf("%2d %s", len(centre), top(centre)), top(flipped), fmt.Sprint(len(stock))
	return r
}

// top is the uppermost card as it is seen.
func top(cards []engine.Card) string {
	if len(cards) == 0 {
		return ""
	}
	return cards[len(cards)-1].String()
}

func (r row) line(n int) string {
	number := ""
	if n > 0 {
		number = fmt.Sprint(n)
	}
	line := fmt.Sprintf("%4s  %-9s %-7s  %-6s  %-5s ", number, r.step, r.flipped, r.centre, r.stock)
	for _, seat := range r.seats {
		line += "  " + seat + strings.Repeat(" ", 10-utf8.RuneCountInString(seat))
	}
	return line + "  " + r.events
}
