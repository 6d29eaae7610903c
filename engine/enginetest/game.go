package enginetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"zevaka/engine"
)

// game is one deal under test.
type game struct {
	*testing.T
	rules  engine.Rules
	setup  engine.Setup
	number int
	seed   engine.Seed
	r      *rand.Rand
	log    []engine.Step
	// purses are what each seat's purse has gained since before the deal, as the Transfers say; nil without chips.
	purses []int64
	// out are the seats that have gone out, kept how many cards lie on the foundations.
	out  map[engine.Seat]bool
	kept map[string]int
	// samples are snapshots of some positions, by the number of moves made.
	samples map[int]snapshot
	// scratch is for lists of moves. They may be long, so all games share it.
	scratch *[]engine.Move
}

func newGame(t *testing.T, rules engine.Rules, setup engine.Setup, number int) *game {
	return &game{
		T: t, rules: rules, setup: setup, number: number,
		seed:    seedOf(number),
		r:       rand.New(rand.NewPCG(uint64(number), 1)),
		out:     map[engine.Seat]bool{},
		kept:    map[string]int{},
		samples: map[int]snapshot{},
	}
}

// check plays the deal and checks it, and reports whether all is well.
func (g *game) check() bool {
	g.play()
	if !g.Failed() {
		g.checkRecord()
	}
	if !g.Failed() {
		g.checkSamples()
	}
	for range 3 {
		if !g.Failed() {
			// Often early in the deal, while much has not been seen.
			g.checkHidden(g.r.IntN(len(g.log)>>g.r.IntN(7) + 1))
		}
	}
	return !g.Failed()
}

func (g *game) capture(st engine.State) snapshot { return capture(st, g.setup.Seats, g.scratch) }

// legal are the legal moves of a seat, valid until they are asked for again.
func (g *game) legal(st engine.State, seat engine.Seat) []engine.Move {
	*g.scratch = st.Moves(seat, (*g.scratch)[:0])
	return *g.scratch
}

// deal is the position before the first move.
func (g *game) deal(shuffler engine.Shuffler) engine.State {
	st, err := g.rules.Deal(g.setup, shuffler)
	if err != nil {
		g.Fatalf("deal: %v", err)
	}
	return st
}

// at replays the first n moves.
func (g *game) at(n int) engine.State {
	st := g.deal(engine.NewShuffler(g.seed, ""))
	for i, step := range g.log[:n] {
		if _, err := st.Apply(step); err != nil {
			g.Fatalf("move %d of the log, %s: %v", i+1, engine.StepText(g.rules, step), err)
		}
	}
	return st
}

// play makes moves to the end of the deal, and samples some positions.
func (g *game) play() {
	st := g.deal(engine.NewShuffler(g.seed, ""))
	pack := g.capture(st).pack()
	if !wholePacks(pack) {
		g.Errorf("the cards dealt are not whole packs: %v", st.View(engine.Referee).Piles)
	}
	if chips := st.View(engine.Referee).Chips; chips != nil {
		g.purses = slices.Clone(chips.Seats)
	}
	every := 2
	for !g.Failed() {
		n, over := len(g.log), len(st.Turn()) == 0
		if over || g.r.IntN(every) == 0 {
			every += every/4 + 1
			s := g.capture(st)
			if err := s.check(g.rules, g.r); err != nil {
				g.Errorf("after %d moves: %v", n, err)
			}
			if s.pack() != pack {
				g.Errorf("after %d moves the cards are not those dealt: %v", n, s.referee().Piles)
			}
			if err := g.checkChips(s); err != nil {
				g.Errorf("after %d moves: %v", n, err)
			}
			g.samples[n] = s
		}
		if over {
			return
		}
		if n == maxMoves {
			g.Fatalf("not over after %d moves", n)
		}
		g.move(st)
	}
}

// move makes one move: in every third game a random one, else mostly what a computer player does.
func (g *game) move(st engine.State) {
	turn := st.Turn()
	seat := turn[0]
	if g.r.IntN(3) == 0 {
		seat = turn[g.r.IntN(len(turn))]
	}
	legal := g.legal(st, seat)
	move := legal[g.r.IntN(len(legal))]
	if g.number%3 != 0 && g.r.IntN(20) != 0 {
		auto := st.Auto(seat, float64(g.number%5)/4, g.r)
		if auto != (engine.Move{}) || seat == turn[0] {
			move = auto
		}
	}
	step := engine.Step{Seat: seat, Move: move}
	if !slices.Contains(legal, move) {
		g.Errorf("after %d moves the computer player's %s is not legal", len(g.log), engine.StepText(g.rules, step))
		return
	}
	epoch := st.Epoch()
	outcome, err := st.Apply(step)
	if err != nil || outcome.Move != move {
		g.Errorf("move %d, %s, is listed; applied: %+v, %v", len(g.log)+1, engine.StepText(g.rules, step), outcome.Move, err)
		return
	}
	g.log = append(g.log, step)
	if st.Epoch() < epoch {
		g.Errorf("move %d: the epoch falls from %d to %d", len(g.log), epoch, st.Epoch())
	}
	for _, err := range []error{g.checkOutcome(outcome), g.checkEvents(st, outcome.Events), g.checkKept(st)} {
		if err != nil {
			g.Errorf("move %d: %v", len(g.log), err)
		}
	}
}

func (g *game) checkOutcome(outcome engine.Outcome) error {
	known := func(seat engine.Seat) bool { return seat >= engine.Nobody && int(seat) < g.setup.Seats }
	for _, event := range outcome.Events {
		if event.What == "" || !known(event.Seat) || !known(event.To) {
			return fmt.Errorf("event %+v", event)
		}
	}
	for _, t := range outcome.Transfers {
		if t.Amount <= 0 || t.From == t.To || !known(t.From) || !known(t.To) || g.purses == nil {
			return fmt.Errorf("transfer %+v", t)
		}
		if t.From != engine.Nobody {
			g.purses[t.From] -= t.Amount
		}
		if t.To != engine.Nobody {
			g.purses[t.To] += t.Amount
		}
	}
	return nil
}

// checkChips compares what the Transfers have moved with the chips that the position and its result show.
func (g *game) checkChips(s snapshot) error {
	chips := s.referee().Chips
	if (chips == nil) != (g.purses == nil) || s.Over && (s.Result.Chips == nil) != (g.purses == nil) {
		return fmt.Errorf("chips %+v, result %v", chips, s.Result.Chips)
	}
	for seat, gain := range g.purses {
		if gain != chips.Seats[seat]-chips.Stakes[seat] {
			return fmt.Errorf("seat %d has got %d by transfers, and the chips are %+v", seat, gain, *chips)
		}
		if s.Over && (gain != s.Result.Chips[seat] || chips.Stakes[seat] != 0) {
			return fmt.Errorf("seat %d has got %d by transfers, and the result is %v", seat, gain, s.Result.Chips)
		}
	}
	return nil
}

// checkRecord writes the deal down, reads it, and compares the views on the way with those seen in play.
func (g *game) checkRecord() {
	info := g.rules.Info()
	options, err := info.Complete(g.setup.Options)
	if err != nil {
		g.Fatal(err)
	}
	record := engine.Record{Game: info.Name, Options: options, Seats: g.setup.Seats, Seed: g.seed, Moves: []string{}}
	for _, step := range g.log {
		record.Moves = append(record.Moves, engine.StepText(g.rules, step))
	}
	result := g.samples[len(g.log)].Result
	record.Outcome = &result
	line, err := record.Marshal(info)
	if err != nil {
		g.Fatal(err)
	}
	back, err := engine.ParseRecord(line)
	if err != nil {
		g.Fatal(err)
	}
	err = engine.Replay(g.rules, back, func(n int, _ string, st engine.State) error {
		if want, ok := g.samples[n]; ok && !reflect.DeepEqual(g.capture(st), want) {
			return fmt.Errorf("after %d moves the replay differs from the play", n)
		}
		return nil
	})
	if err != nil {
		g.Error(err)
	}
	g.checkNext(result)
}

// checkNext sets up the deal after this one, where some have left and others have sat down.
func (g *game) checkNext(result engine.Result) {
	standings := make([]engine.Standing, g.setup.Seats+g.r.IntN(g.rules.Info().MaxSeats-g.setup.Seats+1))
	for i := range standings {
		standings[i] = engine.Standing{Stays: g.r.IntN(4) > 0, Chips: g.r.Int64N(1 << g.r.IntN(31))}
	}
	next, ok := g.rules.Next(g.setup, result, standings)
	if !ok {
		return
	}
	if _, err := g.rules.Deal(next, engine.NewShuffler(g.seed, "")); err != nil {
		g.Errorf("the next deal: %v", err)
	}
	if len(next.Order) != next.Seats {
		g.Errorf("the next deal has %d seats in the order %v", next.Seats, next.Order)
	}
	for i, seat := range next.Order {
		if seat < 0 || int(seat) >= len(standings) || !standings[seat].Stays || slices.Contains(next.Order[:i], seat) {
			g.Errorf("after %+v the next deal's order is %v", standings, next.Order)
		}
	}
}
