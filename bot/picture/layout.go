package picture

import (
	"cmp"
	"strconv"

	"zevaka/engine"
)

// A layout says where each pile of a game lies (RECORDS.md, "Verbs and piles"). It is measured in 800ths of
// the picture's width.
type layout struct {
	card   int // the width of a card
	height int // the height of the picture
	piles  map[string]spot
	grid   bool // rows and columns of cells, numbered at the left and on top

	big, little int     // the widths of cards that stand out, and of those that are only told of
	text        int     // how high capitals are; 0: capital
	panels      []panel // of each seat
	next        nexts
	bank        panel // where the bank is told; empty where there is none
}

// nexts is where the cards are told that a pile takes next, if it is known.
type nexts struct {
	pile string
	x, y int
}

// panel is what lies under the piles of a seat.
type panel struct{ x, y, w, h int }

const (
	// capital is how high capitals are where nothing else is said.
	capital = 16
	// stripRows is how many lines what happened last may take; so many are left room for, that buttons under a picture
	// don't move from one to the next.
	stripRows = 2
)

// unit is the width that layouts are measured in.
const unit = 800

// spot is where a pile lies and how.
type spot struct {
	x, y int // its first card
	fan  fan
	room int  // how far from the first card the last one may lie
	rise int  // of an arch: how much higher its middle is than its ends
	face face // how the cards are drawn
	side side // where its caption stands
	name int  // how wide a caption above it may be; 0: as wide as a card
	free bool // nothing marks the place when it is empty
	size size // how large the cards are
}

// size is which of the sizes of a layout a card has.
type size uint8

const (
	usual size = iota
	big
	little
	sizes
)

// fan is how the cards of a pile lie on each other.
type fan uint8

const (
	squared fan = iota // only the top one can be seen
	down
	right
	arch // from the left over the top to the right, as a half circle
)

// side is where the caption of a pile stands.
type side uint8

const (
	above side = iota
	below
	atLeft
	atRight
	untold // it has none
)

// put gives a pile its place.
func (l *layout) put(name string, s spot) {
	if l.piles == nil {
		l.piles = map[string]spot{}
	}
	l.piles[name] = s
}

// line gives the piles kind1 to kindN their places, each so far to the right of the one before.
func (l *layout) line(kind string, n int, first spot, step int) {
	for k := range n {
		l.put(kind+strconv.Itoa(k+1), first)
		first.x += step
	}
}

// knows reports whether the layout has a place for every pile.
func (l *layout) knows(piles []engine.Pile) bool {
	for i := range piles {
		if _, ok := l.piles[piles[i].Name]; !ok {
			return false
		}
	}
	return true
}

// plan is where everything of one board lies in the picture, in pixels.
type plan struct {
	w, h   int
	cards  [sizes]int // the width of a card of each size; 0 where there is none
	text   int        // how high capitals are
	grid   bool
	panels []panel
	next   nexts
	bank   panel
	strip  int    // how high the strip is at the bottom
	order  []int  // of the piles where no layout is known
	spots  []spot // of each pile of the View
	places []Place
}

// scale turns a measure of the layout into pixels.
func (p *plan) scale(n int) int { return n * p.w / unit }

// even is the same, rounded down to an even number, as sprites need it.
func (p *plan) even(n int) int { return p.scale(n) &^ 1 }

// arrange finds the layout and lays out every card.
func (p *plan) arrange(layouts []*layout, b *Board) {
	p.w = b.Look.width()
	p.spots, p.places, p.grid, p.panels, p.next, p.bank = p.spots[:0], p.places[:0], false, nil, nexts{}, panel{}
	p.cards, p.text, p.strip = [sizes]int{}, p.scale(capital), 0
	for _, l := range layouts {
		if l.knows(b.View.Piles) {
			p.size(l.card, l.height)
			p.cards[big], p.cards[little] = p.even(l.big), p.even(l.little)
			p.grid, p.panels, p.next, p.bank = l.grid, l.panels, l.next, l.bank
			p.text = p.scale(cmp.Or(l.text, capital))
			for i := range b.View.Piles {
				p.spots = append(p.spots, l.piles[b.View.Piles[i].Name])
			}
			break
		}
	}
	if len(p.spots) == 0 {
		p.plain(b)
	}
	for i, s := range p.spots {
		p.pile(i, s, b.View.Piles[i].Cards)
	}
	if len(b.Seats) > 0 {
		p.strip = stripHeight(p.text)
		p.h += p.strip
	}
}

// stripHeight is how high a strip is for capitals so high.
func stripHeight(text int) int { return stripRows*lineHeight(text) + text }

// lineHeight is how far the lines of a text stand apart.
func lineHeight(text int) int { return text * 9 / 5 }

// size sets the size of cards and picture, given in the layout's measure.
func (p *plan) size(card, height int) {
	p.cards[usual] = p.even(card)
	p.h = p.scale(height)
}

// pile lays out the cards of one pile: those that can be seen, or the empty place.
func (p *plan) pile(pile int, s spot, cards []engine.Card) {
	x, y := p.even(s.x), p.scale(s.y)
	n := len(cards)
	card := p.cards[s.size]
	place := Place{Pile: pile, Index: n - 1, X: x, Y: y, W: card, H: cardHeight(card)}
	if s.fan == squared || n <= 1 || hidden(cards) >= n-1 && n > maxBacks {
		if s.fan == arch {
			place.X, place.Y = p.arched(s, 0, archCards)
		}
		p.places = append(p.places, place)
		return
	}
	steps := p.steps(s, n-1)
	for i := range n {
		place.Index = i
		switch s.fan {
		case down:
			place.Y = y + steps.at(i)
		case right:
			place.X = x + steps.at(i)&^1
		case arch:
			place.X, place.Y = p.arched(s, i, max(n, archCards))
		}
		p.places = append(p.places, place)
	}
}

// maxBacks is how many cards of a hand are shown face down one beside the other; more are a pile.
const maxBacks = 3

// hidden is how many cards lie face down at the bottom.
func hidden(cards []engine.Card) int {
	for i, c := range cards {
		if c.Rank() != 0 {
			return i
		}
	}
	return len(cards)
}

// archCards is how many cards an arch has places for before it must close up: the rainbow's (RULES.md, section 2).
const archCards = 26

// arched is where the i-th of n cards of an arch lies: on half an ellipse, steps to the right being equal.
func (p *plan) arched(s spot, i, n int) (x, y int) {
	room, rise := p.scale(s.room), p.scale(s.rise)
	// How far from the middle, in thousandths of the half width, a little less than all of it: the last step of a half
	// circle would be too steep.
	t := 970 * (2*i - (n - 1)) / (n - 1)
	height := rise * root(1_000_000-t*t) / 1000
	return (p.scale(s.x) + room*i/(n-1)) &^ 1, p.scale(s.y) + rise - height
}

// root is the whole part of the square root.
func root(n int) int {
	if n <= 0 {
		return 0
	}
	r := n
	for next := (r + 1) / 2; next < r; next = (r + n/r) / 2 {
		r = next
	}
	return r
}

// fanSteps is how far the cards of a fan lie from each other: the first few so far, the rest so far, in 256ths of a
// pixel.
type fanSteps struct {
	tight        int // how many steps are tight
	narrow, wide int
}

func (f fanSteps) at(i int) int { return (min(i, f.tight)*f.narrow + max(0, i-f.tight)*f.wide) >> 8 }

// steps divides the room of a fan among its cards. A long fan is squeezed; where that would make every card hard to
// read, the upper ones stay readable and those beneath show their edges.
func (p *plan) steps(s spot, n int) fanSteps {
	card := p.cards[s.size]
	open, least := card*118, card*87 // 0.46 and 0.34 of a card's width
	if s.fan == right {
		open, least = card*106, card*84 // 0.41 and 0.33
	}
	room := p.scale(s.room) << 8
	if n*least <= room {
		return fanSteps{wide: min(open, room/n)}
	}
	edge := card * 12
	readable := max(0, room-n*edge) / (least - edge)
	readable = min(max(readable, 1), n-1)
	if least > room {
		return fanSteps{wide: room / n}
	}
	return fanSteps{tight: n - readable, narrow: (room - readable*least) / (n - readable), wide: least}
}
