package chatscript

import (
	"slices"
	"sync"

	"zevaka/bot/chat"
)

// Asked are the requests that a Handler was asked. The zero Asked is empty; it is safe for use by many goroutines.
type Asked struct {
	mu  sync.Mutex
	all []chat.Request
}

// Add notes a request.
func (a *Asked) Add(r chat.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, r)
}

// All are the requests so far, Of those of a kind.
func (a *Asked) All() []chat.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// Of are the requests of a kind so far.
func (a *Asked) Of(kind chat.Kind) []chat.Request {
	return slices.DeleteFunc(a.All(), func(r chat.Request) bool { return r.Kind != kind })
}
