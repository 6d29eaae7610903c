package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"zevaka/bot/chat"
)

// FuzzRoom sends the room anything: what reaches the bot comes from somebody who has a secret, and goes to this room.
func FuzzRoom(f *testing.F) {
	secret := strings.Repeat("0a", 16)
	f.Add("POST", "/say", "127.0.0.1:80", "application/json", "", secret, []byte(`{"id":"x","name":"Аня","channel":1,"text":"/zevaka"}`))
	f.Add("POST", "/press", "localhost:80", "application/json; charset=utf-8", "http://localhost:80", secret,
		[]byte(`{"id":"y","name":"B","channel":2,"token":"1.w1.a.0.flip","on":"r-1"}`))
	f.Add("POST", "/dismiss", "127.0.0.1:80", "application/json", "null", secret, []byte(`{"id":"z","name":"B","channel":3,"on":"r-1"}`))
	f.Add("GET", "/picture/x/800.png", "evil.example", "", "", "", []byte{})
	f.Add("GET", "/live", "127.0.0.1:80", "", "http://evil.example", "", []byte{})
	f.Add("DELETE", "/a/icons/../x", "[::1]:80", "text/plain", "", "zz", []byte(`{`))
	f.Fuzz(func(t *testing.T, method, path, host, kind, origin, secret string, body []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:80", strings.NewReader(string(body)))
		if err != nil || len(body) > 2*maxBody {
			return
		}
		req.URL.Path, req.Host, req.RemoteAddr = path, host, "127.0.0.1:9"
		for key, value := range map[string]string{"Content-Type": kind, "Origin": origin, tabHeader: secret} {
			if value != "" {
				req.Header[http.CanonicalHeaderKey(key)] = []string{value}
			}
		}
		here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
		d := &dealer{}
		w := httptest.NewRecorder()
		New(d, Options{Log: quiet()}).Handler().ServeHTTP(w, req.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.Addr(here))))
		for _, r := range append(d.heard.Of(chat.Command), d.heard.Of(chat.Press)...) {
			own := r.In.Community == community() && r.In.Channel >= 1 && r.In.Channel <= channels
			if !own || r.Who.ID <= 0 || r.Who.Name == "" || r.ID == "" || len(secret) != 32 {
				t.Errorf("asked %+v with the secret %q", r, secret)
			}
			if origin != "" && !strings.HasSuffix(origin, "//"+host) {
				t.Errorf("a page of %q is let in by %q", origin, host)
			}
		}
	})
}
