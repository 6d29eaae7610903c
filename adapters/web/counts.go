package web

import "sync"

// counts bound how many of something there may be at a time, in all and of each.
type counts struct {
	mu         sync.Mutex
	most, each int
	all        int
	of         map[int64]int
}

func newCounts(most, each int) *counts { return &counts{most: most, each: each, of: map[int64]int{}} }

// take takes one more, which give gives back; false if there is none left.
func (c *counts) take(who int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.most || c.of[who] >= c.each {
		return false
	}
	c.all++
	c.of[who]++
	return true
}

func (c *counts) give(who int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.of[who]--; c.of[who] == 0 {
		delete(c.of, who)
	}
}
