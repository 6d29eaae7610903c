// Package adapters is what the program and the adapter of a platform know of each other.
package adapters

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// Platform is a platform where people can play, with its settings: a pointer to a struct whose fields are flags of the
// command line (github.com/alecthomas/kong). All platforms share one line, so no two flags may be called the same.
type Platform interface {
	// Letter tells the platform's communities from others.
	Letter() chat.Platform
	// Name is the platform's name on the command line and in logs, as "discord".
	Name() string
	// Wanted reports whether the settings ask for the platform.
	Wanted() bool
	// Check takes away what stands around secrets that were copied, and refuses settings that no platform can take. The error has no
	// secret in it.
	Check() error
	// Secrets are the settings that nobody may read. Some may be empty.
	Secrets() []string
	// Adapter is what serves the platform. It does nothing before it runs.
	Adapter(Program) Adapter
	// Examine asks the platform whether it takes the settings, and changes nothing there. It has no secret in what it finds.
	Examine(context.Context) []Finding
}

// Finding is how something is that an operator has looked at.
type Finding struct {
	// Of says what was looked at, in a word or two; Is how it is.
	Of, Is string
	// Do is what to do about it; empty where all is well.
	Do string
}

// maxAhead is how far a platform's clock may be from this machine's.
const maxAhead = 30 * time.Second

// ClockFinding compares this machine's clock with that of a platform, which is ahead by so much.
func ClockFinding(of string, ahead time.Duration) Finding {
	switch off := ahead.Abs().Round(time.Second); {
	case off <= maxAhead:
		return Finding{Of: "clock", Is: "right, by " + of}
	case ahead > 0:
		return Finding{Of: "clock", Is: fmt.Sprintf("%v behind %s's", off, of), Do: setClock}
	default:
		return Finding{Of: "clock", Is: fmt.Sprintf("%v ahead of %s's", off, of), Do: setClock}
	}
}

const setClock = "set this machine's clock, as by timedatectl set-ntp true"

// Program is what every adapter gets from the program.
type Program struct {
	Handler chat.Handler
	Log     *slog.Logger
	// Commands are the bot's commands in the language nearest to the tag.
	Commands func(lang string) []bot.CommandInfo
	// Words are the catalogues that the bot speaks from.
	Words *words.Catalogue
	// Observer is told of calls and answers.
	Observer chat.Observer
	// Door is the https address, without a path, at which people reach the server of the live tables; empty where there is
	// none.
	Door string
	// Share is what this process serves of the platform: Alone where there is no other.
	Share Share
	// Bound bounds the connections to a server of the adapter's own: it serves what that returns.
	Bound func(*http.Server, net.Listener) net.Listener
}

// Adapter serves a platform.
type Adapter interface {
	// Run serves until ctx ends, and then returns nil once what was begun is done.
	Run(ctx context.Context) error
	// Show delivers what the clock has to say, and doesn't wait for the platform.
	Show(ctx context.Context, r chat.Response)
	// Pulse is how the adapter is.
	Pulse() chat.Pulse
}
