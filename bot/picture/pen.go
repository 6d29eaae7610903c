package picture

import (
	"fmt"
	"image"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// pen draws outlines, given in a unit square with y downwards, into a box of pixels.
type pen struct {
	r      vector.Rasterizer
	ox, oy float32
	sx, sy float32
	w, h   int
	turned bool
	mask   *image.Alpha
}

// newPen makes a pen for pictures of the size.
func newPen(w, h int) *pen {
	p := &pen{w: w, h: h, mask: image.NewAlpha(image.Rect(0, 0, w, h))}
	p.into(0, 0, float32(w), float32(h))
	p.r.Reset(w, h)
	return p
}

// into sets the box that the unit square is drawn into. What is turned stands upside down on the other end of the picture.
func (p *pen) into(x, y, w, h float32) {
	if p.turned {
		x, y, w, h = float32(p.w)-x, float32(p.h)-y, -w, -h
	}
	p.ox, p.oy, p.sx, p.sy = x, y, w, h
}

func (p *pen) at(x, y float32) (float32, float32) { return p.ox + x*p.sx, p.oy + y*p.sy }

func (p *pen) move(x, y float32) {
	p.r.ClosePath()
	p.r.MoveTo(p.at(x, y))
}

// lines draws straight lines through the points, x and y in turn.
func (p *pen) lines(points ...float32) {
	for i := 0; i+1 < len(points); i += 2 {
		p.r.LineTo(p.at(points[i], points[i+1]))
	}
}

// curves draws cubic curves: for each two control points and its end, x and y in turn.
func (p *pen) curves(points ...float32) {
	for i := 0; i+5 < len(points); i += 6 {
		bx, by := p.at(points[i], points[i+1])
		cx, cy := p.at(points[i+2], points[i+3])
		dx, dy := p.at(points[i+4], points[i+5])
		p.r.CubeTo(bx, by, cx, cy, dx, dy)
	}
}

// circle draws a circle, clockwise.
func (p *pen) circle(x, y, r float32) {
	const k = 0.5523
	p.move(x+r, y)
	p.curves(x+r, y+k*r, x+k*r, y+r, x, y+r, x-k*r, y+r, x-r, y+k*r, x-r, y,
		x-r, y-k*r, x-k*r, y-r, x, y-r, x+k*r, y-r, x+r, y-k*r, x+r, y)
}

// levels fills what was drawn and hands out each pixel that is touched, as one of the levels 1 (a little) to 3 (whole).
// The pen is empty afterwards.
func (p *pen) levels(each func(x, y, level int)) {
	p.r.ClosePath()
	p.r.DrawOp = draw.Src
	p.r.Draw(p.mask, p.mask.Bounds(), image.Opaque, image.Point{})
	p.r.Reset(p.w, p.h)
	for y := range p.h {
		for x, alpha := range p.mask.Pix[y*p.mask.Stride:][:p.w] {
			switch {
			case alpha >= 186:
				each(x, y, 3)
			case alpha >= 104:
				each(x, y, 2)
			case alpha >= 40:
				each(x, y, 1)
			}
		}
	}
}

// typeface is the letters that ranks and captions are written with: Go Bold.
type typeface struct {
	font *sfnt.Font
	buf  sfnt.Buffer
	em   fixed.Int26_6
	cap  float32
}

// newTypeface reads the embedded font. It belongs to one goroutine at a time.
func newTypeface() (*typeface, error) {
	f, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the letters: %w", err)
	}
	t := &typeface{font: f, em: fixed.I(int(f.UnitsPerEm()))}
	metrics, err := f.Metrics(&t.buf, t.em, font.HintingNone)
	if err != nil {
		return nil, fmt.Errorf("measure the letters: %w", err)
	}
	t.cap = float32(metrics.CapHeight) / float32(t.em)
	return t, nil
}

// has reports whether there is such a letter.
func (t *typeface) has(r rune) bool {
	i, err := t.font.GlyphIndex(&t.buf, r)
	return err == nil && i != 0
}

// advance is how far one letter stands from the next, in capital heights.
func (t *typeface) advance(r rune) float32 {
	i, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		return 0
	}
	a, err := t.font.GlyphAdvance(&t.buf, i, t.em, font.HintingNone)
	if err != nil {
		return 0
	}
	return float32(a) / float32(t.em) / t.cap
}

// letter draws a letter whose origin on the base line is at x and y, in the pen's box, where its capitals are 1 high.
// The font's zero is crossed out, which is not how cards are numbered: a narrow O stands for it.
func (t *typeface) letter(p *pen, r rune, x, y float32) {
	scale := 1 / (float32(t.em) * t.cap)
	narrow := scale
	if r == '0' {
		narrow *= t.advance('0') / t.advance('O')
		r = 'O'
	}
	i, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		return
	}
	segments, err := t.font.LoadGlyph(&t.buf, i, t.em, nil)
	if err != nil {
		return
	}
	at := func(q fixed.Point26_6) (float32, float32) {
		return p.at(x+float32(q.X)*narrow, y+float32(q.Y)*scale)
	}
	for _, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.r.ClosePath()
			p.r.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			p.r.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			p.r.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			p.r.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
}
