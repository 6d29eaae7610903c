package patience

import (
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestExampleP1 plays P1 of RULES.md, section 11: the 27th card's rank opens all eight foundations.
func TestExampleP1(t *testing.T) {
	st := dealt(t, Tecza, "", stacked{25: "4D 3S 3H 2C"})
	if got := pile(st, "f1") + ", " + pile(st, "stock")[76*3:]; got != "3S, 3H" {
		t.Fatalf("dealt: %s", got)
	}
	position(Tecza).Script(t, st, `
		put r1 f1; draw
		may: put turned f2, put turned w1, put turned w2, put turned w3, quit
		put turned f3 -> first-empty-foundation
		put turned f2
		events: home 3H f2
		draw
		put turned f3 -> needs-base-rank`)
	position(Tecza).Run(t, []play{
		{
			Name: "P1 the foundations go on over king and ace to the two, and take no more",
			From: `
				f1 3S 4H 5D 6C 7S 8S 9S TS JS QS
				r1 5C 3D
				w1 2D AD
				turned KH
				stock 3C`,
			Moves: `
				put turned f1; put w1 f1; put w1 f1
				events: home 2D f1
				put r1 f1 -> foundation-full
				put r1 f2`,
			Want: `
				f1 3S 4H 5D 6C 7S 8S 9S TS JS QS KH AD 2D; f2 3D
				r1 5C
				stock 3C`,
		},
		{
			Name: "P1 all eight threes are bases",
			From: `
				f1 3S; f2 3S; f3 3C; f4 3C; f5 3D; f6 3D; f7 3H
				r1 3H
				stock 4S`,
			Moves: "put r1 f8; draw; put turned f8",
		},
	})
}

// TestTecza plays what only the rainbow has.
func TestTecza(t *testing.T) {
	position(Tecza).Run(t, []play{
		{
			Name: "the rainbow takes the rank below in any suit, a king on an ace, and is played from its end",
			From: `
				f1 3S
				r1 9H AD
				w1 QC KS; w2 QD JD
				turned KD
				stock 7S`,
			Moves: `
				put turned r1
				events: laid KD r1
				put w1 r1 -> not-lower-rank
				put w2 r1 -> not-lower-rank
				put r1@1 f1 -> covered
				put r1 w1 -> not-from-there
				draw
				put w2 w1 -> not-from-there
				put turned w3
				put w2 r1 -> not-lower-rank`,
			Want: `
				f1 3S
				r1 9H AD KD
				w1 QC KS; w2 QD JD; w3 7S`,
		},
		{
			Name: "an empty rainbow takes nothing",
			From: `
				f1 3S
				r1 4D
				w1 3D
				stock 2C`,
			Moves: `
				put r1 f1
				put w1 r1 -> stays-empty`,
		},
		{
			Name: "a card that fits may be put aside, and waits for nothing",
			From: `
				f1 3S
				r1 9C
				w1 4C
				stock 9S 4D`,
			Moves: `
				draw
				events: drawn 4D
				note: place-turned
				draw -> place-turned-first
				redeal -> place-turned-first
				put w1 f1; put turned w1; draw
				may: put turned w1, put turned w2, put turned w3, quit`,
		},
		{
			Name: "three passes: the piles in their order are shuffled, and drawn",
			From: `
				f1 3S
				r1 9C
				w1 KC JC; w2 TC; w3 2D
				stock QC`,
			Moves: `
				redeal -> stock-not-empty
				draw; put turned w3; redeal
				events: redealt 5
				draw; put turned w1; draw
				events: drawn JC
				put turned w1; draw; put turned w1; draw; put turned w1; draw; put turned w1
				redeal; draw; put turned w1; draw; put turned w1; draw; put turned w1; draw
				put turned w1; draw; put turned w1
				events: laid QC w1, no-moves 1
				note: no-moves
				redeal -> deal-over`,
			Want: `
				f1 3S
				r1 9C
				w1 KC JC TC 2D QC
				pass 3
				over no-moves`,
		},
		{
			Name: "a third redeal is refused, and with eight bases a second", Options: "bases=8",
			From: `
				f1 3S; f2 4S
				r1 9C
				w1 5C; w2 2D
				pass 2`,
			Moves: `
				redeal -> no-passes-left
				put w1 f2
				draw -> deal-over`,
		},
		{
			Name: "nothing to gather",
			From: `
				f1 3S
				r1 9C 4C`,
			Moves: `
				redeal -> nothing-to-gather
				draw -> stock-empty
				put r1 f1`,
		},
		{
			Name: "stuck, but the cards may be gathered",
			From: `
				f1 3S
				r1 9C
				w1 5C`,
			Moves: `
				note: stuck-can-redeal
				may: redeal, quit
				redeal
				note: stuck-can-draw`,
		},
	})
}

// TestTeczaBases deals the eight bases, whatever they are or of distinct ranks (RECORDS.md, Exactly 13).
func TestTeczaBases(t *testing.T) {
	pack := stacked{26: "3S 3H 9C KD 9D AS 2S TD QC 9H 7H 4H 5H"}
	for _, test := range []struct{ options, bases, shown, next string }{
		{"bases=8", "3S 3H 9C KD 9D AS 2S TD", "", "QC 9H"},
		{"bases=8 distinct=on", "3S 9C KD AS 2S TD QC 7H", "3H 9D 9H", "4H 5H"},
		{"distinct=on", "3S", "", "3H 9C"},
	} {
		st := dealt(t, Tecza, test.options, pack)
		var bases []string
		for _, pile := range st.View(0).Piles[:8] {
			if len(pile.Cards) > 0 {
				bases = append(bases, enginetest.Cards(pile.Cards))
			}
		}
		stock := strings.Fields(pile(st, "stock"))
		next := stock[len(stock)-1] + " " + stock[len(stock)-2]
		if got := strings.Join(bases, " "); got != test.bases || next != test.next || enginetest.Cards(st.(*state).Shown()) != test.shown {
			t.Errorf("%s: bases %s, shown %s, next %s", test.options, got, enginetest.Cards(st.(*state).Shown()), next)
		}
		if n := len(strings.Fields(test.shown)); n > 0 {
			reversed := []string{stock[n-1]}
			for i := n - 2; i >= 0; i-- {
				reversed = append(reversed, stock[i])
			}
			if got := strings.Join(reversed, " "); got != test.shown {
				t.Errorf("%s: under the stock lie %s", test.options, got)
			}
		}
	}
}

// TestExampleP2 plays P2: the 19th card's rank opens the foundations of the open shop.
func TestExampleP2(t *testing.T) {
	st := dealt(t, Sklep, "", stacked{17: "4S 4H 4C"})
	position(Sklep).Script(t, st, `
		put r1 f2; draw; put turned f3
		events: home 4C f3`)
	position(Sklep).Run(t, []play{
		{
			Name: "P2 and what the open shop forbids",
			From: `
				f1 4H
				r1 5S 2D 9D
				w1 2C; w2 8H 4S; w5 TS
				stock 7D`,
			Moves: `
				put w2 r1 -> pile-takes-nothing
				put w1 w2 -> not-from-there
				put r1 w3 -> not-from-there
				put w5 f1 -> not-next-rank
				put w1 f2 -> needs-base-rank
				put f1 w1 -> foundation-keeps
				put stock w1 -> stock-only-drawn
				put w1 stock -> pile-takes-nothing
				put w1 turned -> pile-takes-nothing
				put w3 f1 -> no-card-there
				put w1 w1 -> same-pile
				put w2@7 f2 -> no-card-there
				put w2@0 f2 -> covered
				put w2@1 f2 = put w2 f2
				draw; put turned w1
				draw -> deal-over`,
			Want: `
				f1 4H; f2 4S
				r1 5S 2D 9D
				w1 2C 7D; w2 8H; w5 TS
				over no-moves`,
		},
		{
			Name: "one pass",
			From: `
				f1 4H
				r1 5S
				w1 2C`,
			Moves: `
				redeal -> no-passes-left
				may: put r1 f1, quit
				quit
				events: gave-up 1
				note: gave-up
				quit -> deal-over`,
		},
	})
}

// TestExampleP3 plays P3: aces leave the frog from any depth, but not two rows.
func TestExampleP3(t *testing.T) {
	position(Zaba).Run(t, []play{
		{
			Name: "P3 an ace leaves from under others, twelve remain",
			From: `
				r1 2S 3S AD 4S 5S 6S 7S 8S 9S TS JS QS KS
				w1 AC 9H
				stock 9D`,
			Moves: `
				may: draw, put r1@2 f1, quit
				put r1@2 f2 -> first-empty-foundation
				put r1@3 f1 -> covered
				put w1@0 f1 -> covered
				put r1@2 f1
				events: home AD f1
				put r1@12 f1 -> no-card-there
				put r1@11 f1 -> not-next-rank`,
			Want: `
				f1 AD
				r1 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
				w1 AC 9H
				stock 9D`,
		},
		{
			Name: "the lowest and the highest, in any order, and a top ace is written plainly",
			From: `
				r1 AD 3S 2D AS
				stock 9D`,
			Moves: `
				may: draw, put r1 f1, put r1@0 f1, quit
				put r1@0 f1
				put r1@2 f2 = put r1 f2
				put r1 f2; put r1 f2`,
			Want: `
				f1 AD; f2 AS 2D 3S
				stock 9D`,
		},
		{
			Name: "P3 with two rows an ace stays until it is uncovered", Options: "rows=2",
			From: `
				r1 AD 2S; r2 9D AS
				stock 9D`,
			Moves: `
				put r1@0 f1 -> covered
				may: draw, put r2 f1, quit
				put r2 f1; put r1 f1; put r1 f2
				put r2 w1 -> not-from-there`,
		},
		{
			Name: "with one row there is no second",
			From: `
				r1 AD
				stock 9D`,
			Moves: "put r2 f1 -> no-such-pile",
		},
	})
}

// TestExampleP4 plays P4: a pile may become as long as the player likes.
func TestExampleP4(t *testing.T) {
	for _, rules := range []Rules{Tecza, Sklep, Zaba, Gwiazda} {
		st := numbered(t, rules, "", 4)
		laid := 0
		for st.View(0).Piles[len(st.View(0).Piles)-1].Cards != nil && laid < 70 {
			position(rules).Script(t, st, "draw\nput turned w2")
			laid++
		}
		if n := len(strings.Fields(pile(st, "w2"))); n != 70 {
			t.Errorf("%s: the second pile has %d cards", rules.Info().Name, n)
		}
	}
}

// TestGwiazda plays what only the star has.
func TestGwiazda(t *testing.T) {
	position(Gwiazda).Run(t, []play{
		{
			Name: "the squared pile is played and built down in any suit",
			From: `
				f1 6H
				r1 2D 9S
				w1 8D; w2 7S; w3 QC
				stock 9D`,
			Moves: `
				put w3 r1 -> not-lower-rank
				put w1 r1; put w2 r1; put r1 f1; put r1 f1
				put w1 r1 -> no-card-there
				put r1 f1`,
			Want: `
				f1 6H 7S 8D 9S
				r1 2D
				w3 QC
				stock 9D`,
		},
		{
			Name: "in suit", Options: "suit=strict",
			From: `
				f1 QH
				r1 KD
				w1 AH KH; w2 QH
				stock 9D`,
			Moves: `
				put r1 f1 -> not-next-in-suit
				put w1 f1; put w1 f1; put w2 f2`,
			Want: `
				f1 QH KH AH; f2 QH
				r1 KD
				stock 9D`,
		},
	})
	view := numbered(t, Gwiazda, "", 7).View(0)
	for i, card := range view.Piles[8].Cards {
		if (card == 0) != (i < 19) {
			t.Errorf("card %d of the star is %s", i, card)
		}
	}
	if next := enginetest.Cards(view.Piles[0].Next); len(view.Piles[0].Next) != 4 || view.Piles[0].Next[0].Rank() != above(view.Piles[0].Cards[0].Rank()) {
		t.Errorf("on %s goes %s", enginetest.Cards(view.Piles[0].Cards), next)
	}
	if next := view.Piles[1].Next; len(next) != 4 || next[0].Rank() != view.Piles[0].Cards[0].Rank() || view.Piles[2].Next != nil {
		t.Errorf("the second foundation takes %s, the third %s", enginetest.Cards(next), enginetest.Cards(view.Piles[2].Next))
	}
}

// TestBadSeats refuses whoever doesn't play.
func TestBadSeats(t *testing.T) {
	for _, rules := range All() {
		st := numbered(t, rules, "", 1)
		for _, seat := range []engine.Seat{1, -1, -2, 99} {
			if _, err := st.Apply(engine.Step{Seat: seat, Move: engine.Move{Verb: Quit}}); err != engine.ErrNotYourTurn {
				t.Errorf("%s: seat %d: %v", rules.Info().Name, seat, err)
			}
		}
		for _, move := range []engine.Move{{}, {Verb: 5}, {Verb: Draw, From: 1}, {Verb: Quit, N: 1}, {Verb: Redeal, To: 1}} {
			if _, err := st.Apply(engine.Step{Move: move}); err != engine.ErrMoveText {
				t.Errorf("%s: %+v: %v", rules.Info().Name, move, err)
			}
		}
		for _, move := range []engine.Move{{Verb: Put, From: -1}, {Verb: Put, To: 112}, {Verb: Put, From: 1 << 14, To: -1 << 15}} {
			if _, err := st.Apply(engine.Step{Move: move}); err != ErrNoPile {
				t.Errorf("%s: %+v: %v", rules.Info().Name, move, err)
			}
		}
	}
}
