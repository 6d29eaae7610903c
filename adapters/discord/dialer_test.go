package discord

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/storage/mem"
)

// TestTurnedAway hears nothing, and is asked to connect again, while it opens its sessions: the library would wait without
// end.
func TestTurnedAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.server.TurnAway(2)
		h.server.Hush(1)
		h.start()
		h.table(map[string]any{"limit": "none"})
		h.server.TurnAway(1)
		h.server.Cut()
		before, _ := h.server.Identifies()
		h.server.Until("the bot is back", func() bool {
			now, _ := h.server.Identifies()
			return now > before && h.server.Connected() > 0
		})
		h.press(vika, "Вскрыть")
		h.quietly()
	})
}

// turnstile is a proxy that lets through who says the word.
type turnstile struct {
	word string
	// far is how it connects to where somebody wants to go.
	far    func(ctx context.Context, network, addr string) (net.Conn, error)
	mu     sync.Mutex
	passed []string
}

// dial connects to the proxy.
func (p *turnstile) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	if addr != proxyAddr {
		return nil, fmt.Errorf("%s was called without the proxy", addr)
	}
	near, far := net.Pipe()
	go p.serve(context.WithoutCancel(ctx), far)
	return near, nil
}

const proxyAddr = "127.0.0.1:3128"

func (p *turnstile) serve(ctx context.Context, near net.Conn) {
	defer near.Close()
	r, err := http.ReadRequest(bufio.NewReader(near))
	if err != nil {
		return
	}
	if _, said, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth(); said != p.word {
		_, _ = io.WriteString(near, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
		return
	}
	far, err := p.far(ctx, "tcp", r.Host)
	if err != nil || r.Method != http.MethodConnect {
		_, _ = io.WriteString(near, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
		return
	}
	p.mu.Lock()
	p.passed = append(p.passed, r.Host)
	p.mu.Unlock()
	_, _ = io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n")
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(far, near); far.Close() })
	both.Go(func() { _, _ = io.Copy(near, far); near.Close() })
	both.Wait()
}

// through has all requests go through the proxy.
func through(who *url.Userinfo) func(*http.Request) (*url.URL, error) {
	return func(*http.Request) (*url.URL, error) {
		return &url.URL{Scheme: "http", Host: proxyAddr, User: who}, nil
	}
}

// TestProxy reaches the gateway through a proxy, where its sessions begin and where they go on.
func TestProxy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		p := &turnstile{word: "word", far: h.server.Dial}
		h.set = func(a *Adapter) { a.opts.Dial, a.proxy = p.dial, through(url.UserPassword("bot", "word")) }
		h.start()
		h.server.Cut()
		h.server.Until("the session goes on", func() bool { return h.server.Record().Calls["resume"] == 1 })
		h.server.Command(ann, discordtest.Channel, "help", nil).Answer()
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.passed) != 2 || p.passed[0] == p.passed[1] || !strings.HasSuffix(h.server.URL(), p.passed[0]) {
			t.Errorf("through the proxy went connections to %v", p.passed)
		}
		h.quietly()
	})
}

// TestProxyRefusals meets proxies that don't let it pass, and one behind which it must see who is there.
func TestProxyRefusals(t *testing.T) {
	t.Parallel()
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	defer secret.Close()
	addr := strings.TrimPrefix(secret.URL, "https://")
	p := &turnstile{word: "word", far: (&net.Dialer{}).DialContext}
	socks := func(*http.Request) (*url.URL, error) { return &url.URL{Scheme: "socks5", Host: "127.0.0.1:1"}, nil }
	unknown := errors.New("no such proxy")
	connect := func(proxy func(*http.Request) (*url.URL, error)) error {
		d := dialer{direct: p.dial, proxy: proxy, resume: func() string { return "" }}
		_, err := d.websocket(t.Context()).NetDialTLSContext(t.Context(), "tcp", addr)
		return err
	}
	for name, test := range map[string]struct {
		proxy func(*http.Request) (*url.URL, error)
		want  string
	}{
		"wrong word": {through(url.UserPassword("bot", "guess")), "407"},
		"no word":    {through(nil), "407"},
		"socks":      {socks, "socks5"},
		"unknown":    {func(*http.Request) (*url.URL, error) { return nil, unknown }, unknown.Error()},
	} {
		if err := connect(test.proxy); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var stranger x509.UnknownAuthorityError
	if err := connect(through(url.UserPassword("bot", "word"))); !errors.As(err, &stranger) {
		t.Errorf("behind the proxy: %v", err)
	}
}
