package patience

import (
	"math/rand/v2"

	"zevaka/engine"
)

// player is how a computer plays a patience. It looks at nothing that a player hasn't seen.
type player interface {
	// move is the move it makes, or quit if it sees none that helps. Skill runs from 0, to move by rule of thumb, to 1,
	// to think as long as it knows how.
	// It makes none that leads to where one has been.
	move(t *table, skill float64, r *rand.Rand, been map[uint64]bool) engine.Move
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
	return st.plan.plays.move(&st.table, skill, r, nil)
}

// Position implements engine.Guide.
func (st *state) Position() uint64 { return st.sum() }

// Hint implements engine.Guide.
func (st *state) Hint(skill float64, r *rand.Rand, been map[uint64]bool) engine.Move {
	move := st.Auto(0, skill, r)
	if st.returns(move, been) {
		return st.plan.plays.move(&st.table, skill, r, been)
	}
	return move
}

// returns reports whether a move leads to where one has been. Only a put can.
func (t *table) returns(m engine.Move, been map[uint64]bool) bool {
	if m.Verb != Put || len(been) == 0 {
		return false
	}
	then := *t
	then.put(int(m.From), t.place(m), int(m.To))
	return been[then.sum()]
}

// sum is that of where all cards lie but those of the stock, and of the pass.
func (t *table) sum() uint64 {
	sum := uint64(t.pass) * 0x9e37_79b9_7f4a_7c15
	for pile := range t.plan.piles {
		if pile == t.plan.stock {
			continue
		}
		place := int(t.n[pile])
		for card := t.top[pile]; card != 0; card = t.under[card] {
			sum += spot(card.card(), pile, place)
			place--
		}
	}
	return sum
}

// seenFrom are positions as a beam that begins at one with that sum has them.
func seenFrom(sum uint64, been map[uint64]bool) map[uint64]bool {
	seen := map[uint64]bool{0: true}
	for position := range been {
		seen[position-sum] = true
	}
	return seen
}

// Idle is the move by rule of thumb. It never gives up while anything else is legal.
func (st *state) Idle(s engine.Seat) engine.Move {
	if s != 0 || st.end != notOver {
		return engine.Move{}
	}
	if m := st.plan.plays.move(&st.table, 0, nil, nil); m.Verb != Quit {
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
