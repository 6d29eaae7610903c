package pace

import (
	"sync"
	"time"
)

// Pace says of each of many whether they do something too often. What it remembers is bounded: those that were quiet for
// longest are forgotten. It is safe for use by many goroutines.
type Pace[K comparable] struct {
	mu   sync.Mutex
	each buckets[K]
}

// NewPace allows everybody so much a second, and four seconds' worth at once after a pause; 0 is as much as they like.
func NewPace[K comparable](rate float64) *Pace[K] {
	return &Pace[K]{each: buckets[K]{rate: rate, max: maxBuckets}}
}

// Allow counts that somebody does it once more; false if that is too often.
func (p *Pace[K]) Allow(key K, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.each.allow(key, now)
}
