package webapp

import (
	"container/heap"
	"sync"
	"time"
)

// Once lets each login in one time. It is safe for use by many goroutines.
type Once struct {
	most int

	mu sync.Mutex
	// from is since when all logins are remembered. Older ones aren't let in.
	from time.Time
	used map[Sign]struct{}
	old  oldest
}

// NewOnce remembers at most most logins. Of logins before now it doesn't know whether they were let in, so it refuses those from before
// the second of now.
func NewOnce(most int, now time.Time) *Once {
	return &Once{most: most, from: now.Truncate(time.Second), used: map[Sign]struct{}{}}
}

// Use lets in a login that Read has read. It reports false if the login was let in before, or may have been.
func (o *Once) Use(l Login, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin(now.Add(-OldAfter))
	if _, known := o.used[l.Sign]; known || l.At.Before(o.from) {
		return false
	}
	if len(o.old) >= o.most {
		o.begin(o.old[0].at.Add(time.Second))
	}
	if l.At.Before(o.from) {
		return false
	}
	o.used[l.Sign] = struct{}{}
	heap.Push(&o.old, use{l.At, l.Sign})
	return true
}

// begin forgets the logins from before a time, and lets none of them in any more. The caller holds mu.
func (o *Once) begin(from time.Time) {
	if from.After(o.from) {
		o.from = from
	}
	for len(o.old) > 0 && o.old[0].at.Before(o.from) {
		delete(o.used, heap.Pop(&o.old).(use).sign)
	}
}

// use is a login that was let in.
type use struct {
	at   time.Time
	sign Sign
}

// oldest are logins in a heap, the oldest first.
type oldest []use

func (h oldest) Len() int           { return len(h) }
func (h oldest) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h oldest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push adds a login.
func (h *oldest) Push(x any) { *h = append(*h, x.(use)) }

// Pop takes the last one.
func (h *oldest) Pop() any {
	last := len(*h) - 1
	u := (*h)[last]
	*h = (*h)[:last]
	return u
}
