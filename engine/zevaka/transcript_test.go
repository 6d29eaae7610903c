package zevaka

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

var update = flag.Bool("update", false, "write the transcripts anew from the records that they end with")

// transcripts are deals to be read by people. A file that isn't there is played by computer players and written by
// -update; one that is there keeps its moves.
func transcripts() []transcript {
	return []transcript{
		{file: "21a.txt", title: "21.а: hands dealt, the centre in suit", seats: 3},
		{file: "21b.txt", title: "21.б: nothing dealt, the centre by rank", seats: 3, options: "deal=stock"},
		{file: "rank.txt", title: "21.в: the centre by rank", seats: 2, options: "centre=rank"},
		{file: "strict.txt", title: "Strict: the own open pile may not be played", seats: 4, options: "open=off end=first"},
		{file: "auto.txt", title: "With the penalty, mistakes found by the table", seats: 4, options: "penalty=auto", moves: 240},
		{file: "call.txt", title: "With the penalty, mistakes claimed", seats: 3, options: "penalty=call deal=stock pack=52", moves: 240},
	}
}

type transcript struct {
	file, title, options string
	seats                int
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

// play lets computer players who overlook a fifth of their chances play the deal.
func (s transcript) play(t *testing.T) engine.Record {
	rules := Rules{}
	record := engine.Record{Game: "zevaka", Options: setOptions(t, s.options), Seats: s.seats, Cut: "17"}
	copy(record.Seed[:], s.file)
	st, err := rules.Deal(engine.Setup{Seats: s.seats, Options: record.Options}, engine.NewShuffler(record.Seed, record.Cut))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for len(st.Turn()) > 0 && (s.moves == 0 || len(record.Moves) < s.moves) {
		turn := append([]engine.Seat(nil), st.Turn()...)
		for i := len(turn) - 1; i >= 0; i-- {
			skill := 0.8
			if i > 0 {
				skill = 0.4
			}
			step := engine.Step{Seat: turn[i], Move: st.Auto(turn[i], skill, r)}
			if step.Move.Verb == 0 {
				continue
			}
			if _, err := st.Apply(step); err != nil {
				t.Fatal(err)
			}
			record.Moves = append(record.Moves, engine.StepText(rules, step))
			break
		}
	}
	if result, over := st.Result(); over {
		record.Outcome = &result
	}
	return record
}

// write replays the record and says after each step what everybody sees and was told.
func (s transcript) write(t *testing.T, record engine.Record) string {
	rules := Rules{}
	var b strings.Builder
	fmt.Fprintf(&b, "%s; %d players. Options: %s.\n\n", s.title, record.Seats, s.options)
	b.WriteString("A player's column is the cards of his closed pile, those of his open one, and its top; > marks who must move.\n\n")
	head := row{step: "step", flipped: "flipped", centre: "centre", stock: "stock", events: "what happened"}
	for seat := range record.Seats {
		head.seats = append(head.seats, fmt.Sprintf(" seat %d", seat))
	}
	head.write(&b, 0)
	st, err := rules.Deal(engine.Setup{Seats: record.Seats, Options: record.Options}, engine.NewShuffler(record.Seed, record.Cut))
	if err != nil {
		t.Fatal(err)
	}
	public(st.View(engine.Nobody)).write(&b, 0)
	for i, text := range record.Moves {
		step, err := engine.ParseStep(rules, text)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := st.Apply(step)
		if err != nil {
			t.Fatalf("move %d, %s: %v", i+1, text, err)
		}
		r := public(st.View(engine.Nobody))
		r.step, r.events = text, tell(outcome.Events)
		if note := st.View(engine.Nobody).Note; note != "" {
			r.events += " (" + note + ")"
		}
		r.write(&b, i+1)
	}
	line, err := record.Marshal(rules.Info())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n%s\n", line)
	return b.String()
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

func (r row) write(b *strings.Builder, n int) {
	number := ""
	if n > 0 {
		number = fmt.Sprint(n)
	}
	line := fmt.Sprintf("%4s  %-9s %-7s  %-6s  %-5s ", number, r.step, r.flipped, r.centre, r.stock)
	for _, seat := range r.seats {
		line += "  " + seat + strings.Repeat(" ", 10-utf8.RuneCountInString(seat))
	}
	b.WriteString(strings.TrimRight(line+"  "+r.events, " ") + "\n")
}
