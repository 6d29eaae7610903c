package play

import (
	"fmt"
	"math"

	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

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
		standings[i] = engine.Standing{Stays: !c.Left && !c.Away && c.Goes == table.Stays, Chips: unknown}
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
		if standings[banker].Chips != unknown {
			return setup, true, nil
		}
		if err := look(banker); err != nil {
			return setup, false, err
		}
	}
}
