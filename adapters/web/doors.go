package web

import (
	"context"
	"net"
	"net/http"
	"time"

	"zevaka/adapters/relay"
	"zevaka/bot/chat"
)

// What may be connected to a room at once. A household is one address (see household).
const (
	maxConns     = 1024
	maxConnsEach = 128
	// spareFiles are those that the rest of the process has before the room gets half of what is left.
	spareFiles = 64
	leastConns = 8
)

// doors are how many connections may stand: in all, and from one household.
type doors struct{ all, each int }

// doorsFor are the doors of a room in a process that may have so many files open, 0 for any number: the rest of the
// process, its database, its other platforms, and whoever asks how it is, has files left however full the room is.
func doorsFor(files uint64) doors {
	all := maxConns
	if files != 0 && files < 2*maxConns+spareFiles {
		all = max(leastConns, (int(files)-spareFiles)/2)
	}
	return doors{all, min(maxConnsEach, max(1, all/2))}
}

// listener lets connections in as long as there is room. One that nobody makes room for is closed at once.
type listener struct {
	net.Listener
	doors   doors
	inside  *slots
	proxies Proxies
}

func newListener(ln net.Listener, d doors, proxies Proxies) *listener {
	return &listener{ln, d, newSlots(d.all), proxies}
}

// Accept waits for the next connection that may stay. A proxy may have as many as there are: its visitors are counted
// by what they do.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, each := conn.RemoteAddr().String(), l.doors.each
		if l.proxies.has(from) {
			each = l.doors.all
		}
		if g := l.inside.acquire(household(from), each, func() { _ = conn.Close() }); g != nil {
			return &counted{conn, g}, nil
		}
		_ = conn.Close()
	}
}

// counted is a connection that counts until it is closed.
type counted struct {
	net.Conn
	slot *slot
}

// Close closes the connection.
func (l *counted) Close() error {
	l.slot.release()
	return l.Conn.Close()
}

// passedOn has the process answer that serves a community; false if it is this one, and nothing was done. Meanwhile the connection
// doesn't make room for others; a live one only once its visitor has been let in, or it would have ended.
func passedOn(x *relay.Exchange, w http.ResponseWriter, req *http.Request, to chat.Community) bool {
	if x.Serves(to) {
		return false
	}
	var soon time.Duration
	if req.Header.Get("Upgrade") != "" {
		soon = helloTime
	}
	conn := slotOf(req.Context())
	stays := time.AfterFunc(soon, func() { conn.pin(true) })
	defer func() {
		stays.Stop()
		conn.pin(false)
	}()
	return x.PassedOn(w, req, to)
}

type slotKey struct{}

// withSlot keeps the connection of requests in their context. The http.Server calls it.
func withSlot(ctx context.Context, conn net.Conn) context.Context {
	if l, ok := conn.(*counted); ok {
		ctx = context.WithValue(ctx, slotKey{}, l.slot)
	}
	return ctx
}

// slotOf is the connection that a request came by; nil where connections aren't counted.
func slotOf(ctx context.Context) *slot {
	g, _ := ctx.Value(slotKey{}).(*slot)
	return g
}
