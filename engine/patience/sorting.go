package patience

import "zevaka/engine"

// sorting is a deal of one of the patiences whose player sorts the stock into piles, as light as it can be. Suits mean nothing
// in them, so that a card is but its place in the run of a foundation, from 1.
type sorting struct {
	// home is how many cards of each place lie on foundations when the deal begins; home[0] is how many foundations there are.
	home [14]uint8
	// stock has the next card first, the reserve its lowest.
	stock, reserve []uint8
	// piles are how many the player sorts into.
	piles int
	// extends says that a card may be laid on the reserve's next above it.
	extends bool
	passes  int
	// order is how the shuffle of a redeal orders so many cards, by their places before it; it is there only for who sees all.
	order func(pass, n int) []uint8
}

// reserveAt is the reserve's index among the piles of a sorting, which stand before it.
const reserveAt = 5

// newSorting is the deal that begins on this table.
func newSorting(t *table) *sorting {
	p := t.plan
	s := &sorting{passes: len(p.passes)}
	s.home[0] = uint8(p.foundations)
	for f := range p.foundations {
		for k := range t.n[f] {
			s.home[k+1]++
		}
	}
	for c := t.top[p.stock]; c != 0; c = t.under[c] {
		s.stock = append(s.stock, uint8(t.inRun(c.card())+1))
	}
	for pile := p.foundations; pile < p.turned; pile++ {
		g := p.group[pile]
		if g.kind == "w" {
			s.piles++
			continue
		}
		s.extends = g.builds == downRound
		for at := range int(t.n[pile]) {
			if card := t.cardAt(pile, at); g.deep.has(card) {
				s.home[1]++
			} else {
				s.reserve = append(s.reserve, uint8(t.inRun(card)+1))
			}
		}
	}
	return s
}

// orders is how the shuffles of the redeals order cards, for newly made shufflers of the deal.
func orders(shuffler func() engine.Shuffler) func(pass, n int) []uint8 {
	type shuffle struct{ pass, n int }
	known := map[shuffle][]uint8{}
	return func(pass, n int) []uint8 {
		is := shuffle{pass, n}
		if known[is] == nil {
			list := make([]engine.Card, n)
			for i := range list {
				list[i] = engine.Card(i)
			}
			reshuffle(shuffler(), pass, list)
			places := make([]uint8, n)
			for i, card := range list {
				places[i] = uint8(card)
			}
			known[is] = places
		}
		return known[is]
	}
}

// reshuffle makes shuffle number pass with a new shuffler, of which each begins anew (RECORDS.md, "Cards, packs, shuffles").
func reshuffle(shuffler engine.Shuffler, pass int, list []engine.Card) {
	for range pass {
		shuffler.Shuffle(nil)
	}
	shuffler.Shuffle(list)
}

// playout plays a sorting to its end: what fits goes home, and other cards where rule of thumb and some chance have them.
type playout struct {
	*sorting
	home [14]uint8
	// score is how many cards are home.
	score int
	pile  [reserveAt + 1][packSize]uint8
	n     [reserveAt + 1]uint8
	// rest is what is left of the stock in this pass, the first being 1.
	rest []uint8
	pass int
	chance
	// weighs is how many games to the end tell where a card is laid, for each place; with 0 the rule of thumb does.
	weighs int
	// wish is for each card drawn, in order, the pile on which it is to be laid; anywhere leaves it to the rule of thumb.
	// did is where it went, home too; drawn is how many were drawn.
	wish, did []uint8
	drawn     int
	// told hears of each card that moves; nil if nobody wants to.
	told func(from, to int)
}

const (
	// anywhere is no wish.
	anywhere = 255
	// wentHome is a card that went to a foundation; as the place where a card is told to come from, the turned card's, and
	// redealt is no card but a redeal.
	wentHome   = 254
	wasTurned  = 253
	newPass    = 252
	mostDrawn  = 3 * packSize
	thumbNoise = 20
)

// chance is numbers drawn from a seed, quickly.
type chance uint64

// newChance is the chance of the n-th try, from 0.
func newChance(n int) chance { return chance(uint64(n+1) * 0x9e37_79b9_7f4a_7c15) }

// below is a number from 0 to n-1.
func (c *chance) below(n int) int {
	*c ^= *c << 13
	*c ^= *c >> 7
	*c ^= *c << 17
	return int(uint64(*c) >> 32 * uint64(n) >> 32)
}

// newPlayout is one with no wishes.
func newPlayout(s *sorting, c chance) *playout {
	p := &playout{sorting: s, chance: c, wish: make([]uint8, mostDrawn), did: make([]uint8, mostDrawn)}
	for i := range p.wish {
		p.wish[i] = anywhere
	}
	return p
}

// run plays the deal from its beginning, and reports whether it came out.
func (p *playout) run() bool {
	p.begin()
	return p.finish()
}

// begin lays the deal out.
func (p *playout) begin() {
	p.home, p.score, p.drawn = p.sorting.home, 0, 0
	for _, n := range p.home[1:] {
		p.score += int(n)
	}
	p.n = [reserveAt + 1]uint8{reserveAt: uint8(copy(p.pile[reserveAt][:], p.reserve))}
	p.pass, p.rest = 1, p.stock
	p.settle()
}

// finish plays on to the end.
func (p *playout) finish() bool {
	for {
		for len(p.rest) > 0 {
			card := p.rest[0]
			p.rest = p.rest[1:]
			p.draw(card)
		}
		gathered := p.gathered()
		if p.pass == p.passes || len(gathered) == 0 {
			return p.score == packSize
		}
		p.shuffle(gathered, p.pass)
		p.tell(newPass, newPass)
		p.pass, p.rest = p.pass+1, gathered
		for w := range p.piles {
			p.n[w] = 0
		}
	}
}

// gathered are the cards that a redeal takes up.
func (p *playout) gathered() []uint8 {
	list := make([]uint8, 0, packSize)
	if p.passes > 1 {
		for w := range p.piles {
			list = append(list, p.pile[w][:p.n[w]]...)
		}
	}
	return list
}

// shuffle is what the deal's own shuffle makes of the cards, or chance where that isn't known.
func (p *playout) shuffle(cards []uint8, pass int) {
	if p.order == nil {
		p.mix(cards)
		return
	}
	var before [packSize]uint8
	copy(before[:], cards)
	for i, at := range p.order(pass, len(cards)) {
		cards[i] = before[at]
	}
}

func (p *playout) tell(from, to int) {
	if p.told != nil {
		p.told(from, to)
	}
}

// draw turns a card and places it.
func (p *playout) draw(card uint8) {
	at := p.drawn
	p.drawn++
	if p.fits(card) {
		p.did[at] = wentHome
		p.bring(card, wasTurned)
		p.settle()
		return
	}
	to := int(p.wish[at])
	if to > reserveAt || to == reserveAt && !p.onReserve(card) {
		to = p.choose(card)
		if p.weighs > 0 && to != reserveAt {
			to = p.weigh(card, to)
		}
	}
	p.did[at] = uint8(to)
	p.lay(card, wasTurned, to)
	if p.extends {
		p.settle()
	}
}

// fits reports whether some foundation takes the card.
func (p *playout) fits(card uint8) bool { return p.home[card] < p.home[card-1] }

// onReserve reports whether the card may be laid on the reserve, on the next above it.
func (p *playout) onReserve(card uint8) bool {
	n := p.n[reserveAt]
	return p.extends && n > 0 && p.pile[reserveAt][n-1] == card+1
}

func (p *playout) bring(card uint8, from int) {
	p.home[card]++
	p.score++
	p.tell(from, wentHome)
}

func (p *playout) lay(card uint8, from, to int) {
	p.pile[to][p.n[to]] = card
	p.n[to]++
	p.tell(from, to)
}

// settle brings home what can go there, and onto the reserve.
func (p *playout) settle() {
	for again := true; again; {
		again = false
		for from := reserveAt; from >= 0; from-- {
			for p.n[from] > 0 {
				card := p.pile[from][p.n[from]-1]
				if p.fits(card) {
					p.n[from]--
					p.bring(card, from)
				} else if from != reserveAt && p.onReserve(card) {
					p.n[from]--
					p.lay(card, from, reserveAt)
				} else {
					break
				}
				again = true
			}
		}
	}
}

// choose is the pile for a card by rule of thumb, give or take some chance. It looks at nothing but what lies on the piles.
func (p *playout) choose(card uint8) int {
	if p.onReserve(card) {
		return reserveAt
	}
	best, most, empty := 0, -1<<30, false
	for w := range p.piles {
		if p.n[w] == 0 {
			if empty {
				continue
			}
			empty = true
		}
		if worth := p.worth(card, w) + p.below(thumbNoise); worth > most {
			best, most = w, worth
		}
	}
	return best
}

// weigh is the pile for a card by games played to the end, with the cards that are still to come in another order each time. Of
// piles that are alike it is the one given.
func (p *playout) weigh(card uint8, best int) int {
	var totals [reserveAt]int
	for range p.weighs {
		order := *p
		order.weighs, order.told = 0, nil
		order.rest = append(make([]uint8, 0, packSize), p.rest...)
		order.mix(order.rest)
		p.chance = order.chance
		for w := range p.piles {
			end := order
			end.lay(card, wasTurned, w)
			end.settle()
			end.finish()
			totals[w] += end.score
		}
	}
	for w := range p.piles {
		if totals[w] > totals[best] {
			best = w
		}
	}
	return best
}

// mix shuffles cards by chance.
func (c *chance) mix(cards []uint8) {
	for i := len(cards) - 1; i > 0; i-- {
		j := c.below(i + 1)
		cards[i], cards[j] = cards[j], cards[i]
	}
}

// worth is what it is worth to lay a card on a pile, as in table.sorted.
func (p *playout) worth(card uint8, on int) int {
	n := int(p.n[on])
	if n == 0 {
		return -4 * (13 - int(card))
	}
	if over := int(p.pile[on][n-1]) - int(card); over >= 0 {
		return -5 * over
	}
	worth, last := -70, 0
	for i := n - 1; i >= 0; i-- {
		if last = max(last, int(p.pile[on][i])); last >= int(card) {
			break
		}
		worth -= 20 + 12*(int(card)-last)
	}
	return worth
}

// search plays a deal again and again, each time with one card laid otherwise than in the best game so far, and reports whether
// it came out. The playout's wishes are then those that lead there.
func (p *playout) search(games int) bool {
	best := append([]uint8(nil), p.wish...)
	most, drawn := -1, 0
	for game := range games {
		if game > 0 {
			p.vary(best, drawn, game%2 == 0)
		}
		if p.run() {
			copy(p.wish, p.did)
			return true
		}
		if p.score >= most {
			most, drawn = p.score, p.drawn
			best, p.did = p.did, best
		}
	}
	return false
}

// vary wishes one card laid otherwise than in a game, and what follows as it was there, or by rule of thumb.
func (p *playout) vary(game []uint8, drawn int, anew bool) {
	copy(p.wish, game)
	at := p.below(drawn)
	for game[at] == wentHome && at > 0 {
		at--
	}
	p.wish[at] = uint8(p.below(p.piles))
	if anew {
		for i := range p.wish[at+1:] {
			p.wish[at+1+i] = anywhere
		}
	}
}
