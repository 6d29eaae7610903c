package discord

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestRedirected: a call that is sent elsewhere isn't made there, and hasn't gone well.
func TestRedirected(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { t.Errorf("%s came elsewhere", req.Method) }))
	defer elsewhere.Close()
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		here := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		defer here.Close()
		c := newClient(Options{API: here.URL, Token: "token"})
		defer c.close()
		err := c.do(t.Context(), call{method: http.MethodPost, url: officialAPI + "/api", body: "said"})
		var refused *apiError
		if !errors.As(err, &refused) || refused.status != status {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestMaybeHeard: of a call that ends in an error it is known whether Discord can have heard it.
func TestMaybeHeard(t *testing.T) {
	t.Parallel()
	post := call{method: http.MethodPost, url: officialAPI + "/api", route: routePost, body: "said"}
	noDial := func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no way there") }
	cut := func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			_, _ = there.Read(make([]byte, 1))
			_ = there.Close()
		}()
		return here, nil
	}
	for name, test := range map[string]struct {
		dial  func(context.Context, string, string) (net.Conn, error)
		wait  time.Duration
		heard bool
	}{"no way there": {noDial, 0, false}, "it must wait": {cut, time.Hour, false}, "the connection is cut": {cut, 0, true}} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(Options{API: "http://discord.invalid", Token: "token", Dial: test.dial})
			defer c.close()
			if test.wait > 0 {
				c.limits.refused(post, false, time.Now().Add(test.wait))
			}
			ctx, cancel := context.WithTimeout(t.Context(), deliverTime)
			defer cancel()
			if err := c.do(ctx, post); err == nil || verdictOn(err) != passes || maybeHeard(err) != test.heard {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
