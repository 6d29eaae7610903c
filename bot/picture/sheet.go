package picture

import (
	"slices"

	"zevaka/engine"
)

// face is how a card's rank and suit are arranged.
type face uint8

const (
	// faceRow has them side by side along the top, for cards that are covered from below.
	faceRow face = iota
	// faceSide has them one above the other along the left side, for cards that are covered from the right.
	faceSide
	// faceWhole has them as big as they can be, for cards that lie alone.
	faceWhole
	// faceFull is a card as it is printed, for large ones that lie alone.
	faceFull
	faces
)

// kit is the sprites of one size of card that have nothing printed on them.
type kit struct {
	w, h  int
	blank *sprite // a card with nothing on it
	back  *sprite
	place *sprite  // a place without a card
	halo  *sprite  // what a marked card lies on, larger by its rim on each side
	count *letters // the digits of numbers on backs
	small *letters // the digits of numbers on faces
}

// cardHeight is the height of a card of the width. It is even.
func cardHeight(w int) int { return w * 68 / 100 * 2 }

// rim is how broad the mark around a card of the width is. It is even.
func rim(w int) int { return max(4, w/18&^1) }

// newKit draws what the cards of the width are made from.
func newKit(t *typeface, w int) *kit {
	k := &kit{w: w, h: cardHeight(w)}
	radius, edge := max(2, w/12), max(1, w/72)
	sheet := func(outer, inner byte) *sprite {
		s := round(k.w, k.h, radius, outer)
		s.inlay(round(k.w-2*edge, k.h-2*edge, radius-edge, inner), edge, edge)
		return s
	}
	k.blank = sheet(inkSpade2, inkWhite)
	k.place = sheet(inkPale, inkDeep)
	k.back = k.blank.backed(radius, edge)
	k.halo = round(k.w+2*rim(w), k.h+2*rim(w), radius+rim(w), inkMark)
	k.count = newLetters(t, max(8, w*30/100), "0123456789")
	k.small = newLetters(t, max(8, w*20/100), "0123456789")
	return k
}

// deck is the faces of all cards of one size in one language, arranged in one way.
type deck [(engine.Ace + 1) * 4]*sprite

// newDeck prints all cards on blank ones.
func newDeck(t *typeface, blank *sprite, f face, ranks *Ranks) *deck {
	d := &deck{}
	p := newPen(blank.w, blank.h)
	for _, card := range engine.Pack(2) {
		d[card] = blank.copied()
		d[card].card(t, p, f, card, ranks.label(card.Rank()))
	}
	return d
}

// sprite is what a card looks like. One that lies face down, or that no pack has, shows its back.
func (d *deck) sprite(c engine.Card, back *sprite) *sprite {
	if int(c) < len(d) && d[c] != nil {
		return d[c]
	}
	return back
}

// suitInk is the ink of a suit; the shade half way to white follows it.
func suitInk(s engine.Suit) byte {
	return [...]byte{inkSpade, inkClub, inkDiamond, inkHeart}[s]
}

// copied is the same sprite once more.
func (s *sprite) copied() *sprite {
	return &sprite{w: s.w, h: s.h, inset: s.inset, pix: append([]byte(nil), s.pix...)}
}

// print adds what the pen has drawn. On white the ink of a suit has shades.
func (s *sprite) print(p *pen, ink byte) {
	shaded := ink >= inkSpade && ink <= inkClub
	p.levels(func(x, y, level int) {
		switch {
		case shaded && s.at(x, y) == inkWhite:
			s.set(x, y, [...]byte{0, inkLight, ink + 1, ink}[level])
		case level > 1:
			s.set(x, y, ink)
		}
	})
}

// backed is the back of a card: its ornament in a white frame.
func (s *sprite) backed(radius, edge int) *sprite {
	back := s.copied()
	frame := edge + max(2, s.w/20)
	back.inlay(round((s.w-2*frame)&^1, s.h-2*frame, max(1, radius-frame/2), inkBack), frame, frame)
	p := newPen(s.w, s.h)
	p.whole(drawn().Back.Once)
	p.halves(func() { p.whole(drawn().Back.Twice) })
	back.print(p, inkBack2)
	return back
}

// whole draws an outline as large as the card.
func (p *pen) whole(outline string) {
	p.into(0, 0, float32(p.w), float32(p.h)/1.4)
	p.path(outline)
}

// halves draws something, and once more upside down.
func (p *pen) halves(draw func()) {
	draw()
	p.turned = true
	draw()
	p.turned = false
}

// card draws the face of a card on the sprite. Sizes are in widths of the card.
func (s *sprite) card(t *typeface, p *pen, f face, c engine.Card, label string) {
	w := float32(p.w)
	h := float32(p.h) / w
	in := func(x, y, size float32) { p.into(x*w, y*w, size*w, size*w) }
	ink := suitInk(c.Suit())
	switch f {
	case faceRow:
		p.rank(t, label, span{.08, .44, .08, .34})
		in(.58, .075, .35)
		p.suit(c.Suit())
		s.emblem(p, c, .5, (h+.46)/2, .62)
	case faceSide:
		p.rank(t, label, span{.06, .34, .08, .34})
		in(.06, .48, .30)
		p.suit(c.Suit())
		s.emblem(p, c, .64, (h+.36)/2, .54)
	case faceWhole:
		p.rank(t, label, span{.10, .80, .11, .48})
		in(.5-.27, h-.11-.54, .54)
		p.suit(c.Suit())
	case faceFull:
		s.full(p, c)
		p.halves(func() {
			p.rank(t, label, span{.04, .15, .06, .17})
			in(.05, .26, .13)
			p.suit(c.Suit())
		})
	}
	s.print(p, ink)
}

// full draws what a printed card has between its corners.
func (s *sprite) full(p *pen, c engine.Card) {
	rank, suit := signs(c)
	d := drawn()
	if head := d.Heads[rank]; head != nil {
		for _, l := range slices.Concat(d.Frame, d.Ornaments[suit], head) {
			p.halves(func() { p.whole(l.Path) })
			s.print(p, l.colour(c.Suit()))
		}
	}
	for _, pip := range d.Pips[rank] {
		draw := func() {
			w, h := float32(p.w)/100, float32(p.h)/140
			p.into((pip[0]-pip[2]/2)*w, (pip[1]-pip[2]/2)*h, pip[2]*w, pip[2]*h)
			p.suit(c.Suit())
		}
		if pip[1] == 70 {
			draw()
		} else {
			p.halves(draw)
		}
	}
}

// emblem draws the sign in the middle of a card: its suit, small under a crown on a court card.
func (s *sprite) emblem(p *pen, c engine.Card, x, y, size float32) {
	w := float32(p.w)
	rank, _ := signs(c)
	if head := drawn().Heads[rank]; head != nil {
		wide := size * 2
		for _, l := range head {
			p.into((x-wide/2)*w, (y-size*.8)*w, wide*w, wide*w*.85)
			p.path(l.Path)
			s.print(p, l.colour(c.Suit()))
		}
		y += size * .32
		size *= .55
	}
	p.into((x-size/2)*w, (y-size/2)*w, size*w, size*w)
	p.suit(c.Suit())
}

// colour is the ink of a layer on a card of the suit.
func (l layer) colour(s engine.Suit) byte {
	switch l.Ink {
	case "gold":
		return inkMark
	case "paper":
		return inkWhite
	}
	return suitInk(s)
}

// span is where a rank is written: its left end, how wide it may be, its top and how high it is.
type span struct{ x, w, y, h float32 }

// rank writes a rank, squeezed where it would be too wide. With room to the right and left it stands in the middle.
func (p *pen) rank(t *typeface, label string, s span) {
	var natural float32
	for _, r := range label {
		natural += t.advance(r)
	}
	if natural == 0 {
		return
	}
	w := float32(p.w)
	sx := min(s.h, s.w/natural)
	x := s.x
	if s.w > .7 {
		x += (s.w - natural*sx) / 2
	}
	p.into(x*w, (s.y+s.h)*w, sx*w, s.h*w)
	var pos float32
	for _, r := range label {
		t.letter(p, r, pos, 0)
		pos += t.advance(r)
	}
}
