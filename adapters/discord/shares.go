package discord

import (
	"sync"
	"time"

	"zevaka/adapters/outbox"
)

// shares are how often each of many may try something in vain: so often at once, and as often again in a minute. Whose try comes off has
// it back.
type shares struct {
	mu    sync.Mutex
	spent *outbox.Memory[string, spent]
}

// spent is how much of a share was used up at a time.
type spent struct {
	tries float64
	at    time.Time
}

// quota is a share: whose it is, and how large.
type quota struct {
	of   string
	most float64
}

// maxShares is of how many it is remembered what they have used up.
const maxShares = 8192

func newShares() *shares { return &shares{spent: outbox.NewMemory[string, spent](maxShares)} }

// used is how much of a quota is used up now. The caller holds mu.
func (s *shares) used(p quota, now time.Time) float64 {
	before, _ := s.spent.Get(p.of)
	return max(0, before.tries-p.most*now.Sub(before.at).Minutes())
}

// take takes one try from each of the quotas; from none, and false, if one is used up.
func (s *shares) take(now time.Time, all ...quota) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range all {
		if s.used(p, now)+1 > p.most {
			return false
		}
	}
	for _, p := range all {
		s.spent.Set(p.of, spent{s.used(p, now) + 1, now})
	}
	return true
}

// give gives a try back to each of the quotas.
func (s *shares) give(now time.Time, all ...quota) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range all {
		s.spent.Set(p.of, spent{max(0, s.used(p, now)-1), now})
	}
}
