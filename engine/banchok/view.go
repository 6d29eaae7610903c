package banchok

import (
	"slices"
	"strconv"

	"zevaka/engine"
)

// View shows each punter his own hand, and everybody what has been turned, thrown and shown. Nobody sees the pack; the
// Referee sees every card.
func (st *state) View(s engine.Seat) engine.View {
	view := engine.View{
		Piles:  make([]engine.Pile, 0, st.seats+2),
		Turn:   append([]engine.Seat(nil), st.Turn()...),
		Offers: st.offers(int(s)),
		Early:  st.early(int(s)),
		Note:   st.note(),
		Task:   st.task(),
		Brief:  st.anySide(),
		Over:   st.punter == noSeat,
		Round:  st.round,
		Backed: engine.Seat(st.punter),
		Chips: &engine.Chips{
			Bank:   st.bank,
			Goal:   3 * st.size,
			Seats:  slices.Clone(st.net[:st.seats]),
			Stakes: slices.Clone(st.sides[:st.seats]),
		},
	}
	if st.punter != noSeat {
		view.Chips.Stakes[st.punter] = st.stake
	}
	for seat := 1; st.side && seat < st.seats; seat++ {
		if st.refuse&(1<<seat) != 0 && st.isIn(seat) {
			view.Chips.Apart = append(view.Chips.Apart, engine.Seat(seat))
		}
	}
	view.Piles = append(view.Piles, pileOf("pack", engine.PileStock, engine.Nobody, show(st.pack.all(), s == engine.Referee)))
	for i := 1; i < st.seats; i++ {
		seen := s == engine.Seat(i) || s == engine.Referee || i == st.punter && st.shown
		hand := pileOf("hand", engine.PileHand, engine.Seat(i), show(st.hands[i].all(), seen))
		hand.Name += strconv.Itoa(i)
		view.Piles = append(view.Piles, hand)
	}
	turned := pileOf("turned", engine.PileTurned, engine.Nobody, []engine.Card{})
	if st.turned != 0 {
		turned.Seat = engine.Seat(st.punter)
		turned.Cards = []engine.Card{st.turned}
		if s == turned.Seat {
			view.Cover = st.hands[s].cover(st.turned)
		}
	}
	thrown := pileOf("table", engine.PileWaste, engine.Nobody, show(st.table.all(), true))
	view.Piles = append(view.Piles, turned, thrown)
	return view
}

func pileOf(kind string, role engine.PileRole, seat engine.Seat, cards []engine.Card) engine.Pile {
	return engine.Pile{Name: kind, Kind: kind, Role: role, Seat: seat, Cards: cards}
}

// show copies cards face up if they are seen, and else as backs.
func show(cards []engine.Card, seen bool) []engine.Card {
	shown := make([]engine.Card, len(cards))
	if seen {
		copy(shown, cards)
	}
	return shown
}

// offers are the buttons. To Nobody they are those of the common table: the banker's open as long as he may press it, a few
// stakes until one is named and then a few side bets if anybody may make them, with show, and those of allow that change
// something for somebody, while they may. A seat is offered those that it may press, and beside them leave, which would be too close to a thumb
// on the common table.
func (st *state) offers(seat int) []engine.Move {
	if st.punter == noSeat {
		return nil
	}
	common := seat < 0
	var offers []engine.Move
	if (common || seat == banker) && st.byHand && st.mayOpen() {
		offers = append(offers, engine.Move{Verb: Open})
	}
	if st.mayStake(seat) || common && st.stake == 0 {
		least, most := st.limits()
		offers = appendAmounts(offers, Stake, least, most)
	}
	if st.maySide(seat) || common && st.anySide() {
		offers = appendAmounts(offers, Side, min(st.least, st.room()), st.room())
	}
	if st.mayShow(seat) || common && st.mayShow(st.punter) && st.anySide() {
		offers = append(offers, engine.Move{Verb: Show})
	}
	switch {
	case !st.mayAllow():
	case common:
		if st.in&st.refuse != 0 {
			offers = append(offers, engine.Move{Verb: AllowOn})
		}
		if st.in&^st.refuse != 0 {
			offers = append(offers, engine.Move{Verb: AllowOff})
		}
	case st.isIn(seat):
		offers = append(offers, st.allowMove(seat))
	}
	if st.mayLeave(seat) {
		offers = append(offers, engine.Move{Verb: Leave})
	}
	return offers
}

// early reports whether the seat, or Nobody, is offered open before the stake is named.
func (st *state) early(seat int) bool {
	return (seat < 0 || seat == banker) && st.punter != noSeat && st.byHand && st.stake == 0 && st.mayOpen()
}

// appendAmounts offers the least amount, a quarter, half and all of the most, each once and rising.
func appendAmounts(offers []engine.Move, verb engine.Verb, least, most int64) []engine.Move {
	last := int64(0)
	for _, n := range [...]int64{least, most / 4, most / 2, most} {
		if n > last {
			offers = append(offers, engine.Move{Verb: verb, N: int32(n)})
			last = n
		}
	}
	return offers
}

// task is what the seat that must move is to do.
func (st *state) task() string {
	switch {
	case st.punter == noSeat:
		return ""
	case st.stake == 0 && st.turned == 0:
		return TaskStake
	case st.stake == 0:
		return TaskStakeOpen
	case st.anySide():
		return TaskSide
	case st.byHand:
		return TaskOpen
	}
	return TaskWait
}

// note is the remark that belongs to the position.
func (st *state) note() string {
	switch {
	case st.punter == noSeat:
		return ""
	case st.turned != 0:
		return NoteEarly
	case st.stake == st.bank:
		return NoteWholeBank
	case st.anySide():
		return NoteSideBets
	}
	return ""
}
