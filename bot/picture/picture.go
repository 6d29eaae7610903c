// Package picture draws tables: a View becomes a PNG of sixteen colours, with the cards where the game has them on the
// table, big ranks that can be read on a phone, and a mark on what moved last.
//
// Cards are drawn from outlines once for each size and language and copied from then on, row by row. A game that no
// layout is written for (games.go) is laid out by what its piles are for (plain.go).
package picture

import (
	"strconv"
	"sync"

	"zevaka/engine"
)

// Board is what a picture shows.
type Board struct {
	// Game is the game's name in records, which chooses the layout.
	Game string
	// View is the position. A card that is zero in it is drawn as a back, whatever it is.
	View engine.View
	// Marked are the names of the piles that moved last: their top card is marked, or their empty place
	// where one is drawn.
	Marked []string
	// Captions are short texts by the name of the pile above which they stand, as the names of players. A pile without
	// one has none; what the pile takes next is called by the name with ".next". A letter that the font lacks is left out; what is too long is cut.
	Captions map[string]string
	// Seats are the people of a game for several, by seat; nil in others. In a layout without panels their names stand
	// above those of their piles that have no caption.
	Seats []Seat
	// Bank is what lies in the bank, Goal what ends it; empty in a game without.
	Bank, Goal string
	// News is what happened last, line by line, the newest last. It stands on a strip below the piles where there are
	// Seats: as much of it as there is room for.
	News []string
	// Ranks are the letters of the ranks.
	Ranks Ranks
	// Look is how large the picture is, and its colours.
	Look Look
}

// Seat is one of the people on a picture.
type Seat struct {
	// Name is what they are called. One of which the font has no letter is the number of the seat.
	Name string
	// Note stands beside the name, Word only where there is room for both. Stake is what they have at stake, and On the name of whoever
	// holds the hand on which it stands, if that isn't their own. Each is empty where there is none.
	Note, Word, Stake, On string
	// Place is the one in which they have ended, from 1; 0 as long as they have none.
	Place int
	// Yawns says that a face yawns in place of the Place.
	Yawns bool
}

// Ranks are the letters or numbers of the ranks, as players of a language write them: Ranks[12] is the queen's. One
// that is empty is written as in English.
type Ranks [engine.Ace + 1]string

func (r *Ranks) label(rank int) string {
	switch {
	case r[rank] != "":
		return r[rank]
	case rank <= 10:
		return strconv.Itoa(rank)
	}
	return engine.NewCard(rank, engine.Spades).String()[:1]
}

// Look is how large a picture is, and its colours. The zero Look is good.
type Look struct {
	// Width is in pixels, from 400 to 1600; 0 is 800. It is rounded down to an even number.
	Width int
	// FourColours draws diamonds blue and clubs green.
	FourColours bool
	// Table is one of Tables.
	Table string
}

// defaultWidth is how wide a picture is where nothing else is said, in pixels.
const defaultWidth = 800

func (l Look) width() int {
	if l.Width == 0 {
		return defaultWidth
	}
	return min(max(l.Width, 400), 1600) &^ 1
}

// Place is where a card, or the empty place of a pile, lies in the picture.
type Place struct {
	// Pile is the index of the pile in the View.
	Pile int
	// Index is the index of the card in the pile; -1 is the empty place.
	Index int
	// X, Y, W and H are its box in pixels.
	X, Y, W, H int
}

// Painter draws pictures. It is safe for use by many goroutines, and keeps the sprites of the sizes and languages that
// were asked for.
type Painter struct {
	layouts map[string][]*layout
	brushes sync.Pool

	mu    sync.RWMutex
	face  *typeface
	kits  map[int]*kit
	decks map[deckKey]*deck
	texts map[int]*letters
	held  int // how many bytes of sprites the decks have
}

type deckKey struct {
	card  int
	face  face
	ranks Ranks
}

// New makes a Painter. The error tells that the embedded font can't be read.
func New() (*Painter, error) {
	face, err := newTypeface()
	if err != nil {
		return nil, err
	}
	p := &Painter{layouts: layouts(), face: face}
	p.forget()
	p.brushes.New = func() any { return &brush{png: newEncoder()} }
	return p, nil
}

// Draw appends the picture of a board to dst as a PNG file. The same Board gives the same bytes. Nothing is
// allocated but room in dst, except for the first picture in a new size or language, whose sprites take some 10 ms to
// make.
func (p *Painter) Draw(dst []byte, b *Board) []byte {
	br := p.brushes.Get().(*brush)
	defer p.brushes.Put(br)
	br.plan.arrange(p.layouts[b.Game], b)
	p.equip(br, b)
	br.paint(b)
	colours := b.Look.palette()
	return br.png.encode(dst, &br.canvas, &colours)
}

// Places appends where each card of the board that can be seen lies in its picture, and each empty pile, in the order
// in which they are drawn: what comes later lies on what came before.
func (p *Painter) Places(into []Place, b *Board) []Place {
	br := p.brushes.Get().(*brush)
	defer p.brushes.Put(br)
	br.plan.arrange(p.layouts[b.Game], b)
	return append(into, br.plan.places...)
}

// maxHeld is how many bytes of sprites are kept. A game in one language and width has 0.2 to 1.3 MB.
const maxHeld = 32 << 20

// equip gives the brush the sprites for what was arranged, and makes those that are missing.
func (p *Painter) equip(br *brush, b *Board) {
	br.need(b)
	p.mu.RLock()
	ready := p.hand(br, b)
	p.mu.RUnlock()
	if ready {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held > maxHeld {
		p.forget()
	}
	for size, card := range br.plan.cards {
		if card != 0 && p.kits[card] == nil {
			p.kits[card] = newKit(p.face, card)
		}
		for f := range faces {
			key := deckKey{card, f, b.Ranks}
			if br.needs[size][f] && p.decks[key] == nil {
				blank := p.kits[card].blank
				p.decks[key] = newDeck(p.face, blank, f, &key.ranks)
				p.held += len(engine.Pack(2)) * len(blank.pix)
			}
		}
	}
	if text := br.plan.text; p.texts[text] == nil {
		p.texts[text] = newLetters(p.face, text, alphabet())
		p.held += p.texts[text].bytes()
	}
	p.hand(br, b)
}

// hand gives the brush what sprites there are, and reports whether those are all that it needs.
func (p *Painter) hand(br *brush, b *Board) bool {
	br.text = p.texts[br.plan.text]
	ready := br.text != nil
	for size, card := range br.plan.cards {
		br.kits[size], br.decks[size] = p.kits[card], [faces]*deck{}
		ready = ready && (card == 0 || br.kits[size] != nil)
		for f := range faces {
			if br.needs[size][f] {
				br.decks[size][f] = p.decks[deckKey{card, f, b.Ranks}]
				ready = ready && br.decks[size][f] != nil
			}
		}
	}
	return ready
}

// forget throws all sprites away. Pictures that are being drawn keep theirs.
func (p *Painter) forget() {
	p.kits, p.decks, p.texts, p.held = map[int]*kit{}, map[deckKey]*deck{}, map[int]*letters{}, 0
}
