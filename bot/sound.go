package bot

import (
	"fmt"

	"zevaka/engine"
)

// sound refuses a stored table in which one thing doesn't fit another: it is set aside rather than played on.
func (t *table) sound() error {
	seats := len(t.Chairs)
	wrong := ""
	switch c := t.Chips; {
	case t.Phase < lobby || t.Phase > ended:
		wrong = "its phase"
	case t.Phase == cutting && (t.Cutter < 0 || t.Cutter >= seats):
		wrong = "who cuts"
	case t.Phase == playing && seats == 0:
		wrong = "its seats"
	case min(t.Moves, t.Chunks, t.Line, t.Undone, t.Undos, t.Hints, t.Page, t.Limit, t.Rounds) < 0:
		wrong = "a number"
	case c != nil && (len(c.Seats) != seats || len(c.Stakes) != seats || t.Session == nil):
		wrong = "its chips"
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("table %s: %w: %s", t.id, errUnreadable, wrong)
}

// fits refuses a stored table that no game by these rules comes to.
func (t *table) fits(info engine.Info) error {
	seats := len(t.Chairs)
	switch {
	case t.Phase == playing && (seats < info.MinSeats || seats > info.MaxSeats):
	case info.Banker && (t.Phase == cutting || t.Phase == playing) && t.Chips == nil:
	default:
		return nil
	}
	return fmt.Errorf("table %s: %w: no game of %s is like that", t.id, errUnreadable, info.Name)
}
