package picture

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
)

// Film is an animated picture in the making: boards that follow each other. Of each it keeps only what is different from the one
// before. It belongs to one goroutine at a time.
type Film struct {
	painter *Painter
	palette palette
	// last is what the board before looks like, byte by byte; w and h are how large the largest was.
	last       []byte
	width      int
	w, h       int
	frames     []byte
	pixels     []byte
	compressed bytes.Buffer
}

const (
	// unchanged is the number of a pixel that stays as it was, behind the sixteen colours; filmBits is how many bits those take.
	unchanged, filmBits = 16, 5
	// maxChunk is how many bytes a chunk of a GIF has at most.
	maxChunk = 255
)

// Film begins an animated picture.
func (p *Painter) Film() *Film { return &Film{painter: p} }

// Add adds a board, which is to be seen for so many hundredths of a second. The first one's Look is that of all.
func (f *Film) Add(b *Board, hundredths int) {
	br := f.painter.brushes.Get().(*brush)
	defer f.painter.brushes.Put(br)
	br.plan.arrange(f.painter.layouts[b.Game], b)
	f.painter.equip(br, b)
	br.paint(b)
	if f.last == nil {
		f.palette = b.Look.palette()
	}
	f.add(&br.canvas, hundredths)
}

// Size is how many bytes the picture has so far.
func (f *Film) Size() int { return len(f.frames) }

// add adds what is different on a canvas.
func (f *Film) add(c *canvas, hundredths int) {
	box := f.changed(c)
	pixels := f.pixels[:0]
	for y := box.y; y < box.y+box.h; y++ {
		row := c.pix[y*c.stride+1:]
		for x := box.x; x < box.x+box.w; x++ {
			ink := inkAt(row, x)
			if f.last != nil && y < len(f.last)/c.stride && c.stride == f.width && inkAt(f.last[y*c.stride+1:], x) == ink {
				ink = unchanged
			}
			pixels = append(pixels, ink)
		}
	}
	f.pixels = pixels
	f.w, f.h, f.width = max(f.w, c.w), max(f.h, c.h), c.stride
	f.last = append(f.last[:0], c.pix...)
	f.frame(box, hundredths)
}

// inkAt is the ink of a pixel of a row.
func inkAt(row []byte, x int) byte {
	if x&1 == 0 {
		return row[x>>1] >> 4
	}
	return row[x>>1] & 0x0f
}

// changed is the smallest box of the canvas in which all lies that is different from what was there; one pixel where nothing
// is.
func (f *Film) changed(c *canvas) panel {
	if f.last == nil || f.width != c.stride {
		return panel{0, 0, c.w, c.h}
	}
	x0, y0, x1, y1 := c.w, c.h, 0, 0
	for y := range c.h {
		at := y * c.stride
		row := c.pix[at+1 : at+c.stride]
		if at >= len(f.last) {
			x0, x1, y0, y1 = 0, c.w, min(y0, y), y+1
			continue
		}
		before := f.last[at+1 : at+c.stride]
		if bytes.Equal(row, before) {
			continue
		}
		y0, y1 = min(y0, y), y+1
		for i := 0; i < len(row) && i < x0; i++ {
			if row[i] != before[i] {
				x0 = min(x0, 2*i)
				break
			}
		}
		for i := len(row) - 1; i >= 0 && 2*i+2 > x1; i-- {
			if row[i] != before[i] {
				x1 = max(x1, 2*i+2)
				break
			}
		}
	}
	if x1 <= x0 {
		return panel{0, 0, 1, 1}
	}
	return panel{x0, y0, x1 - x0, y1 - y0}
}

// frame writes the pixels of a box.
func (f *Film) frame(at panel, hundredths int) {
	le := binary.LittleEndian
	f.frames = append(f.frames, 0x21, 0xf9, 4, 1<<2|1) // The box stays, and one number is no colour.
	f.frames = append(le.AppendUint16(f.frames, uint16(hundredths)), unchanged, 0, 0x2c)
	for _, n := range []int{at.x, at.y, at.w, at.h} {
		f.frames = le.AppendUint16(f.frames, uint16(n))
	}
	f.frames = append(f.frames, 0, filmBits)
	f.compressed.Reset()
	w := lzw.NewWriter(&f.compressed, lzw.LSB, filmBits)
	_, _ = w.Write(f.pixels) // A buffer takes all.
	_ = w.Close()
	for rest := f.compressed.Bytes(); len(rest) > 0; {
		n := min(len(rest), maxChunk)
		f.frames = append(append(f.frames, byte(n)), rest[:n]...)
		rest = rest[n:]
	}
	f.frames = append(f.frames, 0)
}

// GIF is the animated picture, which begins again when it has come to its end. It needs at least one board.
func (f *Film) GIF() []byte {
	le := binary.LittleEndian
	out := le.AppendUint16([]byte("GIF89a"), uint16(f.w))
	out = append(le.AppendUint16(out, uint16(f.h)), 0xf0|filmBits-1, 0, 0)
	colours := [3 << filmBits]byte{}
	copy(colours[:], f.palette[:])
	out = append(out, colours[:]...)
	out = append(out, "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"...)
	return append(append(out, f.frames...), 0x3b)
}
