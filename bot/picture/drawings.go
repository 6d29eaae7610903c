package picture

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"zevaka/engine"
)

// Drawings are the outlines of the cards, as JSON, for whoever draws them elsewhere.
//
//go:embed cards.json
var Drawings []byte

// drawings are Drawings as pens take them.
type drawings struct {
	Suits     map[string]string
	Pips      map[string][][3]float32
	Frame     []layer
	Heads     map[string][]layer
	Ornaments map[string][]layer
	Back      struct{ Once, Twice string }
}

// layer is an outline that is filled in one colour: ink, which is the suit's, gold or paper.
type layer struct{ Ink, Path string }

// drawn reads the Drawings. It panics where they can't be read.
var drawn = sync.OnceValue(func() *drawings {
	d := &drawings{}
	if err := json.Unmarshal(Drawings, d); err != nil {
		panic(err) // They are in the program, and every test draws them.
	}
	return d
})

// signs are the letters of a card's rank and suit in the drawings.
func signs(c engine.Card) (rank, suit string) {
	name := c.String()
	return name[:1], name[1:]
}

func suitLetter(s engine.Suit) string { return "SCDH"[s:][:1] }

// path draws an outline of M, L, C and Z, which is 100 wide.
func (p *pen) path(outline string) {
	for outline != "" {
		verb := outline[0]
		numbers := outline[1:]
		end := strings.IndexAny(numbers, "MLCZ")
		if end < 0 {
			end = len(numbers)
		}
		outline = numbers[end:]
		var at [6]float32
		n := 0
		for text := range strings.FieldsSeq(numbers[:end]) {
			f, _ := strconv.ParseFloat(text, 32) // TestDrawings has looked at all of them.
			at[n] = float32(f) / 100
			n++
		}
		switch verb {
		case 'M':
			p.move(at[0], at[1])
		case 'L':
			p.lines(at[:2]...)
		case 'C':
			p.curves(at[:]...)
		}
	}
}

// suit draws the suit's sign into the pen's box.
func (p *pen) suit(s engine.Suit) { p.path(drawn().Suits[suitLetter(s)]) }
