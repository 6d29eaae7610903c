package picture

// letters is an alphabet of one size.
type letters struct {
	size   int // the height of capitals
	drop   int // how far letters may reach below the base line
	glyphs map[rune]*glyph
}

// glyph is one letter: where it is touched, by which level.
type glyph struct {
	advance int
	dots    []dot
}

// box is where a text is written: from x on, at most w wide, its base line at y.
type box struct {
	x, y, w int
	side    hold
}

// hold is which side of its box a text keeps to.
type hold uint8

const (
	middle hold = iota
	atStart
	atEnd
)

type dot struct {
	x, y  int16 // from the origin on the base line
	level uint8
}

// robot is the sign of a computer player, which is drawn here: no font of letters has it.
const robot = '🤖'

// alphabet is what captions are written with: Latin, Cyrillic, signs. Letters that the font lacks are left out.
func alphabet() string {
	var all []rune
	for _, span := range [...][2]rune{{' ', '~'}, {0xa1, 0x17f}, {0x400, 0x45f}, {0x490, 0x491}} {
		for r := span[0]; r <= span[1]; r++ {
			all = append(all, r)
		}
	}
	return string(all) + "\u00a0–—−‘’‚“”„…•→←↑↓♠♣♥♦►▲▼◄№" + string(robot)
}

// newLetters draws an alphabet whose capitals are size pixels high.
func newLetters(t *typeface, size int, alphabet string) *letters {
	l := &letters{size: size, drop: size / 3, glyphs: map[rune]*glyph{}}
	up, left := size, size
	p := newPen(4*size, size+up+size)
	for _, r := range alphabet {
		g := &glyph{advance: int(t.advance(r)*float32(size) + .5)}
		p.into(float32(left), float32(size+up), float32(size), float32(size))
		switch {
		case r == robot:
			g.advance = size * 4 / 3
			p.robot()
		case t.has(r):
			t.letter(p, r, 0, 0)
		default:
			continue
		}
		p.levels(func(x, y, level int) {
			g.dots = append(g.dots, dot{int16(x - left), int16(y - size - up), uint8(level)})
		})
		l.glyphs[r] = g
	}
	return l
}

// bytes is about how much room the letters take.
func (l *letters) bytes() int {
	const dotBytes = 6
	var n int
	for _, g := range l.glyphs {
		n += len(g.dots) * dotBytes
	}
	return n
}

// width is how wide a text becomes. Letters that aren't in the alphabet take no room.
func (l *letters) width(text string) int {
	var w int
	for _, r := range text {
		if g := l.glyphs[r]; g != nil {
			w += g.advance
		}
	}
	return w
}

// caption writes a text into the w pixels from x on, with its base line at y and one ink for each level; ink
// 0 leaves what is there. A text that is too long is cut, and ends in dots.
func (l *letters) caption(c *canvas, text string, at box, inks [4]byte) {
	x, end := at.x, at.x+at.w
	var dots *glyph
	if w := l.width(text); w <= at.w {
		switch at.side {
		case middle:
			x += (at.w - w) / 2
		case atEnd:
			x += at.w - w
		}
	} else if dots = l.glyphs['…']; dots != nil {
		end -= dots.advance
	}
	for _, r := range text {
		g := l.glyphs[r]
		if g == nil {
			continue
		}
		if dots != nil && x+g.advance > end {
			dots.write(c, x, at.y, inks)
			return
		}
		g.write(c, x, at.y, inks)
		x += g.advance
	}
}

// write draws the letter with its origin at x and y.
func (g *glyph) write(c *canvas, x, y int, inks [4]byte) {
	for _, d := range g.dots {
		if ink := inks[d.level]; ink != 0 {
			c.set(x+int(d.x), y+int(d.y), ink)
		}
	}
}
