package outbox

import (
	"sync"
	"time"
)

// Shares are how often each of many may try something in vain: so often at once, and as often again in a minute. Whose try comes off has
// it back. They are safe for use by many goroutines.
type Shares struct {
	mu    sync.Mutex
	spent *Memory[string, spent]
}

// spent is how much of a share was used up at a time.
type spent struct {
	tries float64
	at    time.Time
}

// Quota is a share: whose it is, and how large.
type Quota struct {
	Of   string
	Most float64
}

// maxShares is of how many it is remembered what they have used up.
const maxShares = 8192

// NewShares are shares of which nothing is used up.
func NewShares() *Shares { return &Shares{spent: NewMemory[string, spent](maxShares)} }

// used is how much of a quota is used up now. The caller holds mu.
func (s *Shares) used(p Quota, now time.Time) float64 {
	before, _ := s.spent.Get(p.Of)
	return max(0, before.tries-p.Most*now.Sub(before.at).Minutes())
}

// Take takes one try from each of the quotas; from none, and false, if one is used up.
func (s *Shares) Take(now time.Time, all ...Quota) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range all {
		if s.used(p, now)+1 > p.Most {
			return false
		}
	}
	for _, p := range all {
		s.spent.Set(p.Of, spent{s.used(p, now) + 1, now})
	}
	return true
}

// Give gives a try back to each of the quotas.
func (s *Shares) Give(now time.Time, all ...Quota) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range all {
		s.spent.Set(p.Of, spent{max(0, s.used(p, now)-1), now})
	}
}
