package banchok

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
)

// A position is written as it lies on the table:
//
//	bank 300
//	> 1: AS 7H 2D stake 50     the punter whose hand is played
//	  2: KD 3C 9S side 20
//	  3: QC QD 4S closed       allows no side bets
//	  4: left
//	turned TH                  a card turned too early
//	table 2C 8D                bottom first
//	pack 5C 6S                 bottom first: the six is turned next
//
// Lines left out are empty. The bank of a position laid out has gained nothing yet from anybody. What the seats have won
// is drawn as "chips -300 50 …", and a bank that has ended as "over" in place of its sum.

// play is a test: moves made in a position lead to another one.
//
// Each line of moves is a step, as "1 stake 50". "1 stake 400 -> stake-high" must be refused, "turn 1 0" asks who may
// move, "may 1: leave" asks for the seat's legal moves, "events: …" for what the last step was told as, and
// "purses: 1-50 0+600" for its transfers.
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
		var last engine.Outcome
		for _, line := range strings.Split(strings.TrimSpace(p.moves), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				last = step(t, st, line, last)
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

// step makes one line of moves and returns what came of it.
func step(t *testing.T, st *state, line string, before engine.Outcome) engine.Outcome {
	t.Helper()
	if got, want, ok := ask(t, st, line, before); ok {
		if got != want {
			t.Errorf("%s\nbut it is: %s", line, got)
		}
		return before
	}
	text, refusal, refused := strings.Cut(line, " -> ")
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
	case !refused && outcome.Move != move.Move:
		t.Errorf("%s: goes into the log as %s", line, (Rules{}).Text(outcome.Move))
	}
	outcome.Events = slices.Clone(outcome.Events)
	outcome.Transfers = slices.Clone(outcome.Transfers)
	return outcome
}

// ask answers a line that is a question, with what it expects.
func ask(t *testing.T, st *state, line string, last engine.Outcome) (got, want string, ok bool) {
	t.Helper()
	asked, want, _ := strings.Cut(line, " ")
	want = strings.TrimSpace(want)
	switch asked {
	case "turn":
		return strings.Trim(fmt.Sprint(st.Turn()), "[]"), want, true
	case "may":
		seat, moves, _ := strings.Cut(want, ":")
		return ranges(st.Moves(engine.Seat(atoi(t, seat)), nil)), strings.TrimSpace(moves), true
	case "events:":
		return tell(last.Events), want, true
	case "purses:":
		return purses(last.Transfers), want, true
	}
	return "", "", false
}

// ranges writes moves as "stake 5..300, leave".
func ranges(moves []engine.Move) string {
	var list []string
	for i := 0; i < len(moves); i++ {
		text, first := Rules{}.Text(moves[i]), i
		for i+1 < len(moves) && moves[i+1].Verb == moves[i].Verb && moves[i+1].N == moves[i].N+1 {
			i++
		}
		if i > first {
			text += ".." + fmt.Sprint(moves[i].N)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func texts(moves []engine.Move) string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = Rules{}.Text(m)
	}
	return strings.Join(list, ", ")
}

// tell writes events as "0 opened TH 1, 1 covered KH n=50". A hand is one: "1 hand 4S KH 2D".
func tell(events []engine.Event) string {
	var list []string
	for i, e := range events {
		if e.What == EventHand && i > 0 && events[i-1].What == EventHand {
			list[len(list)-1] += " " + e.Card.String()
			continue
		}
		words := []string{fmt.Sprint(e.Seat), e.What}
		if e.Card != 0 {
			words = append(words, e.Card.String())
		}
		if e.To != engine.Nobody {
			words = append(words, fmt.Sprint(e.To))
		}
		if e.N != 0 {
			words = append(words, "n="+fmt.Sprint(e.N))
		}
		list = append(list, strings.Join(words, " "))
	}
	return strings.Join(list, ", ")
}

// purses writes transfers as "1-50 0+600": what leaves a seat's purse and what comes back.
func purses(transfers []engine.Transfer) string {
	list := make([]string, len(transfers))
	for i, tr := range transfers {
		list[i] = fmt.Sprintf("%d-%d", tr.From, tr.Amount)
		if tr.From == engine.Nobody {
			list[i] = fmt.Sprintf("%d+%d", tr.To, tr.Amount)
		}
	}
	return strings.Join(list, " ")
}

// setOptions reads "bank=500 side=on".
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

// unshuffled leaves cards as they lie.
type unshuffled struct{}

func (unshuffled) Shuffle([]engine.Card) {}

// lay puts a position on the table.
func lay(t *testing.T, options, text string) *state {
	t.Helper()
	st := newState(newOptions(setOptions(t, options)), 1, unshuffled{})
	st.in = 0
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, ">"); ok {
			st.punter, line = st.seats, strings.TrimSpace(rest)
		}
		name, rest, _ := strings.Cut(line, " ")
		switch name {
		case "bank":
			st.bank = int64(atoi(t, rest))
			st.net[banker] = -st.bank
		case "turned":
			st.turned = cardsOf(t, rest)[0]
		case "table":
			st.table.n = copy(st.table.cards[:], cardsOf(t, rest))
		case "pack":
			cards := cardsOf(t, rest)
			slices.Reverse(cards)
			st.pack.layUnder(cards)
		case fmt.Sprintf("%d:", st.seats):
			st.laySeat(t, strings.Fields(rest))
			st.seats++
		default:
			t.Fatalf("%q is nothing that lies on the table", line)
		}
	}
	return st
}

// laySeat reads "AS 7H 2D side 20" for the next seat.
func (st *state) laySeat(t *testing.T, words []string) {
	t.Helper()
	seat := st.seats
	st.in |= 1 << seat
	for i, word := range words {
		switch word {
		case "left":
			st.in &^= 1 << seat
		case "closed":
			st.refuse |= 1 << seat
		case "stake":
			st.stake = int64(atoi(t, words[i+1]))
			st.begun = true
		case "side":
			st.sides[seat] = int64(atoi(t, words[i+1]))
			st.sideSum += st.sides[seat]
		default:
			if i > 0 && (words[i-1] == "stake" || words[i-1] == "side") {
				continue
			}
			h := &st.hands[seat]
			h.cards[h.n] = cardsOf(t, word)[0]
			h.n++
		}
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func cardsOf(t testing.TB, text string) []engine.Card {
	t.Helper()
	var cards []engine.Card
	for _, word := range strings.Fields(text) {
		card, err := engine.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, card)
	}
	return cards
}

// draw writes a position.
func draw(st *state) string {
	lines := []string{fmt.Sprint("bank ", st.bank)}
	if _, over := st.Result(); over {
		lines[0] = "over"
	}
	for seat := 1; seat < st.seats; seat++ {
		line := fmt.Sprintf("%d: %s", seat, words(st.hands[seat].all()))
		switch {
		case !st.isIn(seat):
			line += " left"
		case seat == st.punter && st.stake != 0:
			line += fmt.Sprint(" stake ", st.stake)
		case st.sides[seat] != 0:
			line += fmt.Sprint(" side ", st.sides[seat])
		}
		if st.refuse&(1<<seat) != 0 {
			line += " closed"
		}
		if seat == st.punter {
			line = "> " + line
		}
		lines = append(lines, line)
	}
	if st.turned != 0 {
		lines = append(lines, "turned "+st.turned.String())
	}
	lines = append(lines,
		"table "+words(st.table.all()),
		"pack "+words(st.pack.all()),
		"chips "+strings.Trim(fmt.Sprint(st.net[:st.seats]), "[]"))
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

// tidy brings a drawn position to one form, without what is empty.
func tidy(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) > 1 || len(words) == 1 && words[0] == "over" {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
