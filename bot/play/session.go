package play

import (
	"slices"

	"zevaka/bot/table"
	"zevaka/storage"
)

// begin begins a session with the table's deal: the first banker lays out the bank.
func (tx bank) begin() error {
	t := tx.table
	t.Session = &table.Session{Deal: 1, Began: tx.tables.Now().Unix(), Rounds: max(t.Rounds, 1)}
	return tx.till().Lay()
}

// close ends a deal's part in its session: chips go back that were not played for, the deal is counted, and the next
// one gets its table, unless that was the last.
func (tx bank) close() (next *table.Table, err error) {
	t := tx.table
	if t.Chips == nil {
		return nil, nil // Nothing was laid out yet.
	}
	if t.Result == nil {
		if err := tx.till().PayBack(); err != nil {
			return nil, err
		}
	}
	if err := tx.till().KeepDraw(); err != nil {
		return nil, err
	}
	s := *t.Session
	s.Add(t.Chairs, t.Chips.Seats, t.Result != nil)
	t.Session = &s
	if t.Result == nil || t.Why != "" || t.Lesson {
		return nil, nil
	}
	return tx.follow()
}

// follow makes the table of the session's next deal, in the same transaction that ends this one; nil if the session is
// over.
func (tx bank) follow() (*table.Table, error) {
	t := tx.table
	people := slices.Concat(t.Chairs, t.Waiting)
	setup, more, err := tx.till().NextSetup(people)
	if err != nil || !more {
		return nil, err
	}
	var chairs []table.Chair
	for _, seat := range setup.Order {
		c := people[seat]
		chairs = append(chairs, table.Chair{User: c.User, Name: c.Name, Lang: c.Lang, Missed: c.Missed, Temper: c.Temper, Nick: c.Nick})
	}
	person := func(c table.Chair) bool { return c.User != 0 }
	if t.Session.IsOver(chairs) || !slices.ContainsFunc(chairs, person) {
		return nil, nil
	}
	next := t.Following(chairs, tx.tables.Seed(), tx.now, tx.tables.Now().Unix())
	then := &transaction{tables: tx.tables, Tx: tx.Tx, req: tx.req, table: next, rules: tx.rules, stored: storage.Item{Key: table.KeyOpen(next.ID)}, now: tx.now}
	then.family = tx.tables.families[t.Game](then)
	err = bank{free{then}}.till().Lay()
	if err == nil {
		_, err = then.save(redrawn())
	}
	if err != nil {
		return nil, err
	}
	t.Next = next.ID.Name
	return next, table.ListInPlace(tx.Tx, next)
}
