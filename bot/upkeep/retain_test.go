package upkeep

import (
	"testing"
	"time"

	"zevaka/bot/table"
)

// TestNextSweep: the store is looked through when something may leave, but not more than once a day.
func TestNextSweep(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Unix(1_800_000_000, 0)
	b := &Keeper{Options: Options{House: table.House{Keep: 30 * day, Now: func() time.Time { return now }}, MaxEnded: 500}}
	ago := func(d time.Duration) int64 { return now.Add(-d).Unix() }
	for _, test := range []struct {
		swept Swept
		want  time.Duration
	}{
		{Swept{}, 30 * day},
		{Swept{Oldest: ago(10 * day)}, 20 * day},
		{Swept{Oldest: ago(30 * day)}, day},
		{Swept{Most: 5}, 30 * day},
		{Swept{Most: 6}, day},
	} {
		if got := b.nextSweep(test.swept); got != test.want {
			t.Errorf("after %+v it is %v, want %v", test.swept, got, test.want)
		}
	}
}
