package enginetest

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"zevaka/engine"
)

const (
	// tried is how many moves that may be anything are tried in a position.
	tried = 60
	// fullChecks is in how many positions of a deal they are tried.
	fullChecks = 4
)

// checkSamples looks closely at some of the sampled positions, the last always among them.
func (g *game) checkSamples() {
	numbers := make([]int, 0, len(g.samples))
	for n := range g.samples {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	g.r.Shuffle(len(numbers)-1, func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	slices.Reverse(numbers)
	for _, n := range numbers[:min(fullChecks, len(numbers))] {
		g.checkLegal(n)
		g.checkRoleMoves(n)
		g.checkPlayers(n)
		g.checkRefused(n)
	}
}

// checkLegal makes each listed move of the position after n moves; of those that differ only in their number, some.
func (g *game) checkLegal(n int) {
	for _, seat := range g.samples[n].Turn {
		for _, move := range g.samples[n].legal(seat).some(g.r) {
			outcome, err := g.at(n).Apply(engine.Step{Seat: seat, Move: move})
			if err != nil || outcome.Move != move {
				g.Errorf("after %d moves the listed %d %s gives %+v, %v", n, seat, g.rules.Text(move), outcome.Move, err)
			}
		}
	}
}

// checkPlayers asks the computer players and the stand-ins of the position after n moves. Asking changes nothing.
func (g *game) checkPlayers(n int) {
	st, s := g.at(n), g.samples[n]
	for seat := range engine.Seat(g.setup.Seats) {
		must := len(s.Turn) > 0 && s.Turn[0] == seat
		moves := []engine.Move{st.Idle(seat)}
		for _, skill := range []float64{0, 0.5, 1} {
			moves = append(moves, st.Auto(seat, skill, g.r))
		}
		for _, move := range moves {
			if none := move == (engine.Move{}); none && must || !none && !s.legal(seat).contains(move) {
				g.Errorf("after %d moves a stand-in at %d makes %+v", n, seat, move)
			}
		}
	}
	if !reflect.DeepEqual(g.capture(st), s) {
		g.Errorf("after %d moves asking the computer players changes the position", n)
	}
}

// checkRefused tries moves that aren't listed. A table may read one as another that is legal; all others must be
// refused and change nothing.
func (g *game) checkRefused(n int) {
	st, s := g.at(n), g.samples[n]
	var refused []string
	for range tried {
		seat := engine.Seat(g.r.IntN(g.setup.Seats+3) - 2)
		move := anyMove(g.r, g.rules.Info(), s)
		if int(seat) < g.setup.Seats && s.legal(seat).contains(move) {
			continue
		}
		outcome, err := st.Apply(engine.Step{Seat: seat, Move: move})
		if err != nil {
			if !isRefusal(err) || !reflect.DeepEqual(outcome, engine.Outcome{}) {
				g.Errorf("after %d moves %d %+v gives %+v, %v", n, seat, move, outcome, err)
			}
			refused = append(refused, err.Error())
			continue
		}
		g.checkReadAs(n, seat, outcome.Move, g.capture(st))
		st = g.at(n)
	}
	if !reflect.DeepEqual(g.capture(st), s) {
		g.Errorf("after %d moves, moves refused for %v change the position", n, refused)
	}
	g.playOn(n, st)
}

// playOn makes the rest of the log's moves in a position that n moves have led to, and compares what comes of it: a
// refused move must not leave a trace that shows only later.
func (g *game) playOn(n int, st engine.State) {
	for i, step := range g.log[n:] {
		if _, err := st.Apply(step); err != nil {
			g.Errorf("move %d, after moves refused before move %d: %v", n+i+1, n+1, err)
			return
		}
		if want, ok := g.samples[n+i+1]; ok && !reflect.DeepEqual(g.capture(st), want) {
			g.Errorf("moves refused before move %d tell after move %d", n+1, n+i+1)
			return
		}
	}
}

// checkReadAs checks that a move that went into the log as another has done just what that other does.
func (g *game) checkReadAs(n int, seat engine.Seat, read engine.Move, after snapshot) {
	if int(seat) >= g.setup.Seats || !g.samples[n].legal(seat).contains(read) {
		g.Errorf("after %d moves %d %+v is accepted, but not listed", n, seat, read)
		return
	}
	st := g.at(n)
	if _, err := st.Apply(engine.Step{Seat: seat, Move: read}); err != nil || !reflect.DeepEqual(g.capture(st), after) {
		g.Errorf("after %d moves a move read as %d %s does something else", n, seat, g.rules.Text(read))
	}
}

// anyMove is a move that may be anything: one offered, one legal for somebody, or numbers.
func anyMove(r *rand.Rand, info engine.Info, s snapshot) engine.Move {
	var pool []engine.Move
	switch r.IntN(4) {
	case 0:
		pool = s.Views[r.IntN(len(s.Views))].Offers
	case 1:
		pool = s.Moves[r.IntN(len(s.Moves))].some(r)
	}
	if len(pool) > 0 {
		move := pool[r.IntN(len(pool))]
		if r.IntN(4) == 0 {
			move.N++
		}
		return move
	}
	near := func() int { return []int{0, 0, 0, 1, 2, 3, 5, -1, 7, 99, 1<<15 - 1, -1 << 15}[r.IntN(12)] }
	return engine.Move{
		Verb: engine.Verb(r.IntN(len(info.Verbs) + 2)),
		From: int16(near()),
		To:   int16(near()),
		N:    int32(near()),
	}
}
