package picture

import (
	"strings"
	"unicode"

	"zevaka/engine"
)

// Card is what there is to show of a person, from the top: a name, a few numbers side by side, how games went line by line, and
// marks. Letters that the font lacks are left out of its texts, and what is too long is cut.
type Card struct {
	// Name is whose it is; Title stands in its place where the font has no letter of it.
	Name, Title string
	// Figures stand two in a row.
	Figures []Figure
	// Games are what each game is called, and how it went.
	Games []Line
	// Marks are what somebody has earned.
	Marks []Mark
	// Look is how large it is, and the table whose colours it has.
	Look Look
}

// Figure is a number, with what it is above it and a remark below; each may be empty.
type Figure struct{ Label, Value, Note string }

// Line is a text with another one at its end.
type Line struct{ Text, End string }

// Mark is something that was earned: the sign on its medal, what it is called, and what for.
type Mark struct {
	Sign       engine.Suit
	Name, Says string
}

// How a card is laid out, in 800ths of its width.
const (
	cardHead   = 96 // from the top to the first panel
	cardName   = 30 // how high the capitals of a name are that is too long for those of chartNow
	cardNote   = 17 // those of labels and remarks
	cardNumber = 32 // those of numbers
	cardFigure = 84
	cardLine   = 42
	cardMark   = 68
	cardPad    = 12 // between panels, and above and below what is in one
)

// draw implements Sheet. The same Card gives the same bytes.
func (k *Card) draw(p *Painter, dst []byte) []byte {
	br := p.brushes.Get().(*brush)
	defer p.brushes.Put(br)
	w, h := k.size()
	letters := func(size int) *letters { return p.alphabet(w * size / unit) }
	d := carder{
		c: &br.canvas, w: w, y: w * cardHead / unit,
		large: letters(chartNow), name: letters(cardName), number: letters(cardNumber), text: letters(chartText), note: letters(cardNote),
	}
	d.c.reset(w, h)
	d.head(k)
	d.figures(k.Figures)
	d.games(k.Games)
	d.marks(k.Marks, h)
	colours := k.Look.palette()
	return br.png.encode(dst, &br.canvas, &colours)
}

// size is how many pixels wide and high it is.
func (k *Card) size() (width, height int) {
	height = cardHead + (len(k.Figures)+1)/2*(cardFigure+cardPad) + stack(len(k.Games), cardLine) + stack(len(k.Marks), cardMark)
	width = k.Look.width()
	return width, width * (height + chartMargin - cardPad) / unit
}

// stack is how high so many lines are, with the panel on which they stand and the room below it.
func stack(n, each int) int {
	if n == 0 {
		return 0
	}
	return n*each + 3*cardPad
}

// carder draws a card.
type carder struct {
	c                               *canvas
	w                               int
	large, name, number, text, note *letters
	// y is where the next panel begins.
	y int
}

func (d *carder) scale(n int) int { return n * d.w / unit }

// panel draws what the next things stand on, and returns where it is.
func (d *carder) panel(height int) panel {
	at := panel{d.scale(chartMargin), d.y, d.w - 2*d.scale(chartMargin), d.scale(height)}
	d.c.rounded(at, d.scale(10), inkDeep)
	d.y += d.scale(height + cardPad)
	return at
}

// head writes whose card it is.
func (d *carder) head(k *Card) {
	name := k.Name
	letter := func(r rune) bool { return d.text.glyphs[r] != nil && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	if !strings.ContainsFunc(name, letter) {
		name = k.Title
	}
	margin := d.scale(chartMargin)
	room, l := d.w-2*margin, d.large
	if l.width(name) > room {
		l = d.name
	}
	l.caption(d.c, name, box{margin, (d.scale(cardHead) + l.size) / 2, room, atStart}, [4]byte{0, 0, inkPale, inkWhite})
}

// figures draws the numbers, two in a row; one that is left over has a row to itself.
func (d *carder) figures(all []Figure) {
	gap, inner := d.scale(cardPad), d.scale(20)
	for i, f := range all {
		at := panel{d.scale(chartMargin), d.y, d.w - 2*d.scale(chartMargin), d.scale(cardFigure)}
		if i%2 == 1 || i+1 < len(all) {
			at.w = (at.w - gap) / 2
		}
		at.x += i % 2 * (at.w + gap)
		d.c.rounded(at, d.scale(10), inkDeep)
		value := min(d.number.width(f.Value), at.w*2/3)
		d.number.caption(d.c, f.Value, box{at.x + at.w - inner - value, at.y + (at.h+d.number.size)/2, value, atEnd}, [4]byte{0, 0, inkPale, inkWhite})
		label := box{x: at.x + inner, y: at.y + (at.h+d.note.size)/2, w: at.w - 3*inner - value}
		label.side = atStart
		if f.Note != "" {
			below := label
			label.y, below.y = at.y+d.scale(36), at.y+d.scale(66)
			d.note.caption(d.c, f.Note, below, [4]byte{0, 0, inkPale, inkPale})
		}
		d.note.caption(d.c, f.Label, label, [4]byte{0, 0, inkPale, inkWhite})
		if i%2 == 1 || i+1 == len(all) {
			d.y += at.h + gap
		}
	}
}

// games writes how the games went.
func (d *carder) games(all []Line) {
	if len(all) == 0 {
		return
	}
	at := d.panel(len(all)*cardLine + 2*cardPad)
	pad := d.scale(20)
	for i, line := range all {
		y := at.y + d.scale(cardPad+i*cardLine) + (d.scale(cardLine)+d.text.size)/2
		end := min(d.text.width(line.End), at.w/2)
		d.text.caption(d.c, line.Text, box{at.x + pad, y, at.w - 3*pad - end, atStart}, [4]byte{0, 0, inkPale, inkWhite})
		d.text.caption(d.c, line.End, box{at.x + at.w - pad - end, y, end, atEnd}, [4]byte{0, 0, inkPale, inkPale})
	}
}

// marks draws medals, each with what it is for.
func (d *carder) marks(all []Mark, height int) {
	if len(all) == 0 {
		return
	}
	at := d.panel(len(all)*cardMark + 2*cardPad)
	signs := newPen(d.w, height)
	r := d.scale(24)
	for i, m := range all {
		middle := at.y + d.scale(cardPad+i*cardMark) + d.scale(cardMark)/2
		x := at.x + d.scale(20) + r
		d.c.disc(x, middle, r, r, inkMark)
		signs.into(float32(x-r*6/10), float32(middle-r*6/10), float32(2*r*6/10), float32(2*r*6/10))
		signs.suit(m.Sign)
		text := box{x: x + r + d.scale(20), w: at.x + at.w - d.scale(40) - x - r, side: atStart}
		text.y = middle - d.scale(6)
		d.text.caption(d.c, m.Name, text, [4]byte{0, 0, inkPale, inkWhite})
		text.y = middle + d.scale(8) + d.note.size
		d.note.caption(d.c, m.Says, text, [4]byte{0, 0, inkPale, inkPale})
	}
	signs.levels(func(x, y, level int) {
		if level > 1 {
			d.c.set(x, y, inkSpade)
		}
	})
}
