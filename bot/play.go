package bot

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"

	"zevaka/engine"
)

const (
	// maxMissed is how many turns the table makes for an absent person before the computer takes the seat.
	maxMissed = 3
	// quietRounds is after how many rounds without a person's move a table goes to sleep.
	quietRounds = 3
	// thinking is how long, in milliseconds, a computer player waits after the last picture; considering is how long
	// where a person may still put something right.
	thinking, considering = 1500, 3000
	// skill is how attentive a computer player is; one that sits in for a person overlooks nothing.
	skill = 0.8
	// maxAtOnce is how many moves the computer makes in one request.
	maxAtOnce = 200
	// maxLog is how many moves a table may have, those taken back, too: one that has more is closed.
	maxLog = 1 << 16
	// maxLast is how many events a picture tells.
	maxLast = 4
	// maxHand is the same at a banker's table, where a hand is told in several.
	maxHand = 9
	// quitEvent is how games with a banker say that a seat has thrown its hand in.
	quitEvent = "quits-bank"
)

// step makes a move in the deal and writes it down. What the table makes of it is settled afterwards, once.
func (v *visit) step(state engine.State, step engine.Step) error {
	before := state.Epoch()
	outcome, err := state.Apply(step)
	if err != nil {
		return err
	}
	v.steps++
	v.quits = v.quits || v.rules.Info().Verbs[step.Move.Verb-1].Name == quitMove
	t := v.table
	t.log(v.rules, engine.Step{Seat: step.Seat, Move: outcome.Move})
	for _, e := range outcome.Events {
		if e.What == "out" || e.What == quitEvent {
			t.Chairs = slices.Clone(t.Chairs)
			t.Chairs[e.Seat].Out = true
		}
	}
	v.events = append(v.events, outcome.Events...)
	if state.Epoch() != before {
		t.Quiet++
	}
	return nil
}

// settle ends a request that made moves: moves that go without saying are made, the deal ends if it is over, and the
// clock is set. By is who moved.
func (v *visit) settle(state engine.State, by engine.Seat) error {
	t, banker, most := v.table, v.rules.Info().Banker, maxLast
	v.changed, v.shown = true, true
	if t.Fast {
		v.hasten(state)
	}
	if banker {
		if err := v.square(state); err != nil {
			return err
		}
		most = maxHand
	}
	t.Last = newest(append(t.Last, v.events...), most)
	if result, over := state.Result(); over && !v.isStuck(result) {
		v.end("", &result)
		return nil
	}
	if t.Moves >= maxLog {
		v.end("stop-long", nil)
		return nil
	}
	if t.Quiet >= quietRounds*len(t.Chairs) && t.played() && !banker {
		t.Asleep = true
	}
	v.schedule(state, by)
	return nil
}

// newest are the last of the events, at most n, beginning where something begins.
func newest(events []engine.Event, n int) []engine.Event {
	first := max(0, len(events)-n)
	for first > 0 && first < len(events) && belongs(events[first].What) {
		first++
	}
	return slices.Clone(events[first:])
}

// belongs reports whether an event only adds to the one before it.
func belongs(what string) bool {
	return slices.Contains([]string{"hand", "odds", "bank-up", "bank-down"}, what)
}

// hasten keeps a card for a person where nothing else can be done with it.
func (v *visit) hasten(state engine.State) {
	turn := state.Turn()
	if len(turn) != 1 || v.table.Chairs[turn[0]].computer() {
		return
	}
	moves := state.Moves(turn[0], nil)
	if len(moves) != 1 || v.rules.Info().Verbs[moves[0].Verb-1].Aim != engine.AimSelf {
		return
	}
	// A listed move is legal, so there is no refusal to tell.
	_ = v.step(state, engine.Step{Seat: turn[0], Move: moves[0]})
}

// schedule sets the table's deadlines for the position. Where there is none the table waits for people, and not for ever,
// unless all is kept for ever.
func (v *visit) schedule(state engine.State, by engine.Seat) {
	v.limit(state, by)
	if v.table.due() == 0 {
		v.waitLong()
	}
}

// waitLong lets the table wait for people as long as what has ended is kept.
func (v *visit) waitLong() {
	if v.bot.keep > 0 {
		v.table.Ends = v.now + v.bot.keep.Milliseconds()
	}
}

// unhurried reports whether the table waits for people with no limit on their turn.
func (t *table) unhurried() bool { return t.Phase == playing && (t.Asleep || t.Limit == 0) }

// limit sets what deadlines the game has. The one who must move keeps one that runs already when it was somebody else
// who moved. A game for one has no turns to limit: it only doesn't wait for ever.
func (v *visit) limit(state engine.State, by engine.Seat) {
	t := v.table
	if isSolo(v.rules.Info()) {
		t.Ends = v.now + aloneLife
		return
	}
	turn := state.Turn()
	ends, warn, whose := t.Ends, t.Warn, t.Mover
	t.Ends, t.Warn, t.Chance = 0, 0, 0
	if t.Asleep || len(turn) == 0 {
		return
	}
	must := turn[0]
	t.Mover = int(must)
	keep := t.Limit > 0 && ends != 0 && whose == int(must) && by != must
	switch {
	case v.rules.Info().Banker:
		begins, byTable := v.window(state)
		v.clearTap(must, whose)
		if byTable || t.Chairs[must].computer() {
			t.Chance = max(begins, v.now+thinking)
			return
		}
		t.limitFrom(max(begins, v.now))
	case t.Chairs[must].computer():
		t.Chance = v.now + thinking
		if v.personsMay(turn[1:]) {
			t.Chance = v.now + considering
		}
		return
	default:
		t.limitFrom(v.now)
		if slices.ContainsFunc(turn[1:], func(s engine.Seat) bool { return t.Chairs[s].computer() }) {
			t.Chance = v.now + thinking
		}
	}
	if keep {
		t.Ends, t.Warn = ends, warn
	}
}

// limitFrom lets the time for a turn begin.
func (t *table) limitFrom(begins int64) {
	if t.Limit > 0 {
		t.Ends = begins + int64(t.Limit)*1000
		t.Warn = t.Ends - warning(t.Limit)
	}
}

// warning is how long before the end of a turn its player is warned, in milliseconds, for a limit in seconds.
func warning(limit int) int64 { return min(int64(limit)*1000/3, 30*60*1000) }

func (v *visit) personsMay(seats []engine.Seat) bool {
	return slices.ContainsFunc(seats, func(s engine.Seat) bool { return !v.table.Chairs[s].computer() })
}

// idle makes the move of a person whose time is up.
func (v *visit) idle(ctx context.Context) error {
	state, err := v.play(ctx)
	if err != nil {
		return err
	}
	seat, err := v.idleMove(state)
	if err != nil {
		return err
	}
	if seat == engine.Nobody {
		return v.settle(state, seat)
	}
	v.table.Chairs = slices.Clone(v.table.Chairs)
	c, what := &v.table.Chairs[seat], "timed-out"
	switch c.Missed++; {
	case c.Missed < maxMissed:
	case v.rules.Info().Banker && seat != 0:
		c.Left, what = true, "dropped"
	default:
		c.Away, what = true, "away"
	}
	v.events = append(v.events, engine.Event{What: what, Seat: seat, To: engine.Nobody})
	return v.settle(state, seat)
}

// idleMove makes what the table does for the seat that must move, and returns that seat: Nobody if somebody had to go
// first.
func (v *visit) idleMove(state engine.State) (engine.Seat, error) {
	if gone, err := v.sendOff(state); err != nil || gone {
		return engine.Nobody, err
	}
	seat := state.Turn()[0]
	if err := v.step(state, engine.Step{Seat: seat, Move: state.Idle(seat)}); err != nil {
		return seat, fmt.Errorf("move for seat %d of table %s: %w", seat, v.table.id, asFault(err))
	}
	return seat, nil
}

// computers lets the computer players move: the whole turn of the one that must, or, where a person may still do
// something about it, one move. When all people are out they play on without stopping.
func (v *visit) computers(ctx context.Context) error {
	if v.rules.Info().Banker {
		return v.tableMove(ctx)
	}
	state, err := v.play(ctx)
	if err != nil {
		return err
	}
	must := state.Turn()[0]
	by := engine.Nobody
	for range maxAtOnce {
		step, ok := v.computerStep(state)
		if !ok {
			break
		}
		by = step.Seat
		if err := v.step(state, step); err != nil {
			return fmt.Errorf("move for computer %d of table %s: %w", step.Seat, v.table.id, asFault(err))
		}
		turn := state.Turn()
		if len(turn) == 0 || v.table.played() && (turn[0] != must || v.personsMay(turn[1:])) {
			break
		}
	}
	if by == engine.Nobody {
		v.table.Chance = 0
		v.changed = true
		return nil
	}
	return v.settle(state, by)
}

// computerStep is what the computer players do in the position: those that may but need not come first.
func (v *visit) computerStep(state engine.State) (engine.Step, bool) {
	turn := slices.Clone(state.Turn())
	if len(turn) == 0 {
		return engine.Step{}, false
	}
	for _, s := range append(turn[1:], turn[0]) {
		c := v.table.Chairs[s]
		if !c.computer() {
			continue
		}
		attention := skill
		if c.User != 0 {
			attention = 1
		}
		if move := state.Auto(s, attention, v.chance(s)); move != (engine.Move{}) {
			return engine.Step{Seat: s, Move: move}, true
		}
	}
	return engine.Step{}, false
}

// chance is a computer player's: it depends on the table with its secret seed, how far it has come and the seat, on
// nothing from outside.
func (v *visit) chance(s engine.Seat) *rand.Rand {
	seed := fmt.Appendf(nil, "computer:%s:%d:%d:%x", v.table.id, v.table.Moves, s, v.table.Seed)
	return rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
}
