package play

import (
	"fmt"
	"math"
	"slices"

	"zevaka/bot/index"
	"zevaka/bot/purse"
	"zevaka/bot/refusal"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

const (

	// MaxPeople is how many people can sit down in one session. What it has brought each of them is recorded in the one
	// transaction that ends it, and their parts in it move in the one that lays it among the ended tables.
	MaxPeople = index.MaxParts
)

// begin begins a session with the table's deal: the first banker lays out the bank.
func (tx bank) begin() error {
	t := tx.table
	t.Session = &table.Session{Deal: 1, Began: tx.tables.Now().Unix(), Rounds: max(t.Rounds, 1)}
	chips, err := tx.firstChips()
	if err != nil {
		return err
	}
	return tx.postChips(purse.KindBank, chips)
}

// canLay refuses a table where somebody couldn't lay out a bank: the first of them in order of joining, so that it says
// nothing about the draw.
func (tx bank) canLay() error {
	t := tx.table
	chips, err := tx.firstChips()
	if err != nil {
		return err
	}
	balances, err := tx.balances(t.Chairs)
	if err != nil {
		return err
	}
	for i, c := range t.Chairs {
		if balances[i] < chips.Bank {
			return words.Refuse(string(refusal.Poor), words.Blanks{"who": c.Name, "n": int(chips.Bank)})
		}
	}
	return nil
}

// admits says why the user can't sit down with the next deal of the table's session; nil if they can.
func admits(t *table.Table, user int64) error {
	s := t.Session
	if s == nil {
		return nil
	}
	known := map[int64]bool{user: true}
	for _, c := range slices.Concat(t.Chairs, t.Waiting) {
		known[c.User] = true
	}
	for _, p := range s.People {
		known[p.User] = true
	}
	switch {
	case s.Person(user).Removed:
		return refusal.Removed
	case len(known) > MaxPeople:
		return refusal.Full
	}
	return nil
}

// close ends a deal's part in its session: chips go back that were not played for, the deal is counted, and the next
// one gets its table, unless that was the last.
func (tx bank) close() (next *table.Table, err error) {
	t := tx.table
	if t.Chips == nil {
		return nil, nil // Nothing was laid out yet.
	}
	if t.Result == nil {
		if err := tx.refund(); err != nil {
			return nil, err
		}
	}
	if err := tx.keepDraw(); err != nil {
		return nil, err
	}
	s := *t.Session
	s.Add(t.Chairs, t.Chips.Seats, t.Result != nil)
	t.Session = &s
	if t.Result == nil || t.Why != "" {
		return nil, nil
	}
	return tx.follow()
}

// follow makes the table of the session's next deal, in the same transaction that ends this one; nil if the session is
// over.
func (tx bank) follow() (*table.Table, error) {
	t := tx.table
	people := slices.Concat(t.Chairs, t.Waiting)
	setup, more, err := tx.nextSetup(people)
	if err != nil || !more {
		return nil, err
	}
	var chairs []table.Chair
	for _, seat := range setup.Order {
		c := people[seat]
		chairs = append(chairs, table.Chair{User: c.User, Name: c.Name, Lang: c.Lang, Missed: c.Missed})
	}
	if t.Session.IsOver(chairs) {
		return nil, nil
	}
	next := t.Following(chairs, tx.tables.Seed(), tx.now.Add(cutTime), tx.tables.Now().Unix())
	then := &transaction{tables: tx.tables, Tx: tx.Tx, req: tx.req, table: next, rules: tx.rules, stored: storage.Item{Key: table.KeyOpen(next.ID)}, now: tx.now}
	then.family = tx.tables.families[t.Game](then)
	chips, err := bank{free{then}}.firstChips()
	if err == nil {
		err = bank{free{then}}.postChips(purse.KindBank, chips)
	}
	if err == nil {
		_, err = then.save(redrawn())
	}
	if err != nil {
		return nil, err
	}
	t.Next = next.ID.Name
	return next, tx.list(next)
}

// nextSetup asks the rules who of the people plays the next deal, and where. It looks into no more purses than it must,
// since others play with them elsewhere: those of people who have only now sat down, of punters who couldn't pay, and of
// whoever is to hold the bank. Whether the others can pay shows when it is their turn.
func (tx bank) nextSetup(people []table.Chair) (engine.Setup, bool, error) {
	t := tx.table
	const unknown = math.MaxInt64
	standings := make([]engine.Standing, len(people))
	look := func(i int) error {
		balances, err := tx.balances(people[i : i+1])
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
		setup, more := tx.rules.Next(t.Setup(), *t.Result, standings)
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

// list puts a table on its place's list.
func (tx *transaction) list(t *table.Table) error {
	record, err := table.GetPlace(tx.Tx, t.Place)
	if err != nil {
		return err
	}
	record.Tables = append(slices.Clone(record.Tables), t.ID.Name)
	if err := table.PutPlace(tx.Tx, t.Place, record); err != nil {
		return fmt.Errorf("list table %s: %w", t.ID, err)
	}
	return nil
}
