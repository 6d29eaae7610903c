// Package door joins the server of the live tables to the adapters of platforms. A platform's own client shows the page of the live
// table in a frame, and the platform's adapter says who looks at it there, and from which place.
package door

import (
	"context"
	"time"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// Door is a platform's way to its live tables. Its methods may be called from anywhere.
type Door interface {
	// Path is the path of the page behind this door, as "/tg".
	Path() string
	// Frames are the origins whose pages may show this one in a frame, as in frame-ancestors.
	Frames() []string
	// Origins are the origins that the page may have behind this door beside the server's own, as "https://123.discordsays.com".
	Origins() []string
	// Config is what the page must know to speak to the client around it. It becomes JSON that anybody can read. It may be nil.
	Config() any
	// Key is the secret that seals visits. It stays the same as long as the platform's own secret does.
	Key() [32]byte
	// Enter finds out who comes, and to which place. It checks everything in the Hello. The error is one of this package's, or wraps
	// what failed.
	Enter(ctx context.Context, h Hello) (Visit, error)
	// Stay is ErrPlace if a visitor who was let in before may not be there any more. Where the platform doesn't answer they may. Its
	// last answer may count for a minute. It is a Moved where the platform has given the place another ID.
	Stay(ctx context.Context, v Visit) error
	// Ask puts a visitor's request to the bot, and shows others what they are to see of it. The response is what is left for the
	// visitor alone. The request has ID, Kind, Data and Text; the door adds the rest.
	Ask(ctx context.Context, v Visit, r chat.Request) chat.Response
}

// Homed is a Door that itself remembers which logins were used. Where there are several processes, one of them lets in each login;
// otherwise a login would be good once at each process.
type Homed interface {
	Door
	// Home is the community whose process lets a login in, and when the login was made. Both follow only from what the platform has
	// signed. It doesn't use the login up. The errors are those of Enter.
	Home(h Hello) (home chat.Community, made time.Time, err error)
}

// Hello is what a page says of its visitor. Nothing of it is proved.
type Hello struct {
	// Login is the platform's proof of who the visitor is: initData, or a code. It is good once.
	Login string `json:"login"`
	// Instance is the platform's name of the session for which its client shows the page; empty where it has none.
	Instance string `json:"instance,omitempty"`
	// Start is the payload of the link by which the visitor came; empty if it had none.
	Start string `json:"start,omitempty"`
	// From is the household that the page is in. The server says that, and not the page; empty where nobody does.
	From string `json:"-"`
}

// Visit is a visitor whom a door has let in.
type Visit struct {
	Who chat.User `json:"who"`
	// In is the place whose tables the visitor may see.
	In chat.Place `json:"in"`
	// Table is the text form of the ID of the visitor's table; empty: any table of the place.
	Table string `json:"table,omitempty"`
	// Unsure says that the platform didn't answer whether the visitor belongs to the place.
	Unsure bool `json:"unsure,omitempty"`
	// Instance is the Hello's, where the platform has confirmed it; else empty.
	Instance string `json:"instance,omitempty"`
}

// Moved says that the place of a visit has another ID now, with the visit as it goes on there.
type Moved struct{ Visit }

func (m Moved) Error() string { return "the place of a visit is " + m.In.Community.String() + " now" }

// The reasons why somebody isn't let in. The page has words for each.
const (
	// ErrLogin: the platform has not signed the login, or not for this bot.
	ErrLogin engine.Refusal = "door-login"
	// ErrOld: the login is too old, was used before, or is from the future.
	ErrOld engine.Refusal = "door-old"
	// ErrStart: this bot has not signed the link.
	ErrStart engine.Refusal = "door-start"
	// ErrPlace: the visitor doesn't belong to the place, as the platform says.
	ErrPlace engine.Refusal = "door-place"
	// ErrAway: the platform doesn't answer.
	ErrAway engine.Refusal = "door-away"
)
