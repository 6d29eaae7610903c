package bot

import (
	"fmt"
	"slices"

	"zevaka/bot/purse"
	"zevaka/engine"
)

// The kinds of postings that a table makes, as they stand in the ledger.
const (
	chipsBank   = "bank"
	chipsStake  = "stake"
	chipsWin    = "win"
	chipsRefund = "refund"
)

// ledger is that of the table's community, within the visit's transaction.
func (v *visit) ledger() purse.Ledger {
	return purse.Ledger{Tx: v.tx, Community: v.table.ledger(), Now: v.bot.now().Unix()}
}

// firstChips are the chips of the deal before the first move, whatever the cards: the banker has laid out the bank.
func (v *visit) firstChips() (engine.Chips, error) {
	t := v.table
	state, err := v.rules.Deal(t.setup(), engine.NewShuffler(t.Seed, ""))
	if err != nil {
		return engine.Chips{}, fmt.Errorf("deal table %s: %w", t.id, asFault(err))
	}
	return *state.View(engine.Nobody).Chips, nil
}

// laid are the chips of the deal as purses must have laid them out. That is what the state says, and the least stake of
// somebody who has to name one and can't leave any more: they may not spend it elsewhere before they do.
func laid(info engine.Info, state engine.State) engine.Chips {
	chips := *state.View(engine.Nobody).Chips
	if seat, least := leastStake(info, state); seat != engine.Nobody && !mayLeave(info, state, seat) {
		chips.Stakes[seat] += least
	}
	return chips
}

// pay lets purses follow the chips of the deal: what has changed since the last time is one posting. What lies on the
// table is the banker's as far as it is the bank, and else that of whoever has staked it. The error is a purse.Short
// where a purse doesn't hold what was staked.
func (v *visit) pay(kind string, chips engine.Chips) error {
	t := v.table
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
			kind = chipsWin
		}
		if gain == 0 && lies == 0 {
			continue
		}
		owner := purse.User(c.User)
		legs = append(legs, purse.Leg{Account: owner, Amount: gain}, purse.Leg{Account: purse.At(t.id.Name, owner), Amount: lies})
	}
	if len(legs) == 0 {
		return nil
	}
	cause := t.cause(kind)
	if _, err := v.ledger().Post(cause.ID(), cause, legs...); err != nil {
		return fmt.Errorf("pay at table %s: %w", t.id, err)
	}
	t.Chips = &engine.Chips{Bank: chips.Bank, Seats: slices.Clone(chips.Seats), Stakes: slices.Clone(chips.Stakes)}
	return nil
}

// refund gives back what lies on the table of a deal that was broken off: what has been settled stands.
func (v *visit) refund() error {
	t := v.table
	cause := t.cause(chipsRefund)
	if _, err := v.ledger().Refund(cause.ID()+"/"+chipsRefund, cause); err != nil {
		return fmt.Errorf("pay back what lies on table %s: %w", t.id, err)
	}
	chips := broken(*t.Chips)
	t.Chips = &chips
	return nil
}

// broken are the chips of a deal that was broken off: the bank is the banker's, and nothing is at stake.
func broken(chips engine.Chips) engine.Chips {
	seats := slices.Clone(chips.Seats)
	seats[0] += chips.Bank
	return engine.Chips{Seats: seats, Stakes: make([]int64, len(seats))}
}

// cause is why chips move at the table now.
func (t *table) cause(kind string) purse.Cause {
	c := purse.Cause{Kind: kind, Table: t.id.Name, Deal: 1, Move: t.Moves}
	if t.Session != nil {
		c.Deal = t.Session.Deal
	}
	return c
}

// balances are what the purses of the chairs' people hold.
func (v *visit) balances(chairs []chair) ([]int64, error) {
	var users []int64
	for _, c := range chairs {
		users = append(users, c.User)
	}
	purses, err := v.ledger().Purses(users...)
	if err != nil {
		return nil, fmt.Errorf("look into the purses at table %s: %w", v.table.id, err)
	}
	balances := make([]int64, len(purses))
	for i, p := range purses {
		balances[i] = p.Balance
	}
	return balances, nil
}
