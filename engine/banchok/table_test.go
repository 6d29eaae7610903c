package banchok

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/engine/enginetest"
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

// In these banks the first punter covers the card that is turned next, or is beaten by it.
const (
	covered = "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; pack 5C 6S TH"
	beaten  = "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; pack 5C TH 6S"
)

// lay puts a position on the table.
func lay(t *testing.T, options, text string) *state {
	t.Helper()
	st := newState(newOptions(enginetest.Options(t, Rules{}, options)), 1, enginetest.Unshuffled{})
	st.in = 0
	for _, line := range enginetest.Lines(text) {
		if line.Marked {
			st.punter = st.seats
		}
		switch line.Name {
		case "bank":
			st.bank = int64(enginetest.Number(t, line.Rest))
			st.net[banker] = -st.bank
		case "turned":
			st.turned = enginetest.ParseCards(t, line.Rest)[0]
		case "table":
			st.table.n = copy(st.table.cards[:], enginetest.ParseCards(t, line.Rest))
		case "pack":
			cards := enginetest.ParseCards(t, line.Rest)
			slices.Reverse(cards)
			st.pack.layUnder(cards)
		case fmt.Sprintf("%d:", st.seats):
			st.laySeat(t, strings.Fields(line.Rest))
			st.seats++
		default:
			t.Fatalf("%q is nothing that lies on the table", line.Name)
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
			st.stake = int64(enginetest.Number(t, words[i+1]))
			st.begun = true
		case "side":
			st.sides[seat] = int64(enginetest.Number(t, words[i+1]))
			st.sideSum += st.sides[seat]
		default:
			if i > 0 && (words[i-1] == "stake" || words[i-1] == "side") {
				continue
			}
			h := &st.hands[seat]
			h.cards[h.n] = enginetest.ParseCards(t, word)[0]
			h.n++
		}
	}
}

// draw writes a position.
func draw(st *state) string {
	lines := []string{fmt.Sprint("bank ", st.bank)}
	if _, over := st.Result(); over {
		lines[0] = "over"
	}
	for seat := 1; seat < st.seats; seat++ {
		line := fmt.Sprintf("%d: %s", seat, enginetest.Cards(st.hands[seat].all()))
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
	if st.table.n > 0 {
		lines = append(lines, "table "+enginetest.Cards(st.table.all()))
	}
	if st.pack.n > 0 {
		lines = append(lines, "pack "+enginetest.Cards(st.pack.all()))
	}
	lines = append(lines, "chips "+strings.Trim(fmt.Sprint(st.net[:st.seats]), "[]"))
	return enginetest.Tidy(strings.Join(lines, "\n"))
}

type play = enginetest.Play

// position is how positions are laid and drawn.
func position() enginetest.Table[*state] {
	return enginetest.Table[*state]{Rules: Rules{}, Lay: lay, Draw: draw}
}
