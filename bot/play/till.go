package play

import (
	"fmt"
	"math"
	"slices"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// Till is a table's, within one transaction. That of a practice table touches no purse, and posts nothing: its chips are in
// the table.
type Till struct {
	purse.Ledger
	Table *table.Table
	Rules engine.Rules
}

// FirstChips are the chips of the deal before the first move: the banker has laid out the bank. They depend on no card.
func (tl Till) FirstChips() (engine.Chips, error) {
	state, err := tl.first()
	if err != nil {
		return engine.Chips{}, err
	}
	return *state.View(engine.Nobody).Chips, nil
}

// first is the deal before the first move.
func (tl Till) first() (engine.State, error) {
	t := tl.Table
	state, err := tl.Rules.Deal(t.Setup(), engine.NewShuffler(t.Seed, ""))
	if err != nil {
		return nil, fmt.Errorf("deal table %s: %w", t.ID, table.AsFault(err))
	}
	return state, nil
}

// Lacks is what who waits for the next bank must have by then, and what they have, if that is less: a bank for who owes one, else the least stake.
func (tl Till) Lacks(c table.Chair) (needs, has int64, short bool, err error) {
	state, err := tl.first()
	if err != nil {
		return 0, 0, false, err
	}
	if _, needs = LeastStake(tl.Rules.Info(), state); tl.Table.Session.Of(c).Owes {
		needs = state.View(engine.Nobody).Chips.Bank
	}
	balances, err := tl.Balances([]table.Chair{c})
	if err != nil {
		return 0, 0, false, err
	}
	return needs, balances[0], balances[0] < needs, nil
}

// Enter sees to it that who sits down has a purse.
func (tl Till) Enter(user int64, name string) error {
	if tl.Table.Practice {
		return nil
	}
	if _, err := tl.Open(user, name); err != nil {
		return fmt.Errorf("open a purse: %w", err)
	}
	return nil
}

// Lay has the banker lay out the bank.
func (tl Till) Lay() error {
	chips, err := tl.FirstChips()
	if err != nil {
		return err
	}
	return tl.Pay(purse.KindBank, chips)
}

// Pay makes one posting of what has changed in the chips of the deal since the last one. Of the chips on the table the bank
// is the banker's, and each stake is its player's. The error is a purse.Short where a purse doesn't hold what was staked.
func (tl Till) Pay(kind string, chips engine.Chips) error {
	t := tl.Table
	if t.Practice {
		return tl.pretend(engine.Chips{Bank: chips.Bank, Seats: slices.Clone(chips.Seats), Stakes: slices.Clone(chips.Stakes)})
	}
	before := engine.Chips{Seats: make([]int64, len(t.Chairs)), Stakes: make([]int64, len(t.Chairs))}
	if t.Chips != nil {
		before = *t.Chips
	}
	var legs []purse.Leg
	for i, c := range t.Chairs {
		lies := chips.Stakes[i] - before.Stakes[i]
		gain := chips.Seats[i] - before.Seats[i] - lies
		if i == 0 {
			lies += chips.Bank - before.Bank
		}
		if gain > 0 {
			kind = purse.KindWin
		}
		if gain == 0 && lies == 0 {
			continue
		}
		owner := purse.User(c.User)
		legs = append(legs, purse.Leg{Account: owner, Amount: gain}, purse.Leg{Account: purse.At(t.ID.Name, owner), Amount: lies})
	}
	if len(legs) == 0 {
		return nil
	}
	cause := cause(t, kind)
	if _, err := tl.Post(cause.ID(), cause, legs...); err != nil {
		return fmt.Errorf("pay at table %s: %w", t.ID, err)
	}
	t.Chips = &engine.Chips{Bank: chips.Bank, Seats: slices.Clone(chips.Seats), Stakes: slices.Clone(chips.Stakes)}
	return nil
}

// PayBack gives back what lies on the table of a deal that was broken off. What was settled before stands.
func (tl Till) PayBack() error {
	t := tl.Table
	if cause := cause(t, purse.KindRefund); !t.Practice {
		if _, err := tl.Refund(cause.ID()+"/"+purse.KindRefund, cause); err != nil {
			return fmt.Errorf("pay back what lies on table %s: %w", t.ID, err)
		}
	}
	chips := Broken(*t.Chips)
	t.Chips = &chips
	return nil
}

// cause is why chips move at the table now.
func cause(t *table.Table, kind string) purse.Cause {
	c := purse.Cause{Kind: kind, Table: t.ID.Name, Deal: 1, Move: t.Moves}
	if t.Session != nil {
		c.Deal = t.Session.Deal
	}
	return c
}

// Balances are what the purses of the chairs' people hold, in kopecks.
func (tl Till) Balances(chairs []table.Chair) ([]int64, error) {
	var users, balances []int64
	for _, c := range chairs {
		users = append(users, c.User)
		balances = append(balances, Funds(tl.Table, c))
	}
	if tl.Table.Practice {
		return balances, nil
	}
	purses, err := tl.Purses(users...)
	if err != nil {
		return nil, fmt.Errorf("look into the purses at table %s: %w", tl.Table.ID, err)
	}
	for i, p := range purses {
		balances[i] = p.Balance
	}
	return balances, nil
}

// CanLay refuses a table where somebody couldn't lay out a bank: the first of them in order of joining, so that it says
// nothing about the draw.
func (tl Till) CanLay() error {
	t := tl.Table
	chips, err := tl.FirstChips()
	if err != nil {
		return err
	}
	balances, err := tl.Balances(t.Chairs)
	if err != nil {
		return err
	}
	for i, c := range t.Chairs {
		if balances[i] < chips.Bank {
			return words.Refuse(string(table.ErrPoor), words.Blanks{"who": c.Name, "n": int(chips.Bank)})
		}
	}
	return nil
}

// Reserved is what the seat's purse has paid already for a stake that isn't named yet.
func (tl Till) Reserved(state engine.State, seat engine.Seat) int64 {
	if turn := state.Turn(); tl.Table.Chips == nil || len(turn) == 0 || turn[0] != seat {
		return 0
	}
	return tl.Table.Chips.Stakes[seat]
}

// Covers refuses a bet of more than the purse holds. It looks into the purse itself: where the bot turns the card at once
// the hand is settled by now, and a bet that won would need no chips.
func (tl Till) Covers(seat engine.Seat, move engine.Move, reserved int64) error {
	if tl.Rules.Info().Verbs[move.Verb-1].Aim != engine.AimAmount {
		return nil
	}
	balances, err := tl.Balances(tl.Table.Chairs[seat : seat+1])
	if err != nil {
		return err
	}
	if has, needs := balances[0]+reserved, int64(move.N); has < needs {
		return purse.Short{User: tl.Table.Chairs[seat].User, Has: has, Lacks: needs - has}
	}
	return nil
}

// Goer is a seat with nothing at stake whose person has left, or can't pay for their turn; Nobody if there is none.
func (tl Till) Goer(state engine.State) (engine.Seat, error) {
	info := tl.Rules.Info()
	for i, c := range tl.Table.Chairs {
		if seat := engine.Seat(i); c.Left && MayLeave(info, state, seat) {
			return seat, nil
		}
	}
	seat, least := LeastStake(info, state)
	if seat == engine.Nobody || !MayLeave(info, state, seat) {
		return engine.Nobody, nil
	}
	balances, err := tl.Balances(tl.Table.Chairs[seat : seat+1])
	if err != nil || balances[0] >= least {
		return engine.Nobody, err
	}
	return seat, nil
}

// FairMove is the move of the seat whose turn it is when nobody can be asked any more. On a card that lies open it stakes
// as well as it can.
func (tl Till) FairMove(state engine.State, seat engine.Seat) (engine.Move, error) {
	least, best := state.Idle(seat), state.Auto(seat, 1, table.RandomOf(tl.Table, seat))
	if best.N <= least.N {
		return least, nil
	}
	balances, err := tl.Balances(tl.Table.Chairs[seat : seat+1])
	if err != nil {
		return least, err
	}
	if has := balances[0] + tl.Reserved(state, seat); has < int64(best.N) {
		return tl.Rules.Parse(fmt.Sprint(tl.Rules.Info().Verbs[best.Verb-1].Name, " ", max(has, int64(least.N))))
	}
	return best, nil
}

// NextSetup asks the rules who of the people plays the next deal, and where. It looks into no more purses than it must,
// since others play with them elsewhere: those of people who have only now sat down, of punters who couldn't pay, and of
// whoever is to hold the bank. Whether the others can pay shows when it is their turn.
func (tl Till) NextSetup(people []table.Chair) (engine.Setup, bool, error) {
	t := tl.Table
	const unknown = math.MaxInt64
	standings := make([]engine.Standing, len(people))
	look := func(i int) error {
		balances, err := tl.Balances(people[i : i+1])
		if err == nil {
			standings[i].Chips = balances[0]
		}
		return err
	}
	for i, c := range people {
		standings[i] = engine.Standing{Stays: stays(c), Chips: unknown, Owes: i >= len(t.Chairs) && t.Session.Of(c).Owes}
		if standings[i].Stays && (c.Out || i >= len(t.Chairs)) {
			if err := look(i); err != nil {
				return engine.Setup{}, false, err
			}
		}
	}
	for {
		setup, more := tl.Rules.Next(t.Setup(), *t.Result, standings)
		if !more {
			return setup, false, nil
		}
		banker := int(setup.Order[0])
		if banker >= len(t.Chairs) && t.Session.Person(people[banker].User).User == 0 {
			return setup, false, nil // Nobody is left who has played: they could have left so that it comes to a newcomer.
		}
		if standings[banker].Chips != unknown {
			return setup, true, nil
		}
		if err := look(banker); err != nil {
			return setup, false, err
		}
	}
}

// stays reports whether the chair's person plays on after the bank.
func stays(c table.Chair) bool { return !c.Left && !c.Away && c.Leaving == table.Stays }

// drawLife is how long a draw for the bank stands.
const drawLife = 24 * time.Hour

// keptDraws are the draws that stand in the table's community, the oldest first.
func (tl Till) keptDraws() ([]table.KeptDraw, error) {
	all, err := table.GetDraws(tl.Tx, tl.Table.Origin())
	old := tl.Now - int64(drawLife/time.Second)
	return slices.DeleteFunc(all, func(d table.KeptDraw) bool { return d.At < old }), err
}

// Drawn is the chair that the bank belongs to by a draw that stands; false if there is no such draw.
func (tl Till) Drawn() (chair int, ok bool, err error) {
	if tl.Table.Practice {
		return 0, false, nil
	}
	all, err := tl.keptDraws()
	users, people := tl.Table.Drawers()
	i := slices.IndexFunc(all, func(d table.KeptDraw) bool { return d.People == people })
	if err != nil || i < 0 || all[i].First < 0 || all[i].First >= len(users) {
		return 0, false, err
	}
	seat, ok := tl.Table.SeatOf(users[all[i].First])
	return int(seat), ok, nil
}

// KeepDraw has it stand from now on that the bank belongs to one of the people at the table.
func (tl Till) KeepDraw(banker int64) error {
	users, people := tl.Table.Drawers()
	return tl.changeDraw(table.KeptDraw{People: people, First: slices.Index(users, banker), At: tl.Now})
}

// EndDraw ends, with the first bank of a session, what KeepDraw began, if the bank was played out. Otherwise the draw stands on.
func (tl Till) EndDraw() error {
	t := tl.Table
	switch {
	case t.Session.Deal != 1:
		return nil
	case !t.PlayedOut():
		return tl.KeepDraw(t.Chairs[0].User)
	}
	_, people := t.Drawers()
	return tl.changeDraw(table.KeptDraw{People: people})
}

// changeDraw puts a draw in place of that of the same people, or none if it has no time. At a practice table no draw stands.
func (tl Till) changeDraw(d table.KeptDraw) error {
	if tl.Table.Practice {
		return nil
	}
	all, err := tl.keptDraws()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(old table.KeptDraw) bool { return old.People == d.People })
	if d.At != 0 {
		all = append(all, d)
	}
	return table.PutDraws(tl.Tx, tl.Table.Origin(), all)
}

// PracticeChips are what everybody begins with at a practice table, in kopecks.
const PracticeChips = 3000

// Funds are the chips that who sits in the chair has at a practice table, in kopecks. They follow from the table alone: what
// everybody begins with, what the session has brought, and what the deal in progress has, less what lies on the table.
func Funds(t *table.Table, c table.Chair) int64 {
	funds := int64(PracticeChips)
	if t.Session != nil {
		funds += t.Session.Of(c).Net
	}
	if t.Chips == nil || t.Phase == table.Ended { // Then the session has it already.
		return funds
	}
	for i, other := range t.Chairs {
		if other.User == c.User && other.Nick == c.Nick {
			funds += t.Chips.Seats[i] - t.Chips.Stakes[i] // A bank that was laid out is in Seats already.
		}
	}
	return funds
}

// pretend is Pay at a practice table: nothing is posted.
func (tl Till) pretend(chips engine.Chips) error {
	t := tl.Table
	before := t.Chips
	t.Chips = &chips
	for _, c := range t.Chairs {
		if funds := Funds(t, c); funds < 0 {
			t.Chips = before
			return purse.Short{User: c.User, Has: Funds(t, c), Lacks: -funds}
		}
	}
	return nil
}

// Afford is a computer player's step with no larger an amount than the player has.
func (tl Till) Afford(state engine.State, step engine.Step) (engine.Step, error) {
	info := tl.Rules.Info()
	if info.Verbs[step.Move.Verb-1].Aim != engine.AimAmount {
		return step, nil
	}
	balances, err := tl.Balances(tl.Table.Chairs[step.Seat : step.Seat+1])
	if err != nil {
		return step, err
	}
	least := int64(1)
	if idle := state.Idle(step.Seat); idle.Verb == step.Move.Verb {
		least = int64(idle.N)
	}
	if has := max(least, balances[0]+tl.Reserved(state, step.Seat)); has < int64(step.Move.N) {
		step.Move.N = int32(has)
	}
	return step, nil
}

// till is the table's, within the transaction.
func (tx bank) till() Till {
	ledger := purse.Ledger{Tx: tx.Tx, Community: tx.table.Origin(), Now: tx.tables.Now().Unix()}
	return Till{Ledger: ledger, Table: tx.table, Rules: tx.rules}
}
