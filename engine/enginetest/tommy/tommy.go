// Package tommy deals a short Sir Tommy, for tests alone: a patience that shares nothing with those of the house but that
// it is one.
//
// With a pack of 36 (six to ace) cards are turned up one at a time and laid on one heap, or on four bases, which begin with
// the sixes and go up to the aces whatever the suit. Only the uppermost card of the heap may follow. When the stock is
// used up, the heap is turned over to be the stock again, as often as the option says.
package tommy

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"zevaka/engine"
)

// The verbs of the game, in the order of Info.Verbs.
const (
	TurnUp engine.Verb = 1 + iota
	Lay
	TurnOver
	Resign
)

// The piles, in the order of View.Piles: four bases come first. Those with numbers are numbered from 1.
const (
	bases = 4
	heap  = bases
	upper = heap + 1
	talon = upper + 1
	piles = talon + 1
)

const (
	lowest = 6
	full   = engine.Ace - lowest + 1
)

// Rules are the rules of the patience.
type Rules struct{}

// Info tells what the game needs and knows.
func (Rules) Info() engine.Info {
	return engine.Info{
		Name: "tommy", MinSeats: 1, MaxSeats: 1, Rev: 1,
		Verbs: []engine.VerbInfo{
			{Name: "turn up", Role: engine.VerbDeals},
			{Name: "lay", Aim: engine.AimPiles, Row: 1},
			{Name: "turn over", Role: engine.VerbDeals, Row: 2},
			{Name: "resign", Role: engine.VerbQuits, Row: 2, Final: true},
		},
		Events: []engine.EventInfo{
			{Name: "upcard", Role: engine.EventTurnsUp}, {Name: "lies", Role: engine.EventArrives}, {Name: "turned-over"},
			{Name: "all-there"}, {Name: "stuck"}, {Name: "resigned"},
		},
		Options: []engine.Option{{Name: "times", Values: []string{"2", "0"}, Min: 0, Max: 9}},
	}
}

// Deal shuffles.
func (r Rules) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	options, err := r.Info().Accept(setup)
	if err != nil {
		return nil, err
	}
	st := &state{}
	st.times, _ = strconv.Atoi(options["times"])
	st.piles[talon] = engine.Pack(lowest)
	shuffler.Shuffle(st.piles[talon])
	return st, nil
}

// Parse reads a move, as "turn up" or "lay upper base1".
func (Rules) Parse(text string) (engine.Move, error) {
	for _, verb := range []engine.Verb{TurnUp, TurnOver, Resign} {
		if move := (engine.Move{Verb: verb}); text == (Rules{}).Text(move) {
			return move, nil
		}
	}
	rest, isLay := strings.CutPrefix(text, "lay ")
	from, to, _ := strings.Cut(rest, " ")
	a, b := slices.Index(names(), from), slices.Index(names(), to)
	if !isLay || a < 0 || b < 0 {
		return engine.Move{}, engine.ErrMoveText
	}
	return engine.Move{Verb: Lay, From: int16(a), To: int16(b)}, nil
}

// Text writes a move as Parse reads it; "" for what is no move.
func (r Rules) Text(m engine.Move) string {
	inside := m.From >= 0 && m.From < piles && m.To >= 0 && m.To < piles && m.N == 0
	switch {
	case m.Verb == Lay && inside:
		return "lay " + names()[m.From] + " " + names()[m.To]
	case m.Verb == TurnUp, m.Verb == TurnOver, m.Verb == Resign:
		return r.Info().Verbs[m.Verb-1].Name
	}
	return ""
}

// Next reports false: each deal stands by itself.
func (Rules) Next(setup engine.Setup, _ engine.Result, _ []engine.Standing) (engine.Setup, bool) {
	return setup, false
}

// names are those of the piles.
func names() []string {
	return []string{"base1", "base2", "base3", "base4", "heap", "upper", "talon"}
}

// state is one deal.
type state struct {
	piles [piles][]engine.Card
	// times is how often the heap may still be turned over.
	times int
	// over says that the deal has ended, and why the name of the event that tells it.
	over  bool
	why   string
	epoch int
}

// top is a pile's uppermost card; zero if there is none.
func (st *state) top(pile int16) engine.Card {
	if n := len(st.piles[pile]); n > 0 {
		return st.piles[pile][n-1]
	}
	return 0
}

// judge says why a move isn't legal; nil if it is.
func (st *state) judge(step engine.Step) error {
	m := step.Move
	plain := m == engine.Move{Verb: m.Verb}
	switch {
	case st.over:
		return engine.ErrOver
	case (Rules{}).Text(m) == "" || m.Verb != Lay && !plain:
		return engine.ErrMoveText
	case step.Seat != 0:
		return engine.ErrNotYourTurn
	case m.Verb == Lay:
		return st.judgeLay(m)
	case m.Verb == Resign:
		return nil
	case st.top(upper) != 0:
		return engine.Refusal("lay-the-upcard-first")
	case m.Verb == TurnUp && st.top(talon) == 0, m.Verb == TurnOver && (st.times == 0 || st.top(heap) == 0):
		return engine.Refusal("talon-used-up")
	case m.Verb == TurnOver && st.top(talon) != 0:
		return engine.Refusal("talon-not-used-up")
	}
	return nil
}

func (st *state) judgeLay(m engine.Move) error {
	card := st.top(m.From)
	switch {
	case m.From != heap && m.From != upper || card == 0 || m.To > heap || m.From == m.To:
		return engine.Refusal("goes-nowhere-from-there")
	case m.To == heap:
		return nil
	case card.Rank() != lowest+len(st.piles[m.To]):
		return engine.Refusal("base-goes-up-by-rank")
	case m.To > 0 && st.top(m.To) == 0 && st.top(m.To-1) == 0:
		return engine.Refusal("begin-the-first-empty-base")
	}
	return nil
}

// Turn is the player until the deal is over.
func (st *state) Turn() []engine.Seat {
	if st.over {
		return nil
	}
	return []engine.Seat{0}
}

// Moves are the legal moves.
func (st *state) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	all := []engine.Move{{Verb: TurnUp}, {Verb: TurnOver}, {Verb: Resign}}
	for to := range int16(heap + 1) {
		all = append(all, engine.Move{Verb: Lay, From: upper, To: to}, engine.Move{Verb: Lay, From: heap, To: to})
	}
	for _, m := range all {
		if st.judge(engine.Step{Seat: s, Move: m}) == nil {
			into = append(into, m)
		}
	}
	return into
}

// Apply makes a move.
func (st *state) Apply(step engine.Step) (engine.Outcome, error) {
	if err := st.judge(step); err != nil {
		return engine.Outcome{}, err
	}
	st.epoch++
	var events []engine.Event
	tell := func(what string, card engine.Card, n int) {
		events = append(events, engine.Event{What: what, To: engine.Nobody, Card: card, N: int32(n)})
	}
	switch m := step.Move; m.Verb {
	case TurnUp:
		tell("upcard", st.move(talon, upper), 0)
	case Lay:
		tell("lies", st.move(m.From, m.To), int(m.To))
	case TurnOver:
		tell("turned-over", 0, len(st.piles[heap]))
		slices.Reverse(st.piles[heap])
		st.piles[talon], st.piles[heap] = st.piles[heap], nil
		st.times--
	case Resign:
		st.over, st.why = true, "resigned"
	}
	switch {
	case st.over:
	case st.score() == bases*full:
		st.over, st.why = true, "all-there"
	case len(st.Moves(0, nil)) == 1:
		st.over, st.why = true, "stuck"
	}
	if st.over {
		tell(st.why, 0, st.score())
	}
	return engine.Outcome{Move: step.Move, Events: events}, nil
}

// move lays the uppermost card of a pile on another, and returns it.
func (st *state) move(from, to int16) engine.Card {
	card := st.top(from)
	st.piles[from] = st.piles[from][:len(st.piles[from])-1]
	st.piles[to] = append(slices.Clone(st.piles[to]), card)
	return card
}

// score is how many cards lie on the bases.
func (st *state) score() int {
	n := 0
	for _, base := range st.piles[:bases] {
		n += len(base)
	}
	return n
}

// Epoch rises with every move.
func (st *state) Epoch() int { return st.epoch }

// Result is how many cards lie on the bases.
func (st *state) Result() (engine.Result, bool) {
	if !st.over {
		return engine.Result{}, false
	}
	return engine.Result{Patience: &engine.Patience{Solved: st.score() == bases*full, Score: st.score()}}, true
}

// Auto is Idle's move, or by chance any other but giving up.
func (st *state) Auto(s engine.Seat, skill float64, r *rand.Rand) engine.Move {
	moves := st.Moves(s, nil)
	if len(moves) > 1 && r.Float64() >= skill {
		for _, m := range moves[r.IntN(len(moves)):] {
			if m.Verb != Resign {
				return m
			}
		}
	}
	return st.Idle(s)
}

// Idle puts what fits on a base, then the upcard on the heap, and else turns up another.
func (st *state) Idle(s engine.Seat) engine.Move {
	moves := st.Moves(s, nil)
	if len(moves) == 0 {
		return engine.Move{}
	}
	worth := func(m engine.Move) int {
		switch {
		case m.Verb == Lay && m.To < heap:
			return 4
		case m.Verb == Lay:
			return 3
		case m.Verb == Resign:
			return 0
		}
		return 2
	}
	return slices.MaxFunc(moves, func(a, b engine.Move) int { return worth(a) - worth(b) })
}

// View shows all but the talon.
func (st *state) View(s engine.Seat) engine.View {
	view := engine.View{Turn: st.Turn(), Offers: st.Moves(0, nil), Over: st.over}
	for i, name := range names() {
		pile := engine.Pile{Name: name, Kind: strings.TrimRight(name, "1234"), Seat: engine.Nobody}
		pile.Cards = append([]engine.Card{}, st.piles[i]...)
		switch i {
		case heap:
			pile.Role = engine.PileWaste
		case upper:
			pile.Role = engine.PileTurned
		case talon:
			pile.Role = engine.PileStock
			if s != engine.Referee {
				clear(pile.Cards)
			}
		default:
			pile.Role = engine.PileFoundation
		}
		view.Piles = append(view.Piles, pile)
	}
	return view
}
