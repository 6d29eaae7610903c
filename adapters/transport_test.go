package adapters

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a net.Listener without a network. Dial connects to it.
type pipes struct {
	far    chan net.Conn
	closed chan struct{}
	once   sync.Once
	last   *forgotten
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.far <- far:
		p.last = &forgotten{Conn: near}
		return p.last, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.far:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// forgotten is a connection on which nothing arrives once it is gone, and nobody is told.
type forgotten struct {
	net.Conn
	gone atomic.Bool
}

func (f *forgotten) Write(p []byte) (int, error) {
	if f.gone.Load() {
		return len(p), nil
	}
	return f.Conn.Write(p)
}

// TestForgottenConnection: calls go through again soon after a connection over HTTP/2 was forgotten on the way, whether they are made at once
// or later, and one that stands is kept however long an answer takes.
func TestForgottenConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		way := &pipes{far: make(chan net.Conn), closed: make(chan struct{})}
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/slow" {
				time.Sleep(time.Minute)
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		_ = srv.Listener.Close()
		srv.Listener, srv.EnableHTTP2 = way, true
		srv.StartTLS()
		defer srv.Close()
		transport := Transport(4)
		defer transport.CloseIdleConnections()
		transport.DialContext = way.dial
		trusted := x509.NewCertPool()
		trusted.AddCert(srv.Certificate())
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted}
		call := func(path string, most time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), most)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://example.com"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := transport.RoundTrip(req)
			if err != nil {
				return err
			}
			if resp.ProtoMajor != 2 {
				t.Fatalf("the call went over %s", resp.Proto)
			}
			return resp.Body.Close()
		}
		if err := call("/", time.Second); err != nil {
			t.Fatal(err)
		}
		stood := way.last
		if err := call("/slow", 2*time.Minute); err != nil || way.last != stood {
			t.Errorf("an answer that takes a minute: %v, by the same connection: %v", err, way.last == stood)
		}
		for _, pause := range []time.Duration{0, 40 * time.Second} {
			stood = way.last
			stood.gone.Store(true)
			time.Sleep(pause)
			began := time.Now()
			for call("/", 3*time.Second) != nil && time.Since(began) < time.Hour {
			}
			if took := time.Since(began); took > 20*time.Second || way.last == stood {
				t.Errorf("%v after the connection was forgotten calls go through only after %v more", pause, took)
			}
		}
	})
}
