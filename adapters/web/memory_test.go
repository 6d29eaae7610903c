package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// makePages makes the pages outside of any bubble, which what joins them would have wait for its goroutines.
func makePages() { _, _, _ = roomBundle(), tgBundle(), dcBundle() }

// network is one in memory: a test in a bubble has its clock there, too.
type network struct {
	t testing.TB

	mu   sync.Mutex
	at   map[string]*port
	last uint16
}

func newNetwork(t testing.TB) *network { return &network{t: t, at: map[string]*port{}, last: 8000} }

// site is a server on a network, to which its client comes from 127.0.0.1.
type site struct {
	*http.Client
	URL  string
	net  *network
	addr string
}

// listen is a port of its own on 127.0.0.1.
func (n *network) listen() *port {
	return n.listenAt("127.0.0.1")
}

// listenAt is a port of its own on a machine's address.
func (n *network) listenAt(address string) *port {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	p := &port{addr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), n.last)), conns: make(chan net.Conn), closed: make(chan struct{})}
	n.at[p.addr.String()] = p
	return p
}

// at is a site at a port.
func (n *network) site(p *port) *site {
	return &site{Client: n.client("127.0.0.1"), URL: "http://" + p.addr.String(), net: n, addr: p.addr.String()}
}

// serve serves until the test ends; what is cleaned up before can rely on it.
func (n *network) serve(h http.Handler) *site {
	p := n.listen()
	srv := &http.Server{Handler: h, ReadHeaderTimeout: headerTime}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(p)
	}()
	n.t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return n.site(p)
}

// client comes from an address.
func (n *network) client(from string) *http.Client {
	transport := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, to string) (net.Conn, error) { return n.dial(ctx, from, to) }}
	n.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

var errNobodyListens = errors.New("nobody listens there")

// dial connects an address with a port.
func (n *network) dial(ctx context.Context, from, to string) (net.Conn, error) {
	n.mu.Lock()
	p := n.at[to]
	n.last++
	local := net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), n.last))
	n.mu.Unlock()
	if p == nil {
		return nil, errNobodyListens
	}
	here, there := net.Pipe()
	select {
	case p.conns <- &end{there, p.addr, local}:
		return &end{here, local, p.addr}, nil
	case <-p.closed:
		return nil, errNobodyListens
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// live is the address of the site's live connections below a path.
func (s *site) live(path string) string {
	return "ws" + strings.TrimPrefix(s.URL, "http") + path + "/live"
}

// port is a listener.
type port struct {
	addr   *net.TCPAddr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *port) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *port) Addr() net.Addr { return p.addr }

func (p *port) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// end is one end of a connection.
type end struct {
	net.Conn
	local, remote net.Addr
}

func (e *end) LocalAddr() net.Addr  { return e.local }
func (e *end) RemoteAddr() net.Addr { return e.remote }
