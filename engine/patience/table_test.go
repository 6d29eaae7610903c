package patience

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
)

// A position is written as it lies on the table, every pile bottom first, those left out empty:
//
//	f1 3S 4H
//	r1 KD 5C
//	w2 9H
//	turned 7D
//	stock 2S JC
//	pass 2
//
// A deal that is over ends in "over solved", "over no-moves" or "over gave-up".

// play is a test: moves made in a position lead to another one.
//
// Each line of moves is a move, as "put w1 f2". "draw -> stock-empty" must be refused, "put w1@0 f2 = put w1 f2" must go into the
// log as that, "may: draw, quit" asks for the legal moves, "note: solved" for the remark, and "events: …" for what the
// last move was told as.
type play struct {
	name    string
	rules   engine.Rules
	options string
	from    string
	moves   string
	want    string
}

func (p play) run(t *testing.T) {
	t.Run(p.name, func(t *testing.T) {
		var st engine.State
		if p.rules == (Paganini{}) {
			st = layCells(t, p.options, p.from)
		} else {
			st = lay(t, p.rules.(Rules), p.options, p.from)
		}
		playOn(t, p.rules, st, p.moves)
		if got, want := draw(st), tidy(p.want); p.want != "" && got != want {
			t.Errorf("the table is\n%s\nand should be\n%s", got, want)
		}
	})
}

func runAll(t *testing.T, plays []play) {
	for _, p := range plays {
		p.run(t)
	}
}

// playOn makes the moves of a test, one a line.
func playOn(t *testing.T, rules engine.Rules, st engine.State, moves string) {
	t.Helper()
	var events []engine.Event
	for _, line := range strings.Split(strings.TrimSpace(moves), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			events = step(t, rules, st, line, events)
		}
	}
}

// step makes one line of moves and returns its events.
func step(t *testing.T, rules engine.Rules, st engine.State, line string, before []engine.Event) []engine.Event {
	t.Helper()
	if want, ok := strings.CutPrefix(line, "may:"); ok {
		if got := texts(rules, st.Moves(0, nil)); got != strings.TrimSpace(want) {
			t.Errorf("%s\nthe legal moves are %s", line, got)
		}
		return before
	}
	if want, ok := strings.CutPrefix(line, "note:"); ok {
		if got := st.View(0).Note; got != strings.TrimSpace(want) {
			t.Errorf("%s: the note is %q", line, got)
		}
		return before
	}
	if want, ok := strings.CutPrefix(line, "events:"); ok {
		if got := tell(st, before); got != strings.TrimSpace(want) {
			t.Errorf("the events are: %s\nand should be: %s", got, want)
		}
		return before
	}
	text, refusal, refused := strings.Cut(line, " -> ")
	text, recorded, other := strings.Cut(text, " = ")
	move, err := rules.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	old := draw(st)
	outcome, err := st.Apply(engine.Step{Move: move})
	switch {
	case refused && (err == nil || err.Error() != refusal || draw(st) != old):
		t.Fatalf("%s: error %v, and the table\n%s", line, err, draw(st))
	case !refused && err != nil:
		t.Fatalf("%s: %v at the table\n%s", line, err, old)
	case other && rules.Text(outcome.Move) != recorded, !other && !refused && outcome.Move != move:
		t.Errorf("%s: goes into the log as %s", line, rules.Text(outcome.Move))
	}
	return slices.Clone(outcome.Events)
}

func texts(rules engine.Rules, moves []engine.Move) string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = rules.Text(m)
	}
	return strings.Join(list, ", ")
}

// tell writes events as "home TH f1".
func tell(st engine.State, events []engine.Event) string {
	piles := st.View(engine.Nobody).Piles
	list := make([]string, len(events))
	for i, e := range events {
		words := []string{e.What}
		if e.Card != 0 {
			words = append(words, e.Card.String())
		}
		switch e.What {
		case EventHome, EventLaid, EventFilled:
			words = append(words, piles[e.N].Name)
		default:
			if e.N != 0 {
				words = append(words, fmt.Sprint(e.N))
			}
		}
		list[i] = strings.Join(words, " ")
	}
	return strings.Join(list, ", ")
}

// setOptions reads "bases=8 distinct=on".
func setOptions(t testing.TB, rules engine.Rules, text string) map[string]string {
	t.Helper()
	given := map[string]string{}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		given[name] = value
	}
	full, err := rules.Info().Complete(given)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return full
}

// lay puts the cards on the table.
func lay(t *testing.T, rules Rules, options, text string) *state {
	t.Helper()
	p := newPlan(rules.declare().lay(setOptions(t, rules, options)))
	st := &state{table: table{plan: p}, shuffler: asTheyLie{}, events: make([]engine.Event, 0, maxEvents)}
	used := map[engine.Card]bool{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		if words[0] == "pass" {
			st.pass = words[1][0] - '1'
			continue
		}
		pile, ok := pileIndex(p.groups, words[0])
		if !ok {
			t.Fatalf("there is no pile %s", words[0])
		}
		for _, word := range words[1:] {
			c := card(t, word)
			copied := id(c)
			if used[c] {
				copied |= secondCopy
			}
			used[c] = true
			st.push(pile, copied)
			if p.group[pile].shows == allCards {
				st.look(pile)
			}
			if pile < p.foundations {
				st.score++
				if pile == 0 && st.n[0] == 1 {
					st.base = uint8(c.Rank())
				}
			}
		}
	}
	for i := range p.piles {
		st.want(i)
		st.look(i)
	}
	st.finish()
	return st
}

func card(t testing.TB, text string) engine.Card {
	t.Helper()
	c, err := engine.ParseCard(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// asTheyLie is a shuffler that leaves the cards in their order.
type asTheyLie struct{}

func (asTheyLie) Shuffle([]engine.Card) {}

// stacked is a shuffler that puts some cards in certain places, and the others in the order of two packs.
type stacked map[int]string

func (s stacked) Shuffle(cards []engine.Card) {
	for place, text := range s {
		for _, word := range strings.Fields(text) {
			c, err := engine.ParseCard(word)
			if err != nil {
				panic(err)
			}
			for i := range cards {
				if cards[i] == c && !s.holds(i, place) {
					cards[place], cards[i] = cards[i], cards[place]
					break
				}
			}
			place++
		}
	}
}

// holds reports that a place before the one given is stacked.
func (s stacked) holds(at, before int) bool {
	for place, text := range s {
		if at >= place && at < place+len(strings.Fields(text)) && at < before {
			return true
		}
	}
	return false
}

// dealt is the position after the deal.
func dealt(t testing.TB, rules engine.Rules, options string, shuffler engine.Shuffler) engine.State {
	t.Helper()
	st, err := rules.Deal(engine.Setup{Seats: 1, Options: setOptions(t, rules, options)}, shuffler)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// numbered is a numbered deal.
func numbered(t testing.TB, rules engine.Rules, options string, n int64) engine.State {
	t.Helper()
	return dealt(t, rules, options, engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, n), ""))
}

// draw writes a position.
func draw(st engine.State) string {
	var lines []string
	view := st.View(engine.Referee)
	for _, pile := range view.Piles {
		if len(pile.Cards) > 0 {
			lines = append(lines, pile.Name+" "+words(pile.Cards))
		}
	}
	if st, ok := st.(*state); ok && st.pass > 0 {
		lines = append(lines, fmt.Sprintf("pass %d", st.pass+1))
	}
	if view.Over {
		lines = append(lines, "over "+view.Note)
	}
	return strings.Join(lines, "\n")
}

// pile is one pile of a position, in words.
func pile(st engine.State, name string) string {
	for _, pile := range st.View(engine.Referee).Piles {
		if pile.Name == name {
			return words(pile.Cards)
		}
	}
	return "no pile"
}

// words writes cards as "7C QD".
func words(cards []engine.Card) string {
	list := make([]string, len(cards))
	for i, card := range cards {
		list[i] = card.String()
	}
	return strings.Join(list, " ")
}

// tidy brings a drawn position to one form.
func tidy(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// layCells puts the cards named into their cells, as "g1.0 AS", leaves those named without a card empty, and fills the
// others with the rest of the two packs.
func layCells(t *testing.T, options, text string) *paganini {
	t.Helper()
	st := dealt(t, Paganini{}, options, asTheyLie{}).(*paganini)
	st.at = [cells]id{}
	named := map[int]bool{}
	rest := twoPacks()
	used := map[engine.Card]bool{}
	set := func(cell int, c engine.Card) {
		copied := id(c)
		if used[c] {
			copied |= secondCopy
		}
		used[c] = true
		st.place(copied, cell)
	}
	empty := 0
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		cell, ok := cellIndex(words[0])
		if !ok {
			t.Fatalf("there is no cell %s", words[0])
		}
		for i, word := range words[1:] {
			named[cell+i] = true
			if word == "--" {
				st.empty[empty] = uint8(cell + i)
				empty++
				continue
			}
			c := card(t, word)
			set(cell+i, c)
			at := slices.Index(rest, c)
			rest = slices.Delete(rest, at, at+1)
		}
	}
	if empty != rows {
		t.Fatalf("%d cells are empty", empty)
	}
	for cell := range cells {
		if !named[cell] {
			set(cell, rest[0])
			rest = rest[1:]
		}
	}
	for row := range rows {
		if st.at[row*columns] != 0 {
			st.out++
		}
		st.count(row)
	}
	st.finish()
	return st
}
