package picture

import (
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
	k.back = k.blank.lattice(radius, edge)
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
		p.card(t, f, card, ranks.label(card.Rank()))
		d[card] = blank.printed(p, suitInk(card.Suit()))
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

// printed is a copy of the sprite with what the pen has drawn.
func (s *sprite) printed(p *pen, ink byte) *sprite {
	out := &sprite{w: s.w, h: s.h, inset: s.inset, pix: append([]byte(nil), s.pix...)}
	p.levels(func(x, y, level int) {
		out.set(x, y, [...]byte{0, inkLight, ink + 1, ink}[level])
	})
	return out
}

// lattice is the back of a card: a lattice in a white frame.
func (s *sprite) lattice(radius, edge int) *sprite {
	back := &sprite{w: s.w, h: s.h, inset: s.inset, pix: append([]byte(nil), s.pix...)}
	frame := edge + max(2, s.w/20)
	inner := round((s.w-2*frame)&^1, s.h-2*frame, max(1, radius-frame/2), inkBack)
	pitch := max(6, s.w/8) &^ 1
	for y := range inner.h {
		for x := range inner.w {
			// It is mirrored at the middle, so that it meets the frame alike on all sides.
			u, v := x-inner.w/2, y-inner.h/2
			if mod(u+v, pitch) < edge || mod(u-v, pitch) < edge {
				inner.set(x, y, inkBack2)
			}
		}
	}
	back.inlay(inner, frame, frame)
	return back
}

func mod(a, n int) int { return (a%n + n) % n }

// card draws the face of a card. Sizes are in widths of the card.
func (p *pen) card(t *typeface, f face, c engine.Card, label string) {
	w := float32(p.w)
	h := float32(p.h) / w
	in := func(x, y, size float32) { p.into(x*w, y*w, size*w, size*w) }
	switch f {
	case faceRow:
		p.rank(t, label, span{.08, .44, .08, .34})
		in(.58, .075, .35)
		p.suit(c.Suit())
		p.emblem(c, .5, (h+.46)/2, .62)
	case faceSide:
		p.rank(t, label, span{.06, .34, .08, .34})
		in(.06, .48, .30)
		p.suit(c.Suit())
		p.emblem(c, .64, (h+.36)/2, .54)
	case faceWhole:
		p.rank(t, label, span{.10, .80, .11, .48})
		in(.5-.27, h-.11-.54, .54)
		p.suit(c.Suit())
	}
}

// emblem draws the sign in the middle of a card: its suit, small under a crown on a court card.
func (p *pen) emblem(c engine.Card, x, y, size float32) {
	w := float32(p.w)
	if rank := c.Rank(); rank >= engine.Jack && rank <= engine.King {
		p.into((x-size*.38)*w, (y-size*.62)*w, size*.76*w, size*.40*w)
		p.crown(rank)
		y += size * .24
		size *= .70
	}
	p.into((x-size/2)*w, (y-size/2)*w, size*w, size*w)
	p.suit(c.Suit())
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
