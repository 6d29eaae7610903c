package patience

import (
	"strings"
	"testing"
)

// TestFigure288 plays the moves of the book's figure 288 (RULES.md, section 11).
func TestFigure288(t *testing.T) {
	position(Paganini{}).Run(t, []play{{
		Name: "figure 288",
		From: `
			g1.0 -- JS AS; g1.7 9C TH; g2.0 --; g2.3 6H TC; g2.8 TH 7H; g3.0 -- 2S; g4.0 --; g4.5 9H AS; g5.0 --
			g6.0 --; g7.0 --; g8.0 --; g8.4 TS JH`,
		Moves: `
			put g4.6 g3.0
			events: laid AS g3.0
			put g1.8 g4.6; put g2.4 g1.8; put g2.9 g2.4; put g8.5 g2.9; put g1.1 g8.5
			put g1.2 g1.1 -> ace-to-front
			put g3.1 g1.1 -> gap-behind-gap
			put g1.2 g1.0
			put g3.2 g1.1 -> not-next-in-suit
			put g3.1 g1.2 -> gap-behind-gap
			put g3.1 g1.1`,
	}})
}

// TestPaganini plays what else Паганини forbids and allows (RECORDS.md, Exactly 22 and 23).
func TestPaganini(t *testing.T) {
	const aces = `
		g1.0 AS 2S 3S KS -- QS
		g2.0 AS KD --
		g3.0 AC KC --
		g4.0 AC KH --
		g5.0 AD KD --
		g6.0 AD KH --
		g7.0 AH KC --
		g8.0 AH KS --`
	position(Paganini{}).Run(t, []play{
		{
			Name: "kings, gaps, aces and taken cells",
			From: `g1.0 AS; g2.0 -- KC --; g2.6 --; g3.0 -- AH; g4.0 -- 5C; g5.0 --; g6.0 --; g7.0 --`,
			Moves: `
				put g4.1 g2.2 -> nothing-on-king
				put g4.1 g3.0 -> front-aces-only
				put g4.1 g4.1 -> same-pile
				put g4.1 g4.2 -> cell-taken
				put g5.0 g3.0 -> no-card-there
				put g1.0 g2.0 -> ace-stays
				put g3.1 g2.6 -> ace-to-front
				put g3.1@1 g2.0 -> no-card-there
				put g3.1@0 g8.0 -> cell-taken
				put g3.1@0 g7.0 = put g3.1 g7.0
				draw -> no-stock
				redeal -> no-passes-left`,
		},
		{
			Name: "aces only when nothing else goes", Options: "aces=stuck",
			From: `
				g1.0 AS --; g2.0 -- AH 5C; g3.0 -- 2S KC; g3.8 KS 2S; g4.0 --; g5.0 --; g6.0 --; g7.0 --; g8.0 --`,
			Moves: `
				put g2.1 g2.0 -> aces-when-stuck
				put g3.9 g1.1; put g2.1 g2.0`,
		},
		{Name: "strict: stuck behind kings", From: aces, Moves: "redeal -> deal-over"},
		{
			Name: "a redeal keeps the runs and leaves a gap behind each", Options: "reshuffles=1", From: aces,
			Moves: `
				note: stuck-can-redeal
				may: redeal, quit
				redeal
				events: redealt 94
				redeal -> no-passes-left`,
		},
		{
			Name: "a redeal waits for the last ace", Options: "reshuffles=2",
			From:  strings.Replace(aces, "g8.0 AH KS --", "g8.0 -- AH", 1),
			Moves: "redeal -> all-aces-first; put g8.1 g8.0; redeal; redeal",
		},
	})
	st := layCells(t, "reshuffles=1", aces)
	var loose []string
	for row := range rows {
		for cell := row*columns + int(st.run[row]); cell < (row+1)*columns; cell++ {
			if st.at[cell] != 0 {
				loose = append(loose, st.at[cell].card().String())
			}
		}
	}
	position(Paganini{}).Script(t, st, "redeal")
	var again []string
	for row, line := range []string{"AS 2S 3S --", "AS --", "AC --", "AC --", "AD --", "AD --", "AH --", "AH --"} {
		var cards []string
		for cell := row * columns; cell < (row+1)*columns; cell++ {
			cards = append(cards, st.at[cell].card().String())
		}
		if got := strings.Join(cards, " "); !strings.HasPrefix(got, line+" ") || strings.Count(got, "--") != 1 {
			t.Errorf("row %d is %s", row+1, got)
		}
		again = append(again, cards[strings.Count(line, " ")+1:]...)
	}
	if strings.Join(again, " ") != strings.Join(loose, " ") {
		t.Errorf("the loose cards lie as\n%v\nand lay as\n%v", again, loose)
	}
}
