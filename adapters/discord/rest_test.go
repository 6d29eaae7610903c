package discord

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
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
