package picture

import (
	"slices"
	"strconv"

	"zevaka/engine"
)

// brush is what drawing one picture needs.
type brush struct {
	plan   plan
	canvas canvas
	png    *encoder
	kits   [sizes]*kit
	decks  [sizes][faces]*deck
	needs  [sizes][faces]bool // which of the decks this picture takes
	text   *letters
}

// need finds out which decks the board that was arranged takes.
func (br *brush) need(b *Board) {
	br.needs = [sizes][faces]bool{}
	for i := range br.plan.spots {
		s := &br.plan.spots[i]
		br.needs[s.size][s.face] = true
	}
	if len(br.plan.wanted(b)) > 0 {
		br.needs[little][faceWhole] = true
	}
}

// paint draws the board that was arranged.
func (br *brush) paint(b *Board) {
	br.canvas.reset(br.plan.w, br.plan.h)
	br.seats(b)
	for i := range br.plan.places {
		br.place(b, i)
	}
	for i := range br.plan.places {
		at := &br.plan.places[i]
		pile := &b.View.Piles[at.Pile]
		if len(b.Marked) == 0 || at.Index != len(pile.Cards)-1 || !slices.Contains(b.Marked, pile.Name) {
			continue
		}
		if at.Index >= 0 || !br.plan.spots[at.Pile].free {
			br.canvas.blit(br.kits[br.plan.spots[at.Pile].size].halo, at.X-rim(at.W), at.Y-rim(at.W))
		}
		br.top(b, i)
	}
	br.captions(b)
	br.nexts(b)
	br.bank(b)
	br.news(b)
}

// place draws what lies in the i-th place, with the edges of those beneath if it is the top of a heap.
func (br *brush) place(b *Board, i int) {
	at := &br.plan.places[i]
	if br.heap(b, i) {
		for depth := min(at.Index, 2); depth > 0; depth-- {
			br.canvas.blit(br.kits[br.plan.spots[at.Pile].size].blank, at.X+2*depth, at.Y+2*depth)
		}
	}
	br.top(b, i)
}

// top draws the card in the i-th place, or the empty place.
func (br *brush) top(b *Board, i int) {
	at := &br.plan.places[i]
	pile, s := &b.View.Piles[at.Pile], &br.plan.spots[at.Pile]
	switch {
	case at.Index >= 0:
		br.canvas.blit(br.decks[s.size][s.face].sprite(pile.Cards[at.Index], br.kits[s.size].back), at.X, at.Y)
	case !s.free && br.medal(b, pile.Seat) == 0:
		br.canvas.blit(br.kits[s.size].place, at.X, at.Y)
	}
	if br.heap(b, i) {
		br.count(pile, at, br.kits[s.size])
	}
}

// heap reports whether the i-th place is the only one of a pile with cards.
func (br *brush) heap(b *Board, i int) bool {
	at := &br.plan.places[i]
	return at.Index >= 0 && at.Index == len(b.View.Piles[at.Pile].Cards)-1 &&
		(i == 0 || br.plan.places[i-1].Pile != at.Pile)
}

// count writes the number of cards on a heap that has some face down: in the middle of a back, or
// on the lower edge of a card.
func (br *brush) count(pile *engine.Pile, at *Place, k *kit) {
	if hidden(pile.Cards) == 0 {
		return
	}
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], int64(len(pile.Cards)), 10)
	l, y := k.count, at.Y+at.H/2
	if top := pile.Cards[len(pile.Cards)-1]; top.Rank() != 0 {
		l, y = k.small, at.Y+at.H
	}
	height := l.size * 8 / 5
	w := max(l.width(string(text))+l.size, height)
	x := at.X + (at.W-w)/2
	if y == at.Y+at.H {
		x = at.X + at.W - w
	}
	y -= height / 2
	for row := range height {
		in := corner(min(row, height-1-row), height/2)
		br.canvas.line(x+in, x+w-in, y+row, inkDeep)
	}
	l.caption(&br.canvas, string(text), box{x: x, y: y + (height+l.size)/2, w: w}, [4]byte{0, 0, inkPale, inkWhite})
}

// captions writes what stands beside the piles. That of a player whose turn it is stands out.
func (br *brush) captions(b *Board) {
	p := &br.plan
	if p.grid {
		br.numbers(b)
	}
	if !captioned(b) {
		return
	}
	company := slices.ContainsFunc(b.View.Piles, func(q engine.Pile) bool { return q.Seat > 0 })
	for i, s := range p.spots {
		pile := &b.View.Piles[i]
		text := b.Captions[pile.Name]
		if text == "" && p.panels == nil && pile.Seat >= 0 && int(pile.Seat) < len(b.Seats) {
			text = b.Seats[pile.Seat].Name
		}
		if text == "" || s.side == untold || s.free && len(pile.Cards) == 0 {
			continue
		}
		inks := [4]byte{0, 0, inkPale, inkWhite}
		if company && len(b.View.Turn) > 0 && pile.Seat == b.View.Turn[0] {
			inks[3] = inkMark
		}
		br.text.caption(&br.canvas, text, br.beside(s), inks)
	}
}

// beside is where the caption of a pile stands.
func (br *brush) beside(s spot) box {
	p := &br.plan
	x, y := p.scale(s.x), p.scale(s.y)
	if s.fan == arch {
		x, y = p.arched(s, 0, archCards)
	}
	gap, wide := br.text.size/2, p.scale(48)
	card := p.cards[s.size]
	cardH := cardHeight(card)
	level := y + (cardH+br.text.size)/2
	switch s.side {
	case below:
		return box{x: x - 4, y: y + cardH + gap + br.text.size, w: card + 8}
	case atLeft:
		return box{x: x - wide - gap, y: level, w: wide}
	case atRight:
		return box{x: x + card + gap, y: level, w: wide}
	}
	if s.name != 0 {
		return box{x: x + (card-p.scale(s.name))/2, y: y - gap, w: p.scale(s.name)}
	}
	return box{x: x - 4, y: y - gap, w: card + 8}
}

// numbers writes the numbers of rows and columns beside a grid of cells.
func (br *brush) numbers(b *Board) {
	p := &br.plan
	inks := [4]byte{0, 0, inkPale, inkPale}
	for i, s := range p.spots {
		pile := &b.View.Piles[i]
		if pile.Row == 1 {
			col := strconv.Itoa(int(pile.Column))
			br.text.caption(&br.canvas, col, box{x: p.scale(s.x), y: p.scale(s.y) - br.text.size/2, w: p.cards[usual]}, inks)
		}
		if pile.Row > 0 && pile.Column == 0 {
			y := p.scale(s.y) + (cardHeight(p.cards[usual])+br.text.size)/2
			br.text.caption(&br.canvas, strconv.Itoa(int(pile.Row)), box{y: y, w: p.scale(s.x)}, inks)
		}
	}
}
