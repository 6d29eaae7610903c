package discord

import (
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/storage/mem"
)

// TestTurnedAway hears nothing, and is asked to connect again, while it opens its sessions: the library would wait without
// end.
func TestTurnedAway(t *testing.T) {
	t.Parallel()
	h := build(t, mem.New(), fake(t, discordtest.Options{Heartbeat: 500 * time.Millisecond}))
	h.set = func(a *Adapter) { a.timings.open, a.timings.quiet = time.Hour, 4*time.Second }
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
}

// turnstile is a proxy that lets through who says the word.
type turnstile struct {
	*httptest.Server
	mu     sync.Mutex
	passed []string
}

func newTurnstile(t *testing.T, word string) *turnstile {
	p := &turnstile{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, said, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth(); said != word {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		far, err := net.Dial("tcp", r.Host)
		if err != nil || r.Method != http.MethodConnect {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		p.mu.Lock()
		p.passed = append(p.passed, r.Host)
		p.mu.Unlock()
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n")
		var both sync.WaitGroup
		both.Go(func() { _, _ = io.Copy(far, near); far.Close() })
		both.Go(func() { _, _ = io.Copy(near, far); near.Close() })
		both.Wait()
	}))
	t.Cleanup(p.Close)
	return p
}

// through has all requests go through the proxy.
func (p *turnstile) through(t *testing.T, who *url.Userinfo) func(*http.Request) (*url.URL, error) {
	u, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = who
	return func(*http.Request) (*url.URL, error) { return u, nil }
}

// TestProxy reaches the gateway through a proxy, where its sessions begin and where they go on.
func TestProxy(t *testing.T) {
	t.Parallel()
	p := newTurnstile(t, "word")
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	h.set = func(a *Adapter) { a.proxy = p.through(t, url.UserPassword("bot", "word")) }
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
}

// TestProxyRefusals meets proxies that don't let it pass, and one behind which it must see who is there.
func TestProxyRefusals(t *testing.T) {
	t.Parallel()
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	defer secret.Close()
	addr := strings.TrimPrefix(secret.URL, "https://")
	p := newTurnstile(t, "word")
	socks := func(*http.Request) (*url.URL, error) { return &url.URL{Scheme: "socks5", Host: "127.0.0.1:1"}, nil }
	unknown := errors.New("no such proxy")
	for name, test := range map[string]struct {
		proxy func(*http.Request) (*url.URL, error)
		want  string
	}{
		"wrong word": {p.through(t, url.UserPassword("bot", "guess")), "407"},
		"no word":    {p.through(t, nil), "407"},
		"socks":      {socks, "socks5"},
		"unknown":    {func(*http.Request) (*url.URL, error) { return nil, unknown }, unknown.Error()},
	} {
		r := dialer{quiet: time.Minute, proxy: test.proxy, resume: func() string { return "" }}
		if _, err := r.websocket(t.Context()).NetDialTLSContext(t.Context(), "tcp", addr); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := dialer{quiet: time.Minute, proxy: p.through(t, url.UserPassword("bot", "word")), resume: func() string { return "" }}
	_, err := r.websocket(t.Context()).NetDialTLSContext(t.Context(), "tcp", addr)
	var stranger x509.UnknownAuthorityError
	if !errors.As(err, &stranger) {
		t.Errorf("behind the proxy: %v", err)
	}
}
