package day

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// stored is what lies under the key of a deal in a community: how it went there, and how much of that the tally of all communities
// has already.
type stored struct {
	Tally
	Summed Tally `json:"summed"`
}

const everywhere = keyspace.Everywhere

// keyTally is where it lies how the deal of a game and day went in a community, by its origin, or everywhere.
func keyTally(origin string, day int, game string) string {
	return fmt.Sprintf("%s%s/%06d/%s", keyspace.DayTallies, origin, day, game)
}

// parseTally is the day and the game of a key of keyTally; false if it is another key.
func parseTally(key, origin string) (day int, game string, ok bool) {
	number, game, _ := strings.Cut(strings.TrimPrefix(key, keyspace.DayTallies+origin+"/"), "/")
	day, err := strconv.Atoi(number)
	return day, game, err == nil && key == keyTally(origin, day, game)
}

func keyPerson(origin string, user int64) string {
	return keyspace.DayPeople + origin + "/" + strconv.FormatInt(user, 36)
}

func keyUnsummed(origin string) string { return keyspace.DayUnsummed + origin }

// PersonOf is what is kept of somebody in a community, by its origin; the zero Person if nothing is.
func PersonOf(from storage.Getter, origin string, user int64) (Person, error) {
	p, err := storage.GetJSON[Person](from, keyPerson(origin, user))
	if err != nil {
		return p, fmt.Errorf("read the patiences of a day of a person: %w", err)
	}
	return p, nil
}

// Forget takes away what is kept of somebody in a community. What all have done together there stays: it knows nobody.
func Forget(tx storage.Tx, origin string, user int64) { tx.Delete(keyPerson(origin, user)) }

// Tallies are how the deal of a game and day went in a community, and everywhere.
func Tallies(from storage.Getter, origin string, day int, game string) (here, all Tally, err error) {
	own, err := storage.GetJSON[stored](from, keyTally(origin, day, game))
	if err == nil {
		all, err = storage.GetJSON[Tally](from, keyTally(everywhere, day, game))
	}
	if err != nil {
		return here, all, fmt.Errorf("read how the patience of a day went: %w", err)
	}
	return own.Tally, all.Plus(own.minus(own.Summed)), nil
}

// ResultOf is how a table's patience of a day has ended for its player.
func ResultOf(t *table.Table) Result {
	solved := t.Result != nil && t.Result.Patience != nil && t.Result.Patience.Solved
	from := t.ReportTo
	if from == nil && !t.Place.Private {
		from = &t.Place
	}
	return Result{
		Day: t.Day, Game: t.Game, Solved: solved, Moves: t.Line, Undos: t.Undos, Hints: t.Hints, Seconds: max(t.Ended-t.Dealt, 0), From: from,
	}
}

// Count counts what has ended at a table of a day in the community where it stands, and reports whether it counts: the first that a
// person ends of a game and day does, solved or given up. It reads and writes three keys, all of that community.
func (d *Days) Count(tx storage.Tx, t *table.Table) (counts bool, err error) {
	if t.Day == 0 || t.Result == nil || len(t.Chairs) == 0 || t.Chairs[0].User == 0 {
		return false, nil
	}
	return d.count(tx, t.Origin(), t, ResultOf(t), false)
}

// count counts a table's result. One that another community sums up counts here for the others to see alone.
func (d *Days) count(tx storage.Tx, origin string, t *table.Table, r Result, summed bool) (counts bool, err error) {
	user := t.Chairs[0].User
	p, err := PersonOf(tx, origin, user)
	if err != nil || !p.add(r, d.Today()) {
		return false, err
	}
	if !d.isFirst(origin, user, r, t.ID.Name) {
		return true, storage.PutJSON(tx, keyPerson(origin, user), p)
	}
	key := keyTally(origin, r.Day, r.Game)
	all, err := storage.GetJSON[stored](tx, key)
	if err != nil {
		return false, fmt.Errorf("read how the patience of a day went: %w", err)
	}
	all.Tally = all.add(r)
	if summed {
		all.Summed = all.Summed.add(r)
	} else {
		tx.Put(keyUnsummed(origin), nil)
	}
	if err := storage.PutJSON(tx, key, all); err != nil {
		return false, err
	}
	return true, storage.PutJSON(tx, keyPerson(origin, user), p)
}

// CountAt counts for the others in the place where it was asked for what has ended at a table elsewhere.
func (d *Days) CountAt(tx storage.Tx, in chat.Place, t *table.Table) error {
	origin, err := table.Origin(tx, in.Community)
	if err != nil {
		return err
	}
	r := ResultOf(t)
	r.From = nil
	_, err = d.count(tx, origin, t, r, true)
	return err
}

// Share notes that somebody tells the others of a result, by the request with that hash, and returns it; nil if there is none. It
// reports whether they may: once, but the same request as often as it is delivered.
func Share(tx storage.Tx, origin string, user int64, day int, game string, request uint64) (p Person, r *Result, may bool, err error) {
	p, err = PersonOf(tx, origin, user)
	if r = p.Of(day, game); err != nil || r == nil {
		return p, nil, false, err
	}
	if r.Shared != 0 {
		return p, r, r.Shared == request, nil
	}
	p.Results = slices.Clone(p.Results)
	r = p.Of(day, game)
	r.Shared = request
	return p, r, true, storage.PutJSON(tx, keyPerson(origin, user), p)
}
