package outbox

import (
	"context"
	"time"

	"zevaka/bot/pace"
)

// Sleep waits; false if ctx ended before.
func Sleep(ctx context.Context, d time.Duration) bool { return pace.Sleep(ctx, d) == nil }

// SleepOrQuit waits; false if ctx ended, or quit was closed, before.
func SleepOrQuit(ctx context.Context, quit <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-quit:
	}
	return false
}

// SleepUntil waits for a time. Where ctx would have ended by then, it fails at once.
func SleepUntil(ctx context.Context, t time.Time) error {
	if end, ok := ctx.Deadline(); ok && !end.After(t) {
		return context.DeadlineExceeded
	}
	if !Sleep(ctx, time.Until(t)) {
		return ctx.Err()
	}
	return nil
}
