package outbox

import "sync"

// Lanes do jobs. Those of one lane are done in order, one after the other; different lanes work beside each other. They are safe for
// use by many goroutines.
type Lanes[K comparable] struct {
	most int
	room chan struct{}

	mu      sync.Mutex
	queues  map[K][]func()
	waiting int
}

// NewLanes are lanes. In all of them together at most most jobs may wait, and at most busy lanes work at a time; 0 is no bound.
func NewLanes[K comparable](most, busy int) *Lanes[K] {
	l := &Lanes[K]{most: most, queues: map[K][]func(){}}
	if busy > 0 {
		l.room = make(chan struct{}, busy)
	}
	return l
}

// Put has a job done after the earlier ones of its lane. Begin runs a lane beside its caller, and reports whether it does. Put reports
// false if too many jobs wait or nothing is begun any more. It never waits. A job must recover its panics.
func (l *Lanes[K]) Put(lane K, begin func(func()) bool, job func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most > 0 && l.waiting >= l.most {
		return false
	}
	queue, busy := l.queues[lane]
	if !busy && !begin(func() { l.drive(lane) }) {
		return false
	}
	l.queues[lane] = append(queue, job)
	l.waiting++
	return true
}

// In is how many jobs wait in one lane.
func (l *Lanes[K]) In(lane K) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queues[lane])
}

// Waiting is how many jobs wait in all lanes.
func (l *Lanes[K]) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

// drive does what waits in a lane until nothing does. It makes room for other lanes after each job, so that one in which something always
// waits keeps no other from its turn.
func (l *Lanes[K]) drive(lane K) {
	for l.step(lane) {
	}
}

// step does the next job of a lane; false if there is none.
func (l *Lanes[K]) step(lane K) bool {
	if l.room != nil {
		l.room <- struct{}{}
		defer func() { <-l.room }()
	}
	job := l.next(lane)
	if job != nil {
		job()
	}
	return job != nil
}

func (l *Lanes[K]) next(lane K) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.queues[lane]
	if len(queue) == 0 {
		delete(l.queues, lane)
		return nil
	}
	l.waiting--
	l.queues[lane] = queue[1:]
	return queue[0]
}
