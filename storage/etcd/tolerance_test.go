package etcd

import (
	"testing"
	"time"
)

// TestTolerance waits longer for members that are slow, and not for a leader that is gone.
func TestTolerance(t *testing.T) {
	const ms = time.Millisecond
	begun := time.Now()
	var p tolerance
	for i, step := range []struct {
		after    time.Duration // since the beginning
		answered time.Duration // 0: an answer is lost
		want     time.Duration
	}{
		{0, 5 * ms, 250 * ms},
		{100 * ms, 200 * ms, 400 * ms},
		{200 * ms, 400 * ms, 600 * ms},
		{300 * ms, 5 * ms, 250 * ms},
		{400 * ms, 0, 250 * ms},
		{3300 * ms, 0, 250 * ms},
		{3500 * ms, 0, 600 * ms},
		{9000 * ms, 0, 600 * ms},
		{9100 * ms, 500 * ms, 600 * ms},
		{9200 * ms, 10 * ms, 250 * ms},
	} {
		now := begun.Add(step.after)
		if step.answered > 0 {
			p.answered(step.answered)
		} else {
			p.lost(now)
		}
		if got := p.now(now, time.Second); got != step.want {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}
