package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// Live connections are WebSockets: a browser allows six other connections to one host, in all its tabs together, and
// here people are tabs.
const (
	maxStreams      = 256
	maxStreamsFrom  = 64  // of a household
	maxStreamsEach  = 8   // of a person
	maxGreeting     = 256 // that haven't said yet whose they are
	maxGreetingFrom = 32
	maxBehind       = 128 // events that wait for one reader
	helloTime       = 5 * time.Second
	writeTime       = 10 * time.Second
	beatTime        = 20 * time.Second
	peopleTime      = time.Second / 2
	closeRefused    = websocket.StatusCode(4000) // the reason is a refusal's code, and trying again won't help
)

// stream is a live connection: what its reader has yet to be told.
type stream struct {
	who    chat.User
	sights *sights
	from   netip.Prefix
	events chan []byte
	end    context.CancelFunc // makes the connection close
	// stays asks with each beat whether the reader may still be there; nil: they may.
	stays func() error
}

// serveLive is one live connection from its beginning to its end.
func (r *Room) serveLive(w http.ResponseWriter, req *http.Request) {
	ctx, end := context.WithCancel(r.tasks.Life)
	defer end()
	leave, ok := r.tasks.Enter()
	if !ok {
		r.fail(w, refusedClosed)
		return
	}
	defer leave()
	from := r.visitor(req)
	visit := r.greeting.acquire(from, maxGreetingFrom, end)
	defer visit.release()
	conn, err := websocket.Accept(w, req, nil)
	if err != nil {
		return // Accept has answered.
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxBody)
	who, err := r.greet(ctx, conn)
	visit.release()
	if err == nil {
		s := &stream{who: who, from: from, events: make(chan []byte, maxBehind), end: end, sights: newSights(r.opts.Tables, who, place)}
		err = r.stay(ctx, conn, req, s)
	}
	var why refusal
	if errors.As(err, &why) {
		_ = conn.Close(closeRefused, why.code)
	}
}

// greet reads who is there.
func (r *Room) greet(ctx context.Context, conn *websocket.Conn) (chat.User, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	_, b, err := conn.Read(ctx)
	if err != nil {
		return chat.User{}, fmt.Errorf("read who is there: %w", err)
	}
	n, err := parseNote(b)
	if err != nil {
		return chat.User{}, err
	}
	who, err := person(n.Tab, n)
	who.Admin = r.isAdmin(n.Admin)
	return who, err
}

// stay lets somebody in, and is there for them until they or the room are gone.
func (r *Room) stay(ctx context.Context, conn *websocket.Conn, req *http.Request, s *stream) error {
	// Everybody here is told who comes: that costs as much as to talk.
	comes := chat.Request{ID: r.nextID(), Who: s.who, In: place(1), Kind: chat.Talk}
	if r.handle(ctx, req, comes).TooFast {
		outbox.Sleep(ctx, restTime)
		return refusedFast
	}
	next, err := r.enter(s)
	if err != nil {
		return err
	}
	defer r.leave(s)
	kept := slotOf(req.Context())
	kept.pin(true)
	defer kept.pin(false)
	return r.pump(ctx, conn, s, next, func() bool { return s.who.Admin || r.pace.Allow(s.from, time.Now()) })
}

// pump sends a stream's events, the first one and those that follow, and takes the page's wishes, until the connection ends or
// the room does. May says whether the page isn't wishing too fast.
func (r *Room) pump(ctx context.Context, conn *websocket.Conn, s *stream, first []byte, may func() bool) error {
	conn.SetReadLimit(maxWish)
	r.tasks.Begin(func() { s.listen(ctx, conn, may) })
	defer s.sights.close()
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	seq := 0
	send := func(events ...[]byte) error {
		for _, event := range events {
			seq++
			if err := writeEvent(ctx, conn, number(seq, event)); err != nil {
				return fmt.Errorf("write to a live connection: %w", err)
			}
		}
		return nil
	}
	err := send(first)
	for err == nil {
		select {
		case next := <-s.events:
			err = send(next)
		case <-s.sights.news:
			var drawn [][]byte
			r.draw(func() { drawn, err = s.sights.drawn(ctx) })
			if err == nil {
				err = send(drawn...)
			}
		case <-beat.C:
			if s.stays != nil {
				err = s.stays()
			}
			if err == nil {
				err = send([]byte(`{"kind":"beat"}`))
			}
		case <-ctx.Done():
			return nil
		}
	}
	return err
}

// maxDrawers is how much is drawn at a time.
const maxDrawers = 8

// draw does something that takes a deep stack, and returns when it is done or the room closes.
func (r *Room) draw(do func()) {
	r.drawers.Do(func() {
		for range maxDrawers {
			r.tasks.Begin(func() {
				for {
					select {
					case job := <-r.drawing:
						job()
					case <-r.tasks.Life.Done():
						return
					}
				}
			})
		}
	})
	done := make(chan struct{})
	select {
	case r.drawing <- func() { defer close(done); do() }:
		<-done
	case <-r.tasks.Life.Done():
	}
}

func writeEvent(ctx context.Context, conn *websocket.Conn, event []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, event)
}

// number is event with its place in the stream, by which the page knows that it missed nothing.
func number(seq int, event []byte) []byte {
	b := strconv.AppendInt([]byte(`{"seq":`), int64(seq), 10)
	return append(append(b, ','), event[1:]...)
}

// enter opens a stream, and returns its first event: all that its reader may see now.
func (r *Room) enter(s *stream) ([]byte, error) {
	commands := r.opts.Commands(s.who.Lang)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.roomFor(s) {
		return nil, refusedFull
	}
	r.streams[s] = struct{}{}
	hello := roomEvent{
		Kind: "room", Run: r.run, You: publicID(s.who.ID), Admin: s.who.Admin, Channels: channels,
		Messages: r.readable(s.who.ID), Commands: commands,
	}
	r.tellPeople()
	return encode(hello), nil
}

// roomFor says whether there may be one more stream: there are files for twice as many connections. An admin gets in
// when the room is full, too.
func (r *Room) roomFor(s *stream) bool {
	own, from := 0, 0
	for o := range r.streams {
		if o.who.ID == s.who.ID {
			own++
		}
		if o.from == s.from {
			from++
		}
	}
	full := len(r.streams) >= min(maxStreams, r.doors.all/2) || from >= min(maxStreamsFrom, max(1, r.doors.each/2))
	return own < maxStreamsEach && (!full || s.who.Admin)
}

// readable is every message that user who may see, in order.
func (r *Room) readable(who int64) []messageView {
	all := []messageView{}
	for _, ch := range r.channels {
		for _, m := range ch.messages {
			if m.to == 0 || m.to == who {
				all = append(all, m.view())
			}
		}
	}
	return all
}

// people is everybody with a live connection, once.
func (r *Room) people() []personView {
	all := []personView{}
	for s := range r.streams {
		v := personView{publicID(s.who.ID), s.who.Name}
		if !slices.ContainsFunc(all, func(o personView) bool { return o.ID == v.ID }) {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b personView) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all
}

// leave ends a stream, if it hasn't been ended, and tells the others who is left.
func (r *Room) leave(s *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.streams, s)
	r.tellPeople()
}

// tellPeople tells everybody who is here, but not more often than each peopleTime: where many come and go that would be
// the whole list for each of them, for everybody. The caller holds mu.
func (r *Room) tellPeople() {
	switch {
	case r.tasks.Life.Err() != nil: // Everybody goes.
		return
	case r.told:
		r.untold = true
		return
	}
	r.send(0, encode(peopleEvent{"people", r.people()}))
	r.told = true
	r.tasks.Begin(func() {
		outbox.Sleep(r.tasks.Life, peopleTime)
		r.mu.Lock()
		defer r.mu.Unlock()
		again := r.untold
		r.told, r.untold = false, false
		if again {
			r.tellPeople()
		}
	})
}

// send queues an event for the streams of user to, or for all if to is 0. It doesn't wait: a reader who is too far
// behind is let go, and connects again.
func (r *Room) send(to int64, event []byte) {
	for s := range r.streams {
		if to != 0 && s.who.ID != to {
			continue
		}
		select {
		case s.events <- event:
		default:
			r.opts.Log.Debug("a reader fell behind", "user", s.who.ID)
			delete(r.streams, s)
			s.end()
		}
	}
}

// close lets everybody go, and nobody in any more.
func (r *Room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tasks.Cut()
}
