package discordtest

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// pipes are an address in memory: a listener, and the way to it.
type pipes struct {
	name   string
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes(name string) *pipes {
	return &pipes{name: name, conns: make(chan net.Conn), closed: make(chan struct{})}
}

var errNobodyListens = errors.New("nobody listens there")

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	there, back := newStream(), newStream()
	select {
	case p.conns <- &pipe{from: there, to: back, at: p}:
		return &pipe{from: back, to: there, at: p}, nil
	case <-p.closed:
		return nil, errNobodyListens
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return p }

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Network implements net.Addr.
func (p *pipes) Network() string { return "memory" }

// String implements net.Addr.
func (p *pipes) String() string { return p.name }

// pipe is one side of a connection. Unlike those of net.Pipe it takes what is written at once, as a kernel does.
type pipe struct {
	from, to *stream
	at       *pipes
}

func (p *pipe) Read(b []byte) (int, error)  { return p.from.read(b) }
func (p *pipe) Write(b []byte) (int, error) { return p.to.write(b) }

// Close implements net.Conn. What was written can still be read at the other side.
func (p *pipe) Close() error {
	p.from.stop()
	p.to.end()
	return nil
}

func (p *pipe) LocalAddr() net.Addr               { return p.at }
func (p *pipe) RemoteAddr() net.Addr              { return p.at }
func (p *pipe) SetReadDeadline(t time.Time) error { return p.from.limit(t) }
func (p *pipe) SetWriteDeadline(time.Time) error  { return nil } // No write waits.
func (p *pipe) SetDeadline(t time.Time) error     { return p.from.limit(t) }

// stream is one direction of a connection.
type stream struct {
	mu sync.Mutex
	// changed is closed, and replaced, with every change of what stands below.
	changed chan struct{}
	data    []byte
	// ended says that the writer has closed the connection, stopped that the reader has.
	ended, stopped bool
	// deadline is until when the reader waits; the zero time is for ever.
	deadline time.Time
}

func newStream() *stream { return &stream{changed: make(chan struct{})} }

// change does something to the stream, and wakes its reader.
func (s *stream) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *stream) end()  { s.change(func() { s.ended = true }) }
func (s *stream) stop() { s.change(func() { s.stopped = true }) }

func (s *stream) limit(t time.Time) error {
	s.change(func() { s.deadline = t })
	return nil
}

func (s *stream) write(b []byte) (n int, err error) {
	s.change(func() {
		if s.ended || s.stopped {
			err = io.ErrClosedPipe
			return
		}
		s.data = append(s.data, b...)
		n = len(b)
	})
	return n, err
}

func (s *stream) read(b []byte) (int, error) {
	for {
		n, changed, deadline, err := s.take(b)
		if n > 0 || err != nil || len(b) == 0 {
			return n, err
		}
		if deadline.IsZero() {
			<-changed
			continue
		}
		timer := time.NewTimer(time.Until(deadline))
		select {
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// take reads what there is. Where there is nothing, and no error, the reader waits for a change or the deadline.
func (s *stream) take(b []byte) (n int, changed chan struct{}, deadline time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped:
		return 0, nil, deadline, net.ErrClosed
	case !s.deadline.IsZero() && !time.Now().Before(s.deadline):
		return 0, nil, deadline, os.ErrDeadlineExceeded
	case len(s.data) > 0:
		n = copy(b, s.data)
		s.data = s.data[n:]
		return n, nil, deadline, nil
	case s.ended:
		return 0, nil, deadline, io.EOF
	}
	return 0, s.changed, s.deadline, nil
}
