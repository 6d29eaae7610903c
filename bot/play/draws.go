package play

import (
	"slices"
	"time"

	"zevaka/bot/table"
)

// drawLife is how long a draw for the bank stands.
const drawLife = 24 * time.Hour

// keptDraws are the draws that stand in the table's community, the oldest first.
func (tl Till) keptDraws() ([]table.KeptDraw, error) {
	all, err := table.GetDraws(tl.Tx, tl.Table.Origin())
	old := tl.Now - int64(drawLife/time.Second)
	return slices.DeleteFunc(all, func(d table.KeptDraw) bool { return d.At < old }), err
}

// Drawn is the chair that the bank belongs to by a draw that stands; false if there is no such draw.
func (tl Till) Drawn() (chair int, ok bool, err error) {
	if tl.Table.Practice {
		return 0, false, nil
	}
	all, err := tl.keptDraws()
	users, people := tl.Table.Drawers()
	i := slices.IndexFunc(all, func(d table.KeptDraw) bool { return d.People == people })
	if err != nil || i < 0 || all[i].First < 0 || all[i].First >= len(users) {
		return 0, false, err
	}
	seat, ok := tl.Table.SeatOf(users[all[i].First])
	return int(seat), ok, nil
}

// KeepDraw stores, when the first bank of a session ends, that its draw stands; or takes that back if the bank was played
// out.
func (tl Till) KeepDraw() error {
	t := tl.Table
	if t.Session.Deal != 1 || t.Practice {
		return nil
	}
	all, err := tl.keptDraws()
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
	return table.PutDraws(tl.Tx, t.Origin(), kept)
}
