// Package testlog is a log that a test reads while others write it.
package testlog

import (
	"strings"
	"sync"
)

// Log is what was written so far. The zero Log is empty; it is safe for use by many goroutines.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
	// more is closed when more is written; nil if nobody waits for that.
	more chan struct{}
}

// Write adds to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.text.Write(p)
}

// Wait returns when a text was written, however long that takes.
func (l *Log) Wait(text string) {
	for {
		l.mu.Lock()
		if strings.Contains(l.text.String(), text) {
			l.mu.Unlock()
			return
		}
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
		l.mu.Unlock()
		<-more
	}
}

// String is all that was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
