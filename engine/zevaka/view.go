package zevaka

import (
	"strconv"

	"zevaka/engine"
)

// View shows the tops of the open piles, the flipped card, and the centre: the whole of it where it is built in suit,
// since that follows from its top, else its top. All players see the same; the Referee sees every card.
func (st *state) View(s engine.Seat) engine.View {
	all := s == engine.Referee
	view := engine.View{
		Piles:  make([]engine.Pile, 0, 2*st.seats+3),
		Turn:   append([]engine.Seat(nil), st.Turn()...),
		Offers: st.offers(),
		Tries:  st.tries(),
		Note:   st.note(),
		Task:   taskOf(st),
		Brief:  st.waiting,
		Over:   st.mover == noSeat,
	}
	for seat := range st.seats {
		view.Piles = append(view.Piles, st.pileOf(seat, "closed", engine.PileStock, show(&st.closed[seat], 0, all)))
	}
	for seat := range st.seats {
		view.Piles = append(view.Piles, st.pileOf(seat, "open", engine.PileWaste, show(&st.opened[seat], 1, all)))
	}
	centre := common("centre", engine.PileFoundation, show(&st.centre, 1, all || !st.rankCentre))
	centre.Next = st.centreTakes()
	flipped := common("flipped", engine.PileTurned, []engine.Card{})
	if st.flipped != 0 {
		flipped.Seat = engine.Seat(st.mover)
		flipped.Cards = []engine.Card{st.flipped}
	}
	stock := common("stock", engine.PileStock, show(&st.stock, 0, all))
	view.Piles = append(view.Piles, centre, flipped, stock)
	return view
}

// pileOf is one of a seat's piles.
func (st *state) pileOf(seat int, kind string, role engine.PileRole, cards []engine.Card) engine.Pile {
	return engine.Pile{Name: kind + strconv.Itoa(seat), Kind: kind, Role: role, Seat: engine.Seat(seat), Cards: cards}
}

// common is one of the table's piles.
func common(name string, role engine.PileRole, cards []engine.Card) engine.Pile {
	return engine.Pile{Name: name, Kind: name, Role: role, Seat: engine.Nobody, Cards: cards}
}

// show copies a pile with its uppermost cards, or all, face up and the others as backs.
func show(p *pile, tops int, all bool) []engine.Card {
	cards := make([]engine.Card, p.n)
	seen := min(tops, len(cards))
	if all {
		seen = len(cards)
	}
	copy(cards[len(cards)-seen:], p.all()[len(cards)-seen:])
	return cards
}

// centreTakes are the cards that the centre takes next; nil when there are none.
func (st *state) centreTakes() []engine.Card {
	top := st.centre.top()
	switch {
	case top == 0 && !st.freeStart:
		return []engine.Card{engine.NewCard(int(st.low), engine.Spades)}
	case !st.rankCentre && top.Rank() != engine.Ace:
		return []engine.Card{top + 4}
	}
	rank := top.Rank() + 1
	if top == 0 || top.Rank() == engine.Ace {
		rank = int(st.low)
	}
	var next []engine.Card
	for suit := engine.Spades; suit <= engine.Hearts; suit++ {
		if card := engine.NewCard(rank, suit); st.rankCentre || !st.inCentre(card) {
			next = append(next, card)
		}
	}
	return next
}

func (st *state) inCentre(card engine.Card) bool {
	for _, c := range st.centre.all() {
		if c == card {
			return true
		}
	}
	return false
}

// offers are the table's buttons, the same for everybody: a seat's button lays a card on that seat, the mover's own
// keeps it. They don't tell what fits, nor with penalty=call whether the last player has anything to put right.
func (st *state) offers() []engine.Move {
	if st.mover == noSeat {
		return nil
	}
	offers := append(make([]engine.Move, 0, st.seats+4), engine.Move{Verb: Flip}, engine.Move{Verb: Centre})
	for seat := range st.seats {
		switch {
		case seat == st.mover && st.mustPlace:
		case seat == st.mover:
			offers = append(offers, engine.Move{Verb: Keep})
		case st.isIn(seat):
			offers = append(offers, engine.Move{Verb: Put, To: int16(seat)})
		}
	}
	switch {
	case st.last.seat == noSeat:
	case st.waiting:
		if st.last.fitted {
			offers = append(offers, engine.Move{Verb: Fix})
		}
		offers = append(offers, engine.Move{Verb: Take})
	case st.last.acted:
		offers = append(offers, engine.Move{Verb: Yawn})
	default:
		offers = append(offers, engine.Move{Verb: Fix})
	}
	return offers
}

// tries are what penalty=call lets the last player try after every keep, whether there is anything to put right or not.
func (st *state) tries() []engine.Step {
	if st.mover == noSeat || st.penalty != callPenalty || st.last.seat == noSeat || st.last.acted {
		return nil
	}
	return []engine.Step{{Seat: engine.Seat(st.last.seat), Move: engine.Move{Verb: Fix}}}
}

// taskOf is what the mover is to do. Of an open card that may be played it says so, whether that fits anywhere or not.
func taskOf(st *state) string {
	switch {
	case st.mover == noSeat:
		return ""
	case st.waiting:
		return TaskTake
	case st.mustPlace:
		return TaskPlaceBack
	case st.flipped != 0:
		return TaskPlace
	case st.inHand() != 0:
		return TaskFlipOrPlay
	}
	return TaskFlip
}

// note is the remark that belongs to the position.
func (st *state) note() string {
	switch {
	case st.mover == noSeat:
		return ""
	case st.mustPlace:
		return NoteMustPlace
	case st.waiting && !st.last.fitted:
		return NoteMissedLate
	case st.waiting:
		return NoteMissed
	case st.last.seat == noSeat:
		return ""
	case st.last.acted:
		return NoteMayClaim
	}
	return NoteMayFix
}
