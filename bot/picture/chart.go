package picture

import (
	"math"
	"slices"
	"strconv"
)

// Chart is a line from left to right: how a number has changed. Letters that the font lacks are left out of its texts, and what
// is too long is cut.
type Chart struct {
	// Title says what it is, Name whose; the Name may be empty.
	Title, Name string
	// Points are the number as it was at first, then, and so on to now. There is at least one, and none is further from 0 than 1<<60.
	Points []int64
	// From and To stand below both ends of the line, Along between them.
	From, To, Along string
	// Look is how large it is, and the table whose colours it has.
	Look Look
}

// The inks of a chart where they are others than a board's: what lies below the line, and the shades from the ground to it.
const (
	inkBelow = inkSpade
	inkLine1 = inkHeart
	inkLine2 = inkHeart2
	inkGrid  = inkClub
)

// How a chart is laid out, in 800ths of its width.
const (
	chartHeight = 460
	chartMargin = 24
	chartText   = 21 // how high capitals are
	chartNow    = 44 // those of what the number is now
	chartTop    = 112
	chartBottom = 64
	chartStroke = 6
	// dotted is up to how many points each has a dot.
	dotted = 15
)

// palette is that of the look, with the shades that a line needs.
func (c *Chart) palette() palette {
	p := c.Look.palette()
	at := func(ink int) rgb { return rgb(p[3*ink])<<16 | rgb(p[3*ink+1])<<8 | rgb(p[3*ink+2]) }
	deep, mark := at(inkDeep), at(inkMark)
	return p.with(inkBelow, mix(deep, mark, 16)).with(inkLine1, mix(deep, mark, 40)).with(inkLine2, mix(deep, mark, 70)).
		with(inkGrid, mix(deep, 0xffffff, 22))
}

// size is how many pixels wide and high it is.
func (c *Chart) size() (width, height int) {
	width = c.Look.width()
	return width, width * chartHeight / unit
}

// alphabet is the letters of a size.
func (p *Painter) alphabet(size int) *letters {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.texts[size] == nil {
		p.texts[size] = newLetters(p.face, size, alphabet())
		p.held += p.texts[size].bytes()
	}
	return p.texts[size]
}

// draw implements Sheet. The same Chart gives the same bytes.
func (c *Chart) draw(p *Painter, dst []byte) []byte {
	br := p.brushes.Get().(*brush)
	defer p.brushes.Put(br)
	w, h := c.size()
	d := chartist{c: &br.canvas, of: c, w: w, text: p.alphabet(w * chartText / unit), now: p.alphabet(w * chartNow / unit)}
	d.c.reset(w, h)
	d.head()
	d.ground(h)
	d.line()
	colours := c.palette()
	return br.png.encode(dst, &br.canvas, &colours)
}

// chartist draws a chart.
type chartist struct {
	c         *canvas
	of        *Chart
	w         int
	text, now *letters
	// ticks are the numbers at the side, at is where the line is drawn.
	ticks []int64
	at    panel
}

func (d *chartist) scale(n int) int { return n * d.w / unit }

// head writes what it is, whose, and the number as it is now.
func (d *chartist) head() {
	margin, text := d.scale(chartMargin), d.text.size
	now := strconv.FormatInt(d.of.Points[len(d.of.Points)-1], 10)
	wide := d.now.width(now)
	d.now.caption(d.c, now, box{margin, margin + d.now.size, d.w - 2*margin, atEnd}, [4]byte{0, 0, inkPale, inkWhite})
	room := d.w - 3*margin - wide
	first := margin + text
	if d.text.width(d.of.Name) == 0 {
		first = margin + (d.now.size+text)/2
	}
	d.text.caption(d.c, d.of.Title, box{margin, first, room, atStart}, [4]byte{0, 0, inkPale, inkWhite})
	d.text.caption(d.c, d.of.Name, box{margin, margin + text + lineHeight(text), room, atStart}, [4]byte{0, 0, inkPale, inkPale})
}

// ground draws what the line stands on, with the numbers at its side and what stands below.
func (d *chartist) ground(height int) {
	margin, text := d.scale(chartMargin), d.text.size
	d.ticks = ticks(d.of.Points)
	side := 0
	for _, n := range d.ticks {
		side = max(side, d.text.width(strconv.FormatInt(n, 10)))
	}
	side = min(side, d.w/2)
	d.at = panel{margin + side + text/2, d.scale(chartTop), 0, height - d.scale(chartTop) - d.scale(chartBottom)}
	d.at.w = d.w - margin - d.at.x
	pad := d.scale(12)
	d.c.rounded(panel{d.at.x - pad/2, d.at.y - pad, d.at.w + pad, d.at.h + 2*pad}, d.scale(10), inkDeep)
	inks := [4]byte{0, 0, inkPale, inkPale}
	for _, n := range d.ticks {
		y := d.y(n)
		d.text.caption(d.c, strconv.FormatInt(n, 10), box{margin, y + text/2, side, atEnd}, inks)
		for thick := range max(1, d.scale(2)) {
			d.c.line(d.at.x, d.at.x+d.at.w, y+thick, inkGrid)
		}
	}
	y, end := height-margin, min(max(d.text.width(d.of.From), d.text.width(d.of.To))+text, d.at.w/4)
	d.text.caption(d.c, d.of.From, box{d.at.x, y, end, atStart}, inks)
	d.text.caption(d.c, d.of.To, box{d.at.x + d.at.w - end, y, end, atEnd}, inks)
	d.text.caption(d.c, d.of.Along, box{d.at.x + end, y, d.at.w - 2*end, middle}, inks)
}

// line draws the line, what lies below it, and a dot where the number is now.
func (d *chartist) line() {
	n := len(d.of.Points)
	p := newPen(d.w, d.at.y+d.at.h+d.scale(chartBottom))
	p.into(0, 0, 1, 1)
	bottom := float32(d.at.y + d.at.h)
	x, y := make([]float32, n), make([]float32, n)
	for i, point := range d.of.Points {
		x[i], y[i] = float32(d.x(i)), float32(d.y(point))
	}
	p.move(x[0], bottom)
	for i := range n {
		p.lines(x[i], y[i])
	}
	p.lines(x[n-1], bottom)
	p.levels(func(px, py, level int) {
		if level > 1 && d.inkAt(px, py) == inkDeep {
			d.c.set(px, py, inkBelow)
		}
	})
	half := float32(d.scale(chartStroke)) / 2
	for i := range n {
		r := half
		if n <= dotted {
			r = 2 * half
		}
		p.circle(x[i], y[i], r)
	}
	for i := 1; i < n; i++ {
		p.stroke(x[i-1], y[i-1], x[i], y[i], half)
	}
	p.levels(func(px, py, level int) { d.c.set(px, py, [4]byte{0, inkLine1, inkLine2, inkMark}[level]) })
	p.circle(x[n-1], y[n-1], 3*half)
	p.levels(func(px, py, level int) { d.c.set(px, py, [4]byte{0, inkLine1, inkPale, inkWhite}[level]) })
	p.circle(x[n-1], y[n-1], 2*half)
	p.levels(func(px, py, level int) { d.c.set(px, py, [4]byte{0, inkLine2, inkLine2, inkMark}[level]) })
}

// inkAt is the ink of a pixel; that of the table outside the canvas.
func (d *chartist) inkAt(x, y int) byte {
	if x < 0 || y < 0 || x >= d.c.w || y >= d.c.h {
		return inkTable
	}
	return inkAt(d.c.pix[y*d.c.stride+1:], x)
}

// x is where the i-th point is: a single one at the end.
func (d *chartist) x(i int) int {
	inner := d.at.w - 2*d.scale(chartStroke)
	return d.at.x + d.scale(chartStroke) + inner*(i+1-min(len(d.of.Points)-1, 1))/max(len(d.of.Points)-1, 1)
}

// y is how high a number stands.
func (d *chartist) y(n int64) int {
	low, high := d.ticks[0], d.ticks[len(d.ticks)-1]
	return d.at.y + d.at.h - int(float64(d.at.h)*float64(n-low)/float64(high-low)+.5)
}

// stroke draws a line from one point to another, which lies further to the right.
func (p *pen) stroke(x0, y0, x1, y1, half float32) {
	dx, dy := float64(x1-x0), float64(y1-y0)
	long := math.Hypot(dx, dy)
	nx, ny := float32(-dy/long)*half, float32(dx/long)*half
	p.move(x0-nx, y0-ny)
	p.lines(x1-nx, y1-ny, x1+nx, y1+ny, x0+nx, y0+ny)
}

// ticks are round numbers, at least two and at most four, of which the first and the last enclose all points.
func ticks(points []int64) []int64 {
	const most = 3
	low, high := slices.Min(points), slices.Max(points)
	// What hardly changes is not to look as if it did.
	least := max(1, max(-low, high)/200)
	for power := int64(1); ; power *= 10 {
		for _, times := range []int64{1, 2, 5} {
			step := power * times
			first, last := low-mod64(low, step), high+mod64(-high, step)
			if step < least || (last-first)/step > most {
				continue
			}
			if first == last {
				first, last = first-step, last+step
				if low >= 0 {
					first = max(first, 0)
				}
			}
			var all []int64
			for n := first; n <= last; n += step {
				all = append(all, n)
			}
			return all
		}
	}
}

func mod64(a, n int64) int64 { return (a%n + n) % n }
