package bot

import (
	"context"
	"testing"
	"time"

	"zevaka/bot/chat"
)

// TestClockSteps: whichever way the time of day is set while somebody has to move, they have the time they were given.
func TestClockSteps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, step := range map[string]time.Duration{"forward": year, "back": -year} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			h.sit(1, "100 limit=60s", 1, 2)
			rung := func(after time.Duration) int {
				h.running += after
				for h.bot.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
				}
				return h.table(1).Moves
			}
			h.wall += step
			if n := rung(50 * time.Second); n != 0 {
				t.Errorf("%d moves were made for somebody who had ten seconds left", n)
			}
			h.wall -= 2 * step
			h.restart()
			if n := rung(5 * time.Second); n != 0 {
				t.Errorf("%d moves were made after a start", n)
			}
			if n := rung(20 * time.Second); n == 0 {
				t.Error("a turn has no end")
			}
		})
	}
}
