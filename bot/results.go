package bot

import (
	"fmt"
	"slices"

	"zevaka/bot/scores"
	"zevaka/engine"
)

// finished is one person's part in what ended at a table. N is where the table keeps the number of the finish among the
// person's, 0 as long as it isn't recorded.
type finished struct {
	user int64
	name string
	n    *int
	scores.Finish
}

// entry is the finish as a Rebuilder wants it, of the table where it was.
func (f finished) entry(t *table) scores.Entry {
	k := scores.Key{Community: t.ledger(), Game: t.Game, User: f.user}
	return scores.Entry{Key: k, Name: f.name, N: *f.n, Finish: f.Finish}
}

// finishes are what ended at the table for whom: a session where it is over, a deal that was played to its end. A deal
// of several against computers alone is nobody's feat.
func (t *table) finishes(seats int) []finished {
	var all []finished
	began := t.Dealt
	switch {
	case t.Session != nil:
		began = t.Session.Began
		if t.Next == "" && slices.ContainsFunc(t.Session.People, func(p player) bool { return p.Held > 0 }) {
			t.Session.People = slices.Clone(t.Session.People)
			for i := range t.Session.People {
				p := &t.Session.People[i]
				f := scores.Finish{Won: p.Net > 0, Chips: p.Net, Bank: p.Best}
				all = append(all, finished{p.User, p.Name, &p.N, f})
			}
		}
	case t.Result != nil:
		t.Chairs = slices.Clone(t.Chairs)
		for i := range t.Chairs {
			c := &t.Chairs[i]
			if c.User == 0 {
				continue
			}
			f := scores.FinishOf(*t.Result, engine.Seat(i))
			all = append(all, finished{c.User, c.Name, &c.N, f})
		}
		if len(all) < min(seats, 2) {
			return nil
		}
		all[0].Moves, all[0].Undos, all[0].Hints = int64(t.Line), int64(t.Undos), int64(t.Hints)
	}
	for i := range all {
		all[i].Seconds = t.Ended - began
	}
	return all
}

// record adds what ended at the table to the scores.
func (v *visit) record() error {
	t := v.table
	for _, f := range t.finishes(v.rules.Info().MaxSeats) {
		key := scores.Key{Community: t.ledger(), Game: t.Game, User: f.user}
		n, err := scores.Record(v.tx, key, f.name, f.Finish)
		if err != nil {
			return fmt.Errorf("record the result of table %s: %w", t.id, err)
		}
		*f.n = n
	}
	return nil
}
