package bot

import (
	"context"
	"fmt"
	"slices"

	"zevaka/bot/purse"
	"zevaka/engine"
)

const (
	// sideTime is how long, in milliseconds, the others may bet on a hand before its card is turned.
	sideTime = 10 * 1000
	// maxBet is the most that moves can name.
	maxBet = 999_999_999
	// slip is how long, in milliseconds, the same move again by the same person is a slip of the thumb.
	slip = 1500
)

const (
	errPoor        engine.Refusal = "cannot-lay"
	errBankerStays engine.Refusal = "banker-stays"
	errSideTime    engine.Refusal = "side-time"
	errNoPass      engine.Refusal = "nothing-to-pass"
	errNoRobots    engine.Refusal = "no-computers-here"
	// errTooFewPeople refuses to deal where no computer could fill the table.
	errTooFewPeople engine.Refusal = "too-few-people"
	errNoHand       engine.Refusal = "no-hand"
	errNoBet        engine.Refusal = "nothing-to-bet"
	errBetAmount    engine.Refusal = "bet-amount"
)

// leaveMove is how every game with a banker names throwing one's hand in: the table makes that move by itself.
const leaveMove = "leave"

// square pays for the moves that were made, and lets everybody go who has left or can't pay for the turn that is theirs.
func (v *visit) square(state engine.State) error {
	for {
		if err := v.pay(chipsStake, laid(v.rules.Info(), state)); err != nil {
			return err
		}
		seat, err := v.goer(state)
		if err != nil || seat == engine.Nobody {
			return err
		}
		move, err := v.rules.Parse(leaveMove)
		if err == nil {
			err = v.step(state, engine.Step{Seat: seat, Move: move})
		}
		if err != nil {
			return fmt.Errorf("let seat %d of table %s go: %w", seat, v.table.id, asFault(err))
		}
	}
}

// sendOff lets those go before a move who must have gone by then: somebody whose turn it is may have spent at another
// table what they need here. It reports whether anybody went, and so whether the move still means what it meant.
func (v *visit) sendOff(state engine.State) (bool, error) {
	if !v.rules.Info().Banker {
		return false, nil
	}
	before := v.steps
	err := v.square(state)
	return v.steps > before, err
}

// goer is a seat with nothing at stake whose person has left, or can't pay for the turn that is theirs; Nobody if there
// is none.
func (v *visit) goer(state engine.State) (engine.Seat, error) {
	info := v.rules.Info()
	for i, c := range v.table.Chairs {
		if seat := engine.Seat(i); c.Left && mayLeave(info, state, seat) {
			return seat, nil
		}
	}
	seat, least := leastStake(info, state)
	if seat == engine.Nobody || !mayLeave(info, state, seat) {
		return engine.Nobody, nil
	}
	balances, err := v.balances(v.table.Chairs[seat : seat+1])
	if err != nil || balances[0] >= least {
		return engine.Nobody, err
	}
	return seat, nil
}

// leastStake is whose turn it is to stake, and how much at least; Nobody if it is nobody's.
func leastStake(info engine.Info, state engine.State) (engine.Seat, int64) {
	turn := state.Turn()
	if len(turn) == 0 {
		return engine.Nobody, 0
	}
	least := state.Idle(turn[0])
	if info.Verbs[least.Verb-1].Aim != engine.AimAmount {
		return engine.Nobody, 0
	}
	return turn[0], int64(least.N)
}

// mayLeave reports whether the seat may throw its hand in now.
func mayLeave(info engine.Info, state engine.State, seat engine.Seat) bool {
	return slices.ContainsFunc(state.View(seat).Offers, func(m engine.Move) bool {
		return info.Verbs[m.Verb-1].Name == leaveMove
	})
}

// tableMove makes the move that the table owes: that of a banker who is away, or of nobody.
func (v *visit) tableMove(ctx context.Context) error {
	state, err := v.play(ctx)
	if err != nil {
		return err
	}
	seat, err := v.idleMove(state)
	if err != nil {
		return err
	}
	return v.settle(state, seat)
}

// window keeps the time for bets on somebody's hand: when it ends, and whether the table moves then. It is over at once
// when nobody is left who may bet and hasn't said so.
func (v *visit) window(state engine.State) (ends int64, byTable bool) {
	t, view := v.table, state.View(engine.Nobody)
	// Where the table itself makes the move that comes next, it offers nobody a button for it.
	next := state.Idle(view.Turn[0]).Verb
	byTable = !slices.ContainsFunc(view.Offers, func(m engine.Move) bool { return m.Verb == next })
	if !view.Brief {
		t.Window = 0
		if slices.ContainsFunc(t.Chairs, func(c chair) bool { return c.Passed }) {
			t.Chairs = slices.Clone(t.Chairs)
			for i := range t.Chairs {
				t.Chairs[i].Passed = false
			}
		}
		return 0, byTable
	}
	if t.Window == 0 {
		t.Window = v.now + sideTime
	}
	if !slices.ContainsFunc(view.Turn[1:], func(s engine.Seat) bool { return v.mayBet(state, s) }) {
		t.Window = min(t.Window, v.now)
	}
	return t.Window, byTable
}

// mayBet reports whether a seat may bet on the hand in play, and has not said yet whether it does.
func (v *visit) mayBet(state engine.State, seat engine.Seat) bool {
	c := v.table.Chairs[seat]
	if c.computer() || c.Passed {
		return false
	}
	return v.amountVerb(state, seat) != ""
}

// amountVerb is the verb that takes an amount among those that the seat is offered; empty if there is none.
func (v *visit) amountVerb(state engine.State, seat engine.Seat) string {
	verbs := v.rules.Info().Verbs
	for _, m := range state.View(seat).Offers {
		if verb := verbs[m.Verb-1]; verb.Aim == engine.AimAmount {
			return verb.Name
		}
	}
	return ""
}

// mayMove refuses the move that ends the time for bets as long as that runs.
func (v *visit) mayMove(state engine.State, seat engine.Seat, move engine.Move) error {
	t := v.table
	turn := state.Turn()
	if t.Window <= v.now || len(turn) == 0 || seat != turn[0] || move.Verb != state.Idle(seat).Verb {
		return nil
	}
	return refuse(string(errSideTime), blanks{"n": int((t.Window - v.now + 999) / 1000)})
}

// reserved is what has left the seat's purse already for the stake that it has to name.
func (v *visit) reserved(state engine.State, seat engine.Seat) int64 {
	if turn := state.Turn(); v.table.Chips == nil || len(turn) == 0 || turn[0] != seat {
		return 0
	}
	return v.table.Chips.Stakes[seat]
}

// covers refuses a bet of more than the purse holds. Where the card is open already, or the bot turns it at once, the
// hand is settled by now, and the purse would only feel a loss.
func (v *visit) covers(seat engine.Seat, move engine.Move, reserved int64) error {
	info := v.rules.Info()
	if !info.Banker || info.Verbs[move.Verb-1].Aim != engine.AimAmount {
		return nil
	}
	purses, err := v.ledger().Purses(v.table.Chairs[seat].User)
	if err != nil {
		return fmt.Errorf("look into the purse of seat %d at table %s: %w", seat, v.table.id, err)
	}
	if has, needs := purses[0].Balance+reserved, int64(move.N); has < needs {
		return purse.Short{User: purses[0].User, Has: has, Lacks: needs - has}
	}
	return nil
}

// pass says that somebody won't bet on the hand in play.
func (v *visit) pass(ctx context.Context) error {
	state, seat, err := v.seated(ctx)
	if err != nil {
		return err
	}
	if !state.View(engine.Nobody).Brief || !v.mayBet(state, seat) {
		v.shown = true
		return errNoPass
	}
	v.back(seat)
	v.table.Chairs[seat].Passed = true
	return v.settle(state, seat)
}

// hand shows the one who asks the cards that nobody else sees.
func (v *visit) hand(ctx context.Context) error {
	state, seat, err := v.seated(ctx)
	if err != nil {
		return err
	}
	w := writer{lang: v.bot.words.Lang(v.req.Who.Lang)}
	for _, pile := range state.View(seat).Piles {
		if pile.Seat != seat || len(pile.Cards) == 0 || pile.Cards[0] == 0 {
			continue
		}
		for _, c := range pile.Cards {
			if len(w.spans) > 0 {
				w.text("  ")
			}
			w.card(c)
		}
	}
	if len(w.spans) == 0 {
		return errNoHand
	}
	who := v.req.Who
	v.posts = append(v.posts, Post{In: v.req.In, To: &who, Message: Message{Text: w.spans}})
	return nil
}

// bet stakes an amount that somebody typed: on their own hand if it is their turn, else on the one in play. Epoch is that
// of the button that asked.
func (v *visit) bet(ctx context.Context, epoch int, amount string) error {
	state, seat, err := v.seated(ctx)
	if err != nil {
		return err
	}
	if amount == "" {
		amount = v.req.Text
	}
	verb := v.amountVerb(state, seat)
	if verb == "" {
		return errNoBet
	}
	n, err := parseAmount(amount)
	if err != nil {
		return err
	}
	move, err := v.rules.Parse(fmt.Sprint(verb, " ", min(n, maxBet))) // More is more than any bank holds, too.
	if err == nil {
		err = v.stillMeant(state, epoch)
	}
	if err != nil {
		return err
	}
	return v.makeMove(state, seat, move)
}

// seated is the deal in progress and the seat of the one who asks.
func (v *visit) seated(ctx context.Context) (engine.State, engine.Seat, error) {
	t := v.table
	switch t.Phase {
	case lobby, cutting:
		return nil, engine.Nobody, errNotDealt
	case ended:
		v.shown = true
		return nil, engine.Nobody, errEnded
	}
	seat, ok := t.seatOf(v.req.Who.ID)
	if !ok {
		return nil, engine.Nobody, errNotSeated
	}
	if t.Chairs[seat].Left {
		return nil, engine.Nobody, errLeft
	}
	state, err := v.play(ctx)
	return state, seat, err
}

// errNotDealt refuses what needs cards before there are any.
const errNotDealt engine.Refusal = "not-dealt"
