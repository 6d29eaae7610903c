package zevaka

import "zevaka/engine"

// Apply makes a move or refuses it. In a window of penalty=auto each of the next player's buttons is a take
// (RECORDS.md, Exactly 30).
func (st *state) Apply(step engine.Step) (engine.Outcome, error) {
	move, err := st.judge(step)
	if err != nil {
		return engine.Outcome{}, err
	}
	st.events = st.events[:0]
	drawnFor := st.mover
	switch move.Verb {
	case Flip:
		st.flip()
	case Put:
		st.putOn(int(move.To))
	case Centre:
		st.putCentre()
	case Keep:
		st.keep()
	case Fix:
		st.fix()
	case Take:
		st.take()
	case Yawn:
		st.yawn(int(step.Seat))
	}
	if st.mover != drawnFor {
		st.epoch++
	}
	return engine.Outcome{Move: move, Events: st.events}, nil
}

// judge returns the move as it goes into the log, or why it isn't legal.
func (st *state) judge(step engine.Step) (engine.Move, error) {
	m, seat := step.Move, int(step.Seat)
	switch {
	case st.mover == noSeat:
		return m, engine.ErrOver
	case m.From != 0 || m.N != 0 || m.To != 0 && m.Verb != Put || m.Verb < Flip || m.Verb > Yawn:
		return m, engine.ErrMoveText
	case seat < 0 || seat >= st.seats:
		return m, engine.ErrNotYourTurn
	case !st.isIn(seat):
		return m, ErrYouAreOut
	}
	switch m.Verb {
	case Fix:
		return m, st.judgeFix(seat)
	case Yawn:
		return m, st.judgeYawn(seat)
	}
	if seat != st.mover {
		return m, engine.ErrNotYourTurn
	}
	if m.Verb == Take {
		if !st.waiting {
			return m, ErrNothingToTake
		}
		return m, nil
	}
	if st.waiting {
		if err := st.judgeTarget(m); err != nil {
			return m, err
		}
		return engine.Move{Verb: Take}, nil
	}
	return m, st.judgePlay(m)
}

// judgePlay judges a move of an ordinary turn.
func (st *state) judgePlay(m engine.Move) error {
	switch m.Verb {
	case Flip:
		if st.flipped != 0 {
			return ErrPending
		}
		return nil
	case Keep:
		switch {
		case st.flipped == 0:
			return ErrNothingFlipped
		case st.mustPlace:
			return ErrMustPlace
		}
		return nil
	}
	if err := st.judgeTarget(m); err != nil {
		return err
	}
	card := st.inHand()
	switch {
	case card == 0 && !st.open:
		return ErrOpenOff
	case card == 0 && st.tooSoon():
		return ErrOpenLater
	case card == 0:
		return ErrNoOwnCard
	case m.Verb == Put:
		return st.judgePut(card, int(m.To))
	case st.fitsCentre(card):
		return nil
	case st.centre.n == 0 && st.freeStart:
		return ErrCentreStartFree
	case st.centre.n == 0 && st.low == 2:
		return ErrCentreStart52
	case st.centre.n == 0:
		return ErrCentreStart
	}
	return ErrCentreNoFit
}

// judgeTarget judges whether the seat of a put, if it is one, has a button.
func (st *state) judgeTarget(m engine.Move) error {
	to := int(m.To)
	switch {
	case m.Verb != Put:
		return nil
	case to < 0 || to >= st.seats:
		return ErrNoSeat
	case to == st.mover:
		return ErrOwnPile
	case !st.isIn(to):
		return ErrSeatOut
	}
	return nil
}

// judgePut judges laying the card on another player who is still in.
func (st *state) judgePut(card engine.Card, to int) error {
	switch {
	case !st.othersAllowed():
		return ErrOthersOff
	case st.opened[to].n == 0:
		return ErrEmptyPile
	case !st.fitsSeat(card, to):
		return ErrNoFit
	}
	return nil
}

func (st *state) judgeFix(seat int) error {
	switch {
	case st.mayFix(seat):
		return nil
	case seat == st.last.seat && st.last.acted:
		return ErrTooLateToFix
	}
	return ErrNothingToFix
}

func (st *state) judgeYawn(seat int) error {
	switch {
	case st.mayClaim(seat):
		return nil
	case st.penalty != callPenalty || st.last.seat == noSeat:
		return ErrNoClaim
	case seat == st.last.seat:
		return ErrOwnMistake
	case !st.last.acted:
		return ErrClaimEarly
	}
	return ErrClaimed
}

// flip turns up the next card of the stock, or else of the mover's closed pile.
func (st *state) flip() {
	st.last.acted = true
	if card := st.inHand(); card != 0 && st.overlook(card) {
		st.missed |= 1 << card
	}
	st.fromStock = st.stock.n != 0
	if st.fromStock {
		st.flipped = st.stock.pop()
	} else {
		if st.closed[st.mover].n == 0 {
			st.turnOver()
		}
		st.flipped = st.closed[st.mover].pop()
	}
	st.tell(EventFlipped, st.mover, st.flipped)
}

// turnOver makes the mover's open pile his closed one, its oldest card on top (RULES.md, section 11, Z6).
func (st *state) turnOver() {
	from, to := &st.opened[st.mover], &st.closed[st.mover]
	st.events = append(st.events, engine.Event{
		What: EventTurned, Seat: engine.Seat(st.mover), To: engine.Nobody, N: int32(from.n),
	})
	for from.n != 0 {
		to.push(from.pop())
	}
}

// playCard takes the card in hand from where it is; a miss of that card is made good.
func (st *state) playCard() engine.Card {
	st.last.acted = true
	card := st.flipped
	if card == 0 {
		card = st.opened[st.mover].pop()
	}
	st.flipped, st.mustPlace = 0, false
	st.missed &^= 1 << card
	return card
}

func (st *state) putOn(to int) {
	card := st.playCard()
	st.opened[to].push(card)
	st.events = append(st.events, engine.Event{
		What: EventPut, Seat: engine.Seat(st.mover), To: engine.Seat(to), Card: card,
	})
	st.leaveAfterMove()
}

func (st *state) putCentre() {
	card := st.playCard()
	st.centre.push(card)
	st.idleTurns = 0
	st.tell(EventCentre, st.mover, card)
	st.leaveAfterMove()
}

// tell records what befell a seat and a card.
func (st *state) tell(what string, seat int, card engine.Card) {
	st.events = append(st.events, engine.Event{What: what, Seat: engine.Seat(seat), To: engine.Nobody, Card: card})
}
