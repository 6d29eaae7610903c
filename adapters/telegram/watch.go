package telegram

import (
	"net/http"
	"path"

	"zevaka/bot"
)

// watched tells an observer of each call to the Bot API, by its method.
type watched struct {
	next http.RoundTripper
	bot.Observer
}

// RoundTrip makes a call.
func (w watched) RoundTrip(req *http.Request) (*http.Response, error) {
	method := path.Base(req.URL.Path)
	ctx, done := w.Call(req.Context(), bot.Call{Platform: bot.Telegram, Method: method, Waits: method == "getUpdates"})
	resp, err := w.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		done(0)
		return nil, err
	}
	done(resp.StatusCode)
	return resp, nil
}

// CloseIdleConnections does so for the client.
func (w watched) CloseIdleConnections() {
	if next, ok := w.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// Pulse is how the adapter is. It has one connection, which stands while news come: while the last poll went well, or
// while Telegram has a webhook to call.
func (a *Adapter) Pulse() bot.Pulse {
	p := bot.Pulse{Links: 1, Waiting: a.lanes.waiting()}
	if a.up.Load() {
		p.Up = 1
	}
	for _, c := range a.chats.all() {
		p.Unshown += c.unshown()
	}
	return p
}

// waiting is how many jobs wait in all lanes.
func (l *lanes) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, queue := range l.queues {
		n += len(queue)
	}
	return n
}

// unshown is how much of the chat waits to be shown.
func (c *chat) unshown() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.notes)
	for _, b := range c.boards {
		if b.dirty {
			n++
		}
	}
	return n
}
