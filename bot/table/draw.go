package table

import (
	"fmt"

	"zevaka/bot/keyspace"
	"zevaka/engine"
	"zevaka/storage"
)

// DealerDraw is how the dealer was drawn: the cards of each seat, in order of joining, and who deals. A seat has several
// cards if it tied for the lowest and drew again.
type DealerDraw struct {
	Cards  [][]engine.Card
	Dealer int
}

// First is who sits in seat 0, as a number in order of joining: the banker, or else the one after the dealer.
func (d DealerDraw) First(banker bool) int {
	if banker {
		return d.Dealer
	}
	return (d.Dealer + 1) % len(d.Cards)
}

// DrawDealer has each seat draw a card from a pack of 52, shuffled by the seed and no cut. The lowest card deals, aces
// being high. Those who tie for it draw again from the cards that follow (RECORDS.md, Exactly 40).
func DrawDealer(seed engine.Seed, seats int) DealerDraw {
	pack := engine.Pack(2)
	engine.NewShuffler(seed, "").Shuffle(pack)
	d := DealerDraw{Cards: make([][]engine.Card, seats)}
	var tied []int
	for i := range seats {
		tied = append(tied, i)
	}
	for next := 0; len(tied) > 1; {
		lowest := engine.Ace + 1
		var low []int
		for _, seat := range tied {
			card := pack[next]
			next++
			d.Cards[seat] = append(d.Cards[seat], card)
			switch rank := card.Rank(); {
			case rank < lowest:
				lowest, low = rank, []int{seat}
			case rank == lowest:
				low = append(low, seat)
			}
		}
		tied = low
	}
	d.Dealer = tied[0]
	return d
}

// MaxDraws is how many draws stand in a community.
const MaxDraws = 512

// KeptDraw is a draw for the bank that stands from when it was made till its bank has been played to its end. When the same people sit
// down again, or beside, nobody draws: otherwise one could draw again by ending a bank, or at several tables at once.
type KeptDraw struct {
	// People is a hash of the users who drew. First is who of them drew the bank: an index in the order of their IDs.
	People uint64 `json:"people"`
	First  int    `json:"first"`
	// At is when it was made, or its bank ended, in seconds since 1970, UTC.
	At int64 `json:"at"`
}

// GetDraws reads the draws that were kept in the community with that origin, the oldest first; nil if there are none. The
// error is one of the store, or of a value that can't be decoded.
func GetDraws(from storage.Getter, origin string) ([]KeptDraw, error) {
	all, err := storage.GetJSON[[]KeptDraw](from, keyspace.Draws+origin)
	if err != nil {
		return nil, fmt.Errorf("read the draws that stand in %s: %w", origin, err)
	}
	return all, nil
}

// PutDraws keeps these draws in place of those before: the last MaxDraws of them.
func PutDraws(tx storage.Tx, origin string, all []KeptDraw) error {
	return storage.PutJSON(tx, keyspace.Draws+origin, all[max(0, len(all)-MaxDraws):])
}
