package zevaka

import (
	"math/rand/v2"

	"zevaka/engine"
)

// attention is how well a computer player looks.
type attention struct {
	skill float64
	r     *rand.Rand
}

// notices reports whether a chance is seen. An entirely attentive player sees each without any luck.
func (a attention) notices() bool {
	return a.skill >= 1 || a.skill > 0 && a.r.Float64() < a.skill
}

// Auto plays what fits: the top of the own open pile before flipping, then the flipped card, to the centre rather than
// to the opponent with the fewest cards. It puts its own mistakes right and claims those of others. Every chance is
// overlooked with probability 1-skill.
func (st *state) Auto(s engine.Seat, skill float64, r *rand.Rand) engine.Move {
	seat, eyes := int(s), attention{skill, r}
	switch {
	case st.mover == noSeat || seat < 0 || seat >= st.seats:
		return engine.Move{}
	case st.last.seat == noSeat:
	case st.mayFix(seat) && eyes.notices():
		return engine.Move{Verb: Fix}
	case st.mayClaim(seat) && st.last.mistaken() && eyes.notices():
		return engine.Move{Verb: Yawn}
	}
	if seat != st.mover {
		return engine.Move{}
	}
	return st.attend(eyes)
}

// Idle is the move of a sleeper: it flips and keeps, and sees nothing (RULES.md 1.2, "Time that runs out"). Only a card that was taken
// back, which has to be placed, it places. Windows that a seat may let pass, it lets pass.
func (st *state) Idle(s engine.Seat) engine.Move {
	if st.mover == noSeat || int(s) != st.mover {
		return engine.Move{}
	}
	return st.attend(attention{skill: 0})
}

// attend is the mover's move.
func (st *state) attend(eyes attention) engine.Move {
	if st.waiting {
		return engine.Move{Verb: Take}
	}
	if move := st.best(eyes); move.Verb != 0 {
		return move
	}
	switch {
	case st.flipped == 0:
		return engine.Move{Verb: Flip}
	case st.mustPlace:
		return st.best(attention{skill: 1})
	}
	return engine.Move{Verb: Keep}
}

// best is the best noticed way to play the card in hand; the zero Move when none is.
func (st *state) best(eyes attention) engine.Move {
	card := st.inHand()
	if card == 0 {
		return engine.Move{}
	}
	if st.fitsCentre(card) && eyes.notices() {
		return engine.Move{Verb: Centre}
	}
	best, fewest := noSeat, 0
	if st.othersAllowed() {
		for i := 1; i < st.seats; i++ {
			to := (st.mover + i) % st.seats
			if !st.fitsSeat(card, to) || !eyes.notices() {
				continue
			}
			if n := st.held(to); best == noSeat || n < fewest {
				best, fewest = to, n
			}
		}
	}
	if best == noSeat {
		return engine.Move{}
	}
	return engine.Move{Verb: Put, To: int16(best)}
}
