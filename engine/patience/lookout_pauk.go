package patience

import (
	"math/bits"

	"zevaka/engine"
)

// spider is what a position of Паук is worth to the lookout: what lies under the packets should come to light, above all
// the cards needed next, and the uppermost cards should fit each other.
func spider(t *table) int {
	p := t.plan
	value := 1000 * int(t.score)
	var depth [8]int
	for i := range depth {
		depth[i] = 9
	}
	for pile := p.foundations; pile < p.stock; pile++ {
		n := int(t.n[pile])
		value -= 5 * n * n / 2
		at := 0
		for card := t.top[pile]; card != 0; card = t.under[card] {
			if !t.isKnown(card) {
				if at == 0 {
					value += 900
				}
				value -= 120 * (n - at)
				break
			}
			for next := t.nextFor(card.card()); next != 0; next &= next - 1 {
				i := bits.TrailingZeros32(next)
				depth[i] = min(depth[i], at)
			}
			at++
		}
		if card := t.top[pile]; card != 0 && !t.unknown(card) {
			takers := t.takers[card.card()%maxCard]
			value += 50*bits.OnesCount32(takers>>p.foundations&^(1<<(pile-p.foundations))) +
				75*bits.OnesCount32(takers&(1<<p.foundations-1))
		}
	}
	for _, at := range depth {
		value -= 80 * at
	}
	return value
}

// nextFor are the foundations that wait for a card, as bits.
func (t *table) nextFor(c engine.Card) uint32 {
	return t.takers[c%maxCard] & (1<<t.plan.foundations - 1)
}
