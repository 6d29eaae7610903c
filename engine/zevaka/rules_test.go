package zevaka

import "testing"

// TestExampleZ1 plays Z1 of RULES.md, section 11. Z7 and Z8 are with their variants.
func TestExampleZ1(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "Z1 a ten on a nine, the own jack on the ten, then a card that fits nowhere",
			From: "> 0: 7C QD TH | KC JS; 1: 8D | 9C",
			Moves: `
				0 flip; 0 put 1; 0 put 1
				0 put 1 -> does-not-fit
				0 flip; 0 put 1; 0 flip
				0 centre -> centre-needs-low-spade
				0 keep`,
			Want: `
				  0:    | KC 7C
				> 1: 8D | 9C TH JS QD`,
		},
		{
			Name: "Z1 exactly: the card under the jack fits nowhere, the next flip neither",
			From: "> 0: 7C TH | 8C JS; 1: 8D | 9C",
			Moves: `
				0 flip
				events: 0 flipped TH
				0 put 1
				events: 0 put TH 1
				0 put 1
				0 put 1 -> does-not-fit
				0 flip
				0 put 1 -> does-not-fit
				0 keep
				events: 0 kept 7C`,
			Want: `
				  0:    | 8C 7C
				> 1: 8D | 9C TH JS`,
		},
	})
}

// TestExampleZ2 plays Z2: what lies on what, on other players.
func TestExampleZ2(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "Z2 jack on ten, king on queen, six on ace, in any suit",
			From: `
				> 0: 7C | 9C 6H KD JD
				  1:    | TS
				  2:    | QC
				  3:    | AS`,
			Moves: `
				0 put 2 -> does-not-fit
				0 put 3 -> does-not-fit
				0 put 1; 0 put 2; 0 put 3`,
			Want: `
				> 0: 7C | 9C
				  1:    | TS JD
				  2:    | QC KD
				  3:    | AS 6H`,
		},
		{
			Name: "Z2 with 52 cards the two lies on the ace, and the six doesn't", Options: "pack=52",
			From: `
				> 0: 7C | 9C 2D 6H
				  1: 8C | AS
				  2: 8H | 5D`,
			Moves: `
				0 put 1 -> does-not-fit
				0 put 2; 0 put 1`,
			Want: `
				> 0: 7C | 9C
				  1: 8C | AS 2D
				  2: 8H | 5D 6H`,
		},
	})
}

// TestExampleZ3 plays Z3: how the centre grows.
func TestExampleZ3(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "Z3 the six of spades begins the centre, the seven follows in suit", From: "> 0: 9C 7H 6S 7S 6H |; 1: TC | TH",
			Moves: `
				0 flip
				0 centre -> centre-needs-low-spade
				0 keep; 1 flip; 1 keep; 0 flip
				0 centre -> centre-needs-low-spade
				0 keep; 1 flip; 1 keep; 0 flip; 0 centre; 0 centre; 0 flip
				0 centre -> does-not-fit-centre`,
			Want: `
				> 0: 9C | 6H
				  1: TC | TH
				  centre 6S 7S
				  flipped 7H`,
		},
		{
			Name: "Z3 on the ace any six, then only that suit",
			From: `
				> 0: 9C 7S 7D 6D | TD
				  1: TC | TH
				  centre 6S 7S 8S 9S TS JS QS KS AS`,
			Moves: `
				0 flip; 0 centre; 0 flip; 0 centre; 0 flip
				0 centre -> does-not-fit-centre`,
			Want: `
				> 0: 9C | TD
				  1: TC | TH
				  centre 6S 7S 8S 9S TS JS QS KS AS 6D 7D
				  flipped 7S`,
		},
	})
}

// TestExamplesZ4ToZ6 plays Z4 to Z6: flipped card before own top, own top first, and the turning over.
func TestExamplesZ4ToZ6(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "Z4 while a flipped card waits, the own top may not be played",
			From: `
				> 0: 7C TS | JH
				  1: 9C    | 9D
				  2: 9H    | TC`,
			Moves: `
				0 flip
				0 put 2 -> does-not-fit
				0 flip -> place-flipped-first
				may 0: put 1, keep
				0 put 1; may 0: flip, put 1, put 2
				0 put 2`,
			Want: `
				> 0: 7C |
				  1: 9C | 9D TS
				  2: 9H | TC JH`,
		},
		{
			Name: "Z5 a turn may begin with the own top", From: "> 0: 7C | JH; 1: 9C | TD",
			Moves: "0 put 1",
			Want: `
				> 0: 7C |
				  1: 9C | TD JH`,
		},
		{
			Name: "Z6 the open pile is turned over, its oldest card is flipped", From: "> 0: | 9C KD 7H; 1: JC | QC",
			Moves: `
				0 flip
				events: 0 turned n=3, 0 flipped 9C`,
			Want: `
				> 0: 7H KD |
				  1: JC    | QC
				  flipped 9C`,
		},
	})
}

// TestAmbiguities plays the table of RULES.md 1.2.
func TestAmbiguities(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "the own open pile is no target, even if the card fits", From: "> 0: 7C TH | 9C; 1: JC | KC",
			Moves: `
				0 keep -> keep-needs-flipped
				0 flip
				0 put 0 -> own-pile
				0 keep`,
			Want: `
				  0: 7C | 9C TH
				> 1: JC | KC`,
		},
		{
			Name: "a card that fits may be kept", From: "> 0: 7C 6S | 9C; 1: JC | AC",
			Moves: `
				0 flip; may 0: put 1, centre, keep
				0 keep; turn 1`,
			Want: `
				  0: 7C | 9C 6S
				> 1: JC | AC`,
		},
		{
			Name: "nothing lies on an empty open pile", From: "> 0: 7C 9H | TC; 1: JC |",
			Moves: `
				0 put 1 -> empty-pile
				0 flip
				0 put 1 -> empty-pile
				may 0: keep`,
		},
		{
			Name: "one suit is built at a time",
			From: `
				> 0: 7C 6H | 9C
				  1: JC    | TC
				  centre 6S 7S`,
			Moves: `
				0 flip
				0 centre -> does-not-fit-centre`,
		},
	})
}

// TestTurningOver plays the rows about the open pile as the next closed one.
func TestTurningOver(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "the open pile is turned over only when a flip needs it: until then its top is a target",
			From: "> 0: 8H | 9C; 1: TH | JD",
			Moves: `
				0 flip; 0 keep; 1 flip
				1 put 0 -> does-not-fit
				1 keep; 0 flip
				events: 0 turned n=2, 0 flipped 9C`,
			Want: `
				> 0: 8H |
				  1:    | JD TH
				  flipped 9C`,
		},
		{
			Name: "turning over repeats as often as needed, within one turn too",
			From: `
				> 0:    | TD
				  1: 8C | 9H
				  2: 8D | 9S`,
			Moves: `
				0 flip
				events: 0 turned n=1, 0 flipped TD
				0 keep; 1 flip; 1 keep; 2 flip; 2 keep; 0 flip
				events: 0 turned n=1, 0 flipped TD`,
		},
		{
			Name: "an own top with nothing to play on it", From: "> 0: 8H |; 1: TH | JD",
			Moves: `
				0 put 1 -> no-card-to-play
				0 centre -> no-card-to-play
				0 fix -> nothing-to-fix
				0 take -> nothing-to-take
				0 yawn -> no-claim-now
				1 flip -> not-your-turn
				0 put 2 -> no-such-seat
				0 put 0 -> own-pile`,
		},
	})
}

// TestOut plays RULES.md 1.1, "End", and RECORDS.md, Exactly 28 and 29, in hands deals.
func TestOut(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "the first without cards wins, the last with cards is the gaper",
			From: `
				> 0:    | TH
				  1: 8H | 9C
				  2: 8C | 9D`,
			Moves: `
				0 put 1
				events: 0 put TH 1, 0 out n=1
				turn 1
				2 flip -> not-your-turn
				0 flip -> you-are-out
				1 flip; 1 keep; 2 flip
				2 put 0 -> seat-out
				2 put 1 -> does-not-fit
				2 keep; turn 1`,
			Want: `
				  0: out
				> 1:    | 9C TH 8H
				  2:    | 9D 8C`,
		},
		{
			Name: "two players: the deal is over with the first out", From: "> 0: TH |; 1: 8H | 9C",
			Moves: `
				0 flip; turn 0
				0 put 1
				events: 0 put TH 1, 0 out n=1, 1 over
				1 flip -> deal-over`,
			Want: `
				0: out
				1: 8H | 9C TH
				over 0 1`,
		},
	})
}

// TestEndFirst plays end=first.
func TestEndFirst(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "end=first places the others by the cards they hold", Options: "end=first",
			From: `
				> 0:       | TH
				  1: 8H    | 9C
				  2: 8C 7C | 9D
				  3: 8D    | 9H`,
			Moves: "0 put 3",
			Want: `
				0: out
				1: 8H    | 9C
				2: 8C 7C | 9D
				3: 8D    | 9H TH
				over 0 1 2=3`,
		},
		{
			Name: "end=first with a tie for the best place left", Options: "end=first",
			From: `
				> 0:       | 6S
				  1: 8H    | 9C
				  2: 8C 7C | 9D
				  3: 8D    | 9H`,
			Moves: `
				0 centre
				events: 0 centre 6S, 0 out n=1, 2 over`,
			Want: `
				0: out
				1: 8H    | 9C
				2: 8C 7C | 9D
				3: 8D    | 9H
				centre 6S
				over 0 1=3 2`,
		},
	})
}
