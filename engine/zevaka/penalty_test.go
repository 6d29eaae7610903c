package zevaka

import "testing"

// TestMisses asks what counts as a mistake (RULES.md 1.3, "Penalty, precise"; RECORDS.md, Exactly 30).
func TestMisses(t *testing.T) {
	runAll(t, []play{
		{
			name:    "Z8 of four players one misses: the others' tops go to him in seat order",
			options: "penalty=auto",
			from: `
				  0: 7C    | KC
				> 1: 7D TH | 8S
				  2: 8H    | 9C
				  3: 7H    | AC`,
			moves: `
				1 flip
				1 keep
				events: 1 kept TH, 1 missed 2
				turn 2 1
				2 take
				events: 1 penalty n=3, 2 given 9C 1, 3 given AC 1, 0 given KC 1
				turn 2`,
			want: `
				  0: 7C |
				  1: 7D | 8S TH 9C AC KC
				> 2: 8H |
				  3: 7H |`,
		},
		{
			name:    "Z8 put right before the next player acts: no penalty",
			options: "penalty=auto",
			from: `
				> 0: 7D TH | 8S
				  1: 8H    | 9C`,
			moves: `
				0 flip
				0 keep
				0 fix
				events: 0 fixed TH
				turn 0
				may 0: put 1
				0 keep -> must-place-fixed
				0 flip -> place-flipped-first
				0 put 1
				0 flip
				0 keep
				turn 1`,
			want: `
				  0:    | 8S 7D
				> 1: 8H | 9C TH`,
		},
		{
			name:    "a card that fits nowhere is no mistake: no window",
			options: "penalty=auto",
			from: `
				> 0: 7D TH | 8S
				  1: 8H    | TC`,
			moves: `
				0 flip
				0 keep
				turn 1
				1 take -> nothing-to-take
				0 fix -> nothing-to-fix`,
		},
		{
			name:    "flipping while the own top fits is a mistake that can't be taken back (M2)",
			options: "penalty=auto",
			from: `
				> 0: 7D KH | TS
				  1: 8H    | 9C`,
			moves: `
				0 flip
				0 keep
				turn 1
				may 1: take
				0 fix -> nothing-to-fix
				1 take`,
			want: `
				  0: 7D | TS KH 9C
				> 1: 8H |`,
		},
	})
}

// TestMissOfOwnTop plays what makes good a flip past an own top that fitted.
func TestMissOfOwnTop(t *testing.T) {
	runAll(t, []play{
		{
			name:    "M2 is wiped when that card is played later in the turn",
			options: "penalty=auto",
			from: `
				> 0: 7D AH | TS
				  1: 8H    | KC
				  2: 8D    | 9C`,
			moves: `
				0 flip
				0 put 1
				0 put 2
				0 flip
				0 keep
				turn 1`,
		},
		{
			name:    "M2 is wiped when that card is turned over, flipped and played",
			options: "penalty=auto",
			from: `
				> 0: KH | 8C TS
				  1: 8H | QC
				  2: 8D | 9C`,
			moves: `
				0 flip
				0 put 1
				0 put 2
				0 flip
				0 keep
				turn 1`,
		},
		{
			name:    "M2 of a card placed on nothing else stays though another card is placed",
			options: "penalty=auto",
			from: `
				> 0: 7D AH | TS
				  1: 8H    | KC
				  2: 8D    | 9C`,
			moves: `
				0 flip
				0 put 1
				0 flip
				0 keep
				events: 0 kept 7D, 0 missed 1
				turn 1`,
		},
	})
}

// TestSmallPenalties plays penalties of one card and of none.
func TestSmallPenalties(t *testing.T) {
	runAll(t, []play{
		{
			name:    "several misses, one penalty",
			options: "penalty=auto",
			from: `
				> 0: 7D TH | TS
				  1: 8H    | 9C`,
			moves: `
				0 flip
				0 keep
				1 take
				events: 0 penalty n=1, 1 given 9C 0`,
		},
		{
			name:    "the window opens also when nobody has a card to give",
			options: "penalty=auto",
			from: `
				> 0: 7D 6S | TS
				  1: 8H    |`,
			moves: `
				0 flip
				0 keep
				turn 1 0
				1 take
				events: 0 penalty
				turn 1`,
		},
		{
			name:    "laying on others does not count where it is forbidden",
			options: "penalty=auto deal=stock others=off",
			from: `
				> 0: | KH
				  1: | QC
				  centre 8H
				  stock  7C KD`,
			moves: `
				0 flip
				0 keep
				turn 1`,
		},
	})
}

// TestAutoWindow plays the window of penalty=auto (RECORDS.md, Exactly 30 and 31).
func TestAutoWindow(t *testing.T) {
	paid := `
		  0: 7D | 8S TH 9C AC
		> 1: 8H |
		  2: 7H |`
	runAll(t, []play{
		{
			name: "only fix and take are legal", options: "penalty=auto", from: overlooked,
			moves: `
				0 flip
				0 keep
				turn 1 0
				may 0: fix
				may 1: take
				may 2:
				2 flip -> not-your-turn
				2 take -> not-your-turn
				0 flip -> not-your-turn
				0 take -> not-your-turn
				1 fix -> nothing-to-fix
				1 yawn -> no-claim-now
				1 take
				0 fix -> nothing-to-fix`,
			want: paid,
		},
		{name: "flip is a take", options: "penalty=auto", from: overlooked, moves: "0 flip\n0 keep\n1 flip = take", want: paid},
		{name: "centre is a take", options: "penalty=auto", from: overlooked, moves: "0 flip\n0 keep\n1 centre = take", want: paid},
		{name: "keep is a take", options: "penalty=auto", from: overlooked, moves: "0 flip\n0 keep\n1 keep = take", want: paid},
		{name: "put is a take", options: "penalty=auto", from: overlooked, moves: "0 flip\n0 keep\n1 put 2 = take", want: paid},
		{
			name: "what is no button is no take", options: "penalty=auto", from: overlooked,
			moves: `
				0 flip
				0 keep
				1 put 1 -> own-pile
				1 put 3 -> no-such-seat`,
		},
	})
}

// TestAfterFix plays what stays after a fix (RECORDS.md, Exactly 31).
func TestAfterFix(t *testing.T) {
	runAll(t, []play{
		{
			name: "M2 of the turn stays after a fix", options: "penalty=auto",
			from: `
				> 0: 7D TH | TS
				  1: 8H    | 9C
				  2: 7H    | KC`,
			moves: `
				0 flip
				0 keep
				0 fix
				0 put 1
				0 flip
				0 keep
				events: 0 kept 7D, 0 missed 1
				1 take`,
			want: `
				  0:    | TS 7D TH KC
				> 1: 8H | 9C
				  2: 7H |`,
		},
		{
			name: "with penalty=call too: it may be claimed when the turn has ended for good", options: "penalty=call",
			from: `
				> 0: 7D TH | TS
				  1: 8H    | 9C
				  2: 7H    | KC`,
			moves: `
				0 flip
				0 keep
				0 fix
				0 put 1
				0 flip
				0 keep
				0 fix -> nothing-to-fix
				1 flip
				2 yawn
				events: 2 claimed-right 0, 0 penalty n=2, 1 given TH 0, 2 given KC 0`,
		},
		{
			name: "a giver without cards goes out; if it was the next player, the one after him moves", options: "penalty=auto",
			from: `
				> 0: 7D TH | 8S
				  1:       | 9C
				  2: 7H    | AC
				  3:       | QC`,
			moves: `
				0 flip
				0 keep
				1 take
				events: 0 penalty n=3, 1 given 9C 0, 2 given AC 0, 3 given QC 0, 1 out n=1, 3 out n=2
				turn 2`,
			want: `
				  0: 7D | 8S TH 9C AC QC
				  1: out
				> 2: 7H |
				  3: out`,
		},
		{
			name: "givers going out may end the deal", options: "penalty=auto",
			from: `
				> 0: 7D TH | 8S
				  1:       | 9C
				  2:       | AC`,
			moves: `
				0 flip
				0 keep
				1 take`,
			want: `
				0: 7D | 8S TH 9C AC
				1: out
				2: out
				over 1 2 0`,
		},
		{
			name: "seats that went out at the keep stay out after a fix", options: "penalty=auto deal=stock",
			from: `
				> 0: | 8S
				  1: |
				  2: | AC
				  centre 9H
				  stock  TD`,
			moves: `
				0 flip
				0 keep
				events: 0 kept TD, 1 out n=1, 0 missed 2
				turn 2 0
				0 fix
				0 centre
				turn 0`,
			want: `
				> 0: | 8S
				  1: out
				  2: | AC
				  centre 9H TD`,
		},
	})
}
