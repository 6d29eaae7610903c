package outbox

import (
	"sync"
	"time"
)

// Loop does one thing after the other in a goroutine. The goroutine begins when there is something to do, and ends when there is nothing
// more. As with a sync.Cond, a lock guards what Next looks at.
type Loop struct {
	// L is held while Next runs and while Kick is called, and not while something is done.
	L sync.Locker
	// Next is what to do now. If that is nil the loop waits before it calls Next again; if wait is negative it ends until the next
	// Kick.
	Next func(now time.Time) (do func(), wait time.Duration)
	// Begin runs the loop beside its caller, and reports false if nothing may be begun any more. Quit ends the loop when it is closed;
	// it may be nil.
	Begin func(func()) bool
	Quit  <-chan struct{}

	running bool
	wake    chan struct{}
}

// Kick has the loop call Next at once. The caller holds L.
func (l *Loop) Kick() {
	if !l.running {
		if l.wake == nil {
			l.wake = make(chan struct{}, 1)
		}
		l.running = l.Begin(l.run)
		return
	}
	select {
	case l.wake <- struct{}{}:
	default: // It will look anyway.
	}
}

// Running reports whether the loop has something to do. The caller holds L.
func (l *Loop) Running() bool { return l.running }

func (l *Loop) run() {
	for {
		l.L.Lock()
		do, wait := l.Next(time.Now())
		if do == nil && wait < 0 {
			l.running = false
			l.L.Unlock()
			return
		}
		l.L.Unlock()
		select {
		case <-l.Quit:
			l.end()
			return
		default:
		}
		if do != nil {
			l.do(do)
		} else {
			l.pause(wait)
		}
	}
}

// end notes that the loop ends.
func (l *Loop) end() {
	l.L.Lock()
	defer l.L.Unlock()
	l.running = false
}

// do does one thing. After a panic in it the next Kick begins a new loop.
func (l *Loop) do(one func()) {
	done := false
	defer func() {
		if !done {
			l.end()
		}
	}()
	one()
	done = true
}

// pause waits for the time, or until Kick or Quit.
func (l *Loop) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.wake:
	case <-l.Quit:
	}
}
