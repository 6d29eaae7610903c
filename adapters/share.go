package adapters

import (
	"context"
	"errors"
	"time"

	"zevaka/bot/chat"
)

// Share is what one of several processes serves that share the platforms: whatever belongs to a community is done by the one
// process that serves it, and goes there from wherever it arrives.
type Share interface {
	// Serves reports whether this process serves a community now.
	Serves(chat.Community) bool
	// Since is when this process began to serve a community; the zero time if it doesn't, or is the only one there is.
	Since(chat.Community) time.Time
	// Pass gives what came from a platform for a community to the process that serves it, whose adapter of that platform
	// takes it, and returns when that has returned. It waits for a community that goes from one process to another. The error is
	// ErrNobody when nobody served the community until ctx ended: then nothing was done. With any other error something may
	// have been.
	Pass(ctx context.Context, to chat.Community, what Parcel) ([]byte, error)
	// Tell gives something to all other processes, whose adapters of that platform take it, and returns when they have: those that
	// can't be reached are left out.
	Tell(ctx context.Context, of chat.Platform, what Parcel)
	// Take takes a thing that one process may have at a time; nil if another has it. The error is that of who keeps count.
	Take(ctx context.Context, thing string) (Hold, error)
	// Portion is how much this process may use of what a platform allows all of them: more than 0, at most 1. It changes.
	Portion() float64
}

// Hold is a thing that this process has taken.
type Hold interface {
	// Context ends when others may have the thing by now.
	Context() context.Context
	// Release lets others take it.
	Release(ctx context.Context) error
}

// Parcel is something that came from a platform and goes to the process that it concerns.
type Parcel struct {
	// Kind tells an adapter's parcels from each other, Body is what came, as it came.
	Kind string
	Body []byte
}

// ErrNobody says that nobody serves a community at the moment.
var ErrNobody = errors.New("adapters: nobody serves that community now")

// Hearer is an adapter that knows when its platform brings nothing, or shows nothing.
type Hearer interface {
	// Deaf is for how long nothing has come from a community, or had come until a moment ago; 0 if it comes, as far as this process can know.
	Deaf(c chat.Community) time.Duration
	// Late is for how long no message has shown whose turn it is at a table, or did not before one came, and for how long one has since; less than 0
	// where none does.
	Late(in chat.Place, table string) (late, shown time.Duration)
}

// Shared is an adapter that can share its platform with those of other processes.
type Shared interface {
	Adapter
	// Take does what Share.Pass or Tell of another process has sent, and returns when it is durable.
	Take(ctx context.Context, what Parcel) ([]byte, error)
	// Leave gives up what waits to be sent to communities that this process serves no more, and returns when nothing is under
	// way to them, or ctx has ended.
	Leave(ctx context.Context, gone func(chat.Community) bool)
}

// Alone is the share of a process that does everything itself.
type Alone struct{}

// Serves is always so.
func (Alone) Serves(chat.Community) bool { return true }

// Since says that there is no other process.
func (Alone) Since(chat.Community) time.Time { return time.Time{} }

// Pass has nobody to give anything to.
func (Alone) Pass(context.Context, chat.Community, Parcel) ([]byte, error) { return nil, ErrNobody }

// Tell has nobody to tell.
func (Alone) Tell(context.Context, chat.Platform, Parcel) {}

// Take always succeeds.
func (Alone) Take(context.Context, string) (Hold, error) { return mine{}, nil }

// Portion is all.
func (Alone) Portion() float64 { return 1 }

// mine is what nobody else could have.
type mine struct{}

func (mine) Context() context.Context      { return context.Background() }
func (mine) Release(context.Context) error { return nil }
