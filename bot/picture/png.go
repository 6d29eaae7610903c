package picture

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/compress/zlib"
)

// encoder writes PNG files of sixteen colours. What it needs is kept from one picture to the next; it belongs to one
// goroutine at a time.
type encoder struct {
	out []byte
	zip *zlib.Writer
}

func newEncoder() *encoder {
	e := &encoder{}
	e.zip, _ = zlib.NewWriterLevel(e, 5) // it refuses only levels that don't exist
	return e
}

// Write takes what the compressor has made.
func (e *encoder) Write(data []byte) (int, error) {
	e.out = append(e.out, data...)
	return len(data), nil
}

// encode appends the canvas as a PNG file to dst.
func (e *encoder) encode(dst []byte, c *canvas, p *palette) []byte {
	e.out = append(dst, "\x89PNG\r\n\x1a\n"...)
	start := e.begin("IHDR")
	e.out = binary.BigEndian.AppendUint32(e.out, uint32(c.w))
	e.out = binary.BigEndian.AppendUint32(e.out, uint32(c.h))
	e.out = append(e.out, 4, 3, 0, 0, 0) // four bits a pixel, a palette, no interlacing
	e.end(start)
	start = e.begin("PLTE")
	e.out = append(e.out, p[:]...)
	e.end(start)
	start = e.begin("IDAT")
	e.zip.Reset(e)
	_, _ = e.zip.Write(c.pix) // Write above never fails
	_ = e.zip.Close()
	e.end(start)
	e.end(e.begin("IEND"))
	out := e.out
	e.out = nil
	return out
}

// begin opens a chunk, whose length isn't known yet, and returns where.
func (e *encoder) begin(name string) int {
	start := len(e.out)
	e.out = append(e.out, 0, 0, 0, 0)
	e.out = append(e.out, name...)
	return start
}

// end closes the chunk opened at start.
func (e *encoder) end(start int) {
	body := e.out[start+4:]
	binary.BigEndian.PutUint32(e.out[start:], uint32(len(body)-4))
	e.out = binary.BigEndian.AppendUint32(e.out, crc32.ChecksumIEEE(body))
}

// Picture is a table with its cards as one sees them, or a Chart. It is painted when it is asked for.
type Picture struct {
	// Alt says in words what is to be seen, for those who can't: at most 1,024 characters.
	Alt     string
	Painter *Painter
	Board   Board
	// Sheet is shown in place of the Board, if it isn't nil.
	Sheet Sheet
	// Spare says that the text below tells the same: where there may be no picture, no words take its place.
	Spare bool
}

// Sheet is what a picture shows beside boards: a Chart or a Card.
type Sheet interface {
	// draw appends the picture to dst as a PNG file.
	draw(p *Painter, dst []byte) []byte
}

// PNG appends the picture to dst as a PNG file, of at most 100 kB up to 1,200 pixels of width. The same Picture gives
// the same bytes.
func (p *Picture) PNG(dst []byte) []byte {
	if p.Sheet != nil {
		return p.Sheet.draw(p.Painter, dst)
	}
	return p.Painter.Draw(dst, &p.Board)
}
