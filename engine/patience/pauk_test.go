package patience

import (
	"testing"

	"zevaka/engine/enginetest"
)

// TestExamplesS plays S1 to S3 of RULES.md, section 11, and RECORDS.md, Exactly 24 to 26.
func TestExamplesS(t *testing.T) {
	st := dealt(t, Pauk, "", enginetest.Unshuffled{})
	// Without the bases the pack is 2S … QS, 2C … QC, 2D … QD, 2H … QH, and a whole pack.
	if got := pile(st, "t1") + ", " + pile(st, "t12"); got != "2S 3C 4D 5H 6S 5C 4D 3H, 2C 3D 4H 5S 4C 3D 2H AH" {
		t.Errorf("the first and the last packet are %s", got)
	}
	if got := pile(st, "f1") + pile(st, "f4") + pile(st, "f5") + pile(st, "f8"); got != "ASAHKSKH" {
		t.Errorf("the bases are %s", got)
	}
	position(Pauk).Run(t, []play{
		{
			Name: "S2 the sides feed their own foundations, above and below any",
			From: `
				f1 AS; f2 AC; f3 AD; f4 AH; f5 KS; f6 KC; f7 KD; f8 KH
				t1 3S 2S; t3 2C; t6 QC; t8 QD; t9 QH; t12 3D 2D`,
			Moves: `
				put t12 f3 -> only-own-side
				put t6 f6 -> only-own-side
				put t1 f1; put t8 f7; put t9 f8; put t3 f2
				put t12 f1 -> not-next-in-suit
				redeal
				events: redealt 4
				put t4 f3
				events: home 2D f3`,
		},
		{
			Name: "S2 beside only", Options: "restrict=adjacent",
			From: `
				f1 AS; f2 AC; f3 AD; f4 AH; f5 KS; f6 KC; f7 KD; f8 KH
				t2 2H; t3 2S; t5 2C; t9 QH; t10 QS; t12 QD`,
			Moves: `
				put t3 f1
				put t5 f2 -> only-adjacent
				put t9 f8
				put t10 f5 -> only-adjacent
				put t12 f7 -> only-adjacent
				put t2 f4; redeal; put t1 f2`,
		},
		{
			Name: "S3 after the redeal both may",
			From: `
				f3 AD; f6 KC
				t1 9S 9C 9D QC 9H TS TC TD TH 8S 8C; t12 2D`,
			Moves: `
				put t12 f3 -> only-own-side
				redeal; put t12 f3; put t4 f6`,
			Want: `
				f3 AD 2D; f6 KC QC
				t1 9S; t2 9C; t3 9D; t5 9H; t6 TS; t7 TC; t8 TD; t9 TH; t10 8S; t11 8C
				pass 2`,
		},
		{
			Name: "without the restriction, and nothing else than before", Options: "restrict=none redeals=0",
			From: `
				f1 AS; f2 AC; f3 AD; f4 AH; f5 KS; f6 KC; f7 KD; f8 KH
				t6 QC; t12 2D; t2 KS; t3 AH`,
			Moves: `
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
			Name: "packets up or down in suit", Options: "build=suit",
			From: `
				f1 AS
				t1 7D; t2 8C; t3 8D; t4 9D; t5 6D`,
			Moves: `
				put t1 t2 -> not-beside-in-suit
				put t1 t3; put t3 t5; put t5 t3
				put t3 t3 -> same-pile`,
		},
		{
			Name: "S3 gathered in the order of dealing",
			From: `
				f1 AS
				t1 3D 4D; t2 8C; t12 9D 6D`,
			Moves: `
				redeal; redeal
				redeal -> no-passes-left`,
			Want: `
				f1 AS
				t1 3D; t2 4D; t3 8C; t4 9D; t5 6D
				pass 3`,
		},
		{
			Name: "in rounds only the last round's cards go, and to foundations only", Options: "deal=rounds",
			From: `
				f1 AS; f2 AC; f3 AD; f4 AH; f5 KS; f6 KC; f7 KD; f8 KH
				t1 4S 3S; t2 QS
				stock 6D 2H 9C 9C 8C 8C 7C 7C 6C 6C 5C 5C 2S JS`,
			Moves: `
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
				put t1 f4; put t2 t3; put t2 f5; put t9 t11; redeal
				put t1 t2 -> no-card-there
				note: stuck-can-draw`,
		},
	})
}
