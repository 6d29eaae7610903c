package board

import (
	"image"
	"math/rand/v2"
	"testing"

	"zevaka/bot/picture"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

// pictureOf is the picture of a position, whose tokens are the texts of moves.
func pictureOf(painter *picture.Painter, rules engine.Rules, state engine.State) *picture.Picture {
	info := rules.Info()
	board := picture.Board{Game: info.Name, View: state.View(engine.Nobody)}
	text := func(m engine.Move) string {
		if m.Verb == patience.Quit {
			return ""
		}
		return rules.Text(m)
	}
	return &picture.Picture{Painter: painter, Board: board, Verbs: info.Verbs, Token: text}
}

// TestGestures plays every patience at random: each legal move of a card can be made on the picture, where the card
// and its goal are to be seen.
func TestGestures(t *testing.T) {
	painter, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range patience.All() {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			chance := rand.New(rand.NewPCG(5, 5))
			state := enginetest.Variant{Rules: rules}.Deal(t, 5)
			pressed, taken := 0, 0
			for n := 0; n < 300 && len(state.Turn()) > 0; n++ {
				p, q := checkGestures(t, pictureOf(painter, rules, state), rules)
				pressed, taken = pressed+p, taken+q
				moves := state.Moves(0, nil)
				if _, err := state.Apply(engine.Step{Seat: 0, Move: moves[chance.IntN(len(moves))]}); err != nil {
					t.Fatal(err)
				}
			}
			if taken == 0 || pressed == 0 && name != "paganini" {
				t.Errorf("%d gestures take a card, %d press the stock", taken, pressed)
			}
		})
	}
}

// checkGestures checks all gestures of a picture and counts those that press and those that take a card.
func checkGestures(t *testing.T, p *picture.Picture, rules engine.Rules) (pressed, taken int) {
	t.Helper()
	width, height := p.Size()
	whole := image.Rect(0, 0, width, height)
	places := p.Painter.Places(nil, &p.Board)
	made := map[string]bool{}
	for _, g := range p.Gestures() {
		if made[g.Token] || !g.From.In(whole) || !g.To.In(whole) {
			t.Fatalf("%+v on %v", g, whole)
		}
		made[g.Token] = true
		move, err := rules.Parse(g.Token)
		if err != nil {
			t.Fatalf("%q: %v", g.Token, err)
		}
		if g.To.Empty() {
			pressed++
			continue
		}
		taken++
		if at := hit(places, g.From); at.Pile != int(move.From) || move.N == 0 && at.Index != len(p.Board.View.Piles[at.Pile].Cards)-1 ||
			move.N > 0 && at.Index != int(move.N)-1 {
			t.Errorf("%q takes card %d of pile %d", g.Token, at.Index, at.Pile)
		}
		if at := hit(places, g.To); at.Pile != int(move.To) {
			t.Errorf("%q lays on pile %d", g.Token, at.Pile)
		}
	}
	for _, move := range p.Board.View.Offers {
		if rules.Info().Verbs[move.Verb-1].Aim == engine.AimPiles && !made[rules.Text(move)] {
			t.Errorf("%q can't be made", rules.Text(move))
		}
	}
	return pressed, taken
}

// hit is what lies uppermost in the middle of a box.
func hit(places []picture.Place, at image.Rectangle) picture.Place {
	middle := at.Min.Add(at.Size().Div(2))
	for i := len(places) - 1; i >= 0; i-- {
		if middle.In(image.Rect(places[i].X, places[i].Y, places[i].X+places[i].W, places[i].Y+places[i].H)) {
			return places[i]
		}
	}
	return picture.Place{Pile: -1}
}

// TestWide: a picture in another width shows the same.
func TestWide(t *testing.T) {
	painter, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	rules := patience.Zaba
	state, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.Seed{}, ""))
	if err != nil {
		t.Fatal(err)
	}
	p := pictureOf(painter, rules, state)
	wide := p.Wide(1200)
	if w, h := wide.Size(); w != 1200 || h != 900 {
		t.Errorf("%d by %d", w, h)
	}
	if w, _ := p.Size(); w != 800 || len(p.PNG(nil)) >= len(wide.PNG(nil)) {
		t.Errorf("the picture itself is %d wide", w)
	}
	small, large := p.Gestures(), wide.Gestures()
	if len(small) != len(large) || len(small) == 0 {
		t.Fatalf("%d gestures, and %d", len(small), len(large))
	}
	for i := range small {
		if small[i].Token != large[i].Token || small[i].From.Min.X*3/2-large[i].From.Min.X > 3 {
			t.Errorf("%+v, and %+v", small[i], large[i])
		}
	}
}

// TestCaptions: on a picture the piles are called as in moves, where there are several of a kind.
func TestCaptions(t *testing.T) {
	for _, test := range []struct {
		rules engine.Rules
		names int
		one   string
	}{{patience.Pauk, 20, "t12"}, {patience.Tecza, 12, "w3"}, {patience.Grobnitsa, 17, "b4"}, {patience.Paganini{}, 0, ""}} {
		state, err := test.rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.Seed{}, ""))
		if err != nil {
			t.Fatal(err)
		}
		names := captions(state.View(engine.Nobody))
		if len(names) != test.names || names[test.one] != test.one || names["stock"] != "" {
			t.Errorf("%s: %v", test.rules.Info().Name, names)
		}
	}
}
