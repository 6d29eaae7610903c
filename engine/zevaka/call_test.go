package zevaka

import "testing"

// overlooked is a table at which the mover may keep a card that fits.
const overlooked = `
	> 0: 7D TH | 8S
	  1: 8H    | 9C
	  2: 7H    | AC`

// TestCalls plays penalty=call (RECORDS.md, Exactly 32).
func TestCalls(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "fix until the next player acts, claims from then on", Options: "penalty=call", From: overlooked,
			Moves: `
				0 flip; 0 keep; turn 1 0; may 0: fix; may 1: flip; may 2:
				1 take -> nothing-to-take
				1 yawn -> claim-too-early
				2 yawn -> claim-too-early
				1 centre -> centre-needs-low-spade
				turn 1 0
				1 flip; turn 1 2; may 1: keep, yawn; may 2: yawn; may 0:
				0 fix -> too-late-to-fix
				0 yawn -> own-mistake
				2 yawn
				events: 2 claimed-right 0, 0 could-put TH on 9C 1, 0 penalty n=2, 1 given 9C 0, 2 given AC 0
				turn 1
				1 yawn -> no-claim-now`,
			Want: `
				  0: 7D | 8S TH 9C AC
				> 1:    |
				  2: 7H |
				  flipped 8H`,
		},
		{
			Name: "a fix undoes the turn change", Options: "penalty=call", From: overlooked,
			Moves: `
				0 flip; 0 keep; 0 fix; turn 0
				1 flip -> not-your-turn
				0 keep -> must-place-fixed
				0 put 1`,
			Want: `
				> 0: 7D | 8S
				  1: 8H | 9C TH
				  2: 7H | AC`,
		},
		{
			Name: "without M1 there is nothing to fix", Options: "penalty=call", From: "> 0: 7D TH | 8S; 1: 8H | TC",
			Moves: `
				0 flip; 0 keep; turn 1
				0 fix -> nothing-to-fix`,
		},
	})
}

// TestClaimsEnd plays wrong claims and closing windows.
func TestClaimsEnd(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "a wrong claim moves no card and is used up", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 8H    | TC
				  2: 7H    | AC`,
			Moves: `
				0 flip; 0 keep; 1 flip; turn 1 2
				1 yawn
				events: 1 claimed-wrong 0
				1 yawn -> claimed-already
				turn 1 2
				2 yawn
				2 yawn -> claimed-already
				turn 1`,
			Want: `
				  0: 7D | 8S TH
				> 1:    | TC
				  2: 7H | AC
				  flipped 8H`,
		},
		{
			Name: "the window closes with the next player's turn", Options: "penalty=call", From: overlooked,
			Moves: `
				0 flip; 0 keep; 1 flip; 1 keep; turn 2
				0 yawn -> claim-too-early
				2 flip; turn 2 0
				0 yawn
				events: 0 claimed-wrong 1
				1 yawn -> own-mistake
				turn 2`,
		},
		{
			Name: "and does not open again by his own fix", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 7H KH | 9C
				  2: 8H    | QC`,
			Moves: `
				0 flip; 0 keep; 1 flip; turn 1 2
				1 keep; turn 2 1
				1 fix; turn 1
				2 yawn -> no-claim-now
				1 put 2; turn 1
				2 yawn -> no-claim-now`,
		},
		{
			Name: "M2 can be claimed and not fixed", Options: "penalty=call", From: "> 0: 7D KH | TS; 1: 8H | 9C",
			Moves: `
				0 flip; 0 keep; turn 1
				1 put 0 -> does-not-fit
				1 flip; 1 yawn
				events: 1 claimed-right 0, 0 could-put TS on 9C 1, 0 penalty n=1, 1 given 9C 0`,
		},
		{
			Name: "a first move without a flip opens the claims too", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 8H    | 8C JH
				  2: 7H    | 9C`,
			Moves: "0 flip; 0 keep; 1 put 0; turn 1 2",
		},
	})
}

// TestClaimsAndOut plays claims that cost the mover his cards, and who may not claim.
func TestClaimsAndOut(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "a mistake is its maker's alone", Options: "penalty=call",
			From: `
				> 0: 7D KH | TS
				  1: 8H    | 9C
				  2: 6H    | QC`,
			Moves: `
				0 flip; 0 keep; 1 flip; 1 keep; 2 flip; 0 yawn
				events: 0 claimed-wrong 1`,
		},
		{
			Name: "the mover who gives his last card is out and his turn ends", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 6S    | 9C
				  2: 7H    | AC
				  3: 7S    |`,
			Moves: `
				0 flip; 0 keep; 1 flip; 1 centre; turn 1 2 3
				3 yawn
				events: 3 claimed-right 0, 0 could-put TH on 9C 1, 0 penalty n=2, 1 given 9C 0, 2 given AC 0, 1 out n=1
				turn 2`,
			Want: `
				  0: 7D | 8S TH 9C AC
				  1: out
				> 2: 7H |
				  3: 7S |
				  centre 6S`,
		},
		{
			Name: "a flipped card counts as held", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 6H    | 9C
				  2: 7H    | AC`,
			Moves: `
				0 flip; 0 keep; 1 flip; 1 yawn; turn 1
				1 keep`,
			Want: `
				  0: 7D | 8S TH 9C AC
				  1:    | 6H
				> 2: 7H |`,
		},
		{
			Name: "the window closes when the mover goes out by playing", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1:       | JC
				  2: 7H    | 9C`,
			Moves: `
				0 flip; 0 keep; 1 put 0
				events: 1 put JC 0, 1 out n=1
				turn 2
				0 fix -> nothing-to-fix
				2 yawn -> no-claim-now`,
		},
		{
			Name: "who is out may not claim", Options: "penalty=call",
			From: `
				> 0: 7D TH | 8S
				  1: 8H    | 9C
				  2: out
				  3: 7H    | AC`,
			Moves: `
				0 flip; 0 keep; 1 flip; turn 1 3
				2 yawn -> you-are-out`,
		},
	})
}

// TestClaimsOnTheLastCard plays claims while the last card of the stock is pending: each is a move after which those
// who hold nothing go out.
func TestClaimsOnTheLastCard(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "a wrong claim lets go who holds nothing", Options: "penalty=call deal=stock",
			From: `
				> 0:
				  1:
				  2:
				  3: | 9D
				  centre 6H
				  stock  KS QC`,
			Moves: `
				0 flip; 0 keep; 1 flip; turn 1 2 3
				3 yawn
				events: 3 claimed-wrong 0, 2 out n=1
				turn 1`,
		},
		{
			Name: "a right one lets go from the first who gave", Options: "penalty=call deal=stock",
			From: `
				> 0:
				  1:
				  2:
				  3: | 9D
				  4:
				  centre 6H
				  stock  KS 7S`,
			Moves: `
				0 flip; 0 keep; 1 flip; 3 yawn
				events: 3 claimed-right 0, 0 could-centre 7S, 0 penalty n=1, 3 given 9D 0, 3 out n=1, 4 out n=2, 2 out n=3
				turn 1`,
		},
	})
}
