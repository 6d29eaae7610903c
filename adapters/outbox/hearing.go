package outbox

import (
	"sync"
	"time"
)

const (
	// leastDeaf is how long nothing has to come for it to matter, and getsOver for how long it matters after its end: people have to see that they
	// are heard again, and press once more.
	leastDeaf, getsOver = 5 * time.Second, 15 * time.Second
)

// Hearing is whether a platform's news come: what people press. The zero Hearing hears. It is safe for use by many goroutines.
type Hearing struct {
	mu sync.Mutex
	// since is when they came no more, back when they did again; zero for never.
	since, back time.Time
}

// Set notes whether they come from now on.
func (h *Hearing) Set(hears bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	deaf := !h.since.IsZero() && h.back.IsZero()
	switch now := time.Now(); {
	case hears && deaf:
		h.back = now
	case !hears && !deaf:
		if now.Sub(h.back) > getsOver || h.back.Sub(h.since) < leastDeaf {
			h.since = now
		}
		h.back = time.Time{}
	}
}

// Deaf is for how long they haven't come, or had not until a moment ago; 0 if they do.
func (h *Hearing) Deaf() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() {
		return 0
	}
	now, until := time.Now(), h.back
	if until.IsZero() {
		until = now
	}
	if lasts := until.Sub(h.since); lasts >= leastDeaf && now.Sub(until) < getsOver {
		return lasts
	}
	return 0
}
