package banchok

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// against is a first round with one punter. Give deals him the cards at three places of two fresh packs.
func against(t *testing.T) (st *state, give func(places [3]int)) {
	dealt := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 2}, enginetest.Unshuffled{})
	st = dealt.(*state)
	cards := append(engine.Pack(2), engine.Pack(2)...)
	return st, func(places [3]int) {
		for i, place := range places {
			st.hands[1].cards[i] = cards[place]
		}
		n := 0
		for place, card := range cards {
			if place != places[0] && place != places[1] && place != places[2] {
				st.pack.cards[n] = card
				n++
			}
		}
	}
}

// TestOddsOfHands holds the hands that RULES.md 6.8 names.
func TestOddsOfHands(t *testing.T) {
	st, give := against(t)
	fresh := append(engine.Pack(2), engine.Pack(2)...)
	for _, test := range []struct {
		name, hand string
		good       int
	}{
		{"three aces of different suits", "AS AC AD", 75},
		{"three kings of different suits", "KH KC KD", 69},
		{"two aces of one suit and one of another", "AS AS AC", 49},
		{"ace, king, queen of one suit", "AH KH QH", 23},
		{"three different twos", "2S 2C 2D", 3},
	} {
		var places [3]int
		cards := slices.Clone(fresh)
		for i, card := range enginetest.ParseCards(t, test.hand) {
			places[i] = slices.Index(cards, card)
			cards[places[i]] = 0
		}
		give(places)
		if good, all := st.odds(1, &st.hands[1]); good != test.good || all != 101 {
			t.Errorf("%s, %s: %d of %d, not %d of 101", test.name, enginetest.Cards(st.hands[1].all()), good, all, test.good)
		}
	}
}

// TestOddsOfAllHands deals every hand there is: together they win 56879 times in 176851 (RULES.md 6.8).
func TestOddsOfAllHands(t *testing.T) {
	st, give := against(t)
	var wins, cards int64
	for i := range packSize {
		for j := range i {
			for k := range j {
				give([3]int{i, j, k})
				good, all := st.odds(1, &st.hands[1])
				wins += int64(good)
				cards += int64(all)
			}
		}
	}
	if got := big.NewRat(wins, cards); got.Cmp(big.NewRat(56879, 176851)) != 0 {
		t.Errorf("the chance of a hand is %s", got)
	}
}

// watcher reckons a punter's odds from nothing but what he is shown: his own hand, the sizes of the piles and what is
// told. For each layer of the pack it knows how many of its cards are left there and which it has not seen.
type watcher struct {
	seat   engine.Seat
	layers []*layer
	// dealt are the layers from which each seat's cards came.
	dealt map[engine.Seat][]*layer
	table []engine.Card
}

type layer struct {
	left   int
	unseen map[engine.Card]int
}

func newLayer(cards []engine.Card) *layer {
	l := &layer{left: len(cards), unseen: map[engine.Card]int{}}
	for _, card := range cards {
		l.unseen[card]++
	}
	return l
}

// draw is the layer from which the next card comes.
func (w *watcher) draw() *layer {
	top := w.layers[0]
	if top.left--; top.left == 0 {
		w.layers = w.layers[1:]
	}
	return top
}

// round watches a round being dealt.
func (w *watcher) round(view engine.View) {
	w.dealt = map[engine.Seat][]*layer{}
	for i := range handSize {
		for _, pile := range view.Piles {
			if pile.Kind != "hand" || len(pile.Cards) == 0 {
				continue
			}
			from := w.draw()
			w.dealt[pile.Seat] = append(w.dealt[pile.Seat], from)
			if pile.Seat == w.seat {
				from.unseen[pile.Cards[i]]--
			}
		}
	}
}

// watch takes in what happened.
func (w *watcher) watch(events []engine.Event, view engine.View) {
	thrown := 0
	for _, e := range events {
		switch e.What {
		case EventEarly, EventOpened:
			w.draw().unseen[e.Card]--
			w.table = append(w.table, e.Card)
			thrown = 0
		case EventLeft:
			thrown = 0
		case EventHand:
			if e.Seat != w.seat {
				w.dealt[e.Seat][thrown].unseen[e.Card]--
			}
			w.table = append(w.table, e.Card)
			thrown++
		case EventCollected:
			w.layers = append(w.layers, newLayer(w.table))
			w.table = nil
			w.round(view)
		}
	}
}

// odds are the chances of the watcher's own hand.
func (w *watcher) odds(h *hand) (good, all int) {
	for card, n := range w.layers[0].unseen {
		all += n
		if h.cover(card) != 0 {
			good += n
		}
	}
	return good, all
}

// TestOddsFollowFromWhatIsSeen plays banks and compares the odds of each hand with those of somebody who watches.
func TestOddsFollowFromWhatIsSeen(t *testing.T) {
	hands, rounds := 0, 0
	for i := range 60 {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		seats := 2 + i%11
		st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: seats}, engine.NewShuffler(engine.Seed{byte(i)}, ""))
		watchers := make([]*watcher, seats)
		for seat := 1; seat < seats; seat++ {
			all := newLayer(append(engine.Pack(2), engine.Pack(2)...))
			watchers[seat] = &watcher{seat: engine.Seat(seat), layers: []*layer{all}}
			watchers[seat].round(st.View(engine.Seat(seat)))
		}
		for len(st.Turn()) > 0 {
			seat := st.Turn()[0]
			if own := st.(*state); seat != banker {
				good, all := own.odds(int(seat), &own.hands[seat])
				wantGood, wantAll := watchers[seat].odds(&own.hands[seat])
				if good != wantGood || all != wantAll {
					t.Fatalf("game %d, hand %d: the odds are %d of %d, and for a watcher %d of %d", i, hands, good, all, wantGood, wantAll)
				}
				hands++
			}
			move := st.Idle(seat)
			switch others := st.Turn()[1:]; {
			case r.IntN(20) == 0 && seat != banker:
				seat, move = banker, engine.Move{Verb: Open}
				if st.(*state).turned != 0 {
					continue
				}
			case r.IntN(40) == 0 && len(others) > 0:
				if other := others[r.IntN(len(others))]; other != banker {
					seat, move = other, engine.Move{Verb: Leave}
				}
			}
			outcome, err := st.Apply(engine.Step{Seat: seat, Move: move})
			if err != nil {
				t.Fatal(err)
			}
			for seat := 1; seat < seats; seat++ {
				watchers[seat].watch(outcome.Events, st.View(engine.Seat(seat)))
			}
			if last := outcome.Events[len(outcome.Events)-1]; last.What == EventCollected {
				rounds++
			}
		}
	}
	if hands < 3000 || rounds < 500 {
		t.Errorf("only %d hands in %d rounds were compared", hands, rounds)
	}
}
