package picture

import (
	"cmp"
	"slices"

	"zevaka/engine"
)

const (
	// plainHeight is how high the picture of a game without a layout of its own should be at most, in the layout's
	// measure; maxHeight is how high it can be at all.
	plainHeight = 1000
	maxHeight   = 1200
	// stripRoom is how much of that is left to a strip.
	stripRoom = 100
)

// plain lays out a board of which no layout is known by what its piles are for: line by line, with the largest cards that
// leave the picture low enough. When even the smallest don't, lines are joined, and what then is still too much is left
// out.
func (p *plan) plain(b *Board) {
	piles := b.View.Piles
	p.sort(piles)
	for _, card := range [...]int{84, 72, 60, 48, 36, 26} {
		f := flow{card: card, fans: true, lines: true, grid: p.grid, captions: captioned(b)}
		if f.lay(p, piles) <= plainHeight {
			p.size(card, f.bottom)
			return
		}
	}
	p.grid = false
	f := flow{card: 26, captions: captioned(b)}
	f.lay(p, piles)
	lowest := maxHeight
	if len(b.Seats) > 0 {
		lowest -= stripRoom
	}
	p.size(f.card, min(f.bottom, lowest))
	for i, s := range p.spots {
		if s.y+f.tall() > lowest {
			p.spots = p.spots[:i]
			break
		}
	}
}

// captioned reports whether anything stands above the piles.
func captioned(b *Board) bool { return len(b.Captions)+len(b.Seats) > 0 }

// line is which line a pile lies in: those with equal ones lie in one.
type line struct {
	class int
	row   int16
	kind  string
}

// The classes of lines, from the top: the foundations, then the stock with what was turned up from it, then what lies side
// by side on the table, row by row, and then the other piles, kind by kind.
const (
	builtUp = iota
	dealt
	inRows
	others
)

func lineOf(piles []engine.Pile, i int) line {
	switch pile := &piles[i]; {
	case pile.Row > 0:
		return line{class: inRows, row: pile.Row}
	case pile.Role == engine.PileFoundation:
		return line{class: builtUp}
	case pile.Role == engine.PileTurned, pile.Role == engine.PileStock && pile.Seat == engine.Nobody, onlyWaste(piles, i):
		return line{class: dealt}
	default:
		return line{class: others, kind: pile.Kind}
	}
}

// onlyWaste reports whether the pile is the only one that cards are laid aside on.
func onlyWaste(piles []engine.Pile, i int) bool {
	if piles[i].Role != engine.PileWaste {
		return false
	}
	for k := range piles {
		if k != i && piles[k].Role == engine.PileWaste {
			return false
		}
	}
	return true
}

// sort puts the piles in order, line by line; those of a row by their columns, the stock before what was dealt from it.
func (p *plan) sort(piles []engine.Pile) {
	p.order = p.order[:0]
	for i := range piles {
		p.grid = p.grid || piles[i].Role == engine.PileCell
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(i, j int) int {
		a, b := lineOf(piles, i), lineOf(piles, j)
		if a.class == dealt {
			return cmp.Or(a.class-b.class, int(piles[i].Role)-int(piles[j].Role))
		}
		return cmp.Or(a.class-b.class, int(a.row-b.row), int(piles[i].Column-piles[j].Column))
	})
}

// flow lays piles in lines, in the layout's measure.
type flow struct {
	card       int
	fans       bool // piles may spread
	lines      bool // what belongs to another line begins one
	grid       bool // there are numbers beside and above
	captions   bool // there are captions above the piles
	x, y, deep int  // where the next pile goes, and how far down its line reaches
	bottom     int
}

// tall is the height of a card in the layout's measure, with what rounding may add.
func (f *flow) tall() int { return cardHeight(f.card+1) + 2 }

// lay finds a spot for each pile and returns how high the picture becomes.
func (f *flow) lay(p *plan, piles []engine.Pile) int {
	const margin, gap, numbers = 10, 8, 26
	head, left := gap, margin
	if f.captions {
		head = 30
	}
	f.y, f.deep = head+2, 0
	if f.grid {
		left, f.y = numbers, max(f.y, numbers+2)
	}
	f.x = left
	p.spots = append(p.spots[:0], make([]spot, len(piles))...)
	for n, i := range p.order {
		begins := f.lines && n > 0 && lineOf(piles, i) != lineOf(piles, p.order[n-1])
		if begins || f.x+f.card+margin > unit {
			f.x, f.y, f.deep = left, f.y+f.deep+head, 0
		}
		s := spot{x: f.x, y: f.y}
		reach := f.tall()
		switch {
		case !f.fans || !spreads(&piles[i]):
		case onlyWaste(piles, i): // It lies last in its line.
			s.fan, s.face, s.room = right, faceSide, unit-margin-f.card-f.x
		default:
			s.fan, s.room = down, min((len(piles[i].Cards)-1)*f.card/2, 3*f.card)
			reach += s.room
		}
		p.spots[i] = s
		f.x += f.card + gap
		f.deep = max(f.deep, reach)
	}
	f.bottom = f.y + max(f.deep, f.tall()) + margin
	return f.bottom
}

// spreads reports whether more than the uppermost card of the pile is shown.
func spreads(pile *engine.Pile) bool {
	n := len(pile.Cards)
	squared := pile.Role == engine.PileFoundation || pile.Role == engine.PileStock
	return n > 1 && !squared && (hidden(pile.Cards) < n-1 || n <= maxBacks)
}
