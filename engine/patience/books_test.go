package patience

import (
	"strings"
	"testing"
)

// TestExamplesH plays H1 to H4 of RULES.md, section 11.
func TestExamplesH(t *testing.T) {
	st := dealt(t, Polusharia, "", stacked{0: "2S 3S 4S 5S 6S 7S 8S 9S TS JS", 20: "AD", 30: "AH 4C 6D 8H TC QD 2D 4H 6C 8D"})
	playOn(t, Polusharia, st, `
		put t1@2 f1 -> covered
		put t1 f1
		put t1 f2
		events: home AD f2
		put t7 f2`)
	runAll(t, []play{
		{
			name: "H2 down in suit", rules: Polusharia,
			from: `
				t1 9C 8C
				t2 8S
				t3 2H 7C
				t4 AS
				t5 KS
				t6 2S
				t7 3D
				t8 4D
				t9 5D
				t10 6D
				stock AC`,
			moves: `
				put t3 t2 -> not-lower-in-suit
				put t3 t1
				put t5 t4 -> nothing-on-ace
				put t5 t6 -> not-lower-in-suit
				put t3 f1 -> needs-ace
				put t4 f1
				put t6 f1
				put t4 f1 -> no-card-there`,
		},
		{
			name: "H3 a space takes any available card and need not be filled", rules: Polusharia,
			from: `
				t1 9C 8C
				w1 QH TH
				t3 2H 7C
				stock AC 5D`,
			moves: `
				draw
				put turned w1
				put w1 t2
				put w1 t4
				put t1 t5
				put t2 t6
				put t6 w1 -> not-from-there
				draw
				put turned t2`,
			want: `
				t1 9C
				t2 AC
				t3 2H 7C
				t4 TH
				t5 8C
				t6 5D
				w1 QH`,
		},
		{
			name: "H3 from the talon only", rules: Polusharia, options: "space=talon",
			from: `
				t1 9C 8C
				t3 2H 7C
				w1 QH TH
				turned 5D
				stock AC`,
			moves: `
				put t1 t2 -> space-from-talon
				put t3 t1
				put w1 t2
				put turned t4
				put t4 t5 -> space-from-talon
				may: draw, put w1 t5, put w1 t6, put w1 t7, put w1 t8, put w1 t9, put w1 t10, quit`,
		},
		{
			name: "H4 no second pass", rules: Polusharia,
			from: `
				t1 9C
				t2 AS
				w1 TH`,
			moves: `redeal -> no-passes-left`,
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
	runAll(t, []play{{
		name: "solved", rules: Polusharia,
		from: from + "f8 " + up("H")[:36] + "\nt4 KH",
		moves: `
			put t4 f8
			events: home KH f8, solved
			note: solved
			draw -> deal-over`,
		want: from + "f8 " + up("H") + "\nover solved",
	}})
}

// TestFigure287 plays the position of the book's figure 287 and the checks of RULES.md, section 11.
func TestFigure287(t *testing.T) {
	const figure = `
		f1 KS
		f2 KH
		f3 KD
		a1 9D 5S
		a2 TD 4C
		a3 8C 2S
		a4 TC JC
		b1 2D
		b2 9H
		b3 7S
		b4 5D
		w1 3D
		w2 8S QD
		w3 6D
		w4 JD
		w5 4C
		stock AS AC 3H 3C TH 7C`
	runAll(t, []play{
		{
			name: "the book's moves", rules: Grobnitsa, from: figure,
			moves: `
				put w2 f3
				put w4 f3
				events: home JD f3
				put w2 b3
				draw
				events: round 5`,
			want: `
				f1 KS
				f2 KH
				f3 KD QD JD
				a1 9D 5S
				a2 TD 4C
				a3 8C 2S
				a4 TC JC
				b1 2D
				b2 9H
				b3 7S 8S
				b4 5D
				w1 3D 7C
				w2 TH
				w3 6D 3C
				w4 3H
				w5 4C AC
				stock AS`,
		},
		{
			name: "what is refused, and what isn't", rules: Grobnitsa, from: figure,
			moves: `
				put a4 f1 -> not-lower-in-suit
				put a4 f4 -> needs-king
				put a1 a3 -> pile-takes-nothing
				put a1 w1 -> pile-takes-nothing
				put a1@0 f1 -> covered
				put w4 f3 -> not-lower-in-suit
				put w1 b1
				put w3 b4
				put w5 centre -> needs-ace`,
		},
	})
}

// TestGrobnitsa plays what the tomb alone has (RECORDS.md, Exactly 18 to 21).
func TestGrobnitsa(t *testing.T) {
	runAll(t, []play{
		{
			name: "a place is filled at once from its wall, and stays empty when that has gone", rules: Grobnitsa,
			from: `
				f1 KS
				a1 9D 5S
				b1 QS
				b2 3H
				b3 KS
				w1 JS
				w2 KH
				stock AC`,
			moves: `
				put b1 f1
				events: home QS f1, filled 5S b1
				put b2 b3 -> nothing-on-king
				put b3 f2 -> base-of-suit-out
				put b2 f2 -> needs-king
				put w2 f3 -> first-empty-foundation
				put w2 f2
				put b2 b4
				put b3 b2
				put a1 b3`,
			want: `
				f1 KS QS
				f2 KH
				b1 5S
				b2 KS
				b3 9D
				b4 3H
				w1 JS
				stock AC`,
		},
		{
			name: "the centre runs up from an ace, and takes another when it is empty", rules: Grobnitsa,
			from: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S
				a1 AD
				b1 AS
				b2 2S
				b3 2D
				b4 AH
				w1 2H
				stock AC`,
			moves: `
				put b2 b1 -> nothing-on-ace
				put b1 centre
				put b2 centre
				put w1 centre -> not-next-in-suit
				put a1 centre -> no-card-there
				put centre f1
				put centre f1
				events: home AS f1
				put w1 b4 -> nothing-on-ace
				put b4 centre
				put w1 centre
				put centre b4`,
			want: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS
				centre AH
				b1 AD
				b3 2D
				b4 2H
				stock AC`,
		},
		{
			name: "on a base's ace only the second king goes, and on the second ace nothing", rules: Grobnitsa,
			from: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS
				b1 KS
				b2 KH
				b3 KH
				w1 QS
				stock AC`,
			moves: `
				put b2 f1 -> not-lower-in-suit
				put b1 f1
				put w1 f1
				put b2 f2
				put b3 f3 -> base-of-suit-out`,
		},
		{
			name: "gathered from the last packet, each bottom first", rules: Grobnitsa,
			from: `
				a1 9D
				b1 2D
				w1 3H 4H
				w2 5H
				w3 7H 9H TH
				w5 JH QH`,
			moves: `
				redeal
				events: redealt 8
				draw
				events: round 4
				draw
				events: round 4
				draw -> stock-empty`,
			want: `
				a1 9D
				b1 2D
				w1 JH TH
				w2 QH 5H
				w3 7H 3H
				w4 9H 4H
				pass 2`,
		},
		{
			name: "gathered from the first, and the last round is short", rules: Grobnitsa, options: "gather=first-first",
			from: `
				a1 9D
				b1 2D
				w1 3H 4H
				w2 5H
				w3 7H 9H
				pass 3`,
			moves: `
				redeal
				draw
				draw
				draw
				events: round 1`,
			want: `
				a1 9D
				b1 2D
				w1 3H 5H 9H
				w2 4H 7H
				pass 4`,
		},
		{
			name: "a sixth pass is refused", rules: Grobnitsa,
			from: `
				a1 KD
				b1 2D
				w1 4H 3H
				pass 5`,
			moves: `
				redeal -> no-passes-left
				draw -> stock-empty
				put w2 f1 -> no-card-there
				put a1 f1
				events: home KD f1`,
		},
		{
			name: "all passes of the deal", rules: Grobnitsa,
			from: `
				a1 5D
				b1 2D
				b2 2D
				b3 3C
				b4 3C
				w1 5H`,
			moves: `
				redeal
				draw
				redeal
				draw
				redeal
				draw
				redeal
				redeal -> no-passes-left
				draw
				events: round 1, no-moves`,
		},
	})
	view := numbered(t, Grobnitsa, "", 7).View(0)
	for i, card := range view.Piles[5].Cards {
		if (card == 0) != (i < 9) {
			t.Errorf("card %d of the wall is %s", i, card)
		}
	}
}

// TestExamplesS plays S1 to S3 of RULES.md, section 11, and RECORDS.md, Exactly 24 to 26.
func TestExamplesS(t *testing.T) {
	st := dealt(t, Pauk, "", asTheyLie{})
	// Without the bases the pack is 2S … QS, 2C … QC, 2D … QD, 2H … QH, and a whole pack.
	if got := pile(st, "t1") + ", " + pile(st, "t12"); got != "2S 3C 4D 5H 6S 5C 4D 3H, 2C 3D 4H 5S 4C 3D 2H AH" {
		t.Errorf("the first and the last packet are %s", got)
	}
	if got := pile(st, "f1") + pile(st, "f4") + pile(st, "f5") + pile(st, "f8"); got != "ASAHKSKH" {
		t.Errorf("the bases are %s", got)
	}
	runAll(t, []play{
		{
			name: "S2 the sides feed their own foundations, above and below any", rules: Pauk,
			from: `
				f1 AS
				f2 AC
				f3 AD
				f4 AH
				f5 KS
				f6 KC
				f7 KD
				f8 KH
				t1 3S 2S
				t3 2C
				t6 QC
				t8 QD
				t9 QH
				t12 3D 2D`,
			moves: `
				put t12 f3 -> only-own-side
				put t6 f6 -> only-own-side
				put t1 f1
				put t8 f7
				put t9 f8
				put t3 f2
				put t12 f1 -> not-next-in-suit
				redeal
				events: redealt 4
				put t4 f3
				events: home 2D f3`,
		},
		{
			name: "S2 beside only", rules: Pauk, options: "restrict=adjacent",
			from: `
				f1 AS
				f2 AC
				f3 AD
				f4 AH
				f5 KS
				f6 KC
				f7 KD
				f8 KH
				t2 2H
				t3 2S
				t5 2C
				t9 QH
				t10 QS
				t12 QD`,
			moves: `
				put t3 f1
				put t5 f2 -> only-adjacent
				put t9 f8
				put t10 f5 -> only-adjacent
				put t12 f7 -> only-adjacent
				put t2 f4
				redeal
				put t1 f2`,
		},
		{
			name: "S3 after the redeal both may", rules: Pauk,
			from: `
				f3 AD
				f6 KC
				t1 9S 9C 9D QC 9H TS TC TD TH 8S 8C
				t12 2D`,
			moves: `
				put t12 f3 -> only-own-side
				redeal
				put t12 f3
				put t4 f6`,
			want: `
				f3 AD 2D
				f6 KC QC
				t1 9S
				t2 9C
				t3 9D
				t5 9H
				t6 TS
				t7 TC
				t8 TD
				t9 TH
				t10 8S
				t11 8C
				pass 2`,
		},
		{
			name: "without the restriction, and nothing else than before", rules: Pauk, options: "restrict=none redeals=0",
			from: `
				f1 AS
				f2 AC
				f3 AD
				f4 AH
				f5 KS
				f6 KC
				f7 KD
				f8 KH
				t6 QC
				t12 2D
				t2 KS
				t3 AH`,
			moves: `
				redeal -> no-passes-left
				put t2 t3 -> not-beside-rank
				put t3 t2 -> not-beside-rank
				put t6 f6
				put t12 t6 -> stays-empty
				put f1 t1 -> foundation-keeps
				put t3 t12
				events: laid AH t12, no-moves 9`,
		},
		{
			name: "packets up or down in suit", rules: Pauk, options: "build=suit",
			from: `
				f1 AS
				t1 7D
				t2 8C
				t3 8D
				t4 9D
				t5 6D`,
			moves: `
				put t1 t2 -> not-beside-in-suit
				put t1 t3
				put t3 t5
				put t5 t3
				put t3 t3 -> same-pile`,
		},
		{
			name: "S3 gathered in the order of dealing", rules: Pauk,
			from: `
				f1 AS
				t1 3D 4D
				t2 8C
				t12 9D 6D`,
			moves: `
				redeal
				redeal
				redeal -> no-passes-left`,
			want: `
				f1 AS
				t1 3D
				t2 4D
				t3 8C
				t4 9D
				t5 6D
				pass 3`,
		},
		{
			name: "in rounds only the last round's cards go, and to foundations only", rules: Pauk, options: "deal=rounds",
			from: `
				f1 AS
				f2 AC
				f3 AD
				f4 AH
				f5 KS
				f6 KC
				f7 KD
				f8 KH
				t1 4S 3S
				t2 QS
				stock 6D 2H 9C 9C 8C 8C 7C 7C 6C 6C 5C 5C 2S JS`,
			moves: `
				note: stuck-can-draw
				put t2 f5 -> round-last-only
				redeal -> stock-not-empty
				draw
				events: round 12
				put t3 t5 -> round-home-only
				put t2 f1
				put t2 f5 -> round-last-only
				draw
				events: round 2
				draw -> stock-empty
				put t1 f4
				put t2 t3
				put t2 f5
				put t9 t11
				redeal
				put t1 t2 -> no-card-there
				note: stuck-can-draw`,
		},
	})
}

// TestFigure288 plays the moves of the book's figure 288 (RULES.md, section 11).
func TestFigure288(t *testing.T) {
	play{
		name: "figure 288", rules: Paganini{},
		from: `
			g1.0 -- JS AS
			g1.7 9C TH
			g2.0 --
			g2.3 6H TC
			g2.8 TH 7H
			g3.0 -- 2S
			g4.0 --
			g4.5 9H AS
			g5.0 --
			g6.0 --
			g7.0 --
			g8.0 --
			g8.4 TS JH`,
		moves: `
			put g4.6 g3.0
			events: laid AS g3.0
			put g1.8 g4.6
			put g2.4 g1.8
			put g2.9 g2.4
			put g8.5 g2.9
			put g1.1 g8.5
			put g1.2 g1.1 -> ace-to-front
			put g3.1 g1.1 -> gap-behind-gap
			put g1.2 g1.0
			put g3.2 g1.1 -> not-next-in-suit
			put g3.1 g1.2 -> gap-behind-gap
			put g3.1 g1.1`,
	}.run(t)
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
	runAll(t, []play{
		{
			name: "kings, gaps, aces and taken cells", rules: Paganini{},
			from: `
				g1.0 AS
				g2.0 -- KC --
				g2.6 --
				g3.0 -- AH
				g4.0 -- 5C
				g5.0 --
				g6.0 --
				g7.0 --`,
			moves: `
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
			name: "aces only when nothing else goes", rules: Paganini{}, options: "aces=stuck",
			from: `
				g1.0 AS --
				g2.0 -- AH 5C
				g3.0 -- 2S KC
				g3.8 KS 2S
				g4.0 --
				g5.0 --
				g6.0 --
				g7.0 --
				g8.0 --`,
			moves: `
				put g2.1 g2.0 -> aces-when-stuck
				put g3.9 g1.1
				put g2.1 g2.0`,
		},
		{
			name: "strict: stuck behind kings", rules: Paganini{}, from: aces,
			moves: `redeal -> deal-over`,
		},
		{
			name: "a redeal keeps the runs and leaves a gap behind each", rules: Paganini{}, options: "reshuffles=1", from: aces,
			moves: `
				note: stuck-can-redeal
				may: redeal, quit
				redeal
				events: redealt 94
				redeal -> no-passes-left`,
		},
		{
			name: "a redeal waits for the last ace", rules: Paganini{}, options: "reshuffles=2",
			from:  strings.Replace(aces, "g8.0 AH KS --", "g8.0 -- AH", 1),
			moves: "redeal -> all-aces-first\nput g8.1 g8.0\nredeal\nredeal",
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
	playOn(t, Paganini{}, st, "redeal")
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
