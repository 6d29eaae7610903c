package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

// player is how a computer plays a patience. It looks at nothing that a player hasn't seen.
type player interface {
	// move is the move it makes, or quit if it sees none that helps. Skill runs from 0, to move by rule of thumb, to 1,
	// to think as long as it knows how.
	move(t *table, skill float64, r *rand.Rand) engine.Move
	// solve looks for moves by which the deal comes out, as Win does; fresh are new shufflers of the deal. efforts are how hard
	// each attempt tries.
	solve(t *table, fresh func() engine.Shuffler, attempt int) []engine.Move
	efforts() []int
	// hurry plays the deal so many times, as Hasty has it, and returns how often it came out.
	hurry(t *table, games int, r *rand.Rand) int
	// tries is how many games in a hurry tell how hard a deal is.
	tries() int
}

// quickThought is at how many positions a computer player looks at a skill under 1: a few milliseconds' worth, whatever
// the deal.
const quickThought = 4000

// thought is at how many positions it looks; 0 is at as many as there are.
func thought(skill float64) int {
	if skill < 1 {
		return quickThought
	}
	return 0
}

// Auto is the computer player's move. It gives up when it sees nothing that helps; every deal it plays ends.
func (st *state) Auto(s engine.Seat, skill float64, r *rand.Rand) engine.Move {
	if s != 0 || st.end != notOver {
		return engine.Move{}
	}
	return st.plan.plays.move(&st.table, skill, r)
}

// Idle is the move by rule of thumb. It never gives up while anything else is legal.
func (st *state) Idle(s engine.Seat) engine.Move {
	if s != 0 || st.end != notOver {
		return engine.Move{}
	}
	if m := st.plan.plays.move(&st.table, 0, nil); m.Verb != Quit {
		return m
	}
	var buffer [maxMoves]engine.Move
	return append(st.moves(buffer[:0]), engine.Move{Verb: Quit})[0]
}

// changesNothing reports a put that only gives an empty place another number.
func (t *table) changesNothing(m engine.Move) bool {
	from, to := int(m.From), int(m.To)
	if t.n[to] > 0 || to < t.plan.foundations {
		return false
	}
	group := t.plan.group[to]
	if t.plan.group[from] == group && t.n[from] == 1 && t.plan.refill[from] == nowhere {
		return true
	}
	for earlier := to - 1; t.plan.group[earlier] == group; earlier-- {
		if t.n[earlier] == 0 {
			return true
		}
	}
	return false
}

// low is a card's rank with the ace as one.
func low(c engine.Card) int {
	if c.Rank() == engine.Ace {
		return 1
	}
	return c.Rank()
}
