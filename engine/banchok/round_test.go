package banchok

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestDeal deals the vector of RECORDS.md, Exactly 1: seed 00…01, cut 17, two packs of 52 begin 4H AS 9D 5S TS TC 6C JS.
func TestDeal(t *testing.T) {
	st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 4}, engine.NewShuffler(engine.Seed{31: 1}, "17"))
	piles := st.View(engine.Referee).Piles
	for i, want := range []string{"4H 5S 6C", "AS TS JS", "9D TC "} {
		if got := enginetest.Cards(piles[1+i].Cards); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %s, not %s", piles[1+i].Name, got, want)
		}
	}
	if pack := piles[0].Cards; len(pack) != 104-9 {
		t.Errorf("the pack has %d cards", len(pack))
	}
}

// TestDealUnshuffled deals two fresh packs: the pack's bottom is the second pack's last card.
func TestDealUnshuffled(t *testing.T) {
	st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 3}, enginetest.Unshuffled{})
	piles := st.View(engine.Referee).Piles
	pack := piles[0].Cards
	for _, test := range []struct{ what, got, want string }{
		{"hand1", enginetest.Cards(piles[1].Cards), "2S 4S 6S"},
		{"hand2", enginetest.Cards(piles[2].Cards), "3S 5S 7S"},
		{"the bottom of the pack", enginetest.Cards(pack[:2]), "AH KH"},
		{"its top", enginetest.Cards(pack[len(pack)-2:]), "9S 8S"},
	} {
		if test.got != test.want {
			t.Errorf("%s is %s, not %s", test.what, test.got, test.want)
		}
	}
}

// turner is a shuffle that shows: it puts the last card first.
type turner struct{ shuffled *[]string }

func (s turner) Shuffle(cards []engine.Card) {
	*s.shuffled = append(*s.shuffled, enginetest.Cards(cards))
	last := cards[len(cards)-1]
	copy(cards[1:], cards)
	cards[0] = last
}

// TestRound collects the table and deals again (RULES.md 6.2; RECORDS.md, Exactly 35).
func TestRound(t *testing.T) {
	var shuffled []string
	position().RunThen(t, play{
		Name: "after the last punter",
		From: `
			bank 300
			  1:
			  2: left
			> 3: 9C 9D 9H
			table 2C 8D
			pack 3S 5H 4S KH 2D 6S`,
	}, func(st *state) {
		st.shuffler = turner{&shuffled}
		position().Script(t, st, `
			3 stake 50; 0 open
			events: 0 opened 6S 3, 3 hand 9C 9D 9H, 3 beaten 6S n=50, 3 odds n=333, 0 bank-up n=350, 3 collected n=6`)
		// From the top: 2D KH 4S 5H 3S, then the table as shuffled, 6S 2C 8D 9C 9D 9H.
		want := enginetest.Tidy(`
			bank 350
			> 1: 2D 4S 3S
			  2: left
			  3: KH 5H 6S
			pack 9H 9D 9C 8D 2C
			chips -300 0 0 -50`)
		if got := draw(st); got != want {
			t.Errorf("the table is\n%s\nand should be\n%s", got, want)
		}
		if len(shuffled) != 1 || shuffled[0] != "2C 8D 9C 9D 9H 6S" {
			t.Errorf("shuffled were %q", shuffled)
		}
	})
}

// TestLeave throws hands in (RECORDS.md, Exactly 39).
func TestLeave(t *testing.T) {
	from := "bank 300; > 1: 4S KH 2D; 2: 9C 9D 9H; 3: QC QD QH; table 2C 8D; pack 7C 3S 5H 4S KH 2D 6S"
	position().Run(t, []play{
		{
			Name: "on turn: the next one plays", From: from,
			Moves: `
				1 leave
				events: 1 quits-bank, 1 hand 4S KH 2D
				purses:
				turn 2 3 0`,
			Want: `
				bank 300
				  1: left
				> 2: 9C 9D 9H
				  3: QC QD QH
				table 2C 8D 4S KH 2D
				pack 7C 3S 5H 4S KH 2D 6S
				chips -300 0 0 0`,
		},
		{
			Name: "before one's turn: one is skipped", From: from,
			Moves: `
				2 leave; turn 1 3 0
				1 stake 5; 0 open`,
			Want: `
				bank 305
				  1:
				  2: left
				> 3: QC QD QH
				table 2C 8D 9C 9D 9H 4S KH 2D 6S
				pack 7C 3S 5H 4S KH 2D
				chips -300 -5 0 0`,
		},
		{
			Name: "after one's turn: there is no hand to throw in",
			From: `
				bank 300
				  1:
				> 2: 9C 9D 9H
				pack 5C 6S`,
			Moves: `
				1 leave
				events: 1 quits-bank`,
			Want: `
				bank 300
				  1: left
				> 2: 9C 9D 9H
				pack 5C 6S
				chips -300 0 0`,
		},
		{
			Name: "while somebody else's stake stands", From: from,
			Moves: `
				1 stake 5; 3 leave; turn 0 2
				1 leave -> leave-stake`,
		},
		{
			Name: "while somebody else's card waits", From: from,
			Moves: `
				0 open; 2 leave
				1 leave -> leave-card
				1 stake 5; turn 3 0 1`,
		},
		{
			Name: "not with a side bet standing", Options: "side=on", From: from,
			Moves: `
				1 stake 5; 2 side 5
				2 leave -> leave-stake
				3 leave; 0 open; turn 2 0 1`,
		},
		{
			Name: "the last of a round: the next round begins without him",
			From: `
				bank 300
				  1:
				> 2: 9C 9D 9H
				table 2C 8D
				pack 7C 3S 5H`,
			Moves: `
				2 leave
				events: 2 quits-bank, 2 hand 9C 9D 9H, 1 collected n=5
				turn 1 0`,
			Want: `
				bank 300
				> 1: 5H 3S 7C
				  2: left
				pack 9H 9D 9C 8D 2C
				chips -300 0 0`,
		},
		{
			Name: "all: the bank ends, and the banker has it back", From: from,
			Moves: `
				3 leave; 1 leave; 2 leave
				events: 2 quits-bank, 2 hand 9C 9D 9H, 0 bank-deserted n=300
				purses: 0+300
				turn`,
			Want: `
				over
				1: left
				2: left
				3: left
				table 2C 8D QC QD QH 4S KH 2D 9C 9D 9H
				pack 7C 3S 5H 4S KH 2D 6S
				chips 0 0 0 0`,
		},
	})
}

// TestFeats: whose hand has broken a bank is remembered, and whose bank has tripled, and nothing else.
func TestFeats(t *testing.T) {
	told := map[string]int{}
	for game := range 200 {
		r := rand.New(rand.NewPCG(uint64(game), 4))
		setup := engine.Setup{Seats: 2 + game%5, Options: enginetest.Options(t, Rules{}, "")}
		st := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.Seed{byte(game)}, "feats"))
		covered, why := engine.Nobody, ""
		for len(st.Turn()) > 0 {
			seat := st.Turn()[0]
			outcome, err := st.Apply(engine.Step{Seat: seat, Move: st.Auto(seat, r.Float64(), r)})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range outcome.Events {
				switch e.What {
				case EventCovered:
					covered = e.Seat
				case EventBroken, EventTripled, EventDeserted:
					why = e.What
				}
			}
		}
		told[why]++
		for seat := range engine.Seat(setup.Seats) {
			var want []string
			switch {
			case why == EventBroken && seat == covered:
				want = []string{FeatBroke}
			case why == EventTripled && seat == banker:
				want = []string{FeatTripled}
			}
			if got := st.(engine.Chronicle).Feats(seat); !slices.Equal(got, want) {
				t.Errorf("game %d, %s: seat %d has done %v, want %v", game, why, seat, got, want)
			}
		}
	}
	if told[EventBroken] < 10 || told[EventTripled] < 10 {
		t.Errorf("the banks have ended so: %v", told)
	}
}
