package zevaka

import (
	"testing"

	"zevaka/engine"
)

// TestStockDeal plays 21.б (RULES.md 1.3, V_B; RECORDS.md, Exactly 27 and 28).
func TestStockDeal(t *testing.T) {
	runAll(t, []play{
		{
			name:    "Z7 the next rank goes to the centre in any suit and one draws again, else one keeps",
			options: "deal=stock",
			from: `
				> 0:
				  1:
				  centre TH
				  stock  8S AC 9D KS QD JC`,
			moves: `
				may 0: flip
				0 flip
				0 centre
				0 flip
				0 centre
				0 flip
				may 0: centre, keep
				0 keep
				1 flip
				1 put 0 -> does-not-fit
				1 keep
				turn 0`,
			want: `
				> 0: | KS
				  1: | 9D
				  centre TH JC QD
				  stock  8S AC`,
		},
		{
			name:    "the drawn card on another player, then the own top, both in the first phase",
			options: "deal=stock",
			from: `
				> 0: | JS
				  1: | 9C
				  centre 6H
				  stock  8S TH`,
			moves: `
				0 flip
				0 put 1
				may 0: flip, put 1
				0 put 1`,
			want: `
				> 0: |
				  1: | 9C TH JS
				  centre 6H
				  stock  8S`,
		},
		{
			name:    "the centre goes round from the ace to the lowest",
			options: "deal=stock",
			from: `
				> 0:
				  1:
				  centre AH
				  stock  8S 6D`,
			moves: `
				0 flip
				0 centre`,
			want: `
				> 0:
				  1:
				  centre AH 6D
				  stock  8S`,
		},
	})
}

// TestStockUsedUp plays who goes out, and when, as the stock is used up.
func TestStockUsedUp(t *testing.T) {
	runAll(t, []play{
		{
			name:    "who holds nothing while the stock lasts is not out",
			options: "deal=stock",
			from: `
				> 0: | JS
				  1: | TC
				  centre 6H
				  stock  8S 9D`,
			moves: `
				0 put 1
				turn 0
				0 flip
				0 keep
				turn 1`,
		},
		{
			name:    "with the stock used up several go out at once, in turn order from the mover",
			options: "deal=stock",
			from: `
				  0:
				  1: | 8D
				> 2: |
				  3: | 9D
				  centre 6H
				  stock  7S`,
			moves: `
				2 flip
				turn 2
				2 centre
				events: 2 centre 7S, 2 out n=1, 0 out n=2
				turn 3`,
			want: `
				  0: out
				  1: | 8D
				  2: out
				> 3: | 9D
				  centre 6H 7S`,
		},
		{
			name:    "everybody may be out at once",
			options: "deal=stock",
			from: `
				  0:
				> 1:
				  2:
				  centre 6H
				  stock  7S`,
			moves: `
				1 flip
				1 centre
				events: 1 centre 7S, 1 out n=1, 2 out n=2, 0 out n=3, 0 over`,
			want: `
				0: out
				1: out
				2: out
				centre 6H 7S
				over 1 2 0`,
		},
		{
			name:    "the keep of the last card lets others out; the keeper stays",
			options: "deal=stock",
			from: `
				  0:
				> 1:
				  2: | 9D
				  centre 6H
				  stock  8S`,
			moves: `
				1 flip
				1 keep
				events: 1 kept 8S, 0 out n=1
				turn 2`,
		},
		{
			name:    "the turn goes on when the stock runs out: then closed piles are played",
			options: "deal=stock",
			from: `
				> 0: | TS 9C
				  1: | 8D
				  centre 6H
				  stock  7S`,
			moves: `
				0 flip
				0 centre
				0 put 1
				0 flip
				events: 0 turned n=1, 0 flipped TS`,
			want: `
				> 0:
				  1: | 8D 9C
				  centre  6H 7S
				  flipped TS`,
		},
	})
}

// TestOthersOff forbids laying on other players while the stock lasts (RECORDS.md, Exactly 27).
func TestOthersOff(t *testing.T) {
	runAll(t, []play{
		{
			name:    "neither the drawn card nor the own top; the centre is free to both",
			options: "deal=stock others=off",
			from: `
				> 0: | 7D JS
				  1: | TC
				  centre TH
				  stock  8S JD`,
			moves: `
				0 put 1 -> others-off
				0 centre
				0 put 1 -> others-off
				0 flip
				0 put 1 -> others-off
				may 0: keep`,
		},
		{
			name:    "the last drawn card still belongs to the first phase, the next doesn't",
			options: "deal=stock others=off",
			from: `
				> 0: | 9D JS
				  1: | TC
				  centre TH
				  stock  JD`,
			moves: `
				0 flip
				0 put 1 -> others-off
				may 0: centre, keep
				0 centre
				may 0: flip, put 1
				0 put 1`,
			want: `
				> 0: | 9D
				  1: | TC JS
				  centre TH JD`,
		},
		{
			name:    "a card flipped from a closed pile may go anywhere",
			options: "deal=stock others=off",
			from: `
				> 0: JS | 9D
				  1:    | TC
				  centre TH`,
			moves: `
				0 flip
				may 0: put 1, centre, keep
				0 put 1`,
		},
		{
			name:    "after a fix the last drawn card belongs to the first phase again",
			options: "deal=stock others=off penalty=auto",
			from: `
				> 0: | 9D
				  1: | TC
				  centre TH
				  stock  JD`,
			moves: `
				0 flip
				0 keep
				0 fix
				0 put 1 -> others-off
				may 0: centre`,
		},
		{
			name:    "a hands deal has no such phase",
			options: "others=off",
			from: `
				> 0: 7D | JS
				  1:    | TC`,
			moves: `0 put 1`,
		},
	})
}

// TestRankCentre plays without suits (RULES.md 1.3, V_NOSUIT).
func TestRankCentre(t *testing.T) {
	runAll(t, []play{
		{
			name:    "the lowest spade begins, then any suit, round from the ace",
			options: "centre=rank",
			from: `
				> 0: 9C 6D AH 8H 7D 6S 6H |
				  1: TC                   | TH`,
			moves: `
				0 flip
				0 centre -> centre-needs-low-spade
				0 keep
				1 flip
				1 keep
				0 flip
				0 centre
				0 flip
				0 centre
				0 flip
				0 centre
				0 flip
				0 centre -> does-not-fit-centre`,
			want: `
				> 0: 9C 6D | 6H
				  1: | TH TC
				  centre 6S 7D 8H
				  flipped AH`,
		},
		{
			name:    "from the ace to the lowest of any suit, the same suit too",
			options: "centre=rank",
			from: `
				> 0: 9C 6C |
				  1: TC    | TH
				  centre KD AC`,
			moves: `
				0 flip
				0 centre`,
			want: `
				> 0: 9C |
				  1: TC | TH
				  centre KD AC 6C`,
		},
	})
}

// TestOpenOff forbids the top of the own open pile everywhere (RECORDS.md, Exactly 27).
func TestOpenOff(t *testing.T) {
	runAll(t, []play{
		{
			name:    "neither to the centre nor to others, but the flipped card may go",
			options: "open=off",
			from: `
				> 0: 7D JS | 6S
				  1: TD    | TC
				  2: TS    | AC`,
			moves: `
				0 centre -> open-off
				0 put 2 -> open-off
				may 0: flip
				0 flip
				0 put 1
				may 0: flip`,
		},
		{
			name:    "a top that fits is no mistake where it may not be played",
			options: "open=off penalty=auto",
			from: `
				> 0: 7D | 6S
				  1: TD | TC`,
			moves: `
				0 flip
				0 keep
				events: 0 kept 7D
				turn 1`,
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
		setup := engine.Setup{Seats: test.seats, Options: setOptions(t, test.options)}
		st, err := Rules{}.Deal(setup, unshuffled{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := draw(st.(*state)), tidy(test.want); got != want {
			t.Errorf("dealt\n%s\nnot\n%s", got, want)
		}
	}
}

// unshuffled leaves the fresh pack as it is.
type unshuffled struct{}

func (unshuffled) Shuffle([]engine.Card) {}
