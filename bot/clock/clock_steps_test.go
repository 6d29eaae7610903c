package clock_test

import (
	"context"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
)

// TestClockSteps: whichever way the time of day is set while somebody has to move, they have the time they were given.
func TestClockSteps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, step := range map[string]time.Duration{"forward": year, "back": -year} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Sit(1, "100 limit=60s", 1, 2)
			rung := func(after time.Duration) int {
				h.Running += after
				for h.Bot.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
				}
				return h.Table(1).Moves
			}
			h.Wall += step
			if n := rung(50 * time.Second); n != 0 {
				t.Errorf("%d moves were made for somebody who had ten seconds left", n)
			}
			h.Wall -= 2 * step
			h.Restart()
			if n := rung(5 * time.Second); n != 0 {
				t.Errorf("%d moves were made after a start", n)
			}
			if n := rung(20 * time.Second); n == 0 {
				t.Error("a turn has no end")
			}
		})
	}
}
