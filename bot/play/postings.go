package play

import (
	"fmt"
	"slices"

	"zevaka/bot/bankstate"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
)

// ledger is the ledger of the table's community, within the transaction.
func (tx *transaction) ledger() purse.Ledger {
	return purse.Ledger{Tx: tx.Tx, Community: tx.table.Origin(), Now: tx.tables.Now().Unix()}
}

// firstChips are the chips of the deal before the first move: the banker has laid out the bank. They depend on no card.
func (tx bank) firstChips() (engine.Chips, error) {
	t := tx.table
	state, err := tx.rules.Deal(t.Setup(), engine.NewShuffler(t.Seed, ""))
	if err != nil {
		return engine.Chips{}, fmt.Errorf("deal table %s: %w", t.ID, table.AsFault(err))
	}
	return *state.View(engine.Nobody).Chips, nil
}

// postChips makes one posting of what has changed in the chips of the deal since the last one. Of the chips on the table the bank
// is the banker's, and each stake is its player's. The error is a purse.Short where a purse doesn't hold what was staked.
func (tx bank) postChips(kind string, chips engine.Chips) error {
	t := tx.table
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
	if _, err := tx.ledger().Post(cause.ID(), cause, legs...); err != nil {
		return fmt.Errorf("pay at table %s: %w", t.ID, err)
	}
	t.Chips = &engine.Chips{Bank: chips.Bank, Seats: slices.Clone(chips.Seats), Stakes: slices.Clone(chips.Stakes)}
	return nil
}

// refund gives back what lies on the table of a deal that was broken off. What was settled before stands.
func (tx bank) refund() error {
	t := tx.table
	cause := cause(t, purse.KindRefund)
	if _, err := tx.ledger().Refund(cause.ID()+"/"+purse.KindRefund, cause); err != nil {
		return fmt.Errorf("pay back what lies on table %s: %w", t.ID, err)
	}
	chips := bankstate.Broken(*t.Chips)
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

// balances are what the purses of the chairs' people hold.
func (tx bank) balances(chairs []table.Chair) ([]int64, error) {
	var users []int64
	for _, c := range chairs {
		users = append(users, c.User)
	}
	purses, err := tx.ledger().Purses(users...)
	if err != nil {
		return nil, fmt.Errorf("look into the purses at table %s: %w", tx.table.ID, err)
	}
	balances := make([]int64, len(purses))
	for i, p := range purses {
		balances[i] = p.Balance
	}
	return balances, nil
}
