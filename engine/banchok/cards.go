package banchok

import "zevaka/engine"

// pile is some cards, bottom first.
type pile struct {
	n     int
	cards [packSize]engine.Card
}

func (p *pile) push(c engine.Card) {
	p.cards[p.n] = c
	p.n++
}

// all are the cards, bottom first, valid until the pile changes.
func (p *pile) all() []engine.Card { return p.cards[:p.n] }

// maxLayers is more than a pack can have: a round uses four cards at least, and puts one layer under the others.
const maxLayers = packSize/4 + 2

// pack is the pack that the banker holds. It lies in layers: what was shuffled together. Within a layer nobody knows
// the order, but which cards the layer is made of everybody can remember.
type pack struct {
	pile
	// layers are how many cards of each layer are left, the uppermost first.
	layers  [maxLayers]int
	nLayers int
	// top is the number of the uppermost layer; those below count on from there.
	top int
}

// layUnder puts shuffled cards under the pack as one layer: the first of them comes next after the pack's last card
// (RECORDS.md, Exactly 35).
func (p *pack) layUnder(cards []engine.Card) {
	copy(p.cards[len(cards):], p.all())
	for i, card := range cards {
		p.cards[len(cards)-1-i] = card
	}
	p.n += len(cards)
	p.layers[p.nLayers] = len(cards)
	p.nLayers++
}

// draw takes the top card.
func (p *pack) draw() engine.Card {
	p.n--
	card := p.cards[p.n]
	p.layers[0]--
	if p.layers[0] == 0 && p.nLayers > 1 {
		copy(p.layers[:], p.layers[1:p.nLayers])
		p.nLayers--
		p.top++
	}
	return card
}

// topLayer are the cards of the uppermost layer that are still in the pack.
func (p *pack) topLayer() []engine.Card { return p.cards[p.n-p.layers[0] : p.n] }

// hand is the cards of one punter, in order of dealing.
type hand struct {
	n     int
	cards [handSize]engine.Card
	// layers are the numbers of the pack's layers from which the cards came.
	layers [handSize]int
}

func (h *hand) all() []engine.Card { return h.cards[:h.n] }

// cover is the best card of the hand that covers a turned card: one of its suit that is no lower (RULES.md 6.2, 3).
// It is zero when there is none.
func (h *hand) cover(turned engine.Card) engine.Card {
	var best engine.Card
	for _, card := range h.all() {
		if card.Suit() == turned.Suit() && card >= turned && card > best {
			best = card
		}
	}
	return best
}
