package web

import (
	"context"
	"crypto/tls"
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
	// maxUnsent is how much of what a connection is sent waits in the system, where nothing newer gets past it.
	maxUnsent = 32 << 10
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

// A Port is one of the program's beside the room's. Its connections are bounded as those are, so that no flood there takes the room's
// files.
type Port struct {
	// most is how many may stand, and part which part of the process's files they may take: one of so many.
	most, part int
	// stays says that who has asked something once never makes room for a newcomer.
	stays bool
}

// MachinesPort is a port for some machines: who collects metrics, a platform that calls.
func MachinesPort() Port { return Port{most: 256, part: 16} }

// PeersPort is a port for other processes, which pass on to this one what people ask there, and who those are is known when they ask.
func PeersPort() Port { return Port{most: 4 * maxConns, part: 4, stays: true} }

// Bound bounds the connections of a port that a server is going to serve: ln returned is what to serve.
func (p Port) Bound(srv *http.Server, ln net.Listener) net.Listener {
	return p.bound(srv, ln, openFiles())
}

func (p Port) bound(srv *http.Server, ln net.Listener, files uint64) net.Listener {
	all := p.most
	if files != 0 && files < 1<<31 {
		all = max(leastConns, min(all, (int(files)-spareFiles)/p.part))
	}
	next := srv.Handler
	srv.ConnContext = withSlot
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		conn := slotOf(req.Context())
		conn.pin(true)
		if !p.stays {
			defer conn.pin(false)
		}
		next.ServeHTTP(w, req)
	})
	return newListener(ln, doors{all, all}, nil)
}

// Here refuses who calls this machine, over its own loopback, by a name that a page elsewhere may have been given (DNS rebinding).
func Here(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		local, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		if ok && local.IP.IsLoopback() && !calledHere(req) {
			http.Error(w, "call this machine by its address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, req)
	})
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
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(maxUnsent)
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
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
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
