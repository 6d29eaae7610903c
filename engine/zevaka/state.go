package zevaka

import "zevaka/engine"

// pile is some cards, bottom first.
type pile struct {
	n     uint8
	cards [maxPack]engine.Card
}

func (p *pile) push(c engine.Card) {
	p.cards[p.n] = c
	p.n++
}

func (p *pile) pop() engine.Card {
	p.n--
	return p.cards[p.n]
}

// top is the uppermost card; zero when there is none.
func (p *pile) top() engine.Card {
	if p.n == 0 {
		return 0
	}
	return p.cards[p.n-1]
}

// all are the cards, bottom first, valid until the pile changes.
func (p *pile) all() []engine.Card { return p.cards[:p.n] }

// noSeat stands for a seat where there is none.
const noSeat = -1

// ended is a turn that ended with a kept card and may still be judged: its mistake put right, paid or claimed.
type ended struct {
	// seat is whose turn it was; noSeat when there is nothing to judge.
	seat int
	// kept is the card that ended the turn; fitted says that it fitted somewhere (RULES.md 1.3, M1).
	kept   engine.Card
	fitted bool
	// missed are the cards overlooked on the open pile and not played since (M2), as bits.
	missed uint64
	// acted says that the next player has made a move: too late to fix, and time to claim.
	acted bool
	// claimed are the seats that have claimed, as bits.
	claimed uint8
}

// mistaken reports a miss of either kind.
func (e *ended) mistaken() bool { return e.fitted || e.missed != 0 }

// overlooked are the cards of both kinds, as bits.
func (e *ended) overlooked() uint64 {
	if e.fitted {
		return e.missed | 1<<e.kept
	}
	return e.missed
}

// chance is where a card could have gone: on the top card of a seat's open pile, or with noSeat to the centre.
type chance struct {
	seat int8
	on   engine.Card
}

// state is one deal. It holds no pointers but the event buffer's, so that moves never allocate.
type state struct {
	options
	seats  int
	closed [maxSeats]pile
	opened [maxSeats]pile
	centre pile
	stock  pile

	// mover is whose turn it is, in a window of penalty=auto whose turn it will be; noSeat when the deal is over.
	mover int
	// in are the seats that are not out, as bits.
	in uint8
	// flipped is the card that must be placed first; zero when there is none.
	flipped engine.Card
	// fromStock says that the card flipped last came from the stock: while it waits, a fix included, it belongs to the
	// first phase.
	fromStock bool
	// mustPlace says that the flipped card was taken back and may not be kept.
	mustPlace bool
	// missed are the cards that the mover overlooked on his open pile in this turn, as bits.
	missed uint64
	// chances are where the cards could have gone that a seat has overlooked in its latest turn, by seat and card.
	chances [maxSeats][4 * (engine.Ace + 1)]chance
	// last is the turn before this one, where penalties are on.
	last ended
	// waiting says that last's mistake waits to be put right or paid (penalty=auto).
	waiting bool
	// yawns counts the turns of each seat that have ended with something overlooked, but for those that were put right.
	yawns [maxSeats]uint16
	// idleTurns counts the turn changes since a card last reached the centre.
	idleTurns int

	// places are the seats out so far, and all seats when the deal is over.
	places  [maxSeats]engine.Seat
	nPlaces int
	// tied[i] says that places[i] shares its place with places[i-1].
	tied  [maxSeats]bool
	epoch int

	turn   [maxSeats]engine.Seat
	events []engine.Event
}

// maxEvents is more than any one move can cause: a claim, what was overlooked, a penalty of five cards, five seats going
// out and the end.
const maxEvents = 24

// newState deals the shuffled pack, whose element 0 is the top.
func newState(opts options, seats int, pack []engine.Card) *state {
	st := &state{
		options: opts,
		seats:   seats,
		in:      1<<seats - 1,
		last:    ended{seat: noSeat},
		events:  make([]engine.Event, 0, maxEvents),
	}
	if opts.stockDeal {
		for i := len(pack) - 1; i > 0; i-- {
			st.stock.push(pack[i])
		}
		st.centre.push(pack[0])
		return st
	}
	for i, card := range pack {
		st.closed[i%seats].push(card)
	}
	return st
}

// Turn lists the seats that may move: the mover, then whoever may put a mistake right or claim one.
func (st *state) Turn() []engine.Seat {
	if st.mover == noSeat {
		return nil
	}
	turn := append(st.turn[:0], engine.Seat(st.mover))
	if st.last.seat == noSeat {
		return turn
	}
	if st.mayFix(st.last.seat) {
		turn = append(turn, engine.Seat(st.last.seat))
	}
	for i := 1; i < st.seats; i++ {
		if seat := (st.mover + i) % st.seats; st.mayClaim(seat) {
			turn = append(turn, engine.Seat(seat))
		}
	}
	return turn
}

// Moves appends the legal moves of the seat.
func (st *state) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	seat := int(s)
	if st.mover == noSeat || seat < 0 || seat >= st.seats {
		return into
	}
	if seat == st.mover && !st.waiting {
		into = st.plays(into)
	}
	if st.last.seat == noSeat {
		return into
	}
	if st.mayFix(seat) {
		into = append(into, engine.Move{Verb: Fix})
	}
	if seat == st.mover && st.waiting {
		into = append(into, engine.Move{Verb: Take})
	}
	if st.mayClaim(seat) {
		into = append(into, engine.Move{Verb: Yawn})
	}
	return into
}

// plays appends the mover's moves of an ordinary turn.
func (st *state) plays(into []engine.Move) []engine.Move {
	if st.flipped == 0 {
		into = append(into, engine.Move{Verb: Flip})
	}
	if card := st.inHand(); card != 0 {
		if st.othersAllowed() {
			for to := range st.seats {
				if st.fitsSeat(card, to) {
					into = append(into, engine.Move{Verb: Put, To: int16(to)})
				}
			}
		}
		if st.fitsCentre(card) {
			into = append(into, engine.Move{Verb: Centre})
		}
	}
	if st.flipped != 0 && !st.mustPlace {
		into = append(into, engine.Move{Verb: Keep})
	}
	return into
}

// inHand is the card that a put or centre would play: the flipped one, or else the top of the mover's open pile;
// zero when there is none or the variant forbids it.
func (st *state) inHand() engine.Card {
	if st.flipped != 0 {
		return st.flipped
	}
	if !st.open || st.tooSoon() {
		return 0
	}
	return st.opened[st.mover].top()
}

// tooSoon reports that the variant forbids open piles for as long as the stock lasts, and it does.
func (st *state) tooSoon() bool { return st.openLate && st.stock.n != 0 }

// othersAllowed reports whether cards may be laid on other players now (RECORDS.md, Exactly 27).
func (st *state) othersAllowed() bool {
	return st.others || st.stock.n == 0 && (st.flipped == 0 || !st.fromStock)
}

// fitsSeat is rule F1 (RULES.md 1.1, F1): the mover lays the card on another player's open pile.
func (st *state) fitsSeat(card engine.Card, to int) bool {
	p := &st.opened[to]
	return p.n != 0 && to != st.mover && st.follows(card.Rank(), p.cards[p.n-1].Rank())
}

// fitsCentre is rule F2 (RULES.md 1.1, F2), or its form without suits.
func (st *state) fitsCentre(card engine.Card) bool {
	top := st.centre.top()
	switch {
	case top == 0:
		return card.Rank() == int(st.low) && (st.freeStart || card.Suit() == engine.Spades)
	case st.rankCentre || top.Rank() == engine.Ace:
		return st.follows(card.Rank(), top.Rank())
	}
	return card == top+4
}

// overlook remembers where the mover could legally lay the card, but for his own pile, and reports whether he could.
func (st *state) overlook(card engine.Card) bool {
	if st.fitsCentre(card) {
		st.chances[st.mover][card] = chance{seat: noSeat}
		return true
	}
	if !st.othersAllowed() {
		return false
	}
	to := st.mover
	for range st.seats - 1 {
		if to++; to == st.seats {
			to = 0
		}
		if st.fitsSeat(card, to) {
			st.chances[st.mover][card] = chance{seat: int8(to), on: st.opened[to].top()}
			return true
		}
	}
	return false
}

// mayFix reports whether the seat may take back the card it kept (RECORDS.md, Exactly 30 and 32).
func (st *state) mayFix(seat int) bool {
	return seat == st.last.seat && st.last.fitted && !st.last.acted
}

// mayClaim reports whether the seat may claim a mistake of the last turn (RECORDS.md, Exactly 32).
func (st *state) mayClaim(seat int) bool {
	return st.penalty == callPenalty && st.last.seat != noSeat && st.last.acted && seat != st.last.seat &&
		st.in&^st.last.claimed&(1<<seat) != 0
}

// isIn reports that the seat is not out.
func (st *state) isIn(seat int) bool { return st.in&(1<<seat) != 0 }

// held is how many cards the seat has, a flipped one included.
func (st *state) held(seat int) int {
	n := int(st.closed[seat].n) + int(st.opened[seat].n)
	if seat == st.mover && st.flipped != 0 {
		n++
	}
	return n
}

// after is the next seat still in; there must be one.
func (st *state) after(seat int) int {
	for {
		if seat++; seat == st.seats {
			seat = 0
		}
		if st.isIn(seat) {
			return seat
		}
	}
}

// Epoch counts the changes of the seat for which the table's buttons are drawn.
func (st *state) Epoch() int { return st.epoch }
