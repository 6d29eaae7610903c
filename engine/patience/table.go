package patience

import (
	"math/bits"

	"zevaka/engine"
)

// table is how the cards of a deal lie. It is small and holds no memory of its own: an assignment copies it.
type table struct {
	plan *plan
	// top is each pile's uppermost card, under the one that lies beneath each card; n counts the pile's cards.
	top   [maxPiles]id
	n     [maxPiles]uint8
	under [maxID]id
	// wants are the cards that each pile takes now; takers are the piles that take each card, as bits.
	wants  [maxPiles]set
	takers [maxCard]uint32
	// known are the cards that have lain open since they were last part of the stock.
	known [maxID / 64]uint64
	// fresh are the piles that the last draw laid a card on which still lies there, as bits.
	fresh uint32
	// base is the rank of the first foundation's first card, if the deal laid it out.
	base uint8
	// pass counts the redeals.
	pass uint8
	// score is how many cards lie on the foundations.
	score uint8
	// idle counts the moves since the last that can't be undone by moves: a draw, a redeal, a card to a foundation.
	idle uint16
	end  ending
	// blind says that this copy looks at no card that wasn't known before: what comes to light stays where it is.
	blind bool
}

// ending is how a deal ended.
type ending uint8

const (
	notOver ending = iota
	solved
	noMoves
	gaveUp
)

// newTable deals a pack, shuffled and arranged.
func newTable(p *plan, pack []engine.Card) table {
	t := table{plan: p}
	var seen set
	for i := len(pack) - 1; i >= 0; i-- {
		card := id(pack[i])
		if seen.has(pack[i]) {
			card |= secondCopy
		}
		seen |= 1 << pack[i]
		t.push(p.stock, card)
	}
	for _, portion := range p.deal {
		t.portion(portion)
	}
	for i := range p.foundations {
		t.score += t.n[i]
	}
	if t.n[0] > 0 {
		t.base = uint8(t.top[0].card().Rank())
	}
	t.layOut()
	return t
}

// portion lays some cards of the deal.
func (t *table) portion(portion portion) {
	piles := t.plan.span(portion.onto)
	if piles.n == 0 {
		piles.first, _ = pileIndex(t.plan.groups, portion.onto)
		piles.n = 1
	}
	for i := range portion.cards {
		pile := piles.first + i%piles.n
		t.push(pile, t.pop(t.plan.stock))
		if t.plan.group[pile].shows == allCards {
			t.look(pile)
		}
	}
}

// layOut lays out the whole stock where the patience says so, and looks at all piles.
func (t *table) layOut() {
	for t.plan.whole && t.n[t.plan.stock] > 0 {
		t.round()
	}
	t.fresh = 0
	for i := range t.plan.piles {
		t.look(i)
		t.want(i)
	}
}

func (t *table) push(pile int, card id) {
	t.under[card] = t.top[pile]
	t.top[pile] = card
	t.n[pile]++
}

func (t *table) pop(pile int) id {
	card := t.top[pile]
	t.top[pile] = t.under[card]
	t.n[pile]--
	return card
}

// takeOut removes a card from under others: the one at the place counted from the bottom.
func (t *table) takeOut(pile, at int) id {
	above := t.top[pile]
	for range int(t.n[pile]) - at - 2 {
		above = t.under[above]
	}
	card := t.under[above]
	t.under[above] = t.under[card]
	t.n[pile]--
	return card
}

// cardAt is the card at a place counted from the bottom, which must be one of the pile's.
func (t *table) cardAt(pile, at int) engine.Card {
	card := t.top[pile]
	for range int(t.n[pile]) - at - 1 {
		card = t.under[card]
	}
	return card.card()
}

// look makes a pile's uppermost card known, unless it lies face down.
func (t *table) look(pile int) {
	if card := t.top[pile]; t.plan.group[pile].shows != faceDown && !t.blind {
		t.known[card/64] |= 1 << (card % 64)
	}
}

// unknown reports that a card may not be looked at: it was never seen, and this is a blind copy.
func (t *table) unknown(card id) bool { return t.blind && !t.isKnown(card) }

// unseen reports that an id is a card that isn't known.
func (t *table) unseen(card id) bool { return everyCard.has(card.card()) && !t.isKnown(card) }

func (t *table) isKnown(card id) bool { return t.known[card/64]>>(card%64)&1 != 0 }

func (t *table) forget(card id) { t.known[card/64] &^= 1 << (card % 64) }

// want finds out what a pile takes now.
func (t *table) want(pile int) {
	var wants set
	g := t.plan.group[pile]
	switch n := int(t.n[pile]); {
	case n == 0:
		wants = t.opening(pile)
	case g.full > 0 && n >= g.full || t.unknown(t.top[pile]):
	default:
		wants = g.builds.on(t.top[pile].card())
	}
	for changed := wants ^ t.wants[pile]; changed != 0; changed &= changed - 1 {
		t.takers[bits.TrailingZeros64(uint64(changed))%maxCard] ^= 1 << pile
	}
	t.wants[pile] = wants
}

// opening is what an empty pile takes. Of several empty foundations only the first takes anything (RECORDS.md,
// Exactly 9).
func (t *table) opening(pile int) set {
	if pile > 0 && pile < t.plan.foundations && t.n[pile-1] == 0 {
		return 0
	}
	switch t.plan.group[pile].starts {
	case anyCard:
		return everyCard
	case anAce:
		return aces
	case aBase:
		return ofRank(int(t.base))
	case aKing:
		takes := kings
		for i := range t.plan.foundations {
			if t.n[i] > 0 {
				takes &^= oneCard(engine.King, t.top[i].card().Suit())
			}
		}
		return takes
	}
	return 0
}

// put moves one card; at is its place from the bottom. It reports the pile from which the place that it leaves was
// filled, or nowhere.
func (t *table) put(from, at, to int) (filled int) {
	p := t.plan
	var card id
	if at == int(t.n[from])-1 {
		card = t.pop(from)
	} else {
		card = t.takeOut(from, at)
	}
	t.push(to, card)
	t.idle++
	filled = nowhere
	if wall := int(p.refill[from]); wall != nowhere && t.n[from] == 0 && t.n[wall] > 0 {
		t.push(from, t.pop(wall))
		t.look(wall)
		filled = wall
	}
	t.look(from)
	t.want(from)
	t.want(to)
	if to < p.foundations {
		t.idle = 0
		t.score++
		if to+1 < p.foundations && t.n[to+1] == 0 {
			t.want(to + 1)
		}
	}
	t.fresh &^= 1 << from
	return filled
}

// draw lays the next cards of the stock, and returns how many.
func (t *table) draw() int {
	t.idle = 0
	count := t.round()
	for i := range count {
		t.look(t.plan.draws.first + i)
		t.want(t.plan.draws.first + i)
	}
	return count
}

// round lays them, without a look.
func (t *table) round() int {
	p := t.plan
	count := min(p.passes[t.pass], int(t.n[p.stock]))
	t.fresh = 0
	for i := range count {
		pile := p.draws.first + i
		t.push(pile, t.pop(p.stock))
		t.fresh |= 1 << pile
	}
	return count
}

// gather takes up the cards of a redeal: element 0 is to be drawn first if they aren't shuffled.
func (t *table) gather(into []id) []id {
	p := t.plan
	for i := range p.gathers.n {
		pile := p.gathers.first + i
		if p.lastFirst {
			pile = p.gathers.first + p.gathers.n - 1 - i
		}
		at := len(into)
		into = into[:at+int(t.n[pile])]
		for k := len(into) - 1; k >= at; k-- {
			into[k] = t.pop(pile)
			t.forget(into[k])
		}
	}
	return into
}

// redeal begins the next pass with the gathered cards.
func (t *table) redeal(cards []id) {
	t.pass++
	t.idle = 0
	t.fresh = 0
	for i := len(cards) - 1; i >= 0; i-- {
		t.push(t.plan.stock, cards[i])
	}
	t.layOut()
}
