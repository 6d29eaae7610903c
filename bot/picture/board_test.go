package picture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"zevaka/bot/picture"
	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// boards are the names of all boards of testdata.
func boards(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no boards: %v", err)
	}
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".txt"))
	}
	return names
}

// readBoard reads a board from a file of testdata: a line for each pile, its name and its cards, bottom first, where
// --*7 is seven backs; and the lines game, mark, ranks, turn, look and caption; for several people also seat, with a
// name, and about the seat before note, word, stake, on, place and yawns, and news, bank, chips with bank and goal, and next, with
// the cards that the pile before takes.
func readBoard(t testing.TB, name string) *picture.Board {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return parseBoard(t, string(data))
}

func parseBoard(t testing.TB, text string) *picture.Board {
	t.Helper()
	b := &picture.Board{Captions: map[string]string{}}
	for line := range strings.Lines(text) {
		if err := readLine(b, strings.Fields(line)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	return b
}

func readLine(b *picture.Board, words []string) (err error) {
	if len(words) == 0 {
		return nil
	}
	rest := words[1:]
	switch words[0] {
	case "game":
		b.Game = rest[0]
	case "mark":
		b.Marked = rest
	case "ranks":
		for _, word := range rest {
			letter, own, _ := strings.Cut(word, "=")
			card, err := enginetest.ParseCard(letter + "S")
			if err != nil {
				return err
			}
			b.Ranks[card.Rank()] = own
		}
	case "turn":
		n, err := strconv.Atoi(rest[0])
		b.View.Turn = []engine.Seat{engine.Seat(n)}
		return err
	case "look":
		return readLook(&b.Look, rest)
	case "seat":
		b.Seats = append(b.Seats, picture.Seat{Name: strings.Join(rest, " ")})
	case "note", "word", "stake", "on", "place", "yawns":
		return readSeat(&b.Seats[len(b.Seats)-1], words[0], strings.Join(rest, " "))
	case "news":
		b.News = append(b.News, strings.Join(rest, " "))
	case "bank":
		b.Bank = strings.Join(rest, " ")
	case "chips":
		b.View.Chips = &engine.Chips{Bank: int64(number(rest[0])), Goal: int64(number(rest[1]))}
		b.View.Backed, b.Goal = engine.Nobody, strings.Join(rest[2:], " ")
	case "over":
		b.View.Over = true
	case "backed":
		b.View.Backed = engine.Seat(number(rest[0]))
	case "next":
		b.View.Piles[len(b.View.Piles)-1].Next, err = readCards(rest)
	case "caption":
		b.Captions[rest[0]] = strings.Join(rest[1:], " ")
	default:
		cards, err := readCards(rest)
		b.View.Piles = append(b.View.Piles, pile(words[0], cards))
		return err
	}
	return err
}

func readSeat(s *picture.Seat, what, text string) (err error) {
	switch what {
	case "note":
		s.Note = text
	case "word":
		s.Word = text
	case "stake":
		s.Stake = text
	case "on":
		s.On = text
	case "place":
		s.Place, err = strconv.Atoi(text)
	case "yawns":
		s.Yawns = true
	}
	return err
}

// pile is a pile with that name. Those of a multi-player game belong to the seat that their name ends in; g3.7 is the
// cell in column 7 of row 3.
func pile(name string, cards []engine.Card) engine.Pile {
	p := engine.Pile{Name: name, Kind: strings.TrimRight(name, ".0123456789"), Seat: engine.Nobody, Cards: cards}
	if p.Kind == "closed" || p.Kind == "open" || p.Kind == "hand" {
		if n, err := strconv.Atoi(name[len(p.Kind):]); err == nil {
			p.Seat = engine.Seat(n)
		}
	}
	if row, column, isCell := strings.Cut(strings.TrimPrefix(name, "g"), "."); isCell {
		p.Role, p.Row, p.Column = engine.PileCell, number(row), number(column)
	}
	return p
}

func number(text string) int16 {
	n, _ := strconv.ParseInt(text, 10, 16)
	return int16(n)
}

func readLook(l *picture.Look, words []string) (err error) {
	for _, word := range words {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "width":
			l.Width, err = strconv.Atoi(value)
		case "table":
			l.Table = value
		case "colours":
			l.FourColours = value == "four"
		default:
			return fmt.Errorf("no look %q", name)
		}
	}
	return err
}

func readCards(words []string) ([]engine.Card, error) {
	cards := []engine.Card{}
	for _, word := range words {
		if n, found := strings.CutPrefix(word, "--*"); found {
			many, err := strconv.Atoi(n)
			if err != nil {
				return nil, fmt.Errorf("count backs: %w", err)
			}
			cards = append(cards, make([]engine.Card, many)...)
			continue
		}
		card, err := enginetest.ParseCard(word)
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}
