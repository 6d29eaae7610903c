package web

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// Live connections are WebSockets, where a browser gets one to stand: it allows six other connections to one host, in all its tabs together, and
// here people are tabs.
const (
	maxStreams      = 256
	maxStreamsFrom  = 64  // of a household
	maxStreamsEach  = 8   // of a person
	maxGreeting     = 256 // that haven't said yet whose they are
	maxGreetingFrom = 32
	maxBehind       = 128 // events that wait for one reader
	helloTime       = 5 * time.Second
	writeTime       = 10 * time.Second // for each writePart of what is sent at once
	writePart       = 32 << 10
	maxWriteTime    = 50 * time.Second // after that the page takes the connection for dead, and comes again
	beatTime        = 20 * time.Second
	pongTime        = 30 * time.Second
	listTime        = time.Second / 2 // between two lists, of people or of tables, for each listPart of the one before
	listPart        = 4 << 10
	backTime        = 15 * time.Second           // how long people may take to come back to a room that goes to another process, or starts again
	closeRefused    = websocket.StatusCode(4000) // the reason is a refusal's code, and trying again won't help
)

// serveLive lets a tab's live connection begin, and returns once it has, or hasn't: what stands for hours keeps nothing of its
// request. Where it is an answer that stands for a WebSocket serveLive returns when that is over.
func (r *Room) serveLive(w http.ResponseWriter, req *http.Request) {
	leave, ok := r.tasks.Enter()
	if !ok {
		r.fail(w, refusedClosed)
		return
	}
	defer leave()
	s := r.newStream(req)
	defer s.linger(req)
	defer s.settle()
	visit := r.greeting.acquire(s.from, maxGreetingFrom, s.end)
	defer visit.release()
	if s.accept(w, req, nil) != nil {
		return // Accept has answered.
	}
	err := r.greet(s)
	visit.release()
	if err == nil {
		err = r.stay(s, req)
	}
	s.refuse(err)
}

// greet reads who is there.
func (r *Room) greet(s *stream) error {
	b, err := s.readHello()
	if err != nil {
		return err
	}
	n, err := parseNote(b)
	if err != nil {
		return err
	}
	s.who, err = person(n.Tab, n)
	s.who.Admin = r.isAdmin(n.Admin)
	return err
}

// stay lets somebody in, until they or the room are gone.
func (r *Room) stay(s *stream, req *http.Request) error {
	// Everybody here is told who comes: that costs as much as to talk.
	comes := chat.Request{ID: r.nextID(), Who: s.who, In: place(1), Kind: chat.Talk}
	if r.handle(s.life, req, comes).TooFast {
		outbox.Sleep(s.life, restTime)
		return refusedFast
	}
	s.at = community()
	s.sights = newSights(r.opts.Tables(s.at), s.who, place, s.wake)
	s.may = func() bool { return s.who.Admin || r.pace.Allow(s.from, time.Now()) }
	if err := r.enter(s, req); err != nil {
		return err
	}
	s.begin(func() { r.leave(s) })
	return nil
}

// enter opens a stream. Its first event is all that its reader may see now.
func (r *Room) enter(s *stream, req *http.Request) error {
	commands := r.opts.Commands(s.who.Lang)
	invite := ""
	if u, ok := r.calling(req); ok {
		invite = u.String()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.roomFor(s) {
		return refusedFull
	}
	hello := roomEvent{
		Kind: "room", Run: r.run, You: publicID(s.who.ID), Admin: s.who.Admin, Invite: invite, Channels: channels,
		Messages: r.readable(s.who), Commands: commands,
	}
	s.push(encode(hello))
	r.streams[s] = struct{}{}
	r.ears.Set(true)
	r.tellPeople()
	return nil
}

// roomFor says whether there may be one more stream: there are files for twice as many connections. Where there are as many as may be
// another gives way. An admin gets in when the room is full, too. The caller holds mu.
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
	switch {
	case own >= maxStreamsEach:
		return false
	case s.who.Admin:
		return true
	case from >= min(maxStreamsFrom, max(1, r.doors.each/2)):
		return false
	}
	return len(r.streams) < min(maxStreams, r.doors.all/2) || r.makeRoom(s)
}

// makeRoom ends one stream of the network that has most, if a newcomer's has fewer even with them; false if there is none that may go.
// Nobody goes who plays. The page of who went comes again, as after any connection that broke. The caller holds mu.
func (r *Room) makeRoom(s *stream) bool {
	held := map[string][]*stream{}
	for o := range r.streams {
		network := chat.Network(o.from.String())
		held[network] = append(held[network], o)
	}
	var out *stream
	most := len(held[chat.Network(s.from.String())]) + 1
	for _, all := range held {
		i := slices.IndexFunc(all, func(o *stream) bool { return !o.who.Admin && !o.sights.plays.Load() })
		if i >= 0 && len(all) > most {
			out, most = all[i], len(all)
		}
	}
	if out == nil {
		return false
	}
	r.opts.Log.Debug("a live connection makes room for another", "user", out.who.ID, "from", out.from)
	delete(r.streams, out)
	out.end()
	return true
}

// readable is every message that somebody may see, in order, as they read it.
func (r *Room) readable(who chat.User) []messageView {
	all := []messageView{}
	for _, ch := range r.channels {
		for _, m := range ch.messages {
			if m.to == 0 || m.to == who.ID {
				all = append(all, m.view(who.Lang))
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
	r.ears.Set(len(r.streams) > 0)
	r.tellPeople()
}

// tellPeople tells everybody who is here, but not more often than each listTime: where many come and go that would be
// the whole list for each of them, for everybody. The caller holds mu.
func (r *Room) tellPeople() {
	switch {
	case r.tasks.Life.Err() != nil: // Everybody goes.
		return
	case r.told:
		r.untold = true
		return
	}
	list := encode(peopleEvent{"people", r.people()})
	for s := range r.streams {
		s.list(list)
	}
	r.told = true
	r.tasks.Begin(func() {
		outbox.Sleep(r.tasks.Life, listTime*time.Duration(1+len(list)/listPart))
		r.mu.Lock()
		defer r.mu.Unlock()
		again := r.untold
		r.told, r.untold = false, false
		if again {
			r.tellPeople()
		}
	})
}

// send queues an event, as it is in the reader's language, for the streams of user to, or for all if to is 0. It doesn't wait: a reader
// who is too far behind is let go, and connects again.
func (r *Room) send(to int64, event func(lang string) []byte) {
	for s := range r.streams {
		if to != 0 && s.who.ID != to {
			continue
		}
		if !s.push(event(s.who.Lang)) {
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
