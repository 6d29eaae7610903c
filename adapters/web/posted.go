package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// wire is what a live connection goes over: a WebSocket, or what stands for one. Its methods are those of websocket.Conn.
type wire interface {
	Read(ctx context.Context) (websocket.MessageType, []byte, error)
	Write(ctx context.Context, kind websocket.MessageType, b []byte) error
	Ping(ctx context.Context) error
	Close(code websocket.StatusCode, reason string) error
	CloseNow() error
	SetReadLimit(n int64)
}

const (
	// postedTime is how long an answer lasts that stands for a WebSocket: the page asks again then. The server gives no answer more time, and
	// who has gone is known by then.
	postedTime = 20 * time.Second
	// lastLine is how long the last line may take.
	lastLine = time.Second
	// maxPosted is how many messages a page may say at once.
	maxPosted = 3
)

// posted is a live connection for browsers that leave WebSockets pending for ever, as some Safaris do over plain HTTP, and for networks that refuse
// them: a request whose body is a list of all that the page has to say, and its long answer, a line for each event. Whoever has more to say begins
// another one.
type posted struct {
	w    http.ResponseWriter
	to   *http.ResponseController
	said []json.RawMessage
	// over is closed when nothing is written any more.
	over func()
	done chan struct{}
}

// newPosted begins the answer. Where there is an error it has answered.
func newPosted(w http.ResponseWriter, req *http.Request) (*posted, error) {
	p := &posted{w: w, to: http.NewResponseController(w), done: make(chan struct{})}
	p.over = sync.OnceFunc(func() { close(p.done) })
	b, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(b, &p.said)
	}
	if err != nil || !isJSON(req) || len(p.said) == 0 || len(p.said) > maxPosted {
		refuse(w, refusedJSON)
		return nil, fmt.Errorf("read what a page says: %w", refusedJSON)
	}
	if err := p.to.SetReadDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("let a page listen: %w", err)
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Accel-Buffering", "no") // For nginx.
	w.WriteHeader(http.StatusOK)
	return p, p.to.Flush()
}

// Read returns what was said, one after the other, and then waits until ctx ends.
func (p *posted) Read(ctx context.Context) (websocket.MessageType, []byte, error) {
	if len(p.said) == 0 {
		<-ctx.Done()
		return 0, nil, fmt.Errorf("wait for an answer's end: %w", ctx.Err())
	}
	b := p.said[0]
	p.said = p.said[1:]
	return websocket.MessageText, b, nil
}

// Write writes a line.
func (p *posted) Write(ctx context.Context, _ websocket.MessageType, b []byte) error {
	if ctx.Err() != nil {
		return fmt.Errorf("write a line of an answer: %w", ctx.Err())
	}
	if until, ok := ctx.Deadline(); ok {
		_ = p.to.SetWriteDeadline(until) // It has one in any case.
	}
	if _, err := p.w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write a line of an answer: %w", err)
	}
	return p.to.Flush()
}

// Ping does nothing: an answer ends soon.
func (p *posted) Ping(context.Context) error { return nil }

// Close says why the answer ends.
func (p *posted) Close(code websocket.StatusCode, reason string) error {
	return p.Write(context.Background(), 0, encode(closedEvent{int(code), reason}))
}

// closedEvent is the last line of an answer that ends for a reason.
type closedEvent struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}

// CloseNow ends the answer.
func (p *posted) CloseNow() error {
	p.over()
	return nil
}

// SetReadLimit does nothing: all has been read.
func (p *posted) SetReadLimit(int64) {}

// linger keeps the request until its answer is over, if that stands for a live connection; it ends with whoever has asked.
func (s *stream) linger(req *http.Request) {
	p, ok := s.conn.(*posted)
	if !ok {
		return
	}
	defer context.AfterFunc(req.Context(), s.end)()
	defer context.AfterFunc(s.life, func() { _ = p.to.SetWriteDeadline(time.Now().Add(lastLine)) })()
	defer time.AfterFunc(postedTime, s.end).Stop()
	<-p.done
}
