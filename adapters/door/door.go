// Package door is what the server of the live table and the adapter of a platform know of each other: a platform's own
// client shows the page of the live table in a frame, and who looks at it there, and from where, is for the platform to say.
package door

import (
	"context"
	"time"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// Door is a platform's way to its live tables. Its methods may be called from anywhere.
type Door interface {
	// Path is where the page stands behind this door, as "/tg".
	Path() string
	// Frames are the origins of the pages that may show this one in a frame, as in frame-ancestors.
	Frames() []string
	// Origins are those that the page may have behind this door beside that of the server itself, as
	// "https://123.discordsays.com".
	Origins() []string
	// Config is what the page must know to speak to the client around it, and nobody must not: it becomes JSON. It may be nil.
	Config() any
	// Key is a secret that stays the same as long as the platform's own does. Visits are sealed by it.
	Key() [32]byte
	// Enter finds out who comes, and where to. What is said in the Hello is not believed but proved. The error is one of
	// this package's, or wraps what went wrong.
	Enter(ctx context.Context, h Hello) (Visit, error)
	// Stay asks whether a visitor may still be there, who was let in before: ErrPlace if not. Where the platform doesn't say they
	// may. What it said may be believed for a minute.
	Stay(ctx context.Context, v Visit) error
	// Ask puts what a visitor does to the bot, and shows what others are to see of it. What is left in the response is for
	// the visitor alone. The request has ID, Kind, Data and Text; the rest is the door's to say.
	Ask(ctx context.Context, v Visit, r chat.Request) chat.Response
}

// Homed is a Door that itself remembers which logins were used. Where there are several processes, each login is for one of them
// to let in, or it would be good once at each.
type Homed interface {
	Door
	// Home is the community whose process lets in who says so, and when their login was made. Both follow from what the platform
	// has signed of the login, and from nothing that can be said with it. It uses nothing up. The error is that of Enter.
	Home(h Hello) (home chat.Community, made time.Time, err error)
}

// Hello is what a page says of who looks at it.
type Hello struct {
	// Login is what the platform gives its clients to prove who they are: initData, or a code. It is good once.
	Login string `json:"login"`
	// Instance names what the client shows the page for, where the platform knows that; else it is empty.
	Instance string `json:"instance,omitempty"`
	// Start is what the link said by which the visitor came; empty if it said nothing.
	Start string `json:"start,omitempty"`
}

// Visit is somebody at a door, as the platform vouches for it.
type Visit struct {
	Who chat.User `json:"who"`
	// In is the place whose tables the visitor may see.
	In chat.Place `json:"in"`
	// Table is the text form of the table's ID to which the visitor came; empty: to any of the place.
	Table string `json:"table,omitempty"`
	// Unsure says that the platform doesn't say whether the visitor belongs to the place.
	Unsure bool `json:"unsure,omitempty"`
	// Instance is that of the Hello, where the platform has confirmed it.
	Instance string `json:"instance,omitempty"`
}

// Why somebody isn't let in. The page has words for each.
const (
	// ErrLogin refuses a login that the platform didn't write, or not for this bot.
	ErrLogin engine.Refusal = "door-login"
	// ErrOld refuses a login that is too old, was used before, or is from the future.
	ErrOld engine.Refusal = "door-old"
	// ErrStart refuses a link that this bot didn't write.
	ErrStart engine.Refusal = "door-start"
	// ErrPlace refuses somebody of whom the platform doesn't confirm that they are where they say.
	ErrPlace engine.Refusal = "door-place"
	// ErrAway says that the platform doesn't answer.
	ErrAway engine.Refusal = "door-away"
)
