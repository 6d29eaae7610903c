package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/engine"
)

// stream is a live connection: what its reader has yet to be told. There are thousands of them that wait: as long as nothing
// happens one goroutine stands behind each, which reads. What is to be written is by another that ends when it is.
type stream struct {
	room *Room
	from netip.Prefix
	slot *slot // the connection's; nil where those aren't counted
	conn wire
	// life ends with the connection, and end makes it end.
	life context.Context
	end  context.CancelFunc

	who chat.User
	// at is the community that is looked at.
	at     chat.Community
	sights *sights
	// may says whether the page isn't wishing too fast.
	may func() bool
	// stays asks with each beat whether the reader may still be there; nil: they may.
	stays func() error
	// gone takes back what the stream holds in its room, once; nil before it has begun.
	gone func()

	beat   *time.Timer
	writer sync.WaitGroup
	seq    int // of the last event; the writer's

	mu     sync.Mutex
	events [][]byte // that wait
	people []byte   // the newest list of who is here that waits; nil if none does
	talked bool     // the last that was told was an event
	// begun says that there may be a writer, writing that there is one, and over that there will be none any more. Beats says
	// that a beat is due.
	begun, writing, over, beats bool
}

// newStream is the stream that a request asks for.
func (r *Room) newStream(req *http.Request) *stream {
	s := &stream{room: r, from: r.visitor(req), slot: slotOf(req.Context())}
	s.life, s.end = context.WithCancel(r.tasks.Life)
	return s
}

// accept makes the request's connection a live one. It has answered where there is an error.
func (s *stream) accept(w http.ResponseWriter, req *http.Request, opts *websocket.AcceptOptions) error {
	if req.Method == http.MethodPost {
		p, err := newPosted(w, req)
		if err == nil {
			s.conn = p
		}
		return err
	}
	conn, err := websocket.Accept(lean{w}, req, opts)
	if err == nil {
		conn.SetReadLimit(maxBody)
		s.conn = conn
	}
	return err
}

// errUnfinished is a drawing that broke, or for which the room closed.
var errUnfinished = errors.New("a drawer has not finished")

// lean hands out a connection with buffers that fit what pages say and are told.
type lean struct{ http.ResponseWriter }

const (
	readBuffer  = 512
	writeBuffer = 1024
)

// Hijack implements http.Hijacker.
func (l lean) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, had, err := http.NewResponseController(l.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take over a connection: %w", err)
	}
	conn = newSlow(conn)
	early, _ := had.Peek(had.Reader.Buffered())
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), max(readBuffer, len(early)))
	_, err = r.Peek(len(early)) // What was read already stays in the buffer.
	return conn, bufio.NewReadWriter(r, bufio.NewWriterSize(conn, writeBuffer)), err
}

// maxAhead is how many reads of a live connection may be made at once; after that one is for each wishTime.
const maxAhead = 50

// slow is a connection that is read no faster than a page has wishes: it may also send what is none, as pings without end, each of which the
// room answers.
type slow struct {
	net.Conn
	// read is when what was read so far would have been read, one after the other.
	read time.Time
	// life ends when it is closed.
	life context.Context
	end  context.CancelFunc
}

func newSlow(conn net.Conn) *slow {
	life, end := context.WithCancel(context.Background())
	return &slow{Conn: conn, life: life, end: end}
}

// Read implements net.Conn.
func (s *slow) Read(p []byte) (int, error) {
	outbox.Sleep(s.life, time.Until(s.read.Add(-maxAhead*wishTime)))
	n, err := s.Conn.Read(p)
	if now := time.Now(); s.read.Before(now) {
		s.read = now
	}
	s.read = s.read.Add(wishTime)
	return n, err
}

// Close implements net.Conn.
func (s *slow) Close() error {
	s.end()
	return s.Conn.Close()
}

// readHello reads the first message.
func (s *stream) readHello() ([]byte, error) {
	ctx, cancel := context.WithTimeout(s.life, helloTime)
	defer cancel()
	_, b, err := s.conn.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read who is there: %w", err)
	}
	return b, nil
}

// begin tells what there is to be told, and takes the page's wishes, until the connection ends. It doesn't wait. Gone is called
// when nothing is told any more.
func (s *stream) begin(gone func()) {
	s.conn.SetReadLimit(maxWish)
	s.slot.pin(true)
	part := s.room.exchange.Join(s.at, s.end)
	s.gone = sync.OnceFunc(func() {
		s.sights.close()
		s.slot.pin(false)
		gone()
		part()
	})
	s.beat = time.AfterFunc(beatTime, func() {
		s.mu.Lock()
		s.beats = true
		s.mu.Unlock()
		s.wake()
	})
	s.mu.Lock()
	s.begun = true
	s.mu.Unlock()
	s.wake()
	s.room.tasks.Begin(func() {
		defer s.shut()
		s.listen()
	})
}

// settle ends a connection that hasn't begun.
func (s *stream) settle() {
	if s.gone == nil {
		s.shut()
	}
}

// shut ends the connection, and returns when it has.
func (s *stream) shut() {
	s.end()
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.writer.Wait()
	if s.gone != nil {
		s.beat.Stop()
		s.gone()
	}
	if s.conn != nil {
		_ = s.conn.CloseNow()
	}
}

// refuse tells the page why it is let go, where that is a refusal, and where to go, where that is elsewhere.
func (s *stream) refuse(err error) {
	var own refusal
	var why engine.Refusal
	var to moved
	switch {
	case errors.As(err, &to):
		_ = s.send(encode(elsewhereEvent{"elsewhere", to.to.String(), to.seal}))
		_ = s.conn.Close(websocket.StatusNormalClosure, "")
	case errors.As(err, &why):
		_ = s.conn.Close(closeRefused, string(why))
	case errors.As(err, &own):
		_ = s.conn.Close(closeRefused, own.code)
	case err != nil && s.life.Err() == nil:
		s.room.opts.Log.Debug("a live connection ended", "error", err)
	}
}

// listen takes a page's wishes until the connection ends.
func (s *stream) listen() {
	for {
		_, b, err := s.conn.Read(s.life)
		if err != nil {
			return
		}
		err = errUnfinished
		s.room.drawers.draw(func() {
			var w wish
			if err = json.Unmarshal(b, &w); err == nil {
				s.sights.take(s.life, w)
			}
		})
		if err != nil {
			return
		}
		pause := wishTime
		if !s.may() {
			pause = restTime
		}
		outbox.Sleep(s.life, pause)
	}
}

// push queues an event; false if too many wait.
func (s *stream) push(event []byte) bool {
	s.mu.Lock()
	full := len(s.events) >= maxBehind
	if !full {
		s.events = append(s.events, event)
	}
	s.mu.Unlock()
	s.wake()
	return !full
}

// list has the page told who is here, by the newest list alone.
func (s *stream) list(people []byte) {
	s.mu.Lock()
	s.people = people
	s.mu.Unlock()
	s.wake()
}

// behind is how many events wait.
func (s *stream) behind() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.events)
}

// wake has somebody write what there is to be told. It doesn't wait.
func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.begun || s.writing || s.over {
		return
	}
	s.writing = true
	s.writer.Add(1)
	s.room.tasks.Begin(func() {
		defer s.writer.Done()
		s.write()
	})
}

// write tells the page what there is to be told, and ends when that is nothing. Where it fails the connection ends.
func (s *stream) write() {
	told := false
	defer func() {
		if !told {
			s.end()
		}
	}()
	for tell := s.next(); tell != nil; tell = s.next() {
		if err := tell(); err != nil {
			s.gone()
			s.refuse(err)
			return
		}
	}
	told = true
}

// next tells what comes next; nil if the writer is done.
func (s *stream) next() (tell func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over || s.life.Err() != nil:
	case s.beats:
		s.beats = false
		return s.tellBeat
	case len(s.events) > 0 && (s.seq == 0 || !s.talked || !s.sights.unseen()): // On a slow line what is said and what is played come in turns.
		s.talked = true
		event := s.events[0]
		if s.events = s.events[1:]; len(s.events) == 0 {
			s.events = nil
		}
		return func() error { return s.send(event) }
	case s.sights.unseen():
		s.talked = false
		return s.tellSights
	case s.people != nil:
		event := s.people
		s.people = nil
		return func() error { return s.send(event) }
	case s.sights.log.Load():
		return func() error { return s.tellLong(s.sights.recounted) }
	case s.sights.past.Load():
		return func() error { return s.tellLong(s.sights.recalled) }
	}
	s.writing = false
	return nil
}

// tellSights tells what is new to be seen.
func (s *stream) tellSights() error {
	var events [][]byte
	err := errUnfinished
	s.room.drawers.draw(func() { events, err = s.sights.drawn(s.life) })
	for _, event := range events {
		if err == nil {
			err = s.send(event)
		}
	}
	return err
}

// tellLong tells what was played, or what a game that has ended was like. That waits for its turn, so no drawer does it: all would soon
// wait for each other's pasts, and nobody would see a table.
func (s *stream) tellLong(read func(context.Context) ([]byte, error)) error {
	event, err := read(s.life)
	if err != nil || event == nil {
		return err
	}
	return s.send(event)
}

// tellBeat tells that the connection stands, if the reader may still be there.
func (s *stream) tellBeat() error {
	if s.stays != nil {
		if err := s.stays(); err != nil {
			return err
		}
	}
	s.beat.Reset(beatTime)
	if err := s.send([]byte(`{"kind":"beat"}`)); err != nil {
		return err
	}
	s.room.tasks.Begin(s.probe)
	return nil
}

// probe ends the connection if the reader's browser doesn't answer, which it does by itself. A phone that changes its network leaves a
// connection behind, which takes what is written, and one of those that its person may have, until the system gives it up.
func (s *stream) probe() {
	ctx, cancel := context.WithTimeout(s.life, pongTime)
	defer cancel()
	_ = s.conn.Ping(ctx) // Where the connection has ended its reader is told.
	if ctx.Err() != nil {
		s.end()
	}
}

// send writes an event with its place in the stream, by which the page knows that it missed nothing.
func (s *stream) send(event []byte) error {
	s.seq++
	b := make([]byte, 0, len(event)+20)
	b = strconv.AppendInt(append(b, `{"seq":`...), int64(s.seq), 10)
	b = append(append(b, ','), event[1:]...)
	ctx, cancel := context.WithTimeout(s.life, min(writeTime*time.Duration(1+len(b)/writePart), maxWriteTime))
	defer cancel()
	if err := s.conn.Write(ctx, websocket.MessageText, b); err != nil {
		return fmt.Errorf("write to a live connection: %w", err)
	}
	return nil
}
