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

// Hearsay is what another process, which hears a platform's news, says of them. The zero Hearsay is that they come. It is safe for use by many
// goroutines.
type Hearsay struct {
	mu    sync.Mutex
	lasts time.Duration
	at    time.Time
}

// SayEvery is how often a process says that nothing comes. What it has said counts for twice as long: it may end meanwhile.
const SayEvery = 5 * time.Second

// Say notes for how long they haven't come.
func (h *Hearsay) Say(lasts time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lasts, h.at = lasts, time.Now()
}

// Deaf is for how long they haven't come, or had not until a moment ago; 0 if they do, as far as somebody has said.
func (h *Hearsay) Deaf() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	since := time.Since(h.at)
	if h.lasts == 0 || since >= 2*SayEvery {
		return 0
	}
	return h.lasts + since
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

// TakeOver notes for how long they haven't come to the process that has had them until now; 0 if they have.
func (h *Hearing) TakeOver(lasts time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if lasts > 0 {
		h.since, h.back = time.Now().Add(-lasts), time.Time{}
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
