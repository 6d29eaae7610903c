package outbox_test

import (
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/outbox"
)

// TestHearsay: what another process says counts for a moment.
func TestHearsay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h outbox.Hearsay
		for i, want := range []time.Duration{0, 64 * time.Second, 68 * time.Second, 0} {
			if deaf := h.Deaf(); deaf != want {
				t.Errorf("step %d: deaf for %v, not %v", i, deaf, want)
			}
			if i == 0 {
				h.Say(time.Minute)
			}
			time.Sleep(outbox.SayEvery - time.Second)
		}
	})
}

// TestHearing: what doesn't come for some seconds is missed, and a little longer; a gap that comes soon after another goes on with it.
func TestHearing(t *testing.T) {
	const s = time.Second
	type step struct {
		pause time.Duration
		hears bool
		deaf  time.Duration
	}
	for name, steps := range map[string][]step{
		"always":         {{0, true, 0}, {time.Hour, true, 0}},
		"a gap":          {{time.Hour, false, 0}, {2 * s, true, 0}, {s, true, 0}},
		"an outage":      {{time.Hour, false, 0}, {5 * s, false, 5 * s}, {time.Minute, false, 65 * s}, {s, true, 66 * s}, {14 * s, true, 66 * s}, {s, true, 0}},
		"two in a row":   {{time.Hour, false, 0}, {10 * s, true, 10 * s}, {10 * s, false, 20 * s}, {10 * s, true, 30 * s}},
		"two, apart":     {{time.Hour, false, 0}, {10 * s, true, 10 * s}, {20 * s, false, 0}, {6 * s, false, 6 * s}},
		"gaps in a row":  {{time.Hour, false, 0}, {s, true, 0}, {s, false, 0}, {4 * s, false, 0}, {s, false, 5 * s}},
		"told again":     {{time.Hour, false, 0}, {3 * s, false, 0}, {3 * s, false, 6 * s}, {s, true, 7 * s}, {10 * s, true, 7 * s}, {6 * s, true, 0}},
		"from the start": {{0, false, 0}, {10 * s, false, 10 * s}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var h outbox.Hearing
			for i, now := range steps {
				time.Sleep(now.pause)
				h.Set(now.hears)
				if deaf := h.Deaf(); deaf != now.deaf {
					t.Errorf("%s: after step %d deaf for %v, not %v", name, i, deaf, now.deaf)
				}
			}
		})
	}
}
