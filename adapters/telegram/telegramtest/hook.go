package telegramtest

import "net/http"

// Proxy stands between Telegram and a process on this machine, as in docs/live.md: it passes calls to an https address on to a plain
// one.
type Proxy struct{ To string }

// RoundTrip makes a call.
func (p Proxy) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = "http", p.To
	return http.DefaultTransport.RoundTrip(req)
}
