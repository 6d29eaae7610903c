package picture

// The sixteen colours of a picture, as they are numbered in its palette (palette.go).
const (
	inkTable    = iota // the table
	inkPale            // half way from the table to white
	inkWhite           // card faces, captions
	inkSpade           // each suit has its ink and a shade half way to white
	inkSpade2          //
	inkHeart           //
	inkHeart2          //
	inkDiamond         //
	inkDiamond2        //
	inkClub            //
	inkClub2           //
	inkLight           // the shade nearest to white, common to all inks
	inkBack            // card backs
	inkBack2           // their pattern
	inkMark            // what moved last, and whose turn it is
	inkDeep            // the table in shadow
)

// canvas is a picture in the making: rows of packed 4-bit pixels, the left one in the high half of its byte, each row
// led by the byte that names its PNG filter.
type canvas struct {
	w, h, stride int
	pix          []byte
}

// reset makes the canvas an empty table of the size. The width is even.
func (c *canvas) reset(w, h int) {
	c.w, c.h, c.stride = w, h, 1+w/2
	if n := h * c.stride; cap(c.pix) < n {
		c.pix = make([]byte, n)
	} else {
		c.pix = c.pix[:n]
		clear(c.pix)
	}
}

// set colours one pixel.
func (c *canvas) set(x, y int, ink byte) {
	if x < 0 || x >= c.w || y < 0 || y >= c.h {
		return
	}
	half(&c.pix[y*c.stride+1+x>>1], x, ink)
}

// half colours the half of a byte that belongs to the x-th pixel of a row.
func half(b *byte, x int, ink byte) {
	if x&1 == 0 {
		*b = *b&0x0f | ink<<4
	} else {
		*b = *b&0xf0 | ink
	}
}

// line colours the pixels x0 to x1-1 of a row.
func (c *canvas) line(x0, x1, y int, ink byte) {
	x0, x1 = max(x0, 0), min(x1, c.w)
	if y < 0 || y >= c.h || x0 >= x1 {
		return
	}
	if x0&1 == 1 {
		c.set(x0, y, ink)
		x0++
	}
	if x1&1 == 1 {
		x1--
		c.set(x1, y, ink)
	}
	if x0 >= x1 {
		return
	}
	row := c.pix[y*c.stride+1:]
	for i := x0 / 2; i < x1/2; i++ {
		row[i] = ink<<4 | ink
	}
}

// sprite is a piece of picture made once: packed pixels without filter bytes. Row y leaves inset[y] pixels
// untouched at either end, so that corners may be round.
type sprite struct {
	w, h  int
	inset []int
	pix   []byte
}

// blit copies the sprite to the canvas with its left upper corner at x, which is even, and y. A sprite that would
// leave the canvas isn't drawn.
func (c *canvas) blit(s *sprite, x, y int) {
	if x < 0 || y < 0 || x+s.w > c.w || y+s.h > c.h {
		return
	}
	bytes := s.w / 2
	for row := range s.h {
		to := c.pix[(y+row)*c.stride+1+x/2:][:bytes]
		from := s.pix[row*bytes:][:bytes]
		in := s.inset[row]
		first, last := (in+1)/2, bytes-(in+1)/2
		if first > last {
			continue
		}
		copy(to[first:last], from[first:last])
		if in&1 == 1 {
			to[first-1] = to[first-1]&0xf0 | from[first-1]&0x0f
			to[last] = to[last]&0x0f | from[last]&0xf0
		}
	}
}

// round makes a sprite of one colour with round corners, and leaves room in it for what is drawn over it.
func round(w, h, radius int, ink byte) *sprite {
	s := &sprite{w: w, h: h, inset: make([]int, h), pix: make([]byte, w/2*h)}
	for y := range s.h {
		s.inset[y] = corner(min(y, h-1-y), radius)
	}
	for i := range s.pix {
		s.pix[i] = ink<<4 | ink
	}
	return s
}

// corner is how far a quarter circle of the radius has drawn back from the side, d rows below its top.
func corner(d, radius int) int {
	if d >= radius {
		return 0
	}
	// In half pixels, so that rows are measured through their middles: the greatest x with x² + y² <= r².
	r, y := 2*radius, 2*(radius-d)-1
	x := 0
	for (x+1)*(x+1)+y*y <= r*r {
		x++
	}
	return radius - (x+1)/2
}

// at is the ink of a pixel of the sprite.
func (s *sprite) at(x, y int) byte {
	b := s.pix[y*(s.w/2)+x/2]
	if x&1 == 0 {
		return b >> 4
	}
	return b & 0x0f
}

// set colours one pixel of the sprite; one outside it is left alone.
func (s *sprite) set(x, y int, ink byte) {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		return
	}
	half(&s.pix[y*(s.w/2)+x/2], x, ink)
}

// inlay draws a smaller sprite over this one with its left upper corner at x and y.
func (s *sprite) inlay(o *sprite, x, y int) {
	for row := range o.h {
		for col := o.inset[row]; col < o.w-o.inset[row]; col++ {
			s.set(x+col, y+row, o.at(col, row))
		}
	}
}
