package banchok

import "testing"

// TestExampleB5 plays B5 and the rest of RULES.md 6.4: a card turned before the stake.
func TestExampleB5(t *testing.T) {
	position().Run(t, []play{
		{
			Name: "B5 it beats the hand: the least will do", From: beaten,
			Moves: `
				0 open
				events: 0 early 6S 1
				purses:
				turn 1 2; may 1: stake 5..150; may 2: leave
				0 open -> open-card-waits
				1 leave -> leave-card
				1 stake 4 -> stake-low
				1 stake 5
				events: 1 stake n=5, 1 hand 4S KH 2D, 1 beaten 6S n=5, 0 bank-up n=305
				purses: 1-5`,
			Want: `
				bank 305
				  1:
				> 2: 9C 9D 9H
				table 4S KH 2D 6S
				pack 5C TH
				chips -300 -5 0`,
		},
		{
			Name: "B5 the hand covers it: up to half the bank", From: covered,
			Moves: `
				0 open
				1 stake 151 -> stake-half
				1 stake 150
				events: 1 stake n=150, 1 hand 4S KH 2D, 1 covered KH on TH n=150, 0 bank-down n=150
				purses: 1-150 1+300`,
			Want: `
				bank 150
				  1:
				> 2: 9C 9D 9H
				table 4S KH 2D TH
				pack 5C 6S
				chips -300 150 0`,
		},
		{
			Name: "half is rounded down, and the least goes down with it",
			From: `
				bank 7
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				pack 5C 6S TH`,
			Moves: "0 open; may 1: stake 3",
		},
		{
			Name: "of a bank of one kopeck half is one, and may break it",
			From: `
				bank 1
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				pack 5C 6S TH`,
			Moves: `
				0 open; may 1: stake 1
				1 stake 1`,
			Want: `
				over
				1:
				2: 9C 9D 9H
				table 4S KH 2D TH
				pack 5C 6S
				chips -1 1 0`,
		},
		{
			Name: "no side bets on it", Options: "side=on", From: covered,
			Moves: `
				0 open
				2 side 5 -> side-no-stake
				1 show -> show-no-stake
				2 allow off -> allow-late
				1 stake 100; turn 2 0 1`,
		},
		{
			Name: "until then it lies there", From: covered,
			Moves: "0 open",
			Want: `
				bank 300
				> 1: 4S KH 2D
				  2: 9C 9D 9H
				turned TH
				pack 5C 6S
				chips -300 0 0`,
		},
	})
}
