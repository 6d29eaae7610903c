package picture

import (
	"image"
	"slices"

	"zevaka/engine"
)

// Gesture is a legal move as one makes it on a picture: a card is taken and laid somewhere, or a place is pressed. What
// it stands for is its token, as a button's.
type Gesture struct {
	// From is what can be seen of the card to take, or of the place to press, in the picture's pixels.
	From image.Rectangle
	// To is the card or the empty place to lay it on; empty where a press on From is the whole move.
	To image.Rectangle
	// Home says that the card never leaves the place again.
	Home bool
	// Token is what comes back as the Data of a Press, unique among those of the picture.
	Token string
}

// Gestures are the moves that can be made on the picture, those of one card together. A move that has no place on it,
// as to gather all cards where there is no stock, is on a button only.
func (p *Picture) Gestures() []Gesture {
	if p.Sheet != nil {
		return nil
	}
	places := p.Painter.Places(nil, &p.Board)
	var all []Gesture
	for _, move := range p.Board.View.Offers {
		g := Gesture{Token: p.Token(move)}
		if g.Token == "" {
			continue
		}
		from, to := p.ends(move)
		if i := find(places, from, p.index(from, int(move.N))); i >= 0 {
			g.From = seen(places, i)
		}
		if to >= 0 {
			if i := find(places, to, p.index(to, 0)); i >= 0 {
				g.To, g.Home = rectangle(places[i]), p.Board.View.Piles[to].Role == engine.PileFoundation
			}
		}
		if !g.From.Empty() {
			all = append(all, g)
		}
	}
	return all
}

// ends are the piles where a move begins and ends, -1 where there is none. One presses the stock to deal from it.
func (p *Picture) ends(move engine.Move) (from, to int) {
	switch verb := p.Verbs[move.Verb-1]; {
	case verb.Aim == engine.AimPiles:
		return int(move.From), int(move.To)
	case verb.Role == engine.VerbDeals:
		isStock := func(pile engine.Pile) bool { return pile.Role == engine.PileStock }
		return slices.IndexFunc(p.Board.View.Piles, isStock), -1
	}
	return -1, -1
}

// index is where in a pile the card lies that N of a move means: the uppermost, -1 if there is none, or one by its
// place.
func (p *Picture) index(pile, n int) int {
	if n > 0 || pile < 0 {
		return n - 1
	}
	return len(p.Board.View.Piles[pile].Cards) - 1
}

// find is which of the places is that of a card; -1 if none is.
func find(places []Place, pile, index int) int {
	for i := range places {
		if places[i].Pile == pile && places[i].Index == index {
			return i
		}
	}
	return -1
}

// seen is the larger strip of a card that those of its pile that lie on it leave to be seen.
func seen(places []Place, i int) image.Rectangle {
	whole := rectangle(places[i])
	if i+1 == len(places) || places[i+1].Pile != places[i].Pile {
		return whole
	}
	over := rectangle(places[i+1])
	beside, above := whole, whole
	if over.Min.X >= whole.Min.X {
		beside.Max.X = min(whole.Max.X, over.Min.X)
	} else {
		beside.Min.X = max(whole.Min.X, over.Max.X)
	}
	if over.Min.Y >= whole.Min.Y {
		above.Max.Y = min(whole.Max.Y, over.Min.Y)
	} else {
		above.Min.Y = max(whole.Min.Y, over.Max.Y)
	}
	if above.Dx()*above.Dy() > beside.Dx()*beside.Dy() {
		return above
	}
	return beside
}

// rectangle is what a card, or the empty place of a pile, takes up.
func rectangle(p Place) image.Rectangle { return image.Rect(p.X, p.Y, p.X+p.W, p.Y+p.H) }
