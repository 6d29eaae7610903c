package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot"
)

// Live connections are WebSockets: a browser allows six other connections to one host, in all its tabs together, and
// here people are tabs.
const (
	maxStreams     = 256
	maxStreamsEach = 8
	maxBehind      = 128 // events that wait for one reader
	helloTime      = 5 * time.Second
	writeTime      = 10 * time.Second
	beatTime       = 20 * time.Second
	closeRefused   = websocket.StatusCode(4000) // the reason is a refusal's code, and trying again won't help
)

// stream is a live connection: what its reader has yet to be told.
type stream struct {
	who    bot.User
	events chan []byte
	end    context.CancelFunc // makes the connection close
}

// serveLive is one live connection from its beginning to its end.
func (r *Room) serveLive(w http.ResponseWriter, req *http.Request) {
	if err := r.visit(); err != nil {
		r.fail(w, err)
		return
	}
	defer r.part()
	conn, err := websocket.Accept(w, req, nil)
	if err != nil {
		return // Accept has answered.
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxBody)
	ctx, end := context.WithCancel(r.open)
	defer end()
	who, err := greet(ctx, conn)
	if err == nil {
		who.Admin = fromHere(req)
		err = r.stay(ctx, conn, &stream{who: who, events: make(chan []byte, maxBehind), end: end})
	}
	var why refusal
	if errors.As(err, &why) {
		_ = conn.Close(closeRefused, why.code)
	}
}

// greet reads who is there.
func greet(ctx context.Context, conn *websocket.Conn) (bot.User, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	_, b, err := conn.Read(ctx)
	if err != nil {
		return bot.User{}, fmt.Errorf("read who is there: %w", err)
	}
	n, err := parseNote(b)
	if err != nil {
		return bot.User{}, err
	}
	return person(n.Tab, n)
}

// stay sends a stream's events, numbered from 1, until the reader or the room is gone.
func (r *Room) stay(ctx context.Context, conn *websocket.Conn, s *stream) error {
	next, err := r.enter(s)
	if err != nil {
		return err
	}
	defer r.leave(s)
	ctx = conn.CloseRead(ctx)
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	for seq := 1; ; seq++ {
		if err := writeEvent(ctx, conn, number(seq, next)); err != nil {
			return fmt.Errorf("write to a live connection: %w", err)
		}
		select {
		case next = <-s.events:
		case <-beat.C:
			next = []byte(`{"kind":"beat"}`)
		case <-ctx.Done():
			return nil
		}
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

// visit counts a live connection, if there may be one more.
func (r *Room) visit() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.open.Err() != nil:
		return refusedClosed
	case r.visits >= 2*maxStreams:
		return refusedFull
	}
	r.visits++
	r.live.Add(1)
	return nil
}

// part ends what visit began.
func (r *Room) part() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.visits--
	r.live.Done()
}

// enter opens a stream, and returns its first event: all that its reader may see now.
func (r *Room) enter(s *stream) ([]byte, error) {
	commands := r.opts.Commands(s.who.Lang)
	r.mu.Lock()
	defer r.mu.Unlock()
	each := 0
	for o := range r.streams {
		if o.who.ID == s.who.ID {
			each++
		}
	}
	if len(r.streams) >= maxStreams || each >= maxStreamsEach {
		return nil, refusedFull
	}
	r.streams[s] = struct{}{}
	hello := roomEvent{
		Kind: "room", Run: r.run, You: publicID(s.who.ID), Channels: channels,
		Messages: r.readable(s.who.ID), Commands: commands,
	}
	r.send(0, encode(peopleEvent{"people", r.people()}))
	return encode(hello), nil
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
	r.send(0, encode(peopleEvent{"people", r.people()}))
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
	r.shut()
}
