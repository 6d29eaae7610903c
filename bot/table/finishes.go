package table

import (
	"slices"

	"zevaka/bot/scores"
	"zevaka/engine"
)

// Finished is one person's part in what ended at a table. N points to where the table keeps which of the person's finishes
// this is; that is 0 as long as it isn't recorded.
type Finished struct {
	User int64
	Name string
	N    *int
	scores.Finish
}

// Entry is the finish as scores are rebuilt from it, at the table given.
func (f Finished) Entry(t *Table) scores.Entry {
	k := scores.Key{Community: t.Origin(), Game: t.Game, User: f.User}
	return scores.Entry{Key: k, Name: f.Name, N: *f.N, Finish: f.Finish}
}

// Finishes are what has ended at the table, person by person: a session if it is over, or a deal that was played to its
// end. A deal with one person among computers counts for nobody. Somebody for whom the computer moved has played, and may
// have come last, but can't have won or taken another place. Seats is how many the game has at most.
func (t *Table) Finishes(seats int) []Finished {
	var all []Finished
	began := t.Dealt
	switch {
	case t.Session != nil:
		began = t.Session.Began
		if t.Next == "" && slices.ContainsFunc(t.Session.People, func(p Player) bool { return p.Held > 0 }) {
			t.Session.People = slices.Clone(t.Session.People)
			for i := range t.Session.People {
				p := &t.Session.People[i]
				f := scores.Finish{Won: p.Net > 0, Chips: p.Net, Bank: p.Best}
				all = append(all, Finished{p.User, p.Name, &p.N, f})
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
			if c.Helped {
				f.Won, f.Place = false, 0
			}
			all = append(all, Finished{c.User, c.Name, &c.N, f})
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

// Counting are the finishes that the scores count. A numbered deal has none, since its player may have known its cards.
// Whoever was removed from a table of several has none; and if fewer than two people are left then, nobody has. A finish
// that isn't counted keeps the number 0, so a table says for ever which were.
func (t *Table) Counting(seats int) []Finished {
	if t.Numbered != nil {
		return nil
	}
	all := t.Finishes(seats)
	if t.Session != nil {
		return all
	}
	all = slices.DeleteFunc(all, func(f Finished) bool {
		seat, _ := t.SeatOf(f.User)
		return t.Chairs[seat].Removed
	})
	if len(all) < min(seats, 2) {
		return nil
	}
	return all
}
