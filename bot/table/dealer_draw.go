package table

import "zevaka/engine"

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
