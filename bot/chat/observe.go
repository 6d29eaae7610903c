package chat

import (
	"context"
	"time"
)

// Observer is told what happens, for whoever runs the bot: it counts, measures and follows. Its methods are called from
// many goroutines, where people wait: they must be quick, and mustn't panic.
type Observer interface {
	// Request is called when the bot begins with a request. What it returns is the context of all that is done for the
	// request, and what to call with what came of it.
	Request(ctx context.Context, r Request) (context.Context, func(Outcome))
	// Call is called when an adapter begins with a call to its platform, once for each try; RequestOf(ctx) is the request
	// that it is made for. What it returns is the context of the call, and what to call with the HTTP status of the
	// answer, 0 if there was none.
	Call(ctx context.Context, c Call) (context.Context, func(status int))
	// Answered is called when somebody who pressed a button or gave a command has their answer, so long after the
	// platform told of it.
	Answered(p Platform, took time.Duration)
	// Limited is called when a Gate turns a press or a command away, by which limit.
	Limited(p Platform, by Limit)
	// Caught is called when an adapter has caught a panic of its own.
	Caught(p Platform)
}

// Call is a call to a platform's API.
type Call struct {
	Platform Platform
	// Method is the kind of call, of which there are few; nothing of anybody stands in it.
	Method string
	// Waits says that the platform answers only when there is news.
	Waits bool
}

// Outcome is what came of a request.
type Outcome uint8

// The outcomes.
const (
	// Done: it was done, or was done before.
	Done Outcome = iota
	// Refused: by the rules of the game or the house; the one who asked was told which.
	Refused
	// Broken: something went wrong, and nothing was done.
	Broken
	// Panicked: it is Broken by a panic.
	Panicked
)

// Observe is o, or an Observer that does nothing if o is nil.
func Observe(o Observer) Observer {
	if o == nil {
		return Unobserved{}
	}
	return o
}

// Unobserved is nobody: an Observer that does nothing.
type Unobserved struct{}

// Request implements Observer.
func (Unobserved) Request(ctx context.Context, _ Request) (context.Context, func(Outcome)) {
	return ctx, func(Outcome) {}
}

// Call implements Observer.
func (Unobserved) Call(ctx context.Context, _ Call) (context.Context, func(int)) {
	return ctx, func(int) {}
}

// Answered implements Observer.
func (Unobserved) Answered(Platform, time.Duration) {}

// Limited implements Observer.
func (Unobserved) Limited(Platform, Limit) {}

// Caught implements Observer.
func (Unobserved) Caught(Platform) {}

// requestKey is the key of a request's ID in a context.
type requestKey struct{}

// WithRequest is ctx for what is done for the request of that ID.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestOf is the ID of the request that something is done for; empty for none.
func RequestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// Pulse is how an adapter is at a moment.
type Pulse struct {
	// Links is how many connections to the platform there should be, and Up how many of them stand. An adapter that
	// only calls has one, which stands while the last of its calls for news went well.
	Links, Up int
	// Waiting is how many requests have come in and wait for their turn.
	Waiting int
	// Unshown is how many messages wait to be shown.
	Unshown int
}

// Limit is which of the Rates was met.
type Limit uint8

// The limits.
const (
	UserLimit Limit = iota
	AddressLimit
	CommunityLimit
)
