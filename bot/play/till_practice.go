package play

import (
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
)

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
