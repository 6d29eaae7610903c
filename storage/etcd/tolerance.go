package etcd

import (
	"sync"
	"time"
)

const (
	// shortWait is how long the answer to a commit is waited for where answers come soon, and longWait at most, as parts
	// of the time that a call may take.
	shortWait, longWait = 0.25, 0.6
	// silence is how long it may take the members to elect a leader. Where no commit is answered for longer, they are slow.
	silence = 3 * time.Second
)

// tolerance is how long the answer to a commit is waited for before its outcome counts as unknown, so that it is sent again. What is
// said to a leader that is gone is never answered, and the next one answers at once, so that who waits for long waits in
// vain. Members that are slow, though, only become slower by hearing everything twice. The zero tolerance is ready to use.
type tolerance struct {
	mu sync.Mutex
	// took is how long the newest answer was on its way, silent when the first one failed to come after that.
	took   time.Duration
	silent time.Time
}

// answered notes that an answer came, after so long.
func (p *tolerance) answered(after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took, p.silent = after, time.Time{}
}

// lost notes that an answer didn't come.
func (p *tolerance) lost(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silent.IsZero() {
		p.silent = now
	}
}

// now is how long to wait now, where a call may take so long.
func (p *tolerance) now(now time.Time, callTime time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	short, long := time.Duration(float64(callTime)*shortWait), time.Duration(float64(callTime)*longWait)
	if !p.silent.IsZero() && now.Sub(p.silent) > silence {
		return long
	}
	return min(max(short, 2*p.took), long)
}
