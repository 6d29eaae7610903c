package patience

import "testing"

// TestExamplesH plays H1 to H4 of RULES.md, section 11.
func TestExamplesH(t *testing.T) {
	st := dealt(t, Polusharia, "", stacked{0: "2S 3S 4S 5S 6S 7S 8S 9S TS JS", 20: "AD", 30: "AH 4C 6D 8H TC QD 2D 4H 6C 8D"})
	position(Polusharia).Script(t, st, `
		put t1@2 f1 -> covered
		put t1 f1; put t1 f2
		events: home AD f2
		put t7 f2`)
	position(Polusharia).Run(t, []play{
		{
			Name: "H2 down in suit",
			From: `
				t1 9C 8C; t2 8S; t3 2H 7C; t4 AS; t5 KS; t6 2S; t7 3D; t8 4D; t9 5D; t10 6D
				stock AC`,
			Moves: `
				put t3 t2 -> not-lower-in-suit
				put t3 t1
				put t5 t4 -> nothing-on-ace
				put t5 t6 -> not-lower-in-suit
				put t3 f1 -> needs-ace
				put t4 f1; put t6 f1
				put t4 f1 -> no-card-there`,
		},
		{
			Name: "H3 a space takes any available card and need not be filled",
			From: `
				t1 9C 8C
				w1 QH TH
				t3 2H 7C
				stock AC 5D`,
			Moves: `
				draw; put turned w1; put w1 t2; put w1 t4; put t1 t5; put t2 t6
				put t6 w1 -> not-from-there
				draw; put turned t2`,
			Want: `
				t1 9C; t2 AC; t3 2H 7C; t4 TH; t5 8C; t6 5D
				w1 QH`,
		},
		{
			Name: "H3 from the talon only", Options: "space=talon",
			From: `
				t1 9C 8C; t3 2H 7C
				w1 QH TH
				turned 5D
				stock AC`,
			Moves: `
				put t1 t2 -> space-from-talon
				put t3 t1; put w1 t2; put turned t4
				put t4 t5 -> space-from-talon
				may: draw, put w1 t5, put w1 t6, put w1 t7, put w1 t8, put w1 t9, put w1 t10, quit`,
		},
		{
			Name: "H4 no second pass",
			From: `
				t1 9C; t2 AS
				w1 TH`,
			Moves: "redeal -> no-passes-left",
		},
	})
}

// TestSolved plays the last card of each kind of foundation.
func TestSolved(t *testing.T) {
	up := func(suit string) string {
		return "A" + suit + " 2" + suit + " 3" + suit + " 4" + suit + " 5" + suit + " 6" + suit + " 7" + suit + " 8" + suit +
			" 9" + suit + " T" + suit + " J" + suit + " Q" + suit + " K" + suit
	}
	from := ""
	for i, suit := range []string{"S", "S", "C", "C", "D", "D", "H"} {
		from += "f" + string(rune('1'+i)) + " " + up(suit) + "\n"
	}
	position(Polusharia).Run(t, []play{{
		Name: "solved",
		From: from + "f8 " + up("H")[:36] + "\nt4 KH",
		Moves: `
			put t4 f8
			events: home KH f8, solved
			note: solved
			draw -> deal-over`,
		Want: from + "f8 " + up("H") + "\nover solved",
	}})
}
