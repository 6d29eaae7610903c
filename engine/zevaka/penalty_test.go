package zevaka

import "testing"

// TestMisses asks what counts as a mistake (RULES.md 1.3, "Penalty, precise"; RECORDS.md, Exactly 30).
func TestMisses(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "Z8 of four players one misses: the others' tops go to him in seat order", Options: "penalty=auto",
			From: `
				  0: 7C    | KC
				> 1: 7D TH | 8S
				  2: 8H    | 9C
				  3: 7H    | AC`,
			Moves: `
				1 flip; 1 keep
				events: 1 kept TH, 1 missed 2
				turn 2 1
				2 take
				events: 1 could-put TH on 9C 2, 1 penalty n=3, 2 given 9C 1, 3 given AC 1, 0 given KC 1
				turn 2`,
			Want: `
				  0: 7C |
				  1: 7D | 8S TH 9C AC KC
				> 2: 8H |
				  3: 7H |`,
		},
		{
			Name: "Z8 put right before the next player acts: no penalty", Options: "penalty=auto",
			From: "> 0: 7D TH | 8S; 1: 8H | 9C",
			Moves: `
				0 flip; 0 keep; 0 fix
				events: 0 fixed TH
				turn 0; may 0: put 1
				0 keep -> must-place-fixed
				0 flip -> place-flipped-first
				0 put 1; 0 flip; 0 keep; turn 1`,
			Want: `
				  0:    | 8S 7D
				> 1: 8H | 9C TH`,
		},
		{
			Name: "a card that fits nowhere is no mistake: no window", Options: "penalty=auto",
			From: "> 0: 7D TH | 8S; 1: 8H | TC",
			Moves: `
				0 flip; 0 keep; turn 1
				1 take -> nothing-to-take
				0 fix -> nothing-to-fix`,
		},
		{
			Name: "flipping while the own top fits is a mistake that can't be taken back (M2)", Options: "penalty=auto",
			From: "> 0: 7D KH | TS; 1: 8H | 9C",
			Moves: `
				0 flip; 0 keep; turn 1; may 1: take
				0 fix -> nothing-to-fix
				1 take`,
			Want: `
				  0: 7D | TS KH 9C
				> 1: 8H |`,
		},
	})
}

// TestMissOfOwnTop plays what makes good a flip past an own top that fitted.
func TestMissOfOwnTop(t *testing.T) {
	const from = "> 0: 7D AH | TS; 1: 8H | KC; 2: 8D | 9C"
	position().Run(t, []play{
		{
			Name: "M2 is wiped when that card is played later in the turn", Options: "penalty=auto",
			From:  from,
			Moves: "0 flip; 0 put 1; 0 put 2; 0 flip; 0 keep; turn 1",
		},
		{
			Name: "M2 is wiped when that card is turned over, flipped and played", Options: "penalty=auto",
			From: `
				> 0: KH | 8C TS
				  1: 8H | QC
				  2: 8D | 9C`,
			Moves: "0 flip; 0 put 1; 0 put 2; 0 flip; 0 keep; turn 1",
		},
		{
			Name: "M2 of a card placed on nothing else stays though another card is placed", Options: "penalty=auto",
			From: from,
			Moves: `
				0 flip; 0 put 1; 0 flip; 0 keep
				events: 0 kept 7D, 0 missed 1
				turn 1`,
		},
	})
}

// TestSmallPenalties plays penalties of one card and of none.
func TestSmallPenalties(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "several misses, one penalty", Options: "penalty=auto", From: "> 0: 7D TH | TS; 1: 8H | 9C",
			Moves: `
				0 flip; 0 keep; 1 take
				events: 0 could-put TS on 9C 1, 0 could-put TH on 9C 1, 0 penalty n=1, 1 given 9C 0`,
		},
		{
			Name: "the window opens also when nobody has a card to give", Options: "penalty=auto",
			From: "> 0: 7D 6S | TS; 1: 8H |",
			Moves: `
				0 flip; 0 keep; turn 1 0
				1 take
				events: 0 could-centre 6S, 0 penalty
				turn 1`,
		},
		{
			Name: "laying on others does not count where it is forbidden", Options: "penalty=auto deal=stock others=off",
			From: `
				> 0: | KH
				  1: | QC
				  centre 8H
				  stock  7C KD`,
			Moves: "0 flip; 0 keep; turn 1",
		},
	})
}

// TestAutoWindow plays the window of penalty=auto (RECORDS.md, Exactly 30 and 31).
func TestAutoWindow(t *testing.T) {
	paid := `
		  0: 7D | 8S TH 9C AC
		> 1: 8H |
		  2: 7H |`
	position().Run(t, []play{
		{
			Name: "only fix and take are legal", Options: "penalty=auto", From: overlooked,
			Moves: `
				0 flip; 0 keep; turn 1 0; may 0: fix; may 1: take; may 2:
				2 flip -> not-your-turn
				2 take -> not-your-turn
				0 flip -> not-your-turn
				0 take -> not-your-turn
				1 fix -> nothing-to-fix
				1 yawn -> no-claim-now
				1 take
				0 fix -> nothing-to-fix`,
			Want: paid,
		},
		{Name: "flip is a take", Options: "penalty=auto", From: overlooked, Moves: "0 flip; 0 keep; 1 flip = take", Want: paid},
		{Name: "centre is a take", Options: "penalty=auto", From: overlooked, Moves: "0 flip; 0 keep; 1 centre = take", Want: paid},
		{Name: "keep is a take", Options: "penalty=auto", From: overlooked, Moves: "0 flip; 0 keep; 1 keep = take", Want: paid},
		{Name: "put is a take", Options: "penalty=auto", From: overlooked, Moves: "0 flip; 0 keep; 1 put 2 = take", Want: paid},
		{
			Name: "what is no button is no take", Options: "penalty=auto", From: overlooked,
			Moves: `
				0 flip; 0 keep
				1 put 1 -> own-pile
				1 put 3 -> no-such-seat`,
		},
	})
}

// TestAfterFix plays what stays after a fix (RECORDS.md, Exactly 31).
func TestAfterFix(t *testing.T) {
	const from = "> 0: 7D TH | TS; 1: 8H | 9C; 2: 7H | KC"
	position().Run(t, []play{
		{
			Name: "M2 of the turn stays after a fix", Options: "penalty=auto",
			From: from,
			Moves: `
				0 flip; 0 keep; 0 fix; 0 put 1; 0 flip; 0 keep
				events: 0 kept 7D, 0 missed 1
				1 take`,
			Want: `
				  0:    | TS 7D TH KC
				> 1: 8H | 9C
				  2: 7H |`,
		},
		{
			Name: "with penalty=call too: it may be claimed when the turn has ended for good", Options: "penalty=call",
			From: from,
			Moves: `
				0 flip; 0 keep; 0 fix; 0 put 1; 0 flip; 0 keep
				0 fix -> nothing-to-fix
				1 flip; 2 yawn
				events: 2 claimed-right 0, 0 could-put TS on 9C 1, 0 penalty n=2, 1 given TH 0, 2 given KC 0`,
		},
		{
			Name: "a giver without cards goes out; if it was the next player, the one after him moves", Options: "penalty=auto",
			From: `
				> 0: 7D TH | 8S
				  1:       | 9C
				  2: 7H    | AC
				  3:       | QC`,
			Moves: `
				0 flip; 0 keep; 1 take
				events: 0 could-put TH on 9C 1, 0 penalty n=3, 1 given 9C 0, 2 given AC 0, 3 given QC 0, 1 out n=1, 3 out n=2
				turn 2`,
			Want: `
				  0: 7D | 8S TH 9C AC QC
				  1: out
				> 2: 7H |
				  3: out`,
		},
		{
			Name: "givers going out may end the deal", Options: "penalty=auto",
			From: `
				> 0: 7D TH | 8S
				  1:       | 9C
				  2:       | AC`,
			Moves: "0 flip; 0 keep; 1 take",
			Want: `
				0: 7D | 8S TH 9C AC
				1: out
				2: out
				over 1 2 0`,
		},
		{
			Name: "seats that went out at the keep stay out after a fix", Options: "penalty=auto deal=stock",
			From: `
				> 0: | 8S
				  1: |
				  2: | AC
				  centre 9H
				  stock  TD`,
			Moves: `
				0 flip; 0 keep
				events: 0 kept TD, 1 out n=1, 0 missed 2
				turn 2 0
				0 fix; 0 centre; turn 0`,
			Want: `
				> 0: | 8S
				  1: out
				  2: | AC
				  centre 9H TD`,
		},
	})
}
