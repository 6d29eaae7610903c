package table

import (
	"slices"

	"zevaka/bot/scores"
	"zevaka/engine"
)

// Finished is one person's part in what ended at a table. N points to where the table keeps which of the person's finishes
// this is; that is 0 as long as it isn't recorded. Before points to where it keeps what the person's rating was before a
// deal with places, zero as long as that isn't rated; elsewhere it is nil.
type Finished struct {
	User   int64
	Name   string
	N      *int
	Before *scores.KeptRating
	scores.Finish
	// spared says that they were removed and it doesn't count for them: who has lost has lost to them.
	spared bool
}

// Entry is the finish as scores are rebuilt from it, at the table given.
func (f Finished) Entry(t *Table) scores.Entry {
	k := scores.Key{Community: t.Origin(), Game: t.Game, User: f.User}
	return scores.Entry{Key: k, Name: f.Name, N: *f.N, Finish: f.Finish}
}

// Finishes are what has ended at the table, person by person: a session if it is over, or a deal that was played to its
// end. At a practice table, in a lesson and with cards that were known nothing ends that counts. A deal with one person among computers counts for nobody. Somebody for whom
// the computer moved, or who left, has played, and may have come last, but can't have won or taken another place. Seats is how many
// the game has at most.
func (t *Table) Finishes(seats int) []Finished {
	var all []Finished
	began := t.Dealt
	switch {
	case t.Practice, t.Lesson, t.Known:
	case t.Session != nil:
		began = t.Session.Began
		all = ofSession(t)
	case t.Result != nil:
		if all = ofDeal(t); len(all) < min(seats, 2) {
			return nil
		}
		rate(all)
		all[0].Moves, all[0].Undos, all[0].Hints = int64(t.Line), int64(t.Undos), int64(t.Hints)
		all[0].Level, all[0].Looked = t.Grade, t.Once || t.Ended < t.Dealt // Of a clock that was put back nobody knows how long it took.
	}
	for i := range all {
		all[i].Seconds, all[i].At = max(0, t.Ended-began), t.Ended
	}
	return all
}

// ofSession are what a session has come to that is over.
func ofSession(t *Table) (all []Finished) {
	if t.Next != "" || !slices.ContainsFunc(t.Session.People, func(p Player) bool { return p.Held > 0 }) {
		return nil
	}
	t.Session.People = slices.Clone(t.Session.People)
	for i := range t.Session.People {
		p := &t.Session.People[i]
		f := scores.Finish{Won: p.Net > 0, Chips: p.Net, Bank: p.Best, Feats: p.Feats}
		all = append(all, Finished{User: p.User, Name: p.Name, N: &p.N, Finish: f})
	}
	return all
}

// ofDeal are what a deal has come to for the people in it.
func ofDeal(t *Table) (all []Finished) {
	t.Chairs = slices.Clone(t.Chairs)
	for i := range t.Chairs {
		c := &t.Chairs[i]
		if c.User == 0 {
			continue
		}
		one := Finished{User: c.User, Name: c.Name, N: &c.N, Finish: scores.FinishOf(*t.Result, engine.Seat(i))}
		if one.Place > 0 {
			one.Before = &c.Was
		}
		if c.Quit() {
			one.Won, one.Place = false, 0
		}
		one.spared = c.spared()
		if one.Won {
			one.Feats = c.Feats
		}
		all = append(all, one)
	}
	return all
}

// rate works out the ratings after a deal with places from those before, for the people who have one.
// Computers are left out of the order, and who has none, too; who quit comes last.
func rate(all []Finished) {
	var rated []*Finished
	var before []scores.KeptRating
	var places []int
	const last = 1 << 10 // More than sit at any table.
	for i := range all {
		f := &all[i]
		if f.Before == nil || !f.Before.IsRated() {
			continue
		}
		place := f.Place
		switch {
		case f.spared:
			place = last - 1
		case place == 0:
			place = last
		}
		rated, before, places = append(rated, f), append(before, *f.Before), append(places, place)
	}
	for i, k := range scores.PlayedOn(before, places) {
		rated[i].Was, rated[i].Rating = before[i], k
	}
}

// Counting are the finishes that the scores count. Whoever was removed from a table of several has none, unless they had Lost; and if fewer than
// two people are left then, nobody else has. A finish that isn't counted keeps the number 0, so a table says for ever which were.
func (t *Table) Counting(seats int) []Finished {
	all := t.Finishes(seats)
	if t.Session != nil {
		return all
	}
	all = slices.DeleteFunc(all, func(f Finished) bool { return f.spared })
	if len(all) < min(seats, 2) {
		return slices.DeleteFunc(all, func(f Finished) bool {
			seat, _ := t.SeatOf(f.User)
			return !t.Chairs[seat].Lost
		})
	}
	return all
}

// crowd is how many people make one.
const crowd = 5

// Note notes what people have done in a deal that has ended in this position. So scores needn't replay the moves, which prove it.
func (t *Table) Note(state engine.State) {
	result, over := state.Result()
	if !over {
		return
	}
	people := 0
	for _, c := range t.Chairs {
		if c.User != 0 {
			people++
		}
	}
	told, _ := state.(engine.Chronicle)
	t.Chairs = slices.Clone(t.Chairs)
	for i, c := range t.Chairs {
		if c.User == 0 {
			continue
		}
		var names []string
		if told != nil {
			names = told.Feats(engine.Seat(i))
		}
		f := scores.FinishOf(result, engine.Seat(i))
		if f.Solved && t.Undos == 0 && t.Hints == 0 {
			names = append(names, scores.Clean)
		}
		if f.Won && f.Place > 0 && people >= crowd {
			names = append(names, scores.Crowd)
		}
		t.Chairs[i].Feats = scores.FeatsOf(names...)
	}
}
