package telegram

import (
	"net/http"
	"path"

	"zevaka/bot/chat"
)

// observedTransport tells an observer of each call to the Bot API, by its method.
type observedTransport struct {
	next http.RoundTripper
	chat.Observer
}

// RoundTrip makes a call.
func (w observedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	method := path.Base(req.URL.Path)
	ctx, done := w.Call(req.Context(), chat.Call{Platform: chat.Telegram, Method: method, Waits: method == "getUpdates"})
	resp, err := w.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		done(0)
		return nil, err
	}
	done(resp.StatusCode)
	return resp, nil
}

// CloseIdleConnections does so for the client.
func (w observedTransport) CloseIdleConnections() {
	if next, ok := w.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}
