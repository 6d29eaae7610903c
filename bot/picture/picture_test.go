package picture_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"zevaka/bot/picture"
	"zevaka/engine"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

func newPainter(t testing.TB) *picture.Painter {
	t.Helper()
	p, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// decode reads a picture with the standard library.
func decode(t testing.TB, data []byte) *image.Paletted {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*image.Paletted)
}

// TestGolden compares pixels, not bytes: a picture may be packed differently and stay the same.
func TestGolden(t *testing.T) {
	p := newPainter(t)
	for _, name := range []string{"tecza", "zaba2", "gwiazda", "polusharia", "grobnitsa", "paganini", "pauk", "plain", "zevaka2", "zevaka6", "zevaka4end", "banchok1", "banchok4", "banchok12", "banchok4end", "plain3"} {
		t.Run(name, func(t *testing.T) {
			data := p.Draw(nil, readBoard(t, name))
			file := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(file, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := decode(t, data), decode(t, golden)
			if got.Rect != want.Rect {
				t.Fatalf("%v, want %v", got.Rect, want.Rect)
			}
			for y := range want.Rect.Dy() {
				for x := range want.Rect.Dx() {
					if got.At(x, y) != want.At(x, y) {
						kept := filepath.Join(t.ArtifactDir(), name+".png")
						_ = os.WriteFile(kept, data, 0o644)
						t.Fatalf("pixel %d, %d is %v, want %v; see %s", x, y, got.At(x, y), want.At(x, y), kept)
					}
				}
			}
		})
	}
}

// TestPicture: every board gives the same PNG each time, as wide as asked for, of at most sixteen colours and so
// many bytes, and everything on it lies inside.
func TestPicture(t *testing.T) {
	p := newPainter(t)
	for _, name := range boards(t) {
		widths := []int{0, 1200}
		if name == "plain" || name == "tecza" {
			widths = append(widths, 400, 1001, 9999)
		}
		for _, width := range widths {
			b := readBoard(t, name)
			b.Look.Width = width
			data := p.Draw(nil, b)
			if again := p.Draw([]byte("abc"), b); !bytes.Equal(append([]byte("abc"), data...), again) {
				t.Errorf("%s, %d wide: two pictures differ", name, width)
			}
			if limit := map[int]int{0: 40_000, 1200: 100_000}[width]; limit != 0 && len(data) > limit {
				t.Errorf("%s, %d wide: %d bytes, more than %d", name, width, len(data), limit)
			}
			m := decode(t, data)
			want := map[int]int{0: 800, 1001: 1000, 9999: 1600}[width]
			if want == 0 {
				want = width
			}
			if m.Rect.Dx() != want || m.Rect.Dy() < want/4 || m.Rect.Dy() > want*3/2 {
				t.Errorf("%s, %d wide: the picture is %v", name, width, m.Rect)
			}
			if len(m.Palette) != 16 {
				t.Errorf("%s: %d colours", name, len(m.Palette))
			}
			for _, place := range p.Places(nil, b) {
				if !box(place).In(m.Rect) {
					t.Errorf("%s, %d wide: %+v lies outside", name, width, place)
				}
			}
		}
	}
}

func box(p picture.Place) image.Rectangle { return image.Rect(p.X, p.Y, p.X+p.W, p.Y+p.H) }

// TestPlaces: each pile has a place for its top card, or one for having none, and no card that is listed is wholly
// covered.
func TestPlaces(t *testing.T) {
	p := newPainter(t)
	for _, name := range boards(t) {
		b := readBoard(t, name)
		places := p.Places(nil, b)
		for i, pile := range b.View.Piles {
			if !slices.ContainsFunc(places, func(at picture.Place) bool {
				return at.Pile == i && at.Index == len(pile.Cards)-1
			}) {
				t.Errorf("%s: %s has no place", name, pile.Name)
			}
		}
		for i, at := range places {
			for _, later := range places[i+1:] {
				if box(at).In(box(later)) {
					t.Errorf("%s: %+v covers %+v", name, later, at)
				}
			}
		}
	}
}

// TestBacks: cards face down look alike, and so does what is no card.
func TestBacks(t *testing.T) {
	p := newPainter(t)
	b := &picture.Board{}
	for _, card := range []engine.Card{0, 1, 3, 7, 60, 61, 200, 255} {
		b.View.Piles = append(b.View.Piles, engine.Pile{Kind: "x", Cards: []engine.Card{card}})
	}
	b.View.Piles = append(b.View.Piles, engine.Pile{Kind: "x", Cards: []engine.Card{engine.NewCard(2, engine.Spades)}})
	m := decode(t, p.Draw(nil, b))
	places := p.Places(nil, b)
	back := crop(m, places[0])
	for _, at := range places[1 : len(places)-1] {
		card := b.View.Piles[at.Pile].Cards[0]
		got := crop(m, at)
		if card.Rank() == 0 {
			if !bytes.Equal(got, back) {
				t.Errorf("card %d differs from a back", card)
			}
		} else if bytes.Equal(got, crop(m, places[len(places)-1])) {
			t.Errorf("card %d looks like the two of spades", card)
		}
	}
}

// crop is the pixels of a place, row by row.
func crop(m *image.Paletted, at picture.Place) []byte {
	var pix []byte
	for y := range at.H {
		pix = append(pix, m.Pix[(at.Y+y)*m.Stride+at.X:][:at.W]...)
	}
	return pix
}

// TestMark: a mark changes nothing but the marked card and its surroundings, and is seen on a card as on an empty place.
func TestMark(t *testing.T) {
	p := newPainter(t)
	for _, name := range []string{"banchok4", "pauk", "tecza", "zevaka6"} {
		b := readBoard(t, name)
		b.Marked = nil
		plain := decode(t, p.Draw(nil, b))
		places := p.Places(nil, b)
		for i, pile := range b.View.Piles {
			b.Marked = []string{pile.Name}
			marked := decode(t, p.Draw(nil, b))
			at := places[slices.IndexFunc(places, func(at picture.Place) bool {
				return at.Pile == i && at.Index == len(pile.Cards)-1
			})]
			if at.Index < 0 && (pile.Name == "turned" || pile.Name == "flipped" || pile.Kind == "stock") {
				continue // no empty place is drawn
			}
			near, changed := box(at).Inset(-12), 0
			for y := range plain.Rect.Dy() {
				was, is := plain.Pix[y*plain.Stride:][:plain.Stride], marked.Pix[y*plain.Stride:][:plain.Stride]
				if bytes.Equal(was, is) {
					continue
				}
				for x := range was {
					if was[x] != is[x] {
						changed++
						if !image.Pt(x, y).In(near) {
							t.Fatalf("%s: the mark of %s reaches %d, %d", name, pile.Name, x, y)
						}
					}
				}
			}
			if changed < at.W {
				t.Errorf("%s: the mark of %s changes %d pixels", name, pile.Name, changed)
			}
		}
	}
}

// TestLook: colours change the palette and nothing else; every table is another; ranks and captions are drawn.
func TestLook(t *testing.T) {
	p := newPainter(t)
	b := readBoard(t, "polusharia")
	b.Look = picture.Look{}
	first := decode(t, p.Draw(nil, b))
	var seen []color.Color
	for _, table := range append(picture.Tables(), "no such table") {
		for _, four := range []bool{false, true} {
			b.Look = picture.Look{Table: table, FourColours: four}
			m := decode(t, p.Draw(nil, b))
			if !bytes.Equal(m.Pix, first.Pix) {
				t.Errorf("%+v changes the drawing", b.Look)
			}
			inks := map[color.Color]bool{}
			for _, c := range []int{3, 5, 7, 9} {
				inks[m.Palette[c]] = true
			}
			if four != (len(inks) == 4) {
				t.Errorf("%+v has suits in %d colours", b.Look, len(inks))
			}
			seen = append(seen, m.Palette[0])
		}
	}
	if seen[0] != seen[len(seen)-1] {
		t.Error("an unknown table is not the first one")
	}
	if n := len(slices.Compact(seen)); n != len(picture.Tables())+1 {
		t.Errorf("%d tables have %d colours", len(picture.Tables()), n)
	}
	b.Ranks[engine.Jack] = "J"
	if m := decode(t, p.Draw(nil, b)); bytes.Equal(m.Pix, first.Pix) {
		t.Error("another letter for the jack changes nothing")
	}
	b = readBoard(t, "polusharia")
	b.Captions["t1"] = "№ 1"
	if m := decode(t, p.Draw(nil, b)); bytes.Equal(m.Pix, first.Pix) {
		t.Error("another caption changes nothing")
	}
}

// TestTogether: many goroutines draw with one new Painter and get what one of them gets alone.
func TestTogether(t *testing.T) {
	names := boards(t)
	alone := map[string][]byte{}
	p := newPainter(t)
	for _, name := range names {
		alone[name] = p.Draw(nil, readBoard(t, name))
	}
	p = newPainter(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			var out []byte
			for k := range names {
				name := names[(i+k)%len(names)]
				if out = p.Draw(out[:0], readBoard(t, name)); !bytes.Equal(out, alone[name]) {
					t.Errorf("%s differs", name)
				}
			}
		})
	}
	wait.Wait()
}
