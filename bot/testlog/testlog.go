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
}

// Write adds to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
