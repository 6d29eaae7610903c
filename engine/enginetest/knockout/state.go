package knockout

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"zevaka/engine"
)

// state is one deal.
type state struct {
	shuffler engine.Shuffler
	// size is how many cards each was dealt last, round how often that was.
	size, round int
	// hands, trick and pack lie as they were dealt and played; won are the cards that each seat has taken.
	hands, won  [seats][]engine.Card
	trick, pack []engine.Card
	trumps      engine.Card
	mover       int
	// out are the seats that went out, the last group last.
	out    [][]engine.Seat
	epoch  int
	events []engine.Event
}

func (st *state) isOut(seat int) bool {
	return slices.ContainsFunc(st.out, func(group []engine.Seat) bool { return slices.Contains(group, engine.Seat(seat)) })
}

// left is how many are still in.
func (st *state) left() int {
	n := seats
	for _, group := range st.out {
		n -= len(group)
	}
	return n
}

// dealHands gathers all cards, shuffles, and deals to those who are still in.
func (st *state) dealHands() {
	cards := st.pack
	if st.trumps != 0 {
		cards = append(cards, st.trumps)
	}
	for seat := range seats {
		cards = append(cards, st.won[seat]...)
		st.won[seat] = nil
	}
	st.shuffler.Shuffle(cards)
	for range st.size {
		for seat := range seats {
			if !st.isOut(seat) {
				st.hands[seat], cards = append(st.hands[seat], cards[0]), cards[1:]
			}
		}
	}
	st.trumps, st.pack = cards[0], slices.Clone(cards[1:])
	st.round++
	st.tell(engine.Event{What: "hands-dealt", Seat: engine.Nobody, Card: st.trumps, N: int32(st.size)})
}

func (st *state) tell(e engine.Event) {
	e.To = engine.Nobody
	st.events = append(st.events, e)
}

// Turn is the seat that plays, until one is left.
func (st *state) Turn() []engine.Seat {
	if st.left() == 1 {
		return nil
	}
	return []engine.Seat{engine.Seat(st.mover)}
}

// Moves are all cards of the one who plays.
func (st *state) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	if int(s) != st.mover || st.left() == 1 {
		return into
	}
	for i := range st.hands[s] {
		into = append(into, engine.Move{Verb: Play, From: int16(s), To: trick, N: int32(i) + 1})
	}
	return into
}

// judge says why a move isn't legal; nil if it is.
func (st *state) judge(step engine.Step) error {
	m := step.Move
	switch {
	case st.left() == 1:
		return engine.ErrOver
	case (Rules{}).Text(m) == "":
		return engine.ErrMoveText
	case int(step.Seat) != st.mover:
		return engine.ErrNotYourTurn
	case int(m.From) != st.mover || int(m.N) > len(st.hands[st.mover]):
		return errNotHeld
	}
	return nil
}

// Apply plays a card.
func (st *state) Apply(step engine.Step) (engine.Outcome, error) {
	if err := st.judge(step); err != nil {
		return engine.Outcome{}, err
	}
	st.events = nil
	st.epoch++
	place := int(step.Move.N) - 1
	card := st.hands[st.mover][place]
	st.hands[st.mover] = slices.Delete(slices.Clone(st.hands[st.mover]), place, place+1)
	st.trick = append(st.trick, card)
	st.tell(engine.Event{What: "plays", Seat: step.Seat, Card: card})
	switch {
	case len(st.trick) < st.left():
		st.mover = st.after(st.mover)
	default:
		st.take()
	}
	return engine.Outcome{Move: step.Move, Events: st.events}, nil
}

// after is the next seat that is still in.
func (st *state) after(seat int) int {
	for {
		if seat = (seat + 1) % seats; !st.isOut(seat) {
			return seat
		}
	}
}

// take gives the trick to whoever has won it, and ends the round with the last one.
func (st *state) take() {
	best, taker := 0, 0
	seat := st.after(st.mover) // Who led: everybody still in has played once.
	for i, card := range st.trick {
		if i == 0 || st.beats(card, st.trick[best]) {
			best, taker = i, seat
		}
		seat = st.after(seat)
	}
	st.won[taker] = append(st.won[taker], st.trick...)
	st.trick, st.mover = nil, taker
	st.tell(engine.Event{What: "takes-the-trick", Seat: engine.Seat(taker)})
	if len(st.hands[taker]) == 0 {
		st.endRound()
	}
}

func (st *state) beats(card, other engine.Card) bool {
	if card.Suit() == other.Suit() {
		return card > other
	}
	return card.Suit() == st.trumps.Suit()
}

// endRound lets those go out who took no trick, and deals again to the others.
func (st *state) endRound() {
	place := st.left()
	var group []engine.Seat
	for seat := range seats {
		if !st.isOut(seat) && len(st.won[seat]) == 0 {
			group = append(group, engine.Seat(seat))
			st.tell(engine.Event{What: "knocked-out", Seat: engine.Seat(seat), N: int32(place)})
		}
	}
	if group != nil {
		st.out = append(slices.Clone(st.out), group)
	}
	if st.left() == 1 {
		st.tell(engine.Event{What: "last-one-in", Seat: engine.Seat(st.after(st.mover))})
		return
	}
	st.size--
	st.dealHands()
}

// Result is the order of going out, the last first.
func (st *state) Result() (engine.Result, bool) {
	if st.left() > 1 {
		return engine.Result{}, false
	}
	result := engine.Result{Places: []engine.Seat{engine.Seat(st.after(0))}}
	for _, group := range slices.Backward(st.out) {
		result.Places = append(result.Places, group...)
		if len(group) > 1 {
			result.Ties = append(result.Ties, group)
		}
	}
	return result, true
}

// Epoch rises with every card: the others have other places in the hand then.
func (st *state) Epoch() int { return st.epoch }

// Auto is the highest card that may be played, or by chance any.
func (st *state) Auto(s engine.Seat, skill float64, r *rand.Rand) engine.Move {
	moves := st.Moves(s, nil)
	switch {
	case len(moves) == 0:
		return engine.Move{}
	case r.Float64() >= skill:
		return moves[r.IntN(len(moves))]
	}
	return slices.MaxFunc(moves, st.compare)
}

// Idle is the lowest card that may be played.
func (st *state) Idle(s engine.Seat) engine.Move {
	moves := st.Moves(s, nil)
	if len(moves) == 0 {
		return engine.Move{}
	}
	return slices.MinFunc(moves, st.compare)
}

func (st *state) compare(a, b engine.Move) int {
	hand := st.hands[st.mover]
	return hand[a.N-1].Rank() - hand[b.N-1].Rank()
}

// View shows each his own hand, and everybody the trick and the trumps.
func (st *state) View(s engine.Seat) engine.View {
	all := s == engine.Referee
	view := engine.View{Turn: st.Turn(), Offers: st.Moves(s, nil), Over: st.left() == 1, Round: st.round}
	for seat := range seats {
		view.Piles = append(view.Piles, of(seat, "hand", engine.PileHand, show(st.hands[seat], all || int(s) == seat)))
	}
	view.Piles = append(view.Piles, common("trick", engine.PileTableau, show(st.trick, true)))
	for seat := range seats {
		view.Piles = append(view.Piles, of(seat, "won", engine.PileCapture, show(st.won[seat], all)))
	}
	view.Piles = append(view.Piles,
		common("trumps", engine.PileTableau, show([]engine.Card{st.trumps}, true)),
		common("pack", engine.PileStock, show(st.pack, all)))
	return view
}

func of(seat int, kind string, role engine.PileRole, cards []engine.Card) engine.Pile {
	return engine.Pile{Name: kind + strconv.Itoa(seat), Kind: kind, Role: role, Seat: engine.Seat(seat), Cards: cards}
}

func common(name string, role engine.PileRole, cards []engine.Card) engine.Pile {
	return engine.Pile{Name: name, Kind: name, Role: role, Seat: engine.Nobody, Cards: cards}
}

// show copies cards face up if they are seen, and else as backs.
func show(cards []engine.Card, seen bool) []engine.Card {
	shown := make([]engine.Card, len(cards))
	if seen {
		copy(shown, cards)
	}
	return shown
}
