package play

import (
	"fmt"
	"slices"

	"zevaka/bot/purse"
	"zevaka/bot/table"
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
	t := tl.Table
	state, err := tl.Rules.Deal(t.Setup(), engine.NewShuffler(t.Seed, ""))
	if err != nil {
		return engine.Chips{}, fmt.Errorf("deal table %s: %w", t.ID, table.AsFault(err))
	}
	return *state.View(engine.Nobody).Chips, nil
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
