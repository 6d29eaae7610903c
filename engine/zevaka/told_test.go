package zevaka

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// overseer keeps account of a deal beside the state: what each turn overlooked, from the moves that were legal.
type overseer struct {
	t  *testing.T
	st *state
	// chances are the cards that the turn in progress, or the one just ended, has overlooked and not played since, with all
	// the places where each could have gone when it was overlooked last.
	now, last map[engine.Card][]string
	// yawns are how many turns of each seat have ended with something overlooked that wasn't put right.
	yawns [maxSeats]int
	// promised counts the windows in which the note promised a way back, late those in which it didn't; told the cards
	// that were told, silent the mistakes that nobody claimed.
	promised, late, told, silent int
}

// places are where the card in hand could go now: "centre", or the card on top of a seat's pile.
func (o *overseer) places() (engine.Card, []string) {
	var places []string
	view := o.st.View(engine.Nobody)
	n := o.st.seats
	for _, m := range o.st.Moves(engine.Seat(o.st.mover), nil) {
		switch m.Verb {
		case Centre:
			places = append(places, "centre")
		case Put:
			top := view.Piles[n+int(m.To)].Cards
			places = append(places, fmt.Sprint(m.To, " ", top[len(top)-1]))
		}
	}
	card := o.st.inHand()
	return card, places
}

// note checks that the remark promises a way back if there is one, and only then.
func (o *overseer) note() {
	fix := false
	for seat := range o.st.seats {
		fix = fix || slices.Contains(o.st.Moves(engine.Seat(seat), nil), engine.Move{Verb: Fix})
	}
	switch note := o.st.View(engine.Nobody).Note; note {
	case NoteMissed:
		if o.promised++; !fix {
			o.t.Errorf("the note %q, and nothing can be put right", note)
		}
	case NoteMissedLate:
		if o.late++; fix {
			o.t.Errorf("the note %q, and something can be put right", note)
		}
	default:
		if fix && note != NoteMayFix {
			o.t.Errorf("the note %q, and something can be put right", note)
		}
	}
}

// apply makes a move, and checks what is told of things overlooked: all of it when a mistake is paid for, at no other move.
func (o *overseer) apply(step engine.Step) {
	mover := o.st.mover
	card, places := o.places()
	paid := step.Move.Verb == Take || step.Move.Verb == Yawn && o.st.last.mistaken()
	outcome, err := o.st.Apply(step)
	if err != nil {
		o.t.Fatal(err)
	}
	told := map[engine.Card]bool{}
	for _, e := range outcome.Events {
		place := "centre"
		switch e.What {
		case EventCouldPut:
			place = fmt.Sprint(int(e.To), " ", e.On)
		case EventCouldCentre:
		default:
			continue
		}
		told[e.Card] = true
		if o.told++; !paid || !slices.Contains(o.last[e.Card], place) {
			o.t.Errorf("%+v is told at move %+v; overlooked were %v", e, step, o.last)
		}
	}
	if paid && len(told) != len(o.last) {
		o.t.Errorf("of %v only %v is told", o.last, told)
	}
	switch step.Move.Verb {
	case Put, Centre:
		delete(o.now, card)
	case Flip, Keep:
		if len(places) > 0 {
			o.now[card] = places
		}
	case Fix:
		o.yawns[step.Seat]--
		o.now, o.last = o.last, nil
		delete(o.now, o.st.flipped)
	}
	switch {
	case step.Move.Verb == Keep:
		if len(o.now) > 0 {
			o.yawns[step.Seat]++
		}
		o.close()
		o.last, o.now = o.now, map[engine.Card][]string{}
	case paid:
		o.last = nil
	case o.st.mover != mover && step.Move.Verb != Fix:
		o.close()
		o.now = map[engine.Card][]string{}
	}
}

// close ends the time in which the turn before this one could be claimed.
func (o *overseer) close() {
	if len(o.last) > 0 {
		o.silent++
	}
	o.last = nil
}

// TestTold plays deals in which chances are overlooked: the note promises a way back exactly where there is one, and what
// was overlooked is told when the mistake is paid for, all of it, rightly, and no sooner.
func TestTold(t *testing.T) {
	for _, options := range []string{
		"penalty=auto", "penalty=auto deal=stock", "penalty=auto centre=rank pack=52", "penalty=auto deal=stock others=off",
		"penalty=call", "penalty=call deal=stock", "penalty=call centre=rank pack=52",
	} {
		t.Run(options, func(t *testing.T) {
			o := overseer{t: t}
			for game := range 40 {
				r := rand.New(rand.NewPCG(uint64(game), 3))
				setup := engine.Setup{Seats: 2 + game%5, Options: enginetest.Options(t, Rules{}, options)}
				st := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.Seed{byte(game)}, "told"))
				o.st, o.now, o.last = st.(*state), map[engine.Card][]string{}, nil
				for moves := 0; len(st.Turn()) > 0 && moves < 600 && !t.Failed(); moves++ {
					o.note()
					o.apply(anyStep(o.st, r))
				}
			}
			t.Logf("%d notes promised a way back, %d none; %d cards were told, %d mistakes not claimed", o.promised, o.late, o.told, o.silent)
			if auto := o.st.penalty == autoPenalty; o.told == 0 || auto != (o.promised > 0 && o.late > 0) || auto == (o.silent > 0) {
				t.Error("nothing to see")
			}
		})
	}
}

// TestAwake: whoever has overlooked nothing in a deal, or put it right, was awake, and nobody else; as long as a deal goes on
// nobody was.
func TestAwake(t *testing.T) {
	for _, options := range []string{"deal=hands", "deal=stock", "centre=free pack=52", "open=off", "deal=stock others=off", "penalty=auto", "penalty=call deal=stock"} {
		t.Run(options, func(t *testing.T) {
			awake, asleep := 0, 0
			for game := range 30 {
				r := rand.New(rand.NewPCG(uint64(game), 4))
				setup := engine.Setup{Seats: 2 + game%5, Options: enginetest.Options(t, Rules{}, options)}
				st := enginetest.Deal(t, Rules{}, setup, engine.NewShuffler(engine.Seed{byte(game)}, "awake"))
				o := overseer{t: t, st: st.(*state), now: map[engine.Card][]string{}}
				for len(st.Turn()) > 0 {
					if feats := o.st.Feats(st.Turn()[0]); len(feats) > 0 {
						t.Fatalf("game %d: %v before the end", game, feats)
					}
					turn := st.Turn()
					seat := turn[len(turn)-1]
					move := st.Auto(seat, 0.96, r)
					if move.Verb == 0 {
						seat = turn[0]
						move = st.Auto(seat, 0.96, r)
					}
					o.apply(engine.Step{Seat: seat, Move: move})
				}
				for seat := range setup.Seats {
					was := slices.Equal(o.st.Feats(engine.Seat(seat)), []string{FeatAwake})
					if was != (o.yawns[seat] == 0) {
						t.Errorf("game %d: seat %d has yawned %d times, awake: %t", game, seat, o.yawns[seat], was)
					}
					if was {
						awake++
					} else {
						asleep++
					}
				}
			}
			if awake < 10 || asleep < 10 {
				t.Errorf("%d were awake, %d were not", awake, asleep)
			}
		})
	}
}

// anyStep is what a computer player at one of the seats that may move does, who overlooks every third chance.
func anyStep(st *state, r *rand.Rand) engine.Step {
	turn := append([]engine.Seat(nil), st.Turn()...)
	for i := len(turn) - 1; i > 0; i-- {
		if move := st.Auto(turn[i], 0.4, r); move.Verb != 0 {
			return engine.Step{Seat: turn[i], Move: move}
		}
	}
	return engine.Step{Seat: turn[0], Move: st.Auto(turn[0], 0.7, r)}
}
