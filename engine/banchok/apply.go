package banchok

import "zevaka/engine"

// Apply makes a move or refuses it.
func (st *state) Apply(step engine.Step) (engine.Outcome, error) {
	if err := st.judge(step); err != nil {
		return engine.Outcome{}, err
	}
	st.events, st.transfers = st.events[:0], st.transfers[:0]
	seat, n := int(step.Seat), int64(step.Move.N)
	switch step.Move.Verb {
	case Stake:
		st.nameStake(n)
	case Open:
		st.open()
	case Side:
		st.betSide(seat, n)
	case AllowOn:
		st.refuse &^= 1 << seat
		st.tell(engine.Event{What: EventAllows, Seat: step.Seat, To: engine.Nobody})
	case AllowOff:
		st.refuse |= 1 << seat
		st.tell(engine.Event{What: EventRefuses, Seat: step.Seat, To: engine.Nobody})
	case Show:
		st.shown = true
		st.tell(engine.Event{What: EventShown, Seat: step.Seat, To: engine.Nobody})
	case Leave:
		st.leave(seat)
	}
	return engine.Outcome{Move: step.Move, Events: st.events, Transfers: st.transfers}, nil
}

func (st *state) tell(e engine.Event) { st.events = append(st.events, e) }

// risk takes chips from a seat's purse to the table.
func (st *state) risk(seat int, n int64) {
	st.transfers = append(st.transfers, engine.Transfer{From: engine.Seat(seat), To: engine.Nobody, Amount: n})
}

// pay takes chips from the table to a seat's purse.
func (st *state) pay(seat int, n int64) {
	st.transfers = append(st.transfers, engine.Transfer{From: engine.Nobody, To: engine.Seat(seat), Amount: n})
}

// nameStake names the punter's stake. A card turned too early is settled at once, and without side bets the card turns
// itself with dealer=bot (RECORDS.md, Exactly 36 and 37).
func (st *state) nameStake(n int64) {
	st.begun = true
	st.stake = n
	st.risk(st.punter, n)
	st.tell(engine.Event{What: EventStake, Seat: engine.Seat(st.punter), To: engine.Nobody, N: int32(n)})
	switch {
	case st.turned != 0:
		card := st.turned
		st.turned = 0
		st.settle(card, noOdds)
	case !st.byHand && !st.side:
		st.open()
	}
}

// open turns the top card: too early, or to settle the hand.
func (st *state) open() {
	perMille := st.perMille()
	card := st.pack.draw()
	turned := engine.Event{What: EventOpened, Seat: engine.Nobody, To: engine.Seat(st.punter), Card: card}
	if st.byHand {
		turned.Seat = banker
	}
	if st.stake == 0 {
		turned.What = EventEarly
		st.turned = card
		st.epoch++
		st.tell(turned)
		return
	}
	st.tell(turned)
	st.settle(card, perMille)
}

func (st *state) betSide(seat int, n int64) {
	st.sides[seat] += n
	st.sideSum += n
	st.risk(seat, n)
	st.tell(engine.Event{What: EventSide, Seat: engine.Seat(seat), To: engine.Seat(st.punter), N: int32(n)})
}

// noOdds says that the punter knew the card.
const noOdds = -1

// settle throws the punter's hand and the card on the table and pays, then goes on to the next hand or ends the bank
// (RULES.md 6.2, 4 to 6).
func (st *state) settle(card engine.Card, perMille int32) {
	punter := engine.Seat(st.punter)
	cover := st.hands[punter].cover(card)
	result := engine.Event{What: EventBeaten, Seat: punter, To: engine.Nobody, Card: card, N: int32(st.stake)}
	if cover != 0 {
		result.What, result.Card, result.On = EventCovered, cover, card
	}
	st.throw(st.punter)
	st.table.push(card)
	st.tell(result)
	if perMille != noOdds {
		st.tell(engine.Event{What: EventOdds, Seat: punter, To: engine.Nobody, N: perMille})
	}
	before := st.bank
	st.settleBet(st.punter, st.stake, cover != 0)
	for seat, n := range st.sides[:st.seats] {
		if n == 0 {
			continue
		}
		side := engine.Event{What: EventSideLost, Seat: engine.Seat(seat), To: punter, N: int32(n)}
		if cover != 0 {
			side.What = EventSideWon
		}
		st.tell(side)
		st.settleBet(seat, n, cover != 0)
	}
	st.stake, st.sides, st.sideSum, st.shown = 0, [maxSeats]int64{}, 0, false
	switch {
	case st.bank == 0:
		st.breaker = st.punter
		st.finish(EventBroken)
		return
	case st.bank >= 3*st.size:
		st.tripled = true
		st.finish(EventTripled)
		return
	case st.bank > before:
		st.tell(engine.Event{What: EventBankUp, Seat: banker, To: engine.Nobody, N: int32(st.bank)})
	default:
		st.tell(engine.Event{What: EventBankDown, Seat: banker, To: engine.Nobody, N: int32(st.bank)})
	}
	st.pass()
}

// settleBet moves a bet between the bank and the seat that made it.
func (st *state) settleBet(seat int, n int64, won bool) {
	if !won {
		n = -n
	} else {
		st.pay(seat, 2*n)
	}
	st.net[seat] += n
	st.bank -= n
}

// throw puts a hand on the table for everybody to see.
func (st *state) throw(seat int) {
	h := &st.hands[seat]
	for _, card := range h.all() {
		st.table.push(card)
		st.tell(engine.Event{What: EventHand, Seat: engine.Seat(seat), To: engine.Nobody, Card: card})
	}
	h.n = 0
}

// leave takes a punter out of the deal (RECORDS.md, Exactly 39).
func (st *state) leave(seat int) {
	st.in &^= 1 << seat
	st.tell(engine.Event{What: EventLeft, Seat: engine.Seat(seat), To: engine.Nobody})
	st.throw(seat)
	switch {
	case st.in == 0:
		st.finish(EventDeserted)
	case seat == st.punter:
		st.pass()
	}
}

// pass goes on to the next punter still in. After the last one the table is shuffled under the pack and everybody is
// dealt a new hand (RULES.md 6.2).
func (st *state) pass() {
	st.epoch++
	if next := st.after(st.punter); next != noSeat {
		st.punter = next
		return
	}
	last := st.seats - 1
	for !st.isIn(last) {
		last--
	}
	st.tell(engine.Event{What: EventCollected, Seat: engine.Seat(last), To: engine.Nobody, N: int32(st.table.n)})
	st.shuffler.Shuffle(st.table.all())
	st.pack.layUnder(st.table.all())
	st.table.n = 0
	st.dealRound()
}

// finish ends the bank: what there is goes to the banker. The event tells why.
func (st *state) finish(why string) {
	st.tell(engine.Event{What: why, Seat: banker, To: engine.Nobody, N: int32(st.bank)})
	if st.bank > 0 {
		st.pay(banker, st.bank)
	}
	st.net[banker] += st.bank
	st.bank = 0
	st.punter = noSeat
	st.epoch++
}

// Result is the net change of each seat, once the bank has ended.
func (st *state) Result() (engine.Result, bool) {
	if st.punter != noSeat {
		return engine.Result{}, false
	}
	return engine.Result{Chips: append([]int64(nil), st.net[:st.seats]...)}, true
}

// Feats implements engine.Chronicle.
func (st *state) Feats(seat engine.Seat) (feats []string) {
	if st.breaker != noSeat && int(seat) == st.breaker {
		feats = append(feats, FeatBroke)
	}
	if st.tripled && seat == banker {
		feats = append(feats, FeatTripled)
	}
	return feats
}
