package play

import (
	"slices"
	"time"

	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/engine"
)

// slip is how long the same move again by the same person is a slip of the thumb.
const slip = 1500 * time.Millisecond

// doubleTap is how long a second press of the same button by the same person is the first one again.
const doubleTap = 500 * time.Millisecond

// tapOf is where the table keeps the user's last press. Where chips are at stake everybody at the table has their own: a
// thumb bounces all the same when somebody else presses in between.
func (tx *transaction) tapOf(user int64) *table.Tap {
	t := tx.table
	if seat, ok := t.SeatOf(user); ok && tx.atBank() {
		t.Chairs = slices.Clone(t.Chairs)
		return &t.Chairs[seat].Tap
	}
	return &t.Tap
}

// bounces reports whether now is this press again: the same button a moment later if that can't be meant, or where chips
// are at stake the same move, which a new button may offer under the same thumb. After a start the running time may be
// behind what the table has seen, by as much as it is saved apart.
func bounces(last table.Tap, now table.Tap, once bool) bool {
	since := last.At.Until(now.At)
	again := once && last.Token == now.Token && since >= 0 && since < doubleTap
	slipped := now.Do != 0 && last.Do == now.Do && since >= -clock.SaveEvery && since < slip
	return last.User == now.User && (again || slipped)
}

// clearTap forgets what the one who must move now did before, if it was somebody else who had to: what they do now they
// mean.
func (tx *transaction) clearTap(must engine.Seat, before int) {
	if before == int(must) {
		return
	}
	tx.table.Chairs = slices.Clone(tx.table.Chairs)
	tx.table.Chairs[must].Tap.Do = 0
}
