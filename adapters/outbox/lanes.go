package outbox

import "sync"

// Lanes do jobs: those of one lane one after the other, in order, those of different lanes beside each other. They are
// safe for use by many goroutines.
type Lanes[K comparable] struct {
	most int
	room chan struct{}

	mu      sync.Mutex
	queues  map[K][]func()
	waiting int
}

// NewLanes are lanes in which together at most most jobs wait, and of which at most busy are at work at a time; 0 is no
// bound.
func NewLanes[K comparable](most, busy int) *Lanes[K] {
	l := &Lanes[K]{most: most, queues: map[K][]func(){}}
	if busy > 0 {
		l.room = make(chan struct{}, busy)
	}
	return l
}

// Put has a job done after what was put into the lane before. Begin runs a lane beside its caller, and says whether it
// does. False: too much waits already, or nothing is begun any more. It never waits. A panic in a job must not leave it.
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

// Waiting is how many jobs wait in all lanes.
func (l *Lanes[K]) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

// drive does what waits in a lane until nothing does.
func (l *Lanes[K]) drive(lane K) {
	if l.room != nil {
		l.room <- struct{}{}
		defer func() { <-l.room }()
	}
	for job := l.next(lane); job != nil; job = l.next(lane) {
		job()
	}
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
