package adapters

import (
	"net/http"
	"time"
)

// How long a connection of a Transport may say nothing before it is asked whether it stands, and how long the answer may take.
const (
	silentTime = 5 * time.Second
	pongTime   = 10 * time.Second
)

// Client makes calls by a transport. It follows no redirect: that would carry a token or a secret somewhere else, and make a POST a GET, which
// may go well and does nothing.
func Client(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Transport makes calls to a platform, and keeps so many connections open between them. Over HTTP/2 all calls go on one connection. Where
// nothing comes any more on it, as when a router has forgotten it, it is given up for another after silentTime and pongTime: by itself
// it would be used until the system gives it up, for a quarter of an hour, and each call would wait in vain.
func Transport(open int) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 2*open, open
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: silentTime, PingTimeout: pongTime}
	return t
}
