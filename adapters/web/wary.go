package web

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/pace"
)

const (
	// maxStrangers is how many a second from one household may be turned away at a door before the household is one to be wary of.
	maxStrangers = 10
	// waryTime is for how long that is.
	waryTime = 2 * time.Second
	// maxWary is how many households that is known of.
	maxWary = 4096
)

// wary has a door open slowly to households that many come from whom it turns away. Who is let in costs their household nothing:
// behind a platform's proxy all are one.
type wary struct {
	rest  time.Duration
	turns *pace.Pace[netip.Prefix]

	mu    sync.Mutex
	until map[netip.Prefix]time.Time
}

// newWary is one by which a wait lasts rest.
func newWary(rest time.Duration) *wary {
	return &wary{rest: rest, turns: pace.NewPace[netip.Prefix](maxStrangers), until: map[netip.Prefix]time.Time{}}
}

// turned notes that somebody was turned away.
func (w *wary) turned(from netip.Prefix) {
	now := time.Now()
	if w.turns.Allow(from, now) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.until) >= maxWary {
		clear(w.until)
	}
	w.until[from] = now.Add(waryTime)
}

// wait has whoever comes from there wait, if it is a household to be wary of.
func (w *wary) wait(ctx context.Context, from netip.Prefix) {
	w.mu.Lock()
	until := w.until[from]
	w.mu.Unlock()
	if time.Now().Before(until) {
		outbox.Sleep(ctx, w.rest)
	}
}
