// Package web is the room: a chat in the browser, on this machine, with the bot in it. Several people are several
// tabs. Nothing of the room is stored: its messages live as long as the process, and who somebody is follows from a
// secret that the tab keeps; the tables themselves are the bot's, and come back with it.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/relay"
	"zevaka/bot/chat"
	"zevaka/bot/live"
)

// Options are what a room can be told.
type Options struct {
	// Listen is the address to serve, as "127.0.0.1:8080". Without Open anything but this machine itself is refused, unless there are
	// Doors, Public and Proxies: then nothing but the doors is served there, to the proxies alone.
	Listen string
	// Open lets the room listen on any address, and lets it be called by any name. Whoever reaches it may come in.
	Open bool
	// Proxies are those that stand before the room: their X-Forwarded-For says where visitors come from.
	Proxies Proxies
	// Doors are the ways in from the platforms' own clients; none may be nil.
	Doors []door.Door
	// Public is the https address at which the doors are reached, without a path; empty where nobody has said.
	Public string
	// Tables are what is looked at in a community; nil where nothing can be.
	Tables func(chat.Community) *live.Tables
	// Elsewhere are the rooms of other processes; nil: everything is served here.
	Elsewhere relay.Elsewhere
	// Key is a secret that all processes of the room share, and that stays: the admins' follows from it. The zero key is a new one
	// for each Room.
	Key [32]byte
	// Log takes what the operator should know; nil is slog.Default().
	Log *slog.Logger
	// Commands are the lines that the command line offers to a reader of lang; nil offers none.
	Commands func(lang string) []Completion
	// Ready is told the room's address once it listens, with the secret in it that makes whoever opens it an admin; nil
	// is not told.
	Ready func(url string)
	// Observer is told of answers and panics; nil is nobody.
	Observer chat.Observer
}

// Completion is a line that the command line offers.
type Completion struct {
	// Line begins with a slash.
	Line string `json:"line"`
	// Hint says in a few words what the line does.
	Hint string `json:"hint"`
	// Start says that an empty table offers the line as a button.
	Start bool `json:"start,omitempty"`
	// Whole says that nothing else means anything on the line.
	Whole bool `json:"whole,omitempty"`
}

// How long the server waits.
const (
	headerTime = 5 * time.Second
	bodyTime   = 10 * time.Second
	idleTime   = 2 * time.Minute
	stopTime   = 3 * time.Second
)

// ErrNotLoopback is the refusal to listen where others could come in.
var ErrNotLoopback = errors.New("the room is for this machine only: listen on 127.0.0.1, or add --room-open to let in whoever reaches the address; " +
	"for the live tables of the platforms alone, whose tokens are set, name --public-url and the --room-proxy that asks for them")

// New is a room with nobody in it. The handler h may be nil at first; Room.Bot has to be set before anybody comes.
func New(h chat.Handler, opts Options) *Room {
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Commands == nil {
		opts.Commands = func(string) []Completion { return nil }
	}
	if opts.Tables == nil {
		opts.Tables = func(chat.Community) *live.Tables { return nil }
	}
	if opts.Elsewhere == nil {
		opts.Elsewhere = relay.Nowhere{}
	}
	return newRoom(h, opts)
}

// Run listens and serves until ctx ends, and then returns nil once everybody has been let go. It runs once.
func (r *Room) Run(ctx context.Context) error {
	ln, err := listen(ctx, r.opts)
	if err != nil {
		return err
	}
	return r.serve(ctx, ln)
}

// serve lets in who comes to the listener until ctx ends, and returns once everybody has been let go.
func (r *Room) serve(ctx context.Context, ln net.Listener) (err error) {
	served := r.Handler()
	closed := !r.opts.Open && !isLoopback(ln.Addr())
	if closed {
		served = r.doorsAlone()
	}
	srv := &http.Server{
		Handler:           r.watched(served),
		ConnContext:       withSlot,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      handleTime + bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxBody,
		ErrorLog:          slog.NewLogLogger(r.opts.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(newListener(ln, r.doors, r.opts.Proxies)) }()
	at := ""
	if closed {
		r.opts.Log.Info("the live tables are served to the proxies alone, and the room to nobody", "address", ln.Addr().String(), "proxies", r.opts.Proxies.String())
	} else {
		at = address(ln.Addr())
	}
	r.at.Store(&at)
	if r.opts.Ready != nil && !closed {
		r.opts.Ready(r.AdminAddress(false))
	}
	select {
	case err = <-ended:
		err = fmt.Errorf("serve the room: %w", err)
	case <-ctx.Done():
	}
	r.close()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close() // Whoever is still talking is cut off: the time to stop is over.
	}
	r.tasks.Close(0)
	return err
}

// address is what to type into a browser on this machine, and on others where the room listens on all of its addresses.
func address(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil || net.ParseIP(host).IsUnspecified() {
		host = cmp.Or(ownAddress(), "localhost")
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

func listen(ctx context.Context, opts Options) (net.Listener, error) {
	anywhere := opts.Open || len(opts.Doors) > 0 && opts.Public != "" && len(opts.Proxies) > 0
	if !anywhere {
		if err := LoopbackOnly(opts.Listen); err != nil {
			return nil, err
		}
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", opts.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for the room (another address: --listen): %w", err)
	}
	if !anywhere && !isLoopback(ln.Addr()) {
		_ = ln.Close()
		return nil, fmt.Errorf("listen on %s: %w", opts.Listen, ErrNotLoopback)
	}
	return ln, nil
}

// isLoopback says whether nobody but this machine reaches an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// LoopbackOnly refuses an address that others than this machine's own programs could reach.
func LoopbackOnly(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("listen on %q (it should look like 127.0.0.1:8080): %w", addr, err)
	}
	if host == "localhost" || net.ParseIP(host).IsLoopback() {
		return nil
	}
	return fmt.Errorf("listen on %s: %w", addr, ErrNotLoopback)
}
