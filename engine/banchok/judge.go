package banchok

import "zevaka/engine"

// judge says why a move isn't legal; nil if it is.
func (st *state) judge(step engine.Step) error {
	m, seat := step.Move, int(step.Seat)
	switch {
	case st.punter == noSeat:
		return engine.ErrOver
	case m.From != 0 || m.To != 0 || m.Verb < Stake || m.Verb > Leave:
		return engine.ErrMoveText
	case m.N != 0 && m.Verb != Stake && m.Verb != Side || m.N < 0 || m.N > maxAmount:
		return engine.ErrMoveText
	case seat < 0 || seat >= st.seats:
		return engine.ErrNotYourTurn
	case m.Verb == Open:
		return st.judgeOpen(seat)
	case seat == banker && m.Verb == Leave:
		return ErrBankerStays
	case seat == banker:
		return ErrBankerOnlyOpens
	case !st.isIn(seat):
		return ErrHaveLeft
	}
	switch m.Verb {
	case Stake:
		return st.judgeStake(seat, int64(m.N))
	case Side:
		return st.judgeSide(seat, int64(m.N))
	case Show:
		return st.judgeShow(seat)
	case Leave:
		return st.judgeLeave(seat)
	}
	return st.judgeAllow(seat, m)
}

func (st *state) judgeOpen(seat int) error {
	switch {
	case seat != banker:
		return ErrNotBanker
	case st.mayOpen():
		return nil
	case st.turned != 0:
		return ErrCardWaits
	}
	return ErrOpenAfterStake
}

func (st *state) judgeStake(seat int, n int64) error {
	least, most := st.limits()
	switch {
	case seat != st.punter:
		return engine.ErrNotYourTurn
	case st.stake != 0:
		return ErrStakeStands
	case n < least:
		return ErrStakeLow
	case n > most && st.turned != 0:
		return ErrStakeHalf
	case n > most:
		return ErrStakeHigh
	}
	return nil
}

func (st *state) judgeSide(seat int, n int64) error {
	switch {
	case !st.side:
		return ErrSideOff
	case st.stake == 0:
		return ErrSideNoStake
	case seat == st.punter:
		return ErrSideOwn
	case st.refuse&(1<<seat) != 0:
		return ErrSideYouRefuse
	case st.refuse&(1<<st.punter) != 0:
		return ErrSideRefused
	case n < 1:
		return ErrSideLow
	case n > st.room():
		return ErrSideHigh
	}
	return nil
}

func (st *state) judgeAllow(seat int, m engine.Move) error {
	switch {
	case !st.side:
		return ErrSideOff
	case !st.mayAllow():
		return ErrAllowLate
	case m != st.allowMove(seat):
		return ErrAllowSame
	}
	return nil
}

func (st *state) judgeShow(seat int) error {
	switch {
	case !st.side:
		return ErrSideOff
	case seat != st.punter:
		return engine.ErrNotYourTurn
	case st.stake == 0:
		return ErrShowNoStake
	case st.shown:
		return ErrShownAlready
	}
	return nil
}

func (st *state) judgeLeave(seat int) error {
	switch {
	case st.mayLeave(seat):
		return nil
	case seat == st.punter && st.turned != 0:
		return ErrLeaveCard
	}
	return ErrLeaveStake
}
