package play

import (
	"slices"
	"time"

	"zevaka/bot/table"
)

// drawLife is how long a draw stands.
const drawLife = 24 * time.Hour

// keptDraws are the draws that stand in the table's community, the oldest first.
func (tx bank) keptDraws() ([]table.KeptDraw, error) {
	all, err := table.GetDraws(tx.Tx, tx.table.Origin())
	old := tx.tables.Now().Add(-drawLife).Unix()
	return slices.DeleteFunc(all, func(d table.KeptDraw) bool { return d.At < old }), err
}

// stands is the chair that the bank belongs to by a draw that stands; false if there is no such draw.
func (tx bank) stands() (chair int, ok bool, err error) {
	all, err := tx.keptDraws()
	users, people := tx.table.Drawers()
	i := slices.IndexFunc(all, func(d table.KeptDraw) bool { return d.People == people })
	if err != nil || i < 0 || all[i].First < 0 || all[i].First >= len(users) {
		return 0, false, err
	}
	seat, ok := tx.table.SeatOf(users[all[i].First])
	return int(seat), ok, nil
}

// keepDraw stores, when the first bank of a session ends, that its draw stands; or takes that back if the bank was played
// out.
func (tx bank) keepDraw() error {
	t := tx.table
	if t.Session.Deal != 1 {
		return nil
	}
	all, err := tx.keptDraws()
	if err != nil {
		return err
	}
	users, people := t.Drawers()
	kept := slices.DeleteFunc(slices.Clone(all), func(d table.KeptDraw) bool { return d.People == people })
	if !t.PlayedOut() {
		kept = append(kept, table.KeptDraw{People: people, First: slices.Index(users, t.Chairs[0].User), At: t.Ended})
	} else if len(kept) == len(all) {
		return nil
	}
	return table.PutDraws(tx.Tx, t.Origin(), kept)
}
