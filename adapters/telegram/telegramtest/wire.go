package telegramtest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Wire is a RoundTripper that calls a handler over HTTP without a network: its connections are pipes in memory, so that it works in a
// bubble of synctest.
type Wire struct {
	transport *http.Transport
	srv       *http.Server
	ln        *Listener
	served    sync.WaitGroup
	cut       chan struct{}
	away      atomic.Bool
	once      sync.Once
}

// Listener is a net.Listener without a network: its connections are pipes in memory.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewListener is a listener to which nobody has connected.
func NewListener() *Listener {
	return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial connects to the listener. It is a DialContext of an http.Transport; the address doesn't count.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed:
	case <-ctx.Done():
	}
	return nil, ErrCut
}

// ErrCut is the error of a call over a wire that was cut.
var ErrCut = errors.New("the wire was cut")

// NewWire serves h until the wire is closed.
func NewWire(h http.Handler) *Wire {
	w := &Wire{ln: NewListener(), cut: make(chan struct{})}
	w.srv = &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	w.transport = &http.Transport{MaxIdleConnsPerHost: 64, DialContext: w.ln.Dial}
	w.served.Go(func() { _ = w.srv.Serve(w.ln) }) // It ends with the wire.
	return w
}

// RoundTrip makes a call.
func (w *Wire) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-w.cut:
		return nil, ErrCut
	default:
	}
	if w.away.Load() {
		return nil, ErrCut
	}
	return w.transport.RoundTrip(req)
}

// CloseIdleConnections is for http.Client.
func (w *Wire) CloseIdleConnections() { w.transport.CloseIdleConnections() }

// Accept is the server's side of a new connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr is an address without meaning.
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: "wire", Net: "unix"} }

// Close takes no more connections.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Away has new requests fail from now on, or go through again.
func (w *Wire) Away(away bool) { w.away.Store(away) }

// Cut breaks every connection at once and for good, as when one side dies.
func (w *Wire) Cut() {
	w.once.Do(func() { close(w.cut) })
	_ = w.srv.Close() // It is to be broken.
}

// Close ends the wire and everything on it.
func (w *Wire) Close() {
	w.Cut()
	w.transport.CloseIdleConnections()
	w.served.Wait()
}
