package zevaka

import (
	"reflect"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// look is what a seat sees of the piles that have cards.
func look(st *state, seat engine.Seat) map[string]string {
	seen := map[string]string{}
	for _, pile := range st.View(seat).Piles {
		if len(pile.Cards) > 0 {
			seen[pile.Name] = enginetest.Cards(pile.Cards)
		}
	}
	return seen
}

func TestViewShowsTopsOnly(t *testing.T) {
	const table = `
		> 0: 7C QD | KC JS
		  1: 8D    | 9C
		  centre  6S 7S 8S
		  flipped TH
		  stock   AH AD`
	public := map[string]string{
		"closed0": "-- --", "open0": "-- JS", "closed1": "--", "open1": "9C",
		"centre": "6S 7S 8S", "flipped": "TH", "stock": "-- --",
	}
	st := lay(t, "", table)
	for _, seat := range []engine.Seat{engine.Nobody, 0, 1} {
		if got := look(st, seat); !reflect.DeepEqual(got, public) {
			t.Errorf("seat %d sees %v, not %v", seat, got, public)
		}
	}
	all := map[string]string{
		"closed0": "7C QD", "open0": "KC JS", "closed1": "8D", "open1": "9C",
		"centre": "6S 7S 8S", "flipped": "TH", "stock": "AH AD",
	}
	if got := look(st, engine.Referee); !reflect.DeepEqual(got, all) {
		t.Errorf("the referee sees %v, not %v", got, all)
	}
	st = lay(t, "centre=rank", table)
	if got := look(st, engine.Nobody)["centre"]; got != "-- -- 8S" {
		t.Errorf("of a centre without suits one sees %s", got)
	}
}

func TestViewNamesEveryPile(t *testing.T) {
	st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 3}, enginetest.Unshuffled{})
	names := enginetest.PileNames(st)
	want := []string{"closed0", "closed1", "closed2", "open0", "open1", "open2", "centre", "flipped", "stock"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("the piles are %v, not %v", names, want)
	}
}

func TestCentreTakes(t *testing.T) {
	for _, test := range []struct{ options, centre, want string }{
		{"", "", "6S"},
		{"pack=52", "", "2S"},
		{"", "6S 7S", "8S"},
		{"", "6S 7S 8S 9S TS JS QS KS AS", "6C 6D 6H"},
		{"", "6S 7S 8S 9S TS JS QS KS AS 6D 7D 8D 9D TD JD QD KD AD", "6C 6H"},
		{"centre=rank", "", "6S"},
		{"centre=rank", "6S", "7S 7C 7D 7H"},
		{"centre=rank", "KD AC", "6S 6C 6D 6H"},
		{"centre=free", "", "6S 6C 6D 6H"},
		{"centre=free pack=52", "", "2S 2C 2D 2H"},
		{"centre=free", "6D", "7S 7C 7D 7H"},
		{"deal=stock", "KD", "AS AC AD AH"},
		{"deal=stock pack=52", "AD", "2S 2C 2D 2H"},
	} {
		st := lay(t, test.options, "> 0: 9C | TC\n1: 9H | TH\ncentre "+test.centre)
		if got := enginetest.Cards(st.View(engine.Nobody).Piles[4].Next); got != test.want {
			t.Errorf("%s: on %q comes %s, not %s", test.options, test.centre, got, test.want)
		}
	}
}

func TestOffers(t *testing.T) {
	const pays, calls = "> 0: 7D TH | 8S; 1: 8H | 9C", "> 0: 7D TH | 8S; 1: 8H | TC"
	for _, test := range []struct {
		play
		offers, note string
		brief        bool
	}{
		{
			play{Name: "every seat is offered, whether it fits or not; the mover's own keeps", From: "0: 7C |; > 1: 8D | 9C; 2: 9D | TC"},
			"flip, centre, put 0, keep, put 2", "", false,
		},
		{
			play{Name: "who is out is offered no more", From: "0: 7C |; > 1: 8D | 9C; 2: out; 3: 9D | TC"},
			"flip, centre, put 0, keep, put 3", "", false,
		},
		{
			play{Name: "the window of penalty=auto, for the next player", Options: "penalty=auto", From: pays, Moves: "0 flip; 0 keep"},
			"flip, centre, put 0, keep, fix, take", NoteMissed, true,
		},
		{
			play{
				Name: "nothing can be taken back after an own top overlooked", Options: "penalty=auto",
				From: "> 0: 7D KH | TS; 1: 8H | 9C", Moves: "0 flip; 0 keep",
			},
			"flip, centre, put 0, keep, take", NoteMissedLate, true,
		},
		{
			play{Name: "after a fix", Options: "penalty=auto", From: pays, Moves: "0 flip; 0 keep; 0 fix"},
			"flip, centre, put 1", NoteMustPlace, false,
		},
		{
			play{
				Name:    "penalty=call offers fix after every keep, so that it tells nothing",
				Options: "penalty=call", From: calls, Moves: "0 flip; 0 keep",
			},
			"flip, centre, put 0, keep, fix", NoteMayFix, false,
		},
		{
			play{Name: "and then the claim", Options: "penalty=call", From: calls, Moves: "0 flip; 0 keep; 1 flip"},
			"flip, centre, put 0, keep, yawn", NoteMayClaim, false,
		},
	} {
		position().RunThen(t, test.play, func(st *state) {
			for _, seat := range []engine.Seat{engine.Nobody, 0, 1} {
				view := st.View(seat)
				if got := enginetest.MoveTexts(Rules{}, view.Offers); got != test.offers || view.Note != test.note || view.Brief != test.brief {
					t.Errorf("seat %d is offered %s, note %q, brief %v", seat, got, view.Note, view.Brief)
				}
			}
		})
	}
}

// TestEpoch asks when buttons drawn for one player are drawn for another.
func TestEpoch(t *testing.T) {
	for _, test := range []struct{ options, from, moves, epochs string }{
		{
			"", "> 0: 7D TH | 8S; 1: 8H | 9C; 2: 6S | 7S",
			"0 flip, 0 put 1, 0 flip, 0 keep, 1 flip, 1 keep, 2 flip, 2 centre, 2 centre, 0 flip", "0 0 0 1 1 2 2 2 3 3",
		},
		{"penalty=auto", overlooked, "0 flip, 0 keep, 0 fix, 0 put 1, 0 flip, 0 keep, 1 flip", "0 1 2 2 2 3 3"},
		{"penalty=auto", overlooked, "0 flip, 0 keep, 1 take, 1 flip", "0 1 1 1"},
		{"penalty=auto", "> 0: 7D TH | 8S; 1: | 9C; 2: 7H | AC", "0 flip, 0 keep, 1 take", "0 1 2"},
		{
			"penalty=call", "> 0: 7D TH | 8S; 1: 7S 8H | 9C; 2: 7H | AC",
			"0 flip, 0 keep, 0 fix, 0 put 1, 0 flip, 0 keep, 1 flip, 2 yawn, 1 keep", "0 1 2 2 2 3 3 3 4",
		},
	} {
		st := lay(t, test.options, test.from)
		epochs := ""
		for _, line := range enginetest.SplitList(test.moves) {
			enginetest.Steps(t, Rules{}, st, line)
			epochs += " " + string(rune('0'+st.Epoch()))
		}
		if epochs[1:] != test.epochs {
			t.Errorf("%s: the epochs are %s, not %s", test.moves, epochs[1:], test.epochs)
		}
	}
}
