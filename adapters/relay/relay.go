// Package relay passes requests on. Several processes have one public address, and each community is served by one of them. Whichever
// process a browser reaches, the one that serves the community answers.
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

// Elsewhere is what a process knows of the others with the same public address. Its methods may be called from anywhere.
type Elsewhere interface {
	// Serves reports whether this process serves a community now.
	Serves(c chat.Community) bool
	// Since is when this process began to serve a community that it serves. What came before went to another one.
	Since(c chat.Community) time.Time
	// Relay has the process that serves a community answer a request, behind its Receive. The request may open a WebSocket, and keeps
	// its Host and its headers. While a community goes from one process to another Relay may wait. If nobody serves it in the end,
	// Relay answers 503 with a Retry-After.
	Relay(w http.ResponseWriter, req *http.Request, to chat.Community)
}

// Nowhere is the Elsewhere of a process without others.
type Nowhere struct{}

// Serves is always true.
func (Nowhere) Serves(chat.Community) bool { return true }

// Since is the zero time.
func (Nowhere) Since(chat.Community) time.Time { return time.Time{} }

// Relay is never called.
func (Nowhere) Relay(http.ResponseWriter, *http.Request, chat.Community) {}

// Exchange passes requests on to the processes that they are for, and knows the live connections of this one. It is safe for use by
// many goroutines.
type Exchange struct {
	Elsewhere
	// Tasks are the process's tasks. A live connection that is relayed is one of them, and ends with them.
	Tasks *outbox.Tasks
	// Origin is the origin of a request that a browser has made here.
	Origin func(*http.Request) Origin

	crowd crowd
}

// PassedOn has the process answer that serves a community. It reports false, and does nothing, if this process serves it. A request is
// relayed once: at a wrong process it arrives only while the community changes hands, and the browser tries again later.
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
	if req.Header.Get("Upgrade") != "" { // The server limits how long all other requests take.
		defer context.AfterFunc(x.Tasks.Life, cancel)()
	}
	out := req.Clone(ctx)
	out.Header.Set(header, x.Origin(req).text())
	clear(w.Header()) // The other process sets its own.
	x.Relay(whole{w}, out, to)
	return true
}

// whole is a ResponseWriter whose connections can't be half closed: what ends on one side of a relay ends on the other.
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

// Later answers that the request may be tried again soon.
func Later(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Retry-After", "1")
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(`{"error":"closed"}` + "\n")) // The reader may be gone.
}
