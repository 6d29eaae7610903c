package enginetest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"zevaka/engine"
)

// otherDeal shuffles as the deal's own shuffler does, and then lets the cards not seen change places in the pack.
type otherDeal struct {
	engine.Shuffler
	seen [256]bool
	r    *rand.Rand
	done bool
}

func (o *otherDeal) Shuffle(cards []engine.Card) {
	o.Shuffler.Shuffle(cards)
	if o.done {
		return
	}
	o.done = true
	var at []int
	for i, card := range cards {
		if !o.seen[card] {
			at = append(at, i)
		}
	}
	o.r.Shuffle(len(at), func(i, j int) { cards[at[i]], cards[at[j]] = cards[at[j]], cards[at[i]] })
}

// Alike plays a fifth as many deals as the contract does, and calls same with two positions of each, time and again. In both
// the same moves were made, the last of which is step, and they differ only in cards that the seat hasn't seen. Before the
// first move step is nil.
func Alike(t *testing.T, rules engine.Rules, same func(t *testing.T, setup engine.Setup, seat engine.Seat, step *engine.Step, a, b engine.State)) {
	t.Helper()
	var scratch []engine.Move
	all := setups(rules.Info())
	for i, setup := range all[:min(len(all), (*deals+4)/5)] {
		g := newGame(t, rules, setup, *first+i)
		g.scratch = &scratch
		g.play()
		for range 3 {
			g.eachAlike(g.r.IntN(len(g.log)>>g.r.IntN(7)+1), func(n int, seat engine.Seat, a, b engine.State) {
				var step *engine.Step
				if n > 0 {
					step = &g.log[n-1]
				}
				same(t, setup, seat, step, a, b)
			})
		}
	}
}

// shower is a state whose deal turned up cards that no view shows: those turned up and put under the pack again.
type shower interface{ Shown() []engine.Card }

// checkHidden makes the first n moves in two deals that differ only in cards which one seat has not seen by then, and
// checks that the seat can't tell them apart: by what it sees, by what it may do, by what happened, by what it is
// refused, nor by what a computer player in its place does.
func (g *game) checkHidden(n int) {
	seat, st, other := g.eachAlike(n, func(n int, seat engine.Seat, st, other engine.State) {
		if n == len(g.log) || g.r.IntN(4) == 0 {
			g.checkAlike(st, other, seat)
		}
	})
	if g.Failed() {
		return
	}
	g.checkAlike(st, other, seat)
	if seat != engine.Nobody {
		g.checkRefusedAlike(st, other, seat)
	}
}

// eachAlike makes the first n moves in two deals that differ only in cards which one seat has not seen by then. It calls same
// before the first move and after each, and returns the seat and the last two positions.
func (g *game) eachAlike(n int, same func(n int, seat engine.Seat, st, other engine.State)) (seat engine.Seat, st, other engine.State) {
	seat = engine.Seat(g.r.IntN(g.setup.Seats+1) - 1)
	seen, events := g.seen(seat, n)
	st = g.deal(engine.NewShuffler(g.seed, ""))
	other = g.deal(&otherDeal{Shuffler: engine.NewShuffler(g.seed, ""), seen: seen, r: g.r})
	same(0, seat, st, other)
	for i := 0; i < n && !g.Failed(); i++ {
		outcome, err := other.Apply(g.log[i])
		if err != nil || !slices.Equal(outcome.Events, events[i]) {
			g.Errorf("move %d, with cards changed that seat %d has not seen: %+v, %v, not %+v",
				i+1, seat, outcome.Events, err, events[i])
			break
		}
		if _, err := st.Apply(g.log[i]); err != nil {
			g.Fatal(err)
		}
		same(i+1, seat, st, other)
	}
	return seat, st, other
}

// checkAlike checks that two positions are the same to a seat.
func (g *game) checkAlike(st, other engine.State, seat engine.Seat) {
	if a, b := st.View(seat), other.View(seat); !reflect.DeepEqual(a, b) {
		g.Errorf("seat %d sees unseen cards:\n%+v\n%+v", seat, a, b)
	}
	a, b := newMoveList(g.legal(st, seat)), newMoveList(g.legal(other, seat))
	if !slices.Equal(a, b) {
		g.Errorf("the moves of seat %d depend on unseen cards: %v, %v", seat, a, b)
	}
	if seat == engine.Nobody {
		return
	}
	for _, skill := range []float64{0, 0.5, 1} {
		luck := g.r.Uint64()
		a := st.Auto(seat, skill, rand.New(rand.NewPCG(luck, 0)))
		b := other.Auto(seat, skill, rand.New(rand.NewPCG(luck, 0)))
		if a != b || st.Idle(seat) != other.Idle(seat) {
			g.Errorf("the player at %d looks at unseen cards: %+v, %+v", seat, a, b)
		}
	}
}

// checkRefusedAlike tries moves that aren't legal in both deals: the answers may not differ either.
func (g *game) checkRefusedAlike(st, other engine.State, seat engine.Seat) {
	s := g.capture(st)
	for range tried {
		move := anyMove(g.r, g.rules.Info(), s)
		if s.legal(seat).contains(move) {
			continue
		}
		a, errA := st.Apply(engine.Step{Seat: seat, Move: move})
		b, errB := other.Apply(engine.Step{Seat: seat, Move: move})
		if a.Move != b.Move || errA != errB {
			g.Errorf("%d %+v depends on unseen cards: %+v, %v; %+v, %v", seat, move, a.Move, errA, b.Move, errB)
		}
		if errA == nil {
			return
		}
	}
}

// seen are the cards that the seat has seen face up by the time of n moves, in its views or in what happened; and what
// happened at each move.
func (g *game) seen(seat engine.Seat, n int) (cards [256]bool, events [][]engine.Event) {
	st := g.deal(engine.NewShuffler(g.seed, ""))
	look := func() {
		for _, pile := range st.View(seat).Piles {
			for _, card := range pile.Cards {
				cards[card] = true
			}
		}
	}
	look()
	if s, ok := st.(shower); ok {
		for _, card := range s.Shown() {
			cards[card] = true
		}
	}
	for _, step := range g.log[:n] {
		outcome, err := st.Apply(step)
		if err != nil {
			g.Fatal(err)
		}
		for _, event := range outcome.Events {
			cards[event.Card] = true
		}
		events = append(events, slices.Clone(outcome.Events))
		look()
	}
	return cards, events
}
