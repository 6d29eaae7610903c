package telegram

import "sync"

// maxSeen is how many requests are remembered.
const maxSeen = 8192

// seen remembers which requests came lately, so that one delivered twice is answered once. What it asked is done once
// whatever is remembered here: that is the bot's to know.
type seen struct {
	mu    sync.Mutex
	ids   map[string]struct{}
	order []string
	next  int
}

func (s *seen) init() { s.ids, s.order = map[string]struct{}{}, make([]string, maxSeen) }

// first reports whether the request didn't come before.
func (s *seen) first(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.ids[id]; again {
		return false
	}
	delete(s.ids, s.order[s.next])
	s.order[s.next] = id
	s.next = (s.next + 1) % maxSeen
	s.ids[id] = struct{}{}
	return true
}
