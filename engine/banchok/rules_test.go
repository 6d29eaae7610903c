package banchok

import (
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestCover holds B1 to B3 of RULES.md, section 11, and what else decides a hand.
func TestCover(t *testing.T) {
	for _, test := range []struct{ name, hand, turned, cover string }{
		{"B1 three aces lose to the fourth suit", "AS AH AD", "2C", "--"},
		{"B1 three aces lose to the ace of the fourth suit", "AS AH AD", "AC", "--"},
		{"B1 three aces win against the first suit", "AS AH AD", "KS", "AS"},
		{"B1 and the second", "AS AH AD", "2H", "AH"},
		{"B1 and the third", "AS AH AD", "AD", "AD"},
		{"B2 the same queen wins", "QS 4H 5D", "QS", "QS"},
		{"B2 the same ace wins", "4H AC 5D", "AC", "AC"},
		{"B2 the same two wins", "4S 5D 2H", "2H", "2H"},
		{"B3 a king beats the queen", "KS 3H 3D", "QS", "KS"},
		{"B3 a king doesn't beat the ace", "KS 3H 3D", "AS", "--"},
		{"B3 a queen beats the jack", "QC 3H 3D", "JC", "QC"},
		{"B3 a jack beats the ten", "JC 3H 3D", "TC", "JC"},
		{"B3 higher in other suits only", "JS AH AD", "QS", "--"},
		{"of several the best", "QS JS KS", "TS", "KS"},
		{"one is enough", "2S 3S 4S", "4S", "4S"},
		{"the colour doesn't do", "AS AS AS", "2C", "--"},
		{"nor the other red suit", "AH AH AH", "2D", "--"},
		{"a thrown hand covers nothing", "", "2D", "--"},
	} {
		var h hand
		h.n = copy(h.cards[:], enginetest.ParseCards(t, test.hand))
		if got := h.cover(enginetest.ParseCards(t, test.turned)[0]).String(); got != test.cover {
			t.Errorf("%s: %s is covered by %s, not %s", test.name, test.turned, got, test.cover)
		}
	}
}

// TestHand plays hands from the stake to the settlement (RULES.md 6.2).
func TestHand(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "a hand won: the bank pays, the hand and the card go on the table",
			From: `
				bank 300
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				table 3C
				pack 5C 6S TH`,
			Moves: `
				turn 1 2 0; may 1: stake 5..300, leave; may 0: open; may 2: leave
				1 stake 50
				events: 1 stake n=50
				purses: 1-50
				turn 0 2; may 1:
				0 open
				events: 0 opened TH 1, 1 hand 4S KH 2D, 1 covered KH on TH n=50, 1 odds n=333, 0 bank-down n=250
				purses: 1+100
				turn 2 0 1`,
			Want: `
				bank 250
				  1:
				> 2: 9C 9D 9H
				table 3C 4S KH 2D TH
				pack 5C 6S
				chips -300 50 0`,
		},
		{
			Name: "a hand lost: the bank gets the stake", From: beaten,
			Moves: `
				1 stake 50; 0 open
				events: 0 opened 6S 1, 1 hand 4S KH 2D, 1 beaten 6S n=50, 1 odds n=333, 0 bank-up n=350
				purses:`,
			Want: `
				bank 350
				  1:
				> 2: 9C 9D 9H
				table 4S KH 2D 6S
				pack 5C TH
				chips -300 -50 0`,
		},
		{
			Name: "dealer=bot: the card turns with the stake", Options: "dealer=bot", From: covered,
			Moves: `
				turn 1 2; may 0:
				0 open -> open-after-stake
				1 stake 50
				events: 1 stake n=50, opened TH 1, 1 hand 4S KH 2D, 1 covered KH on TH n=50, 1 odds n=333, 0 bank-down n=250
				purses: 1-50 1+100`,
			Want: `
				bank 250
				  1:
				> 2: 9C 9D 9H
				table 4S KH 2D TH
				pack 5C 6S
				chips -300 50 0`,
		},
		{
			Name: "who may do what to whom",
			From: `
				bank 300
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				  3: left
				pack 5C 6S TH`,
			Moves: `
				2 stake 5 -> not-your-turn
				1 open -> not-the-banker
				3 stake 5 -> left-this-bank
				3 leave -> left-this-bank
				4 stake 5 -> not-your-turn
				9 open -> not-your-turn
				1 stake 5
				1 stake 5 -> stake-stands
				1 open -> not-the-banker`,
		},
	})
}

// TestExampleB4 plays B4: how a bank ends, and that it ends in mid-round (RULES.md 6.3).
func TestExampleB4(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "B4 tripled exactly, by part of the bank",
			From: `
				bank 600
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				pack 5C 6S`,
			Moves: `
				1 stake 300; 0 open
				events: 0 opened 6S 1, 1 hand 4S KH 2D, 1 beaten 6S n=300, 1 odds n=200, 0 bank-tripled n=900
				purses: 0+900
				turn
				2 stake 5 -> deal-over
				0 open -> deal-over`,
			Want: `
				over
				1:
				2: 9C 9D 9H
				table 4S KH 2D 6S
				pack 5C
				chips 300 -300 0`,
		},
		{
			Name: "B4 one short of it",
			From: `
				bank 600
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				pack 5C 6S`,
			Moves: "1 stake 299; 0 open",
			Want: `
				bank 899
				  1:
				> 2: 9C 9D 9H
				table 4S KH 2D 6S
				pack 5C
				chips -600 -299 0`,
		},
		{
			Name: "more than tripled: 800 and 800 lost",
			From: `
				bank 800
				> 1: 4S KH 2D
				pack 5C 6S`,
			Moves: `
				1 stake 800; 0 open
				purses: 0+1600`,
			Want: `
				over
				1:
				table 4S KH 2D 6S
				pack 5C
				chips 800 -800`,
		},
		{
			Name: "B4 broken, by the last punter: nothing is collected",
			From: `
				bank 300
				  1:
				> 2: 9C AD 9H
				table 4S KH 2D 6S
				pack 5C KD`,
			Moves: `
				2 stake 300; 0 open
				events: 0 opened KD 2, 2 hand 9C AD 9H, 2 covered AD on KD n=300, 2 odds n=1000, 0 bank-broken
				purses: 2+600`,
			Want: `
				over
				1:
				2:
				table 4S KH 2D 6S 9C AD 9H KD
				pack 5C
				chips -300 0 300`,
		},
	})
}

// TestExampleB4Next passes a bank of 300 on: the next one begins with 300 again, however the last ended.
func TestExampleB4Next(t *testing.T) {
	for _, result := range []engine.Result{{Chips: []int64{-300, 300, 0}}, {Chips: []int64{600, -300, -300}}} {
		standings := []engine.Standing{{Stays: true, Chips: 900}, {Stays: true, Chips: 900}, {Stays: true, Chips: 900}}
		setup, ok := Rules{}.Next(engine.Setup{Seats: 3}, result, standings)
		if !ok {
			t.Fatal("the session is over")
		}
		st := enginetest.Deal(t, Rules{}, setup, enginetest.Unshuffled{})
		if chips := st.View(engine.Nobody).Chips; chips.Bank != 300 || chips.Seats[0] != -300 {
			t.Errorf("the next bank is %+v", chips)
		}
		if setup.Order[0] != 1 {
			t.Errorf("the next banker is %d, not the left neighbour", setup.Order[0])
		}
	}
}

// TestExampleB6 plays B6: what may not be staked, passed, or done by the banker.
func TestExampleB6(t *testing.T) {
	from := `
		bank 300
		> 1: 4S KH 2D
		  2: 9C 9D 9H
		pack 5C 6S TH`
	position().Run(t, []play{
		{
			Name: "B6 a stake above the bank, or below the least", From: from, Want: from + "\nchips -300 0 0",
			Moves: `
				1 stake 301 -> stake-high
				1 stake 999999999 -> stake-high
				1 stake 4 -> stake-low
				1 stake 0 -> stake-low`,
		},
		{
			Name: "B6 the banker adds nothing, takes nothing and doesn't leave", Options: "side=on", From: from,
			Moves: `
				0 stake 5 -> banker-only-opens
				0 side 5 -> banker-only-opens
				0 allow off -> banker-only-opens
				0 show -> banker-only-opens
				0 leave -> banker-stays`,
		},
		{
			Name: "the least stake is the bank, if that is less",
			From: `
				bank 3
				> 1: 4S KH 2D
				pack 5C 6S TH`,
			Moves: `
				may 1: stake 3, leave
				1 stake 2 -> stake-low`,
		},
		{
			Name: "another least stake", Options: "min=250", From: from,
			Moves: `
				may 1: stake 250..300, leave
				1 stake 249 -> stake-low`,
		},
		{
			Name: "a least stake above the bank leaves the whole bank", Options: "min=100000", From: from,
			Moves: `
				may 1: stake 300, leave
				1 stake 299 -> stake-low
				1 stake 301 -> stake-high`,
		},
	})
	for _, text := range []string{"pass", "stake", "stake -5", "stake +5", "stake 05", "stake 5 ", "stake 5.0", "stake 1000000000", "add 5", "take 5"} {
		if m, err := (Rules{}).Parse(text); err != engine.ErrMoveText {
			t.Errorf("%q is read as %+v, %v", text, m, err)
		}
	}
}
