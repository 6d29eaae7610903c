package zevaka

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
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

type play = enginetest.Play

// position is how positions are laid and drawn.
func position() enginetest.Table[*state] {
	return enginetest.Table[*state]{Rules: Rules{}, Lay: lay, Draw: draw}
}

// lay puts the cards on the table.
func lay(t *testing.T, options, text string) *state {
	t.Helper()
	st := &state{options: newOptions(enginetest.Options(t, Rules{}, options)), last: ended{seat: noSeat}}
	for _, line := range enginetest.Lines(text) {
		if line.Marked {
			st.mover = st.seats
		}
		cards := line.Rest
		switch line.Name {
		case "centre":
			fill(t, &st.centre, cards)
		case "stock":
			fill(t, &st.stock, cards)
		case "flipped":
			var p pile
			fill(t, &p, cards)
			st.flipped = p.top()
		case fmt.Sprintf("%d:", st.seats):
			if cards == "out" {
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
			t.Fatalf("%q is nothing that lies on the table", line.Name)
		}
	}
	return st
}

func fill(t *testing.T, p *pile, cards string) {
	t.Helper()
	for _, card := range enginetest.ParseCards(t, cards) {
		p.push(card)
	}
}

// draw writes a position.
func draw(st *state) string {
	var lines []string
	for seat := range st.seats {
		line := fmt.Sprintf("%d: %s | %s", seat, enginetest.Cards(st.closed[seat].all()), enginetest.Cards(st.opened[seat].all()))
		if !st.isIn(seat) {
			line = fmt.Sprintf("%d: out", seat)
		}
		if seat == st.mover {
			line = "> " + line
		}
		lines = append(lines, line)
	}
	if st.centre.n > 0 {
		lines = append(lines, "centre "+enginetest.Cards(st.centre.all()))
	}
	if st.flipped != 0 {
		lines = append(lines, "flipped "+st.flipped.String())
	}
	if st.stock.n > 0 {
		lines = append(lines, "stock "+enginetest.Cards(st.stock.all()))
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
	return enginetest.Tidy(strings.Join(lines, "\n"))
}
