// Package knockout deals Knock-Out Whist for three, for tests alone: a game of tricks, unlike any of the house, in which
// seats go out while the others play on.
//
// Everybody is dealt as many cards as the option says, and the next card of the pack turns up trumps. Nobody has to
// follow suit; the highest trump takes the trick, or else the highest card of the suit that was led, and its player leads
// to the next. When all are played, whoever took no trick is out. The others are dealt one card fewer each, until one is
// left: with one card each that is so at the latest.
package knockout

import (
	"strconv"
	"strings"

	"zevaka/engine"
)

// Play is the game's only verb. From is the index of the player's own hand, To that of the trick, N one more than the
// card's place in the hand.
const Play engine.Verb = 1

const (
	seats = 3
	// trick is the index of that pile, behind the hands.
	trick = seats
)

const errNotHeld engine.Refusal = "not-in-your-hand"

// Rules are the rules of Knock-Out Whist.
type Rules struct{}

// Info tells what the game needs and knows.
func (Rules) Info() engine.Info {
	return engine.Info{
		Name: "knockout", MinSeats: seats, MaxSeats: seats, Rev: 1, Hands: true,
		Verbs: []engine.VerbInfo{{Name: "play", Aim: engine.AimPiles}},
		Events: []engine.EventInfo{
			{Name: "hands-dealt"}, {Name: "plays"}, {Name: "takes-the-trick", Role: engine.EventAdds},
			{Name: "knocked-out", Role: engine.EventGoesOut}, {Name: "last-one-in"},
		},
		Options: []engine.Option{{Name: "cards", Values: []string{"7", "3"}, Min: 1, Max: 10}},
	}
}

// Deal shuffles and deals the first hands.
func (r Rules) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	if setup.Seats != seats {
		return nil, engine.ErrSeats
	}
	options, err := r.Info().Complete(setup.Options)
	if err != nil {
		return nil, err
	}
	size, _ := strconv.Atoi(options["cards"])
	st := &state{shuffler: shuffler, size: size, pack: engine.Pack(2)}
	st.dealHands()
	return st, nil
}

// Parse reads a move, as "play 2@0": the first card in the hand of seat 2.
func (Rules) Parse(text string) (engine.Move, error) {
	verb, rest, _ := strings.Cut(text, " ")
	hand, place, _ := strings.Cut(rest, "@")
	from, errFrom := strconv.ParseUint(hand, 10, 8)
	n, errN := strconv.ParseUint(place, 10, 8)
	move := engine.Move{Verb: Play, From: int16(from), To: trick, N: int32(n) + 1}
	if verb != "play" || errFrom != nil || errN != nil || (Rules{}).Text(move) != text {
		return engine.Move{}, engine.ErrMoveText
	}
	return move, nil
}

// Text writes a move as Parse reads it; "" for what is no move.
func (Rules) Text(m engine.Move) string {
	if m.Verb != Play || m.From < 0 || m.From >= seats || m.To != trick || m.N < 1 || m.N > 52 {
		return ""
	}
	return "play " + strconv.Itoa(int(m.From)) + "@" + strconv.Itoa(int(m.N)-1)
}

// Next reports false: each deal stands by itself.
func (Rules) Next(setup engine.Setup, _ engine.Result, _ []engine.Standing) (engine.Setup, bool) {
	return setup, false
}
