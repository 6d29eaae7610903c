package picture

import "zevaka/engine"

const (
	// plainHeight is how high the picture of a game without a layout of its own should be at most, in the layout's
	// measure; maxHeight is how high it can be at all.
	plainHeight = 1000
	maxHeight   = 1200
)

// plain lays out a board of which no layout is known: row by row, each kind of pile beginning a row, with the
// largest cards that leave the picture low enough. When even the smallest don't, kinds share rows, and what then is
// still too much is left out.
func (p *plan) plain(b *Board) {
	for _, card := range [...]int{84, 72, 60, 48, 36, 26} {
		f := flow{card: card, fans: true, kinds: true, captions: len(b.Captions) > 0}
		if f.lay(p, b.View.Piles) <= plainHeight {
			p.size(card, f.bottom)
			return
		}
	}
	f := flow{card: 26, captions: len(b.Captions) > 0}
	f.lay(p, b.View.Piles)
	p.size(f.card, min(f.bottom, maxHeight))
	for i, s := range p.spots {
		if s.y+f.tall() > maxHeight {
			p.spots = p.spots[:i]
			break
		}
	}
}

// flow lays piles in rows, in the layout's measure.
type flow struct {
	card       int
	fans       bool // piles may spread downwards
	kinds      bool // a new kind begins a new row
	captions   bool // there are captions above the piles
	x, y, deep int  // where the next pile goes, and how far down its row reaches
	bottom     int
}

// tall is the height of a card in the layout's measure, with what rounding may add.
func (f *flow) tall() int { return cardHeight(f.card+1) + 2 }

// lay finds a spot for each pile and returns how high the picture becomes.
func (f *flow) lay(p *plan, piles []engine.Pile) int {
	const margin, gap = 10, 8
	head := gap
	if f.captions {
		head = 30
	}
	p.spots = p.spots[:0]
	f.x, f.y, f.deep = margin, head+2, 0
	for i := range piles {
		wraps := f.x+f.card+margin > unit
		if wraps || f.kinds && i > 0 && piles[i].Kind != piles[i-1].Kind {
			f.x, f.y, f.deep = margin, f.y+f.deep+head, 0
		}
		s := spot{x: f.x, y: f.y}
		reach := f.tall()
		if n := len(piles[i].Cards); f.fans && n > 1 && (hidden(piles[i].Cards) < n-1 || n <= maxBacks) {
			s.fan, s.room = down, min((n-1)*f.card/2, 3*f.card)
			reach += s.room
		}
		p.spots = append(p.spots, s)
		f.x += f.card + gap
		f.deep = max(f.deep, reach)
	}
	f.bottom = f.y + max(f.deep, f.tall()) + margin
	return f.bottom
}
