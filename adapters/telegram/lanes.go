package telegram

import "sync"

// lanes run jobs: those of one lane one after the other in order, those of different lanes beside each other.
type lanes struct {
	room   chan struct{} // as many places as lanes may be at work
	mu     sync.Mutex
	queues map[int64][]func()
}

// put adds a job to a lane. Spawn runs a lane's jobs; if it refuses, the job is dropped, and put reports false.
func (l *lanes) put(lane int64, spawn func(func()) bool, job func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, busy := l.queues[lane]
	if !busy && !spawn(func() { l.drain(lane) }) {
		return false
	}
	l.queues[lane] = append(queue, job)
	return true
}

func (l *lanes) drain(lane int64) {
	l.room <- struct{}{}
	defer func() { <-l.room }()
	for {
		l.mu.Lock()
		queue := l.queues[lane]
		if len(queue) == 0 {
			delete(l.queues, lane)
			l.mu.Unlock()
			return
		}
		job := queue[0]
		l.queues[lane] = queue[1:]
		l.mu.Unlock()
		job()
	}
}
