package patience

import "testing"

// TestFigure287 plays the position of the book's figure 287 and the checks of RULES.md, section 11.
func TestFigure287(t *testing.T) {
	const figure = `
		f1 KS; f2 KH; f3 KD
		a1 9D 5S; a2 TD 4C; a3 8C 2S; a4 TC JC
		b1 2D; b2 9H; b3 7S; b4 5D
		w1 3D; w2 8S QD; w3 6D; w4 JD; w5 4C
		stock AS AC 3H 3C TH 7C`
	position(Grobnitsa).Run(t, []play{
		{
			Name: "the book's moves", From: figure,
			Moves: `
				put w2 f3; put w4 f3
				events: home JD f3
				put w2 b3; draw
				events: round 5`,
			Want: `
				f1 KS; f2 KH; f3 KD QD JD
				a1 9D 5S; a2 TD 4C; a3 8C 2S; a4 TC JC
				b1 2D; b2 9H; b3 7S 8S; b4 5D
				w1 3D 7C; w2 TH; w3 6D 3C; w4 3H; w5 4C AC
				stock AS`,
		},
		{
			Name: "what is refused, and what isn't", From: figure,
			Moves: `
				put a4 f1 -> not-lower-in-suit
				put a4 f4 -> needs-king
				put a1 a3 -> pile-takes-nothing
				put a1 w1 -> pile-takes-nothing
				put a1@0 f1 -> covered
				put w4 f3 -> not-lower-in-suit
				put w1 b1; put w3 b4
				put w5 centre -> needs-ace`,
		},
	})
}

// TestGrobnitsa plays what the tomb alone has (RECORDS.md, Exactly 18 to 21).
func TestGrobnitsa(t *testing.T) {
	position(Grobnitsa).Run(t, []play{
		{
			Name: "a place is filled at once from its wall, and stays empty when that has gone",
			From: `
				f1 KS
				a1 9D 5S
				b1 QS; b2 3H; b3 KS
				w1 JS; w2 KH
				stock AC`,
			Moves: `
				put b1 f1
				events: home QS f1, filled 5S b1
				put b2 b3 -> nothing-on-king
				put b3 f2 -> base-of-suit-out
				put b2 f2 -> needs-king
				put w2 f3 -> first-empty-foundation
				put w2 f2; put b2 b4; put b3 b2; put a1 b3`,
			Want: `
				f1 KS QS; f2 KH
				b1 5S; b2 KS; b3 9D; b4 3H
				w1 JS
				stock AC`,
		},
		{
			Name: "the centre runs up from an ace, and takes another when it is empty",
			From: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S
				a1 AD
				b1 AS; b2 2S; b3 2D; b4 AH
				w1 2H
				stock AC`,
			Moves: `
				put b2 b1 -> nothing-on-ace
				put b1 centre; put b2 centre
				put w1 centre -> not-next-in-suit
				put a1 centre -> no-card-there
				put centre f1; put centre f1
				events: home AS f1
				put w1 b4 -> nothing-on-ace
				put b4 centre; put w1 centre; put centre b4`,
			Want: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS
				centre AH
				b1 AD; b3 2D; b4 2H
				stock AC`,
		},
		{
			Name: "on a base's ace only the second king goes, and on the second ace nothing",
			From: `
				f1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS
				b1 KS; b2 KH; b3 KH
				w1 QS
				stock AC`,
			Moves: `
				put b2 f1 -> not-lower-in-suit
				put b1 f1; put w1 f1; put b2 f2
				put b3 f3 -> base-of-suit-out`,
		},
		{
			Name: "gathered from the last packet, each bottom first",
			From: `
				a1 9D
				b1 2D
				w1 3H 4H; w2 5H; w3 7H 9H TH; w5 JH QH`,
			Moves: `
				redeal
				events: redealt 8
				draw
				events: round 4
				draw
				events: round 4
				draw -> stock-empty`,
			Want: `
				a1 9D
				b1 2D
				w1 JH TH; w2 QH 5H; w3 7H 3H; w4 9H 4H
				pass 2`,
		},
		{
			Name: "gathered from the first, and the last round is short", Options: "gather=first-first",
			From: `
				a1 9D
				b1 2D
				w1 3H 4H; w2 5H; w3 7H 9H
				pass 3`,
			Moves: `
				redeal; draw; draw; draw
				events: round 1`,
			Want: `
				a1 9D
				b1 2D
				w1 3H 5H 9H; w2 4H 7H
				pass 4`,
		},
		{
			Name: "a sixth pass is refused",
			From: `
				a1 KD
				b1 2D
				w1 4H 3H
				pass 5`,
			Moves: `
				redeal -> no-passes-left
				draw -> stock-empty
				put w2 f1 -> no-card-there
				put a1 f1
				events: home KD f1`,
		},
		{
			Name: "all passes of the deal",
			From: `
				a1 5D
				b1 2D; b2 2D; b3 3C; b4 3C
				w1 5H`,
			Moves: `
				redeal; draw; redeal; draw; redeal; draw; redeal
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
