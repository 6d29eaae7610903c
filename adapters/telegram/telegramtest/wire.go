package telegramtest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
)

// Wire carries calls to a handler without a network: connections are pipes in memory, with all that HTTP does on them,
// so that it works where time is not real.
type Wire struct {
	transport *http.Transport
	srv       *http.Server
	ln        *pipes
	served    sync.WaitGroup
	cut       chan struct{}
	once      sync.Once
}

// pipes is where a wire's connections come in.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// ErrCut is what a call gets over a wire that was cut.
var ErrCut = errors.New("the wire was cut")

// NewWire serves h until the wire is closed.
func NewWire(h http.Handler) *Wire {
	w := &Wire{ln: &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}, cut: make(chan struct{})}
	w.srv = &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	w.transport = &http.Transport{
		MaxIdleConnsPerHost: 64,
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return w.dial(ctx) },
	}
	w.served.Go(func() { _ = w.srv.Serve(w.ln) }) // It ends with the wire.
	return w
}

// RoundTrip makes a call.
func (w *Wire) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-w.cut:
		return nil, ErrCut
	default:
		return w.transport.RoundTrip(req)
	}
}

// CloseIdleConnections is what http.Client asks of its transport.
func (w *Wire) CloseIdleConnections() { w.transport.CloseIdleConnections() }

func (w *Wire) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case w.ln.conns <- far:
		return near, nil
	case <-w.ln.closed:
	case <-w.cut:
	case <-ctx.Done():
	}
	return nil, ErrCut
}

// Accept is the server's side of a new connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Addr names no place.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "wire", Net: "unix"} }

// Close takes no more connections.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Cut breaks every connection at once, for ever: as when one side dies.
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
