package enginetest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
)

// Cards writes cards as "7C QD".
func Cards(cards []engine.Card) string {
	list := make([]string, len(cards))
	for i, card := range cards {
		list[i] = card.String()
	}
	return strings.Join(list, " ")
}

// ParseCard reads a card as its String writes it.
func ParseCard(text string) (engine.Card, error) {
	for _, card := range engine.Pack(2) {
		if card.String() == text {
			return card, nil
		}
	}
	return 0, fmt.Errorf("%.10q is not a card", text)
}

// ParseCards reads what Cards writes.
func ParseCards(t testing.TB, text string) []engine.Card {
	t.Helper()
	var cards []engine.Card
	for _, word := range strings.Fields(text) {
		card, err := ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, card)
	}
	return cards
}

// Options reads "deal=stock penalty=auto", and adds the defaults of the others.
func Options(t testing.TB, rules engine.Rules, text string) map[string]string {
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

// MoveTexts writes moves as "put 1, keep", and amounts that follow each other as "stake 5..300".
func MoveTexts(rules engine.Rules, moves []engine.Move) string {
	var list []string
	verbs := rules.Info().Verbs
	for _, r := range newMoveList(moves) {
		if verbs[r.first.Verb-1].Aim == engine.AimAmount && r.n > 1 {
			list = append(list, fmt.Sprintf("%s..%d", rules.Text(r.first), r.at(r.n-1).N))
			continue
		}
		for i := range r.n {
			list = append(list, rules.Text(r.at(i)))
		}
	}
	return strings.Join(list, ", ")
}

// SplitList reads "0 flip, 0 keep"; "" is an empty list.
func SplitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// Tell writes events as "0 opened TH 1, 1 covered KH n=50", and those that are told as one (EventLists) as one:
// "1 hand 4S KH 2D". In a game for one it is "drawn TH, home TH f1, redealt 40": seats are left out, piles named.
func Tell(rules engine.Rules, st engine.State, events []engine.Event) string {
	info := rules.Info()
	var list []string
	for i, e := range events {
		role := info.EventRole(e.What)
		if role == engine.EventLists && i > 0 && events[i-1].What == e.What && events[i-1].Seat == e.Seat {
			list[len(list)-1] += " " + e.Card.String()
			continue
		}
		var words []string
		if e.Seat != engine.Nobody && info.MaxSeats > 1 {
			words = append(words, fmt.Sprint(e.Seat))
		}
		words = append(words, e.What)
		if e.Card != 0 {
			words = append(words, e.Card.String())
		}
		if e.On != 0 {
			words = append(words, "on", e.On.String())
		}
		if e.To != engine.Nobody {
			words = append(words, fmt.Sprint(e.To))
		}
		switch {
		case role == engine.EventArrives:
			words = append(words, st.View(engine.Nobody).Piles[e.N].Name)
		case e.N != 0 && info.MaxSeats > 1:
			words = append(words, "n="+fmt.Sprint(e.N))
		case e.N != 0:
			words = append(words, fmt.Sprint(e.N))
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

// seats writes seats as "1 0".
func seats(list []engine.Seat) string { return strings.Trim(fmt.Sprint(list), "[]") }

// Number reads a whole number.
func Number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Line is one line of a position: what is named, what is said of it, and whether ">" stands before it.
type Line struct {
	Name, Rest string
	Marked     bool
}

// Lines reads a position line by line.
func Lines(text string) []Line {
	var lines []Line
	for _, line := range strings.Split(Tidy(text), "\n") {
		line, marked := strings.CutPrefix(line, ">")
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		lines = append(lines, Line{name, rest, marked})
	}
	return lines
}

// Tidy writes one line for each of the lines that have words, one space between them. A semicolon ends a line, too.
func Tidy(text string) string {
	var lines []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
