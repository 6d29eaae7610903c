package picture

import (
	"strings"
	"testing"

	"zevaka/engine"
)

// FuzzPaint: whatever a View holds, it is arranged and painted, nothing lies outside of the picture, and that is no
// higher than one and a half times its width. The text is the names of the piles, the bytes are how many cards each has
// and which.
func FuzzPaint(f *testing.F) {
	f.Add("polusharia", "t1 t2 w1 stock", []byte{4, 20, 21, 22, 23, 0, 30, 0, 0, 0})
	f.Add("paganini", "g1.0 g1.1 g9.9", []byte{1, 20, 1, 255, 2, 8, 9})
	f.Add("zevaka", "closed0 closed1 open0 open1 centre flipped stock", []byte{18, 0, 0})
	f.Add("tecza", "r1 r1 r1", []byte{200, 9, 10, 11})
	f.Add("banchok", "pack turned table hand1 hand2", []byte{40, 0, 0, 3, 1, 0, 0, 19, 3, 0, 0, 100})
	f.Add("", strings.Repeat("x y ", 500), []byte{1, 59})
	p, err := New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, game, names string, cards []byte) {
		b := boardOf(game, names, cards)
		var br brush
		br.plan.arrange(p.layouts[game], b)
		p.equip(&br, b)
		br.paint(b)
		if c := &br.canvas; c.w != 400 || c.h < 40 || c.h > 600 {
			t.Errorf("the picture is %d by %d", c.w, c.h)
		}
		for _, at := range br.plan.places {
			if at.X < 0 || at.Y < 0 || at.X+at.W > br.canvas.w || at.Y+at.H > br.canvas.h {
				t.Errorf("%+v lies outside of %d by %d", at, br.canvas.w, br.canvas.h)
			}
		}
	})
}

// boardOf makes a board of at most a thousand piles. Every second pile is marked, all have captions; the first are those of a
// few people, each called like a pile, of whom one is to move and others have ended.
func boardOf(game, names string, cards []byte) *Board {
	b := &Board{Game: game, Look: Look{Width: 400}, Captions: map[string]string{}}
	next := func() (c byte) {
		if len(cards) > 0 {
			c, cards = cards[0], cards[1:]
		}
		return c
	}
	fields := strings.Fields(names)
	for i, name := range fields[:min(len(fields), 1000)] {
		pile := engine.Pile{Name: name, Kind: strings.TrimRight(name, ".0123456789"), Cards: make([]engine.Card, next())}
		pile.Row, pile.Column = int16(int8(next())), int16(int8(next()))
		for k := range pile.Cards {
			pile.Cards[k] = engine.Card(next())
		}
		if n := next(); n < 128 && i < 20 {
			pile.Seat = engine.Seat(len(b.Seats))
			b.Seats = append(b.Seats, Seat{Name: name, Note: name, Word: name, Stake: name, Place: int(n % 4), Yawns: n%8 == 3})
			b.View.Turn, b.View.Backed = []engine.Seat{engine.Seat(n % 16)}, engine.Seat(n/16)
			b.View.Chips = &engine.Chips{Bank: int64(int8(n)), Goal: int64(n)}
			b.News, b.Bank, b.Goal = append(b.News, names), name, names
			pile.Next = make([]engine.Card, n%8)
		}
		b.View.Piles = append(b.View.Piles, pile)
		b.Captions[name] = name
		if i%2 == 1 {
			b.Marked = append(b.Marked, name)
		}
	}
	return b
}
