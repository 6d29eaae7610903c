package discord

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// maxSmall is how long a frame is that is no identify and no resume: a heartbeat, a close.
const maxSmall = 100

// writeTime is how long a frame may take to leave.
const writeTime = 10 * time.Second

// farewell is the frame that ends a connection and not its session: a close with the code 4000, masked with zeros. Of what the library
// could say 1000 and 1001 would end the session, and it would sleep for a second after each.
const (
	farewell     = "\x88\x82\x00\x00\x00\x00\x0f\xa0"
	farewellTime = time.Second
)

// Errors that end a connection.
var (
	// errTwice ends one whose session Discord has called invalid: the library would identify on it again at once, and
	// once more when refused, without end.
	errTwice = errors.New("the session is invalid: connect again")
	// errAgain ends one where the gateway asks for another: the library would wait for itself without end if it heard
	// that while it opens a session.
	errAgain = errors.New("the gateway asks to connect again")
)

// gatewayConn is a connection to the gateway that lives no longer than it may: it is cut when nothing comes in for too long,
// when its owner is done, when the gateway asks for another, and when a second identify or resume would go out on it.
type gatewayConn struct {
	net.Conn
	once sync.Once
	// release lets the connection live on when its owner is done: called once it is closed.
	release func() bool
	// identified says that an identify or a resume went out; spent is set then.
	identified bool
	spent      *atomic.Bool
	in         frames
}

// dialer is how connections to the gateway are made.
type dialer struct {
	// direct makes a connection that goes through no proxy; nil makes it over the network.
	direct func(ctx context.Context, network, addr string) (net.Conn, error)
	// proxy is the proxy that a request goes through; nil is none.
	proxy func(*http.Request) (*url.URL, error)
	// resume is where a session that was lost goes on; empty is where sessions begin.
	resume func() string
	// spent is set when an identify or a resume goes out on one of them.
	spent *atomic.Bool
	// left is told of each text that the gateway sends and that the library isn't to read, and why.
	left func(text []byte, why error)
}

// websocket makes the connections of one shard. They end with ctx.
func (d dialer) websocket(ctx context.Context) *websocket.Dialer {
	wrap := func(conn net.Conn, err error) (net.Conn, error) {
		if err != nil {
			return nil, fmt.Errorf("connect to the gateway: %w", err)
		}
		c := &gatewayConn{Conn: conn, spent: d.spent, in: frames{left: d.left}}
		c.release = context.AfterFunc(ctx, c.leave)
		return c, nil
	}
	return &websocket.Dialer{
		HandshakeTimeout: tryTime,
		// The library dials where sessions begin, and asks here first. The proxy itself is passed below.
		Proxy: func(req *http.Request) (*url.URL, error) {
			if host := d.resume(); host != "" {
				req.URL.Host, req.Host = host, host
			}
			return nil, nil
		},
		NetDialContext: func(_ context.Context, _, addr string) (net.Conn, error) {
			return wrap(d.dial(ctx, "http", addr))
		},
		NetDialTLSContext: func(_ context.Context, _, addr string) (net.Conn, error) {
			conn, err := d.dial(ctx, "https", addr)
			if err != nil {
				return wrap(nil, err)
			}
			host, _, _ := net.SplitHostPort(addr)
			encrypted := tls.Client(conn, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12})
			if err := handshake(ctx, encrypted); err != nil {
				_ = conn.Close()
				return wrap(nil, err)
			}
			return wrap(encrypted, nil)
		},
	}
}

// handshake begins an encrypted connection, in no more time than a try may take.
func handshake(ctx context.Context, conn *tls.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// Read fails when nothing comes for too long: a gateway that lives answers every heartbeat. A connection that fails is
// closed at once, so that no farewell of the library's ends the session, too.
func (c *gatewayConn) Read(p []byte) (int, error) {
	for len(c.in.ready) == 0 {
		err := c.SetReadDeadline(time.Now().Add(maxQuiet))
		n := 0
		if err == nil {
			n, err = c.Conn.Read(p)
		}
		if odd := c.in.add(p[:n]); odd != nil {
			err = odd
		}
		if err != nil {
			_ = c.Close()
			if len(c.in.ready) == 0 {
				return 0, err
			}
		}
	}
	n := copy(p, c.in.ready)
	c.in.ready = c.in.ready[n:]
	return n, nil
}

// Write sends a frame: the library writes each in one piece.
func (c *gatewayConn) Write(p []byte) (int, error) {
	if len(p) > maxSmall && !bytes.HasPrefix(p, []byte(http.MethodGet+" ")) {
		if c.identified {
			_ = c.Close()
			return 0, errTwice
		}
		c.identified = true
		c.spent.Store(true)
	}
	if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// leave ends the connection so that its session could go on.
func (c *gatewayConn) leave() {
	if c.SetWriteDeadline(time.Now().Add(farewellTime)) == nil {
		_, _ = io.WriteString(c.Conn, farewell)
	}
	_ = c.Conn.Close()
}

// Close ends the connection.
func (c *gatewayConn) Close() error {
	c.once.Do(func() { c.release() })
	return c.Conn.Close()
}
