package banchok

import "testing"

// TestSide bets on other players' hands (RULES.md 6.5; RECORDS.md, Exactly 38).
func TestSide(t *testing.T) {
	from := "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; 3: QC QD QH; pack 7C 6S TH"
	lost := "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; 3: QC QD QH; pack 7C TH 6S"
	position().Run(t, []play{
		{
			Name: "off as a rule", From: from,
			Moves: `
				1 stake 5
				2 side 5 -> side-off
				2 allow off -> side-off
				1 show -> side-off
				turn 0 2 3`,
		},
		{
			Name: "won with the hand", Options: "side=on", From: from,
			Moves: `
				2 side 5 -> side-no-stake
				1 stake 50; may 2: side 1..250, leave
				1 side 5 -> side-own
				2 side 0 -> side-low
				2 side 251 -> side-high
				2 side 20
				events: 2 side 1 n=20
				purses: 2-20
				3 side 1; may 2: side 1..229
				2 side 30; 0 open
				events: 0 opened TH 1, 1 hand 4S KH 2D, 1 covered KH on TH n=50, 1 odds n=333, 2 side-won 1 n=50, 3 side-won 1 n=1, 0 bank-down n=199
				purses: 1+100 2+100 3+2`,
			Want: `
				bank 199
				  1:
				> 2: 9C 9D 9H
				  3: QC QD QH
				table 4S KH 2D TH
				pack 7C 6S
				chips -300 50 50 1`,
		},
		{
			Name: "lost with it", Options: "side=on", From: lost,
			Moves: `
				1 stake 50; 2 side 20; 0 open
				events: 0 opened 6S 1, 1 hand 4S KH 2D, 1 beaten 6S n=50, 1 odds n=333, 2 side-lost 1 n=20, 0 bank-up n=370
				purses:`,
			Want: `
				bank 370
				  1:
				> 2: 9C 9D 9H
				  3: QC QD QH
				table 4S KH 2D 6S
				pack 7C TH
				chips -300 -50 -20 0`,
		},
		{
			Name: "the bank must be able to pay them all, and may break", Options: "side=on", From: from,
			Moves: `
				1 stake 100; 2 side 150
				3 side 51 -> side-high
				3 side 50
				2 side 1 -> side-high
				may 3:; turn 0 1
				0 open
				purses: 1+200 2+300 3+100`,
			Want: `
				over
				1:
				2: 9C 9D 9H
				3: QC QD QH
				table 4S KH 2D TH
				pack 7C 6S
				chips -300 100 150 50`,
		},
		{
			Name: "no room beside the whole bank", Options: "side=on", From: from,
			Moves: `
				1 stake 300
				2 side 1 -> side-high
				may 2: leave`,
		},
		{
			Name: "side bets triple a bank, too", Options: "side=on",
			From: `
				bank 450
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				pack 7C TH 6S`,
			Moves: `
				1 stake 400; 2 side 50; 0 open
				purses: 0+900`,
		},
		{
			Name: "dealer=bot: the card waits for the banker's seat", Options: "side=on dealer=bot", From: from,
			Moves: `
				0 open -> open-after-stake
				1 stake 50; turn 0 1 2 3
				3 side 10; 0 open`,
			Want: `
				bank 240
				  1:
				> 2: 9C 9D 9H
				  3: QC QD QH
				table 4S KH 2D TH
				pack 7C 6S
				chips -300 50 0 10`,
		},
	})
}

// TestExampleB7 plays B7 and the rest of what allow does.
func TestExampleB7(t *testing.T) {
	from := "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; 3: QC QD QH; pack 7C 2S 6S"
	position().Run(t, []play{
		{
			Name: "B7 who refuses side bets may not make them, nor have them", Options: "side=on", From: from,
			Moves: `
				may 2: allow off, leave
				2 allow off
				events: 2 refuses
				purses:
				1 stake 50
				2 side 5 -> side-you-refuse
				may 2: leave
				3 side 5; 0 open; 2 stake 5
				3 side 5 -> side-refused
				1 side 5 -> side-refused
				turn 0 2 3 1`,
		},
		{
			Name: "it may be changed until the first stake", Options: "side=on", From: from,
			Moves: `
				2 allow on -> allow-same
				2 allow off
				2 allow off -> allow-same
				2 allow on
				events: 2 allows
				1 allow off; 3 allow off; 1 stake 5
				3 allow on -> allow-late
				2 allow off -> allow-late
				0 open
				2 allow off -> allow-late`,
			Want: `
				bank 305
				  1: closed
				> 2: 9C 9D 9H
				  3: QC QD QH closed
				table 4S KH 2D 6S
				pack 7C 2S
				chips -300 -5 0 0`,
		},
		{
			Name: "not while a card waits", Options: "side=on", From: from,
			Moves: `
				0 open
				1 allow off -> allow-late`,
		},
		{
			Name: "after the first player has left it still may", Options: "side=on", From: from,
			Moves: `
				1 leave; 3 allow off; 2 stake 5
				3 allow on -> allow-late`,
		},
		{
			Name: "it holds on, and may be changed again in the next round", Options: "side=on",
			From: `
				bank 300
				  1: closed
				> 2: 9C 9D 9H
				table 2C 8D
				pack 7S 3S 5H 4S KH 2D 6S`,
			Moves: `
				2 stake 5
				2 allow off -> allow-late
				0 open; may 1: stake 5..305, allow on, leave; may 2: allow off, leave
				1 allow on`,
			Want: `
				bank 305
				> 1: 2D 4S 3S
				  2: KH 5H 7S
				pack 6S 9H 9D 9C 8D 2C
				chips -300 0 -5`,
		},
	})
}

// TestShow shows hands (RECORDS.md, Exactly 38).
func TestShow(t *testing.T) {
	position().Run(t, []play{{
		Name: "once, between stake and card", Options: "side=on",
		From: `
			bank 300
			> 1: 4S KH 2D
			  2: 9C 9D 9H
			  3: QC QD QH
			pack 7C 2S 6S`,
		Moves: `
			1 show -> show-no-stake
			1 stake 300
			2 show -> not-your-turn
			1 show
			events: 1 shown
			purses:
			1 show -> shown-already
			turn 0 2 3`,
	}})
}
