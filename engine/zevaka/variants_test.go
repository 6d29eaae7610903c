package zevaka

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestStockDeal plays 21.б (RULES.md 1.3, V_B; RECORDS.md, Exactly 27 and 28).
func TestStockDeal(t *testing.T) {
	position().Run(t, []play{
		{
			Name:    "Z7 the next rank goes to the centre in any suit and one draws again, else one keeps",
			Options: "deal=stock",
			From: `
				> 0:
				  1:
				  centre TH
				  stock  8S AC 9D KS QD JC`,
			Moves: `
				may 0: flip
				0 flip; 0 centre; 0 flip; 0 centre; 0 flip; may 0: centre, keep
				0 keep; 1 flip
				1 put 0 -> does-not-fit
				1 keep; turn 0`,
			Want: `
				> 0: | KS
				  1: | 9D
				  centre TH JC QD
				  stock  8S AC`,
		},
		{
			Name: "the drawn card on another player, then the own top, both in the first phase", Options: "deal=stock",
			From: `
				> 0: | JS
				  1: | 9C
				  centre 6H
				  stock  8S TH`,
			Moves: `
				0 flip; 0 put 1; may 0: flip, put 1
				0 put 1`,
			Want: `
				> 0: |
				  1: | 9C TH JS
				  centre 6H
				  stock  8S`,
		},
		{
			Name: "the centre goes round from the ace to the lowest", Options: "deal=stock",
			From: `
				> 0:
				  1:
				  centre AH
				  stock  8S 6D`,
			Moves: "0 flip; 0 centre",
			Want: `
				> 0: |
				  1: |
				  centre AH 6D
				  stock  8S`,
		},
	})
}

// TestStockUsedUp plays who goes out, and when, as the stock is used up.
func TestStockUsedUp(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "who holds nothing while the stock lasts is not out", Options: "deal=stock",
			From: `
				> 0: | JS
				  1: | TC
				  centre 6H
				  stock  8S 9D`,
			Moves: `
				0 put 1; turn 0
				0 flip; 0 keep; turn 1`,
		},
		{
			Name: "with the stock used up several go out at once, in turn order from the mover", Options: "deal=stock",
			From: `
				  0:
				  1: | 8D
				> 2: |
				  3: | 9D
				  centre 6H
				  stock  7S`,
			Moves: `
				2 flip; turn 2
				2 centre
				events: 2 centre 7S, 2 out n=1, 0 out n=2
				turn 3`,
			Want: `
				  0: out
				  1: | 8D
				  2: out
				> 3: | 9D
				  centre 6H 7S`,
		},
		{
			Name: "everybody may be out at once", Options: "deal=stock",
			From: `
				  0:
				> 1:
				  2:
				  centre 6H
				  stock  7S`,
			Moves: `
				1 flip; 1 centre
				events: 1 centre 7S, 1 out n=1, 2 out n=2, 0 out n=3, 0 over`,
			Want: `
				0: out
				1: out
				2: out
				centre 6H 7S
				over 1 2 0`,
		},
		{
			Name: "the keep of the last card lets others out; the keeper stays", Options: "deal=stock",
			From: `
				  0:
				> 1:
				  2: | 9D
				  centre 6H
				  stock  8S`,
			Moves: `
				1 flip; 1 keep
				events: 1 kept 8S, 0 out n=1
				turn 2`,
		},
		{
			Name: "the turn goes on when the stock runs out: then closed piles are played", Options: "deal=stock",
			From: `
				> 0: | TS 9C
				  1: | 8D
				  centre 6H
				  stock  7S`,
			Moves: `
				0 flip; 0 centre; 0 put 1; 0 flip
				events: 0 turned n=1, 0 flipped TS`,
			Want: `
				> 0: |
				  1: | 8D 9C
				  centre  6H 7S
				  flipped TS`,
		},
	})
}

// TestOthersOff forbids laying on other players while the stock lasts (RECORDS.md, Exactly 27).
func TestOthersOff(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "neither the drawn card nor the own top; the centre is free to both", Options: "deal=stock others=off",
			From: `
				> 0: | 7D JS
				  1: | TC
				  centre TH
				  stock  8S JD`,
			Moves: `
				0 put 1 -> others-off
				0 centre
				0 put 1 -> others-off
				0 flip
				0 put 1 -> others-off
				may 0: keep`,
		},
		{
			Name: "the last drawn card still belongs to the first phase, the next doesn't", Options: "deal=stock others=off",
			From: `
				> 0: | 9D JS
				  1: | TC
				  centre TH
				  stock  JD`,
			Moves: `
				0 flip
				0 put 1 -> others-off
				may 0: centre, keep
				0 centre; may 0: flip, put 1
				0 put 1`,
			Want: `
				> 0: | 9D
				  1: | TC JS
				  centre TH JD`,
		},
		{
			Name: "a card flipped from a closed pile may go anywhere", Options: "deal=stock others=off",
			From: `
				> 0: JS | 9D
				  1:    | TC
				  centre TH`,
			Moves: `
				0 flip; may 0: put 1, centre, keep
				0 put 1`,
		},
		{
			Name:    "after a fix the last drawn card belongs to the first phase again",
			Options: "deal=stock others=off penalty=auto",
			From: `
				> 0: | 9D
				  1: | TC
				  centre TH
				  stock  JD`,
			Moves: `
				0 flip; 0 keep; 0 fix
				0 put 1 -> others-off
				may 0: centre`,
		},
		{Name: "a hands deal has no such phase", Options: "others=off", From: "> 0: 7D | JS; 1: | TC", Moves: "0 put 1"},
	})
}

// TestRankCentre plays without suits (RULES.md 1.3, V_NOSUIT).
func TestRankCentre(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "the lowest spade begins, then any suit, round from the ace", Options: "centre=rank",
			From: "> 0: 9C 6D AH 8H 7D 6S 6H |; 1: TC | TH",
			Moves: `
				0 flip
				0 centre -> centre-needs-low-spade
				0 keep; 1 flip; 1 keep; 0 flip; 0 centre; 0 flip; 0 centre; 0 flip; 0 centre
				0 flip
				0 centre -> does-not-fit-centre`,
			Want: `
				> 0: 9C 6D | 6H
				  1: | TH TC
				  centre 6S 7D 8H
				  flipped AH`,
		},
		{
			Name: "from the ace to the lowest of any suit, the same suit too", Options: "centre=rank",
			From: `
				> 0: 9C 6C |
				  1: TC    | TH
				  centre KD AC`,
			Moves: "0 flip; 0 centre",
			Want: `
				> 0: 9C |
				  1: TC | TH
				  centre KD AC 6C`,
		},
	})
}

// TestOpenOff forbids the top of the own open pile everywhere (RECORDS.md, Exactly 27).
func TestOpenOff(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "neither to the centre nor to others, but the flipped card may go", Options: "open=off",
			From: `
				> 0: 7D JS | 6S
				  1: TD    | TC
				  2: TS    | AC`,
			Moves: `
				0 centre -> open-off
				0 put 2 -> open-off
				may 0: flip
				0 flip; 0 put 1; may 0: flip`,
		},
		{
			Name: "a top that fits is no mistake where it may not be played", Options: "open=off penalty=auto",
			From: "> 0: 7D | 6S; 1: TD | TC",
			Moves: `
				0 flip; 0 keep
				events: 0 kept 7D
				turn 1`,
		},
	})
}

// TestOpenLater plays the first phase of 21.б as the source tells it: the drawn card alone is laid, and open piles are
// played once the stock is used up.
func TestOpenLater(t *testing.T) {
	position().Run(t, []play{
		{
			Name:    "while the stock lasts the own top goes neither to the centre nor to others",
			Options: "deal=stock open=later",
			From: `
				> 0: | JS
				  1: | TC
				  centre TH
				  stock  8S 9D`,
			Moves: `
				0 centre -> open-later
				0 put 1 -> open-later
				may 0: flip
				0 flip; may 0: keep
				0 keep; turn 1`,
		},
		{
			Name:    "the drawn card goes wherever it fits, and the top stays even when it fits on that card",
			Options: "deal=stock open=later",
			From: `
				> 0: | JS
				  1: | 9C
				  centre 6H
				  stock  8S TH`,
			Moves: `
				0 flip; may 0: put 1, keep
				0 put 1
				0 put 1 -> open-later
				may 0: flip`,
			Want: `
				> 0: | JS
				  1: | 9C TH
				  centre 6H
				  stock  8S`,
		},
		{
			Name:    "once the last drawn card is placed the turn goes on as in 21.а, with the own top too",
			Options: "deal=stock open=later",
			From: `
				> 0: | 9D JS
				  1: | TC
				  centre TH
				  stock  JD`,
			Moves: `
				0 flip; 0 centre; may 0: flip, put 1
				0 put 1; 0 flip
				events: 0 turned n=1, 0 flipped 9D`,
		},
		{
			Name:    "the next player may begin with his top when the last drawn card was kept",
			Options: "deal=stock open=later",
			From: `
				> 0: | 8C
				  1: | 9D JS
				  centre TH
				  stock  6D`,
			Moves: `
				0 flip; 0 keep; may 1: flip, centre
				1 centre`,
			Want: `
				  0: | 8C 6D
				> 1: | 9D
				  centre TH JS`,
		},
		{
			Name: "a top that fits is no mistake while it may not be played", Options: "deal=stock open=later penalty=auto",
			From: `
				> 0: | JS
				  1: | TC
				  centre TH
				  stock  9S 8S`,
			Moves: `
				0 flip; 0 keep
				events: 0 kept 8S
				turn 1`,
		},
		{
			Name: "but it is one in the second phase", Options: "deal=stock open=later penalty=auto",
			From: `
				> 0: 8S | JS
				  1:    | TC
				  centre TH`,
			Moves: `
				0 flip; 0 keep
				events: 0 kept 8S, 0 missed 1
				may 1: take`,
		},
		{Name: "a hands deal has no such phase", Options: "open=later", From: "> 0: 7D | JS; 1: | TC", Moves: "0 put 1"},
	})
}

// TestFreeCentre plays 21.в with no rule of suits at all: any lowest card begins the centre.
func TestFreeCentre(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "any six begins, then any suit, round from the ace", Options: "centre=free",
			From: "> 0: 9C 6C AH 8H 7D 6D 7S |; 1: TC | TH",
			Moves: `
				0 flip; may 0: keep
				0 centre -> centre-needs-low
				0 keep; 1 flip; 1 keep; 0 flip; may 0: centre, keep
				0 centre; 0 flip; 0 centre; 0 flip; 0 centre; 0 flip
				0 centre -> does-not-fit-centre`,
			Want: `
				> 0: 9C 6C | 7S
				  1: | TH TC
				  centre 6D 7D 8H
				  flipped AH`,
		},
		{
			Name: "from the ace to the lowest of any suit", Options: "centre=free",
			From: `
				> 0: 9C 6H | 7S
				  1: TC    | TH
				  centre KD AC`,
			Moves: "0 flip; 0 centre; 0 centre",
			Want: `
				> 0: 9C |
				  1: TC | TH
				  centre KD AC 6H 7S`,
		},
		{
			Name:    "a two begins with the pack of 52, and keeping one is a mistake",
			Options: "centre=free pack=52 penalty=auto",
			From:    "> 0: 9C 2H |; 1: TC | TH",
			Moves: `
				0 flip; may 0: centre, keep
				0 keep
				events: 0 kept 2H, 0 missed 1
				0 fix; 0 centre`,
			Want: `
				> 0: 9C |
				  1: TC | TH
				  centre 2H`,
		},
		{
			Name: "in a stock deal the first card of the pack begins all the same", Options: "centre=free deal=stock",
			From: `
				> 0:
				  1:
				  centre TH
				  stock  6S JS`,
			Moves: "0 flip; 0 centre; 0 flip; may 0: keep",
		},
	})
}

// TestDeal deals the cards one by one from seat 0, the last dealt on top (RULES.md 1.1; RECORDS.md, Exactly 7).
func TestDeal(t *testing.T) {
	for _, test := range []struct {
		seats         int
		options, want string
	}{
		{5, "", `
			> 0: 6S JS 7C QC 8D KD 9H AH |
			  1: 7S QS 8C KC 9D AD TH    |
			  2: 8S KS 9C AC TD 6H JH    |
			  3: 9S AS TC 6D JD 7H QH    |
			  4: TS 6C JC 7D QD 8H KH    |`},
		{2, "deal=stock", `
			> 0: |
			  1: |
			  centre 6S
			  stock AH KH QH JH TH 9H 8H 7H 6H AD KD QD JD TD 9D 8D 7D 6D AC KC QC JC TC 9C 8C 7C 6C AS KS QS JS TS 9S 8S 7S`},
	} {
		setup := engine.Setup{Seats: test.seats, Options: enginetest.Options(t, Rules{}, test.options)}
		st := enginetest.Deal(t, Rules{}, setup, enginetest.Unshuffled{})
		if got, want := draw(st.(*state)), enginetest.Tidy(test.want); got != want {
			t.Errorf("dealt\n%s\nnot\n%s", got, want)
		}
	}
}
