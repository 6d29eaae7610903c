package picture

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest/knockout"
	"zevaka/engine/enginetest/tommy"
	"zevaka/engine/games"
)

// TestGamesHaveTables: in every position of games played at random the game's own layout, and the one for games without,
// has a place for every pile, in the picture, rims of marks included, and no card hides another pile.
func TestGamesHaveTables(t *testing.T) {
	for _, rules := range append(games.All(), tommy.Rules{}, knockout.Rules{}) {
		info := rules.Info()
		for _, setup := range setups(info) {
			dealt, err := rules.Deal(setup, engine.NewShuffler(engine.NumberedSeed(info.Name, 1), ""))
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for n := 0; n < 150 && len(dealt.Turn()) > 0; n++ {
				if n%5 == 0 {
					checkTable(t, info.Name, dealt.View(engine.Nobody))
					checkTable(t, info.Name, dealt.View(engine.Referee))
				}
				seat := dealt.Turn()[0]
				moves := dealt.Moves(seat, nil)
				if _, err := dealt.Apply(engine.Step{Seat: seat, Move: moves[r.IntN(max(1, len(moves)-1))]}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// setups are every number of seats with the options at their defaults, and every value of each option.
func setups(info engine.Info) []engine.Setup {
	var all []engine.Setup
	for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
		all = append(all, engine.Setup{Seats: seats})
	}
	for _, o := range info.Options {
		for _, value := range o.Values[1:] {
			all = append(all, engine.Setup{Seats: info.MinSeats, Options: map[string]string{o.Name: value}})
		}
	}
	return all
}

func checkTable(t *testing.T, game string, view engine.View) {
	t.Helper()
	known, ofTheHouse := layouts()[game]
	if ofTheHouse && !slices.ContainsFunc(known, func(l *layout) bool { return l.knows(view.Piles) }) {
		t.Fatalf("%s: no layout has a place for every pile of %+v", game, view.Piles)
	}
	checkPlaces(t, game, known, view)
	checkPlaces(t, game, nil, view)
}

func checkPlaces(t *testing.T, game string, known []*layout, view engine.View) {
	t.Helper()
	var p plan
	p.arrange(known, &Board{Game: game, View: view})
	if len(p.spots) != len(view.Piles) {
		t.Fatalf("%s: %d piles are drawn of %d", game, len(p.spots), len(view.Piles))
	}
	picture := image.Rect(0, 0, p.w, p.h)
	framed := func(at panel) image.Rectangle { return image.Rect(at.x-4, at.y-4, at.x+at.w+4, at.y+at.h+4) }
	for i, one := range p.panels {
		if !framed(one).In(picture) {
			t.Fatalf("%s: the panel of seat %d reaches out of the picture: %+v", game, i, one)
		}
		for _, other := range p.panels[:i] {
			if framed(one).Intersect(framed(other)).Dx() > 4 {
				t.Fatalf("%s: the panel %+v lies on %+v", game, one, other)
			}
		}
	}
	at := func(place Place) image.Rectangle {
		return image.Rect(place.X, place.Y, place.X+place.W, place.Y+place.H)
	}
	for i, place := range p.places {
		if !at(place).Inset(-rim(p.cards[usual])).In(picture) {
			t.Fatalf("%s: %s reaches out of the picture: %+v", game, view.Piles[place.Pile].Name, place)
		}
		for _, other := range p.places[:i] {
			if other.Pile != place.Pile && at(other).Overlaps(at(place)) {
				t.Fatalf("%s: %s lies on %s", game, view.Piles[place.Pile].Name, view.Piles[other.Pile].Name)
			}
		}
	}
}
