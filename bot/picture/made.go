package picture

import (
	"zevaka/engine"
)

// Picture is a table with its cards as one sees them, or a Chart. It is painted when it is asked for.
type Picture struct {
	// Alt says in words what is to be seen, for those who can't: at most 1,024 characters.
	Alt     string
	Painter *Painter
	Board   Board
	// Chart is shown in place of the Board, if it isn't nil.
	Chart *Chart
	Verbs []engine.VerbInfo
	// Spare says that the text below tells the same: where there may be no picture, no words take its place.
	Spare bool
	// Token is the token of a move; "" for one that is not to be made on the picture.
	Token func(engine.Move) string
}

// PNG appends the picture to dst as a PNG file, of at most 100 kB up to 1,200 pixels of width. The same Picture gives
// the same bytes.
func (p *Picture) PNG(dst []byte) []byte {
	if p.Chart != nil {
		return p.Painter.chart(dst, p.Chart)
	}
	return p.Painter.Draw(dst, &p.Board)
}

// Wide is the same picture, so many pixels wide instead of 800: from 400 to 1,600.
func (p *Picture) Wide(pixels int) *Picture {
	q := *p
	if p.Chart != nil {
		c := *p.Chart
		c.Look.Width = pixels
		q.Chart = &c
		return &q
	}
	q.Board.Look.Width = pixels
	return &q
}

// Size is how many pixels wide and high the picture is.
func (p *Picture) Size() (width, height int) {
	if p.Chart != nil {
		return p.Chart.size()
	}
	return p.Painter.size(&p.Board)
}
