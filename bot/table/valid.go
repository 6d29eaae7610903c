package table

import (
	"fmt"

	"zevaka/engine"
)

// valid is ErrUnreadable for a stored table whose parts don't fit each other. Such a table is set aside rather than played
// on.
func (t *Table) valid() error {
	seats := len(t.Chairs)
	wrong := ""
	switch c := t.Chips; {
	case t.Phase < Lobby || t.Phase > Ended:
		wrong = "its phase"
	case t.Phase == Cutting && (t.Cutter < 0 || t.Cutter >= seats):
		wrong = "who cuts"
	case t.Phase == Playing && seats == 0:
		wrong = "its seats"
	case min(t.Moves, t.Chunks, t.Line, t.Undone, t.Undos, t.Hints, t.Page, t.Limit, t.Rounds) < 0:
		wrong = "a number"
	case c != nil && (len(c.Seats) != seats || len(c.Stakes) != seats || t.Session == nil):
		wrong = "its chips"
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("table %s: %w: %s", t.ID, ErrUnreadable, wrong)
}

// Fits is ErrUnreadable for a stored table that can't be one of a game with these rules.
func (t *Table) Fits(info engine.Info) error {
	seats := len(t.Chairs)
	switch {
	case (t.Phase == Cutting || t.Phase == Playing) && (seats < info.MinSeats || seats > info.MaxSeats):
	case info.Banker && (t.Phase == Cutting || t.Phase == Playing) && t.Chips == nil:
	default:
		return nil
	}
	return fmt.Errorf("table %s: %w: no game of %s is like that", t.ID, ErrUnreadable, info.Name)
}
