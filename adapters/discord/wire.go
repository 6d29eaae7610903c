package discord

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// maxSmall is how long a frame is that is no identify and no resume: a heartbeat, a close.
const maxSmall = 100

// writeTime is how long a frame may take to leave.
const writeTime = 10 * time.Second

// errTwice ends a connection whose session Discord has called invalid: the library would identify on it again at once,
// and once more when refused, without end.
var errTwice = errors.New("the session is invalid: connect again")

// wire is a connection to the gateway that lives no longer than it may: it is cut when nothing comes in for too long,
// when its owner is done, and when a second identify or resume would go out on it.
type wire struct {
	net.Conn
	quiet time.Duration
	once  sync.Once
	unhug func() bool
	// greeted says that an identify or a resume went out.
	greeted bool
}

// dialer makes the connections of one shard. They end with ctx.
func dialer(ctx context.Context, quiet time.Duration) *websocket.Dialer {
	wrap := func(conn net.Conn, err error) (net.Conn, error) {
		if err != nil {
			return nil, fmt.Errorf("connect to the gateway: %w", err)
		}
		l := &wire{Conn: conn, quiet: quiet}
		l.unhug = context.AfterFunc(ctx, func() { _ = conn.Close() })
		return l, nil
	}
	plain, secret := &net.Dialer{}, &tls.Dialer{}
	return &websocket.Dialer{
		HandshakeTimeout: tryTime,
		NetDialContext: func(_ context.Context, network, addr string) (net.Conn, error) {
			return wrap(plain.DialContext(ctx, network, addr))
		},
		NetDialTLSContext: func(_ context.Context, network, addr string) (net.Conn, error) {
			return wrap(secret.DialContext(ctx, network, addr))
		},
	}
}

// Read fails when nothing comes for too long: a gateway that lives answers every heartbeat.
func (l *wire) Read(p []byte) (int, error) {
	if err := l.SetReadDeadline(time.Now().Add(l.quiet)); err != nil {
		return 0, err
	}
	return l.Conn.Read(p)
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
