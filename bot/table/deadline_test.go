package table

import (
	"testing"
	"time"
)

// TestShift: what waits goes on waiting as long where another running time counts, and what is never stays so.
func TestShift(t *testing.T) {
	for _, c := range []struct {
		by         time.Duration
		ends, want Running
	}{{time.Second, 5000, 6000}, {-time.Second, 5000, 4000}, {-time.Hour, 5000, 1}, {time.Hour, 0, 0}} {
		table := &Table{Deadlines: Deadlines{Ends: c.ends, Warn: c.ends, Chance: c.ends}, Banked: Banked{Window: c.ends}}
		Shift(table, c.by)
		want := Deadlines{Ends: c.want, Warn: c.want, Chance: c.want}
		if table.Deadlines != want || table.Window != c.want {
			t.Errorf("%v from %d: %+v, %d", c.by, c.ends, table.Deadlines, table.Window)
		}
	}
}
