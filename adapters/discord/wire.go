package discord

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// maxSmall is how long a frame is that is no identify and no resume: a heartbeat, a close.
const maxSmall = 100

// writeTime is how long a frame may take to leave.
const writeTime = 10 * time.Second

// askedAgain stands in a frame that asks to connect again, and in no other.
const askedAgain = `"op":7`

// Errors that end a connection.
var (
	// errTwice ends one whose session Discord has called invalid: the library would identify on it again at once, and
	// once more when refused, without end.
	errTwice = errors.New("the session is invalid: connect again")
	// errAgain ends one where the gateway asks for another: the library would wait for itself without end if it heard
	// that while it opens a session.
	errAgain = errors.New("the gateway asks to connect again")
)

// wire is a connection to the gateway that lives no longer than it may: it is cut when nothing comes in for too long,
// when its owner is done, when the gateway asks for another, and when a second identify or resume would go out on it.
type wire struct {
	net.Conn
	quiet time.Duration
	once  sync.Once
	unhug func() bool
	// greeted says that an identify or a resume went out.
	greeted bool
}

// roads are how connections to the gateway are made.
type roads struct {
	// quiet is the longest silence of a living one.
	quiet time.Duration
	// proxy is the proxy that a request goes through; nil is none.
	proxy func(*http.Request) (*url.URL, error)
	// resume is where a session that was lost goes on; empty is where sessions begin.
	resume func() string
}

// dialer makes the connections of one shard. They end with ctx.
func (r roads) dialer(ctx context.Context) *websocket.Dialer {
	wrap := func(conn net.Conn, err error) (net.Conn, error) {
		if err != nil {
			return nil, fmt.Errorf("connect to the gateway: %w", err)
		}
		l := &wire{Conn: conn, quiet: r.quiet}
		l.unhug = context.AfterFunc(ctx, func() { _ = conn.Close() })
		return l, nil
	}
	return &websocket.Dialer{
		HandshakeTimeout: tryTime,
		// The library dials where sessions begin, and asks here first. The proxy itself is passed below.
		Proxy: func(req *http.Request) (*url.URL, error) {
			if host := r.resume(); host != "" {
				req.URL.Host, req.Host = host, host
			}
			return nil, nil
		},
		NetDialContext: func(_ context.Context, _, addr string) (net.Conn, error) {
			return wrap(r.dial(ctx, "http", addr))
		},
		NetDialTLSContext: func(_ context.Context, _, addr string) (net.Conn, error) {
			conn, err := r.dial(ctx, "https", addr)
			if err != nil {
				return wrap(nil, err)
			}
			host, _, _ := net.SplitHostPort(addr)
			secret := tls.Client(conn, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12})
			if err := shake(ctx, secret); err != nil {
				_ = conn.Close()
				return wrap(nil, err)
			}
			return wrap(secret, nil)
		},
	}
}

// shake begins a secret connection, in no more time than a try may take.
func shake(ctx context.Context, conn *tls.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// Read fails when nothing comes for too long: a gateway that lives answers every heartbeat. A connection that fails is
// closed at once, so that no farewell of the library's ends the session, too.
func (l *wire) Read(p []byte) (int, error) {
	err := l.SetReadDeadline(time.Now().Add(l.quiet))
	n := 0
	if err == nil {
		n, err = l.Conn.Read(p)
	}
	if bytes.Contains(p[:n], []byte(askedAgain)) {
		n, err = 0, errAgain
	}
	if err != nil {
		_ = l.Close()
	}
	return n, err
}

// Write sends a frame: the library writes each in one piece.
func (l *wire) Write(p []byte) (int, error) {
	if len(p) > maxSmall && !bytes.HasPrefix(p, []byte(http.MethodGet+" ")) {
		if l.greeted {
			_ = l.Close()
			return 0, errTwice
		}
		l.greeted = true
	}
	if err := l.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	return l.Conn.Write(p)
}

// Close ends the connection.
func (l *wire) Close() error {
	l.once.Do(func() { l.unhug() })
	return l.Conn.Close()
}
