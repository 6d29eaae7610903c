// Package relay has what is asked about a community answered by that one of several processes which serves the community,
// whichever of them a browser reaches.
package relay

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// Elsewhere is what a process knows of the others with the same public address. Each community is served by one of them. Its
// methods may be called from anywhere.
type Elsewhere interface {
	// Serves reports whether this process serves a community now.
	Serves(c chat.Community) bool
	// Since is when this process began to serve a community that it serves: what came before, another may have seen.
	Since(c chat.Community) time.Time
	// Relay has the process that serves a community answer a request, WebSockets as well, behind its Receive. The request keeps
	// its Host and its headers. Relay may wait for a community that goes from one process to another; where nobody serves it in
	// the end, it answers 503 with a Retry-After.
	Relay(w http.ResponseWriter, req *http.Request, to chat.Community)
}

// Nowhere is Elsewhere of a process that has no others beside it.
type Nowhere struct{}

// Serves is always so.
func (Nowhere) Serves(chat.Community) bool { return true }

// Since is the zero time.
func (Nowhere) Since(chat.Community) time.Time { return time.Time{} }

// Relay is never called.
func (Nowhere) Relay(http.ResponseWriter, *http.Request, chat.Community) {}

// Exchange has requests answered where they belong, and knows the live connections that stand here. It is safe for use by many
// goroutines.
type Exchange struct {
	Elsewhere
	// Tasks are what goes on: a live connection that is relayed is one, and ends with them.
	Tasks *outbox.Tasks
	// Origin is what is known here of a request that a browser has made.
	Origin func(*http.Request) Origin

	crowd crowd
}

// PassedOn has the process answer that serves a community; false if it is this one, and nothing was done. A request is relayed
// once: that it comes to the wrong process can only be for a moment.
func (x *Exchange) PassedOn(w http.ResponseWriter, req *http.Request, to chat.Community) bool {
	if x.Serves(to) {
		return false
	}
	leave, ok := x.Tasks.Enter()
	if !ok {
		Later(w)
		return true
	}
	defer leave()
	if _, relayed := OriginOf(req); relayed {
		Later(w)
		return true
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	if req.Header.Get("Upgrade") != "" { // All else has the time that the server gives it.
		defer context.AfterFunc(x.Tasks.Life, cancel)()
	}
	out := req.Clone(ctx)
	out.Header.Set(header, x.Origin(req).text())
	clear(w.Header()) // The other process sets its own.
	x.Relay(whole{w}, out, to)
	return true
}

// whole hands out connections that can only be closed as a whole: what ends on one side of a relay ends on the other.
type whole struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (w whole) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Hijack implements http.Hijacker.
func (w whole) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, had, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take over a connection: %w", err)
	}
	return struct{ net.Conn }{conn}, had, nil
}

// Later answers that it may be tried again soon.
func Later(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Retry-After", "1")
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(`{"error":"closed"}` + "\n")) // The reader may be gone.
}
