package zevaka

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
)

// A position is written as it lies on the table, every pile bottom first:
//
//	> 0: 7C KD | QS JH     the mover's closed pile, then his open one
//	  1: 8D | 9C
//	  2: out
//	  centre 6S 7S
//	  flipped TH
//	  stock 9H
//
// Piles left out are empty. A deal that is over says so in place of the mover: "over 1 0=2" gives the places, with
// equal signs between seats that share one.

// play is a test: moves made in a position lead to another one.
//
// Each line of moves is a step, as "0 put 1". "0 put 1 -> does-not-fit" must be refused, "1 flip = take" must go into
// the log as take, "turn 1 0" asks who may move, "may 1: fix" asks for the seat's legal moves, and "events: …" for
// what the last step was told as.
type play struct {
	name    string
	options string
	from    string
	moves   string
	want    string
}

func (p play) run(t *testing.T) { p.runThen(t, func(*state) {}) }

// runThen plays the test and then asks more of the position.
func (p play) runThen(t *testing.T, then func(*state)) {
	t.Run(p.name, func(t *testing.T) {
		st := lay(t, p.options, p.from)
		var events []engine.Event
		for _, line := range strings.Split(strings.TrimSpace(p.moves), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				events = step(t, st, line, events)
			}
		}
		if got, want := draw(st), tidy(p.want); p.want != "" && got != want {
			t.Errorf("the table is\n%s\nand should be\n%s", got, want)
		}
		then(st)
	})
}

func runAll(t *testing.T, plays []play) {
	for _, p := range plays {
		p.run(t)
	}
}

// step makes one line of moves and returns its events.
func step(t *testing.T, st *state, line string, before []engine.Event) []engine.Event {
	t.Helper()
	if rest, ok := strings.CutPrefix(line, "turn "); ok {
		if got := strings.Trim(fmt.Sprint(st.Turn()), "[]"); got != rest {
			t.Errorf("%s: the turn is %s", line, got)
		}
		return before
	}
	if rest, ok := strings.CutPrefix(line, "may "); ok {
		seat, want, _ := strings.Cut(rest, ":")
		n, _ := strconv.Atoi(seat)
		if got := texts(st.Moves(engine.Seat(n), nil)); got != strings.TrimSpace(want) {
			t.Errorf("%s: the legal moves are %s", line, got)
		}
		return before
	}
	if rest, ok := strings.CutPrefix(line, "events:"); ok {
		if got := tell(before); got != strings.TrimSpace(rest) {
			t.Errorf("the events are: %s\nand should be: %s", got, rest)
		}
		return before
	}
	text, refusal, refused := strings.Cut(line, " -> ")
	text, recorded, other := strings.Cut(text, " = ")
	move, err := engine.ParseStep(Rules{}, text)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	old := draw(st)
	outcome, err := st.Apply(move)
	switch {
	case refused && (err == nil || err.Error() != refusal || draw(st) != old):
		t.Fatalf("%s: error %v, and the table\n%s", line, err, draw(st))
	case !refused && err != nil:
		t.Fatalf("%s: %v at the table\n%s", line, err, old)
	case other && (Rules{}).Text(outcome.Move) != recorded:
		t.Errorf("%s: goes into the log as %s", line, (Rules{}).Text(outcome.Move))
	case !other && !refused && outcome.Move != move.Move:
		t.Errorf("%s: goes into the log as %s", line, (Rules{}).Text(outcome.Move))
	}
	return slices.Clone(outcome.Events)
}

func texts(moves []engine.Move) string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = Rules{}.Text(m)
	}
	return strings.Join(list, ", ")
}

// tell writes events as "0 put TH 1".
func tell(events []engine.Event) string {
	list := make([]string, len(events))
	for i, e := range events {
		words := []string{e.What}
		if e.Seat != engine.Nobody {
			words = []string{fmt.Sprint(e.Seat), e.What}
		}
		if e.Card != 0 {
			words = append(words, e.Card.String())
		}
		if e.To != engine.Nobody {
			words = append(words, fmt.Sprint(e.To))
		}
		if e.N != 0 {
			words = append(words, "n="+fmt.Sprint(e.N))
		}
		list[i] = strings.Join(words, " ")
	}
	return strings.Join(list, ", ")
}

// setOptions reads "deal=stock penalty=auto".
func setOptions(t testing.TB, text string) map[string]string {
	t.Helper()
	given := map[string]string{}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		given[name] = value
	}
	full, err := Rules{}.Info().Complete(given)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return full
}

// lay puts the cards on the table.
func lay(t *testing.T, options, text string) *state {
	t.Helper()
	st := &state{options: newOptions(setOptions(t, options)), last: ended{seat: noSeat}}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, ">"); ok {
			st.mover, line = st.seats, strings.TrimSpace(rest)
		}
		name, cards, _ := strings.Cut(line, " ")
		switch name {
		case "centre":
			fill(t, &st.centre, cards)
		case "stock":
			fill(t, &st.stock, cards)
		case "flipped":
			var p pile
			fill(t, &p, cards)
			st.flipped = p.top()
		case fmt.Sprintf("%d:", st.seats):
			if strings.TrimSpace(cards) == "out" {
				st.places[st.nPlaces] = engine.Seat(st.seats)
				st.nPlaces++
			} else {
				closed, open, _ := strings.Cut(cards, "|")
				fill(t, &st.closed[st.seats], closed)
				fill(t, &st.opened[st.seats], open)
				st.in |= 1 << st.seats
			}
			st.seats++
		default:
			t.Fatalf("%q is nothing that lies on the table", line)
		}
	}
	return st
}

func fill(t *testing.T, p *pile, cards string) {
	t.Helper()
	for _, word := range strings.Fields(cards) {
		card, err := engine.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		p.push(card)
	}
}

// draw writes a position.
func draw(st *state) string {
	var lines []string
	for seat := range st.seats {
		line := fmt.Sprintf("%d: %s | %s", seat, words(st.closed[seat].all()), words(st.opened[seat].all()))
		if !st.isIn(seat) {
			line = fmt.Sprintf("%d: out", seat)
		}
		if seat == st.mover {
			line = "> " + line
		}
		lines = append(lines, line)
	}
	if st.centre.n > 0 {
		lines = append(lines, "centre "+words(st.centre.all()))
	}
	if st.flipped != 0 {
		lines = append(lines, "flipped "+st.flipped.String())
	}
	if st.stock.n > 0 {
		lines = append(lines, "stock "+words(st.stock.all()))
	}
	if result, over := st.Result(); over {
		line := "over"
		for i, seat := range result.Places {
			sign := " "
			if st.tied[i] {
				sign = "="
			}
			line += sign + fmt.Sprint(seat)
		}
		lines = append(lines, line)
	}
	return tidy(strings.Join(lines, "\n"))
}

// words writes cards as "7C QD".
func words(cards []engine.Card) string {
	list := make([]string, len(cards))
	for i, card := range cards {
		list[i] = card.String()
	}
	return strings.Join(list, " ")
}

// splitList reads "0 flip, 0 keep".
func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// tidy brings a drawn position to one form.
func tidy(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			if strings.HasSuffix(words[len(words)-1], ":") {
				words = append(words, "|")
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
