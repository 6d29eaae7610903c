package discord

import "sync"

// maxWaiting bounds what waits in all lanes together.
const maxWaiting = 10_000

// lanes do things in order: those of one key one after the other, those of different keys beside each other. The
// gateway's reader only puts things in, so it never waits. What is put in must not panic.
type lanes struct {
	mu      sync.Mutex
	waiting map[string][]func()
	n       int
}

// put has something done after what was put under the key before; false if too much waits already, or nothing is begun
// any more.
func (l *lanes) put(begin func(func()) bool, key string, do func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n >= maxWaiting {
		return false
	}
	if l.waiting == nil {
		l.waiting = map[string][]func(){}
	}
	queue, busy := l.waiting[key]
	if !busy && !begin(func() { l.drive(key) }) {
		return false
	}
	l.waiting[key] = append(queue, do)
	l.n++
	return true
}

// drive does what waits under the key until nothing does.
func (l *lanes) drive(key string) {
	for do := l.next(key); do != nil; do = l.next(key) {
		do()
	}
}

func (l *lanes) next(key string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waiting[key]
	if len(queue) == 0 {
		delete(l.waiting, key)
		return nil
	}
	l.n--
	l.waiting[key] = queue[1:]
	return queue[0]
}
