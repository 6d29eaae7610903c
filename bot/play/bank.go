package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// maxBet is the most that moves can name.
const maxBet = 999_999_999

// bank is a game in which one player holds a bank against the others, for chips.
type bank struct{ free }

// maxHand is how many lines of what happened a picture of a bank tells: a hand takes four.
const maxHand = 6

func (tx bank) traits() traits {
	return traits{chips: true, late: true, computers: tx.table.Practice, lines: maxHand, tooFew: table.ErrTooFewPeople}
}

func (tx bank) opened(o Opening) error {
	tx.table.Rounds = max(o.Rounds, 1)
	return nil
}

func (tx bank) enter() error {
	return tx.till().Enter(tx.req.Who.ID, tx.req.Who.Name)
}

// drawn is who holds the bank: by a draw that stands if there is one, and else whoever is drawn now.
func (tx bank) drawn() (first int, err error) {
	t := tx.table
	if err := tx.till().CanLay(); err != nil {
		return 0, err
	}
	if first, t.Stands, err = tx.till().Drawn(); err != nil || t.Stands {
		return first, err
	}
	first = table.DrawDealer(t.Draw, len(t.Chairs)).First(true)
	return first, tx.till().KeepDraw(t.Chairs[first].User)
}

func (tx bank) attempt(state engine.State, seat engine.Seat, move engine.Move) error {
	if err := tx.mayMove(state, seat, move); err != nil {
		return err
	}
	reserved := tx.till().Reserved(state, seat)
	err := tx.step(state, engine.Step{Seat: seat, Move: move})
	if err == nil {
		err = tx.till().Covers(seat, move, reserved)
	}
	return err
}

// square pays for the moves that were made. Where the log is full, the hand in play is settled first.
func (tx bank) square(state engine.State) error {
	if tx.table.Moves >= tx.tables.MaxMoves {
		if err := tx.playOut(state, "stop-long"); err != nil {
			return err
		}
	}
	return tx.payUp(state)
}

func (tx bank) finished(state engine.State) (why string, result *engine.Result, over bool) {
	closing := tx.table.Closing
	if closing != nil {
		why = closing.Why
	}
	if result, over := state.Result(); over {
		return why, &result, true
	}
	if closing != nil && !closing.Bank && !Bound(tx.rules.Info(), state) {
		return why, nil, true
	}
	return tx.free.finished(state)
}

func (tx bank) deadlines(state engine.State, by engine.Seat) {
	t, turn := tx.table, state.Turn()
	before := t.ClearDeadlines()
	if t.Asleep || len(turn) == 0 {
		return
	}
	must := turn[0]
	t.Mover = int(must)
	limit := tx.turnTime(must)
	t.Hurry = t.Limit == 0 && limit > 0
	begins, byTable := tx.window(state)
	tx.clearTap(must, before.Mover())
	if byTable || t.Chairs[must].Computer() {
		t.Chance = max(begins, tx.now.Add(max(thinking, t.Chairs[must].Ways().Thinks)))
		tx.unmoved(before)
		return
	}
	if _, bets := tx.computerStep(state); bets && t.Practice {
		t.Chance = tx.now.Add(thinking)
	}
	tx.unmoved(before)
	t.LimitFrom(max(begins, tx.now), limit, begins != 0 || tx.begins(must, before))
	tx.patiently()
	if !tx.passed {
		by = engine.Nobody // Who has to stake, and does something else, gains no time by it.
	}
	switch {
	case limit > 0:
		t.KeepDeadline(before, int(by))
	case by != must:
		t.Unmoved(before)
	}
	table.CallOnce(t, before)
}

// absent lets a punter go who doesn't answer. For the banker the table plays.
func (tx bank) absent(seat engine.Seat) (event string) {
	if seat == 0 {
		return tx.free.absent(seat)
	}
	tx.table.Chairs[seat].Left = true
	return "dropped"
}

// payUp pays for the moves that were made. Then it lets everybody go who has left, or can't pay for the turn that is
// theirs.
func (tx bank) payUp(state engine.State) error {
	for {
		chips, kind := Laid(tx.rules.Info(), state), purse.KindStake
		if tx.table.Window != 0 && state.View(engine.Nobody).Brief {
			kind = purse.KindSide
		}
		if err := tx.till().Pay(kind, chips); err != nil {
			return err
		}
		tx.letGo(chips)
		seat, err := tx.till().Goer(state)
		if err != nil || seat == engine.Nobody {
			return err
		}
		leave := engine.Move{Verb: tx.rules.Info().VerbOf(engine.VerbLeaves)}
		if err := tx.step(state, engine.Step{Seat: seat, Move: leave}); err != nil {
			return fmt.Errorf("let seat %d of table %s go: %w", seat, tx.table.ID, table.AsFault(err))
		}
	}
}

// clear lets those go before a move who can't pay any more: they may have spent at another table what they need here. If
// anybody went, the move may not mean what it meant.
func (tx bank) clear(state engine.State) (bool, error) {
	before := tx.steps
	err := tx.payUp(state)
	return tx.steps > before, err
}

// ownMove makes the move that is due without a person: that of a banker who is away, or one that is nobody's.
func (tx bank) ownMove(ctx context.Context) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	if o, done, err := (practice{tx}).move(state); done || err != nil {
		return o, err
	}
	if left := tx.betsLeft(state); left > 0 {
		ends := tx.now.Add(left)
		tx.table.Window, tx.table.Chance = ends, ends
		return outcome{changed: true}, nil
	}
	seat, err := tx.idleMove(state)
	if err != nil {
		return outcome{}, err
	}
	return tx.settle(state, seat)
}

// window keeps the time in which the others may bet on a hand. It returns when that ends, and whether the table moves then.
// The time ends at once when nobody is left who may bet and hasn't decided.
func (tx bank) window(state engine.State) (ends table.Running, byTable bool) {
	t, view := tx.table, state.View(engine.Nobody)
	// Where the table itself makes the move that comes next, it offers nobody a button for it.
	next := state.Idle(view.Turn[0]).Verb
	byTable = !slices.ContainsFunc(view.Offers, func(m engine.Move) bool { return m.Verb == next })
	if !view.Brief {
		t.Window = 0
		if slices.ContainsFunc(t.Chairs, func(c table.Chair) bool { return c.Passed }) {
			t.Chairs = slices.Clone(t.Chairs)
			for i := range t.Chairs {
				t.Chairs[i].Passed = false
			}
		}
		return 0, byTable
	}
	if t.Window == 0 {
		t.Window = tx.now.Add(table.SideTime)
	}
	if !slices.ContainsFunc(view.Turn[1:], func(s engine.Seat) bool { return tx.mayBet(state, s) }) {
		t.Window = min(t.Window, tx.now)
	}
	return t.Window, byTable
}

// lateBets is for how long at most the card waits for a message to show that others may bet.
const lateBets = time.Minute

// lostWindow is how much of the time for bets those haven't had who may bet and don't look at the table, as it was shown late: by less than
// lateBets.
func (tx bank) lostWindow(state engine.State) time.Duration {
	t := tx.table
	if t.Window == 0 || !slices.ContainsFunc(state.Turn(), func(s engine.Seat) bool { return tx.mayBet(state, s) && !tx.tables.looks(t, t.Chairs[s]) }) {
		return 0
	}
	return tx.lostOf(t.Window, table.SideTime, lateBets)
}

// betsLeft is how long others may bet yet; 0 or less once they may not.
func (tx bank) betsLeft(state engine.State) time.Duration {
	return tx.now.Until(tx.table.Window) + tx.lostWindow(state)
}

// mayBet reports whether a seat may bet on the hand in play, and hasn't decided yet.
func (tx bank) mayBet(state engine.State, seat engine.Seat) bool {
	c := tx.table.Chairs[seat]
	if c.Computer() || c.Passed {
		return false
	}
	return BetVerb(tx.rules.Info(), state, seat) != 0
}

// expire lets no banker's turn run out who may not turn the card yet.
func (tx bank) expire(ctx context.Context) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	if left := tx.betsLeft(state); left > 0 {
		ends := tx.now.Add(left)
		tx.table.PutOff(tx.table.Window.Until(ends))
		tx.table.Window = ends
		return outcome{changed: true}, nil
	}
	return tx.free.expire(ctx)
}

// mayMove refuses to end the time for bets before it is over, or before others have had it.
func (tx bank) mayMove(state engine.State, seat engine.Seat, move engine.Move) error {
	turn := state.Turn()
	if len(turn) == 0 || seat != turn[0] || move.Verb != state.Idle(seat).Verb {
		return nil
	}
	left := tx.betsLeft(state)
	if left <= 0 {
		return nil
	}
	return words.Refuse(string(table.ErrSideTime), words.Blanks{"n": int((left + time.Second - 1) / time.Second)})
}

// pass says that somebody won't bet on the hand in play.
func (tx bank) pass(ctx context.Context) (outcome, error) {
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	if !state.View(engine.Nobody).Brief || !tx.mayBet(state, seat) {
		return outcome{}, table.ShowTable(table.ErrNoPass)
	}
	tx.back(seat)
	tx.table.Chairs[seat].Passed = true
	o, err := tx.settle(state, seat)
	o.done = &words.Phrase{Key: "done.pass"}
	return o, err
}

// bet stakes an amount that somebody typed: on their own hand if it is their turn, and else on the hand in play. Epoch is
// that of the button that asked.
func (tx bank) bet(ctx context.Context, epoch int, amount string) (outcome, error) {
	state, seat, err := tx.seated(ctx)
	if err != nil {
		return outcome{}, err
	}
	if amount == "" {
		amount = tx.req.Text
	}
	verb := BetVerb(tx.rules.Info(), state, seat)
	if verb == 0 {
		return outcome{}, tx.noBet(state, seat)
	}
	if err := tx.stillMeant(state, epoch); err != nil {
		return outcome{}, err
	}
	n, err := words.ParseAmount(amount)
	if err != nil {
		return outcome{}, tx.unread(err)
	}
	move := engine.Move{Verb: verb, N: maxBet} // More is more than any bank holds, too.
	if n > 0 && n < maxBet {
		move.N = int32(n)
	}
	o, err := tx.makeMove(state, seat, move)
	if most := mostOf(state.View(seat), verb); most > 0 && move.N > most && errors.As(err, new(engine.Refusal)) {
		err = words.Refuse("bet-most", words.Blanks{"why": *words.RefusalPhrase(err), "n": int(most)})
	}
	return o, err
}

// mostOf is the highest amount that is offered for a bet; 0 if none is.
func mostOf(view engine.View, verb engine.Verb) (most int32) {
	for _, m := range view.Offers {
		if m.Verb == verb {
			most = max(most, m.N)
		}
	}
	return most
}

// noBet refuses a bet to who has one that stands, or tells who bets now.
func (tx bank) noBet(state engine.State, seat engine.Seat) error {
	if n := tx.staked(seat); n > 0 {
		return words.Refuse("bet-stands", words.Blanks{"n": int(n)})
	}
	if turn := state.Turn(); len(turn) > 0 && turn[0] > 0 {
		return words.Refuse("others-bet", words.Blanks{"who": tx.table.Name(turn[0])})
	}
	return table.ErrNoBet
}

func (tx bank) leave(ctx context.Context, seat engine.Seat) (outcome, error) {
	switch {
	case tx.table.Phase != table.Lobby && seat == 0:
		return outcome{}, table.ErrBankerStays
	case tx.answered == nil && tx.staked(seat) > 0:
		return tx.askLeave(ctx, seat)
	}
	return tx.takeOut(ctx, seat)
}

func (tx bank) takeOut(ctx context.Context, seat engine.Seat) (outcome, error) {
	if err := table.MayVacate(tx.table, seat); err != nil {
		return outcome{}, err
	}
	switch {
	case tx.req.Kind != chat.Left && tx.byAnother(seat) && tx.plays():
		return tx.takeOutLater(ctx, seat)
	case tx.atBank():
		return tx.leaveBank(ctx, seat)
	}
	return tx.free.takeOut(ctx, seat)
}

// staked is what the seat has at stake in the deal, in kopecks.
func (tx bank) staked(seat engine.Seat) int64 {
	if t := tx.table; t.Phase == table.Playing && t.Chips != nil {
		return t.Chips.Stakes[seat]
	}
	return 0
}

// askLeave asks again before somebody leaves with a stake on the table.
func (tx bank) askLeave(ctx context.Context, seat engine.Seat) (outcome, error) {
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	asked := words.Phrase{Key: "leave-ask", Blanks: words.Blanks{"n": int(tx.staked(seat))}}
	return tx.ask(asked, tx.table.Epoch(state), chat.Button{Label: tx.say("button.leave"), Token: "!leave", Look: chat.Danger})
}

// leaveBank ends a person's part in a bank: the hand is thrown in, unless it must be settled first.
func (tx bank) leaveBank(ctx context.Context, seat engine.Seat) (outcome, error) {
	t := tx.table
	state, err := tx.position(ctx)
	if err != nil {
		return outcome{}, err
	}
	t.Chairs = slices.Clone(t.Chairs)
	c := &t.Chairs[seat]
	c.Removed = c.Removed || tx.byAnother(seat)
	if Laid(tx.rules.Info(), state).Stakes[seat] == 0 {
		c.Left, c.Leaving = true, table.Stays
	} else {
		c.Leaving = table.AfterHand
	}
	t.PassHost(c.User, seat)
	o, err := tx.settle(state, engine.Nobody)
	if c := t.Chairs[seat]; !c.Out && t.Phase == table.Playing {
		o.toast = &words.Phrase{Key: tx.leaving(seat), Blanks: words.Blanks{"who": c.Name}}
	}
	return o, err
}

// leaving is the key of what is said of a person who leaves while chips of theirs lie on the table.
func (tx bank) leaving(seat engine.Seat) string {
	switch {
	case seat == 0:
		return "leaving-banker"
	case tx.byAnother(seat):
		return "leaving-other"
	}
	return "leaving"
}
