package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/adapters/relay"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
)

// What a room keeps.
const (
	channels    = 3
	maxMessages = 100 // in a channel
	maxSeen     = 512 // ids of lines already shown
)

// Room is a chat with channels 1 to 3, everybody in it, and the bot. Its methods may be called from anywhere.
type Room struct {
	// Bot is the one door to the games. It is set before Run or Handler is used, and not changed after.
	Bot chat.Handler

	opts  Options
	run   string                 // names this run of the room, in every Ref; mu guards it
	admin atomic.Pointer[string] // the secret of its admins
	at    atomic.Pointer[string] // the address at which it listens; empty where it lets nobody in but at its doors
	doors doors
	pace  *pace.Pace[netip.Prefix] // of all requests
	talks *pace.Pace[netip.Prefix] // of what is said to all

	// greeting are live connections of those who haven't said yet who they are.
	greeting *slots

	drawers *drawers
	files   cabinet

	// tasks are the live connections, and what the room does beside them.
	tasks *outbox.Tasks
	// exchange has everything answered where its community is served.
	exchange *relay.Exchange
	// served are what answers all that is answered here, and what answers at the doors and nowhere else.
	served func() (all, doors http.Handler)
	// seen are the lines already shown.
	seen *outbox.Memory[string, struct{}]

	mu       sync.Mutex
	last     uint64 // numbers messages and the room's own requests
	channels [channels]channel
	messages map[chat.Ref]*message
	boards   map[boardKey]*outbox.Board[body]
	streams  map[*stream]struct{}

	// began is when the room was made. It hears while there is a stream.
	began time.Time
	ears  outbox.Hearing

	// told says that everybody was told lately who is here, untold that it is somebody else by now.
	told, untold bool
}

// boardKey names what has one newest picture: a table in a channel, for everybody or (To not 0) for one reader.
type boardKey struct {
	channel int64
	table   string
	to      int64
}

func newRoom(h chat.Handler, opts Options) *Room {
	watch := chat.Observe(opts.Observer)
	caught := func(panicked any) {
		watch.Caught(chat.Web)
		opts.Log.Error("something broke in the room", "panic", panicked)
	}
	tasks := outbox.NewTasks(caught)
	r := &Room{
		Bot:      h,
		tasks:    tasks,
		drawers:  newDrawers(tasks),
		seen:     outbox.NewMemory[string, struct{}](maxSeen),
		opts:     opts,
		run:      rand.Text()[:10],
		doors:    doorsFor(openFiles()),
		pace:     pace.NewPace[netip.Prefix](maxAsked),
		talks:    pace.NewPace[netip.Prefix](maxSaid),
		greeting: newSlots(maxGreeting),
		messages: map[chat.Ref]*message{},
		boards:   map[boardKey]*outbox.Board[body]{},
		streams:  map[*stream]struct{}{},
		began:    time.Now(),
	}
	r.ears.Set(false)
	admin := adminOf(opts.Key)
	r.admin.Store(&admin)
	r.exchange = &relay.Exchange{Elsewhere: opts.Elsewhere, Tasks: tasks, Origin: r.origin}
	r.served = sync.OnceValues(func() (all, doors http.Handler) { return newServed(r) })
	return r
}

// Handler serves the room: what Run listens with, for tests and for other servers.
func (r *Room) Handler() http.Handler {
	all, _ := r.served()
	return relay.Admit(all)
}

// Relayed answers what other processes relay (relay.Elsewhere), which nobody else may reach. It relays nothing further: what isn't
// served here is answered 503, with a Retry-After.
func (r *Room) Relayed() http.Handler {
	all, _ := r.served()
	return relay.Receive(r.watched(all))
}

// origin is what is known here of a request.
func (r *Room) origin(req *http.Request) relay.Origin {
	o := relay.Origin{From: r.visitor(req)}
	if call, ok := r.calling(req); ok {
		o.Call = &call
	}
	return o
}

// newServed serves a room and its doors, and the doors alone. The room's page is served by any process, and what it asks for besides where the
// room is.
func newServed(r *Room) (all, doors http.Handler) {
	mux := http.NewServeMux()
	b := roomBundle()
	mux.Handle("GET /{$}", b.index)
	mux.Handle("GET /"+b.root, b)
	mux.HandleFunc("GET /qr.svg", r.serveInvitation)
	mux.HandleFunc("POST "+peoplePath, r.remember)
	for pattern, serve := range map[string]http.HandlerFunc{
		"GET /live": r.serveLive, "POST /live": r.serveLive, "GET /picture/{name}": r.servePicture, "GET /file/{key}": r.files.serve,
		"POST /say": r.say, "POST /press": r.press, "POST /dismiss": r.dismiss,
		"GET /" + assetRoot: http.NotFound, // Another process may be of another version.
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) {
			if !passedOn(r.exchange, w, req, community()) {
				serve(w, req)
			}
		})
	}
	guarded := r.guard(mux)
	room := r.paced(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/healthz" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write([]byte("ok\n"))
			return
		}
		guarded.ServeHTTP(w, req)
	}))
	whole, alone := http.NewServeMux(), http.NewServeMux()
	whole.Handle("/", room)
	for _, d := range r.opts.Doors {
		e := newEntrance(r, d)
		e.mount(whole)
		e.mount(alone)
	}
	return whole, alone
}

// talk is a line that somebody typed.
type talk struct {
	id      string
	channel int64
	who     chat.User
	from    netip.Prefix
	line    string
	command bool
}

// talk shows a line to its channel, a command to its writer alone, once however often it is sent.
func (r *Room) talk(t talk) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.seen.Add(t.id, struct{}{}) {
		return
	}
	m := &message{channel: t.channel, from: &personView{ID: publicID(t.who.ID), Name: t.who.Name}, echo: t.command}
	m.by = source{t.from, t.who.ID}
	if t.command {
		m.to = t.who.ID
	}
	m.body.text = []chat.Span{{Text: t.line}}
	r.add(m)
}

// newest is the number of the newest message.
func (r *Room) newest() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// add puts a new message at the end of its channel.
func (r *Room) add(m *message) {
	r.last++
	m.n = r.last
	m.ref = chat.Ref(r.run + "-" + strconv.FormatUint(r.last, 36))
	m.at = time.Now().UnixMilli()
	m.weight, m.told = m.weigh(), time.Now()
	ch := &r.channels[m.channel-1]
	if len(ch.messages) >= maxMessages {
		r.drop(ch.first(r.reads))
	}
	ch.messages = append(ch.messages, m)
	r.messages[m.ref] = m
	r.send(m.to, m.event())
	for ch.heavy() {
		r.drop(ch.first(r.reads))
	}
}

// replace puts m in the place of old.
func (r *Room) replace(old, m *message) {
	m.n, m.ref, m.at, m.by = old.n, old.ref, old.at, old.by
	m.weight, m.told = m.weigh(), time.Now()
	ch := &r.channels[old.channel-1]
	ch.messages[slices.Index(ch.messages, old)] = m
	r.messages[m.ref] = m
	r.send(m.to, m.event())
}

func (r *Room) drop(m *message) {
	ch := &r.channels[m.channel-1]
	ch.messages = slices.DeleteFunc(ch.messages, func(o *message) bool { return o == m })
	delete(r.messages, m.ref)
	key := boardKey{m.channel, m.table, m.to}
	if b := r.boards[key]; b != nil && b.Ref == m.ref {
		delete(r.boards, key)
	}
	r.send(m.to, dropEvent(m))
}

// errPassed is the error of Take.
var errPassed = errors.New("nothing is passed on to the room: it is relayed")

var _ adapters.Shared = (*Room)(nil)

// Take implements adapters.Shared. Nothing comes that way.
func (r *Room) Take(context.Context, adapters.Parcel) ([]byte, error) { return nil, errPassed }

// Leave implements adapters.Shared: it ends the live connections to communities that are served here no more, whose pages come
// back to whoever serves them, and forgets the room's messages if it is one of them, as a restart would.
func (r *Room) Leave(ctx context.Context, gone func(chat.Community) bool) {
	r.exchange.Leave(ctx, gone)
	if !gone(community()) {
		return
	}
	r.files.empty()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run = rand.Text()[:10]
	r.channels = [channels]channel{}
	clear(r.messages)
	clear(r.boards)
}

// putAway takes away a message that only user to sees; any other stays.
func (r *Room) putAway(ref chat.Ref, to int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.messages[ref]; m != nil && m.to == to {
		r.drop(m)
	}
}

// public says whether everybody reads that message.
func (r *Room) public(ref chat.Ref) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.messages[ref]
	return m != nil && m.to == 0
}

// pressable is ref if user who could have pressed a button of the bot on it, and else no message: what the bot answers
// there must not fall on a message that the presser only names.
func (r *Room) pressable(ref chat.Ref, channel, who int64) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.messages[ref]
	if m == nil || m.from != nil || m.channel != channel || m.to != 0 && m.to != who {
		return ""
	}
	return ref
}
