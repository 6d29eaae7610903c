package web

import (
	"context"
	"crypto/rand"
	"embed"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot"
)

// What a room keeps.
const (
	channels    = 3
	maxMessages = 300 // in a channel
	maxSeen     = 512 // ids of lines already shown
)

// Room is a chat with channels 1 to 3, everybody in it, and the bot. Its methods may be called from anywhere.
type Room struct {
	// Bot is the one door to the games. It is set before Run or Handler is used, and not changed after.
	Bot bot.Handler

	opts Options
	run  string // names this run of the program, in every Ref

	gallery gallery

	// Live connections are counted in live, and end with open.
	live sync.WaitGroup
	open context.Context
	shut context.CancelFunc

	mu       sync.Mutex
	visits   int    // live connections, also of those who haven't said who they are
	last     uint64 // numbers messages and the room's own requests
	channels [channels]channel
	messages map[bot.Ref]*message
	pictures map[pictureKey]*picture
	streams  map[*stream]struct{}
	seen     []string // ring of request ids, the newest before seenAt
	seenAt   int
}

// channel is the messages of one channel, the oldest first.
type channel struct {
	messages []*message
}

// pictureKey names what has one newest picture: a table in a channel, for everybody or (To not 0) for one reader.
type pictureKey struct {
	channel int64
	table   string
	to      int64
}

// picture is the newest picture of a table, and the message it was last put in, which may be gone.
type picture struct {
	level uint64
	body  body
	ref   bot.Ref
}

//go:embed page
var page embed.FS

func newRoom(h bot.Handler, opts Options) *Room {
	open, shut := context.WithCancel(context.Background())
	return &Room{
		Bot:      h,
		open:     open,
		shut:     shut,
		opts:     opts,
		run:      rand.Text()[:10],
		gallery:  gallery{key: []byte(rand.Text())},
		messages: map[bot.Ref]*message{},
		pictures: map[pictureKey]*picture{},
		streams:  map[*stream]struct{}{},
		seen:     make([]string, 0, maxSeen),
	}
}

// Handler serves the room: what Run listens with, for tests and for other servers.
func (r *Room) Handler() http.Handler {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // The name is a constant, and good.
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", onlyFiles(http.FileServerFS(files)))
	mux.HandleFunc("GET /live", r.serveLive)
	mux.HandleFunc("GET /picture/{name}/{width}", r.servePicture)
	mux.HandleFunc("POST /say", r.say)
	mux.HandleFunc("POST /press", r.press)
	mux.HandleFunc("POST /dismiss", r.dismiss)
	guarded := r.guard(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/healthz" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write([]byte("ok\n"))
			return
		}
		guarded.ServeHTTP(w, req)
	})
}

// onlyFiles keeps folders from being listed.
func onlyFiles(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/" && strings.HasSuffix(req.URL.Path, "/") {
			http.NotFound(w, req)
			return
		}
		next.ServeHTTP(w, req)
	})
}

// talk is a line that somebody typed.
type talk struct {
	id      string
	channel int64
	who     bot.User
	line    string
	command bool
}

// talk shows a line to its channel, once however often it is sent.
func (r *Room) talk(t talk) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.seen, t.id) {
		return
	}
	if len(r.seen) < maxSeen {
		r.seen = append(r.seen, t.id)
	} else {
		r.seen[r.seenAt] = t.id
		r.seenAt = (r.seenAt + 1) % maxSeen
	}
	m := &message{channel: t.channel, from: &personView{ID: publicID(t.who.ID), Name: t.who.Name}, echo: t.command}
	m.body.text = []bot.Span{{Text: t.line}}
	r.add(m)
}

// add puts a new message at the end of its channel.
func (r *Room) add(m *message) {
	r.last++
	m.n = r.last
	m.ref = bot.Ref(r.run + "-" + strconv.FormatUint(r.last, 36))
	m.at = time.Now().UnixMilli()
	ch := &r.channels[m.channel-1]
	if len(ch.messages) >= maxMessages {
		r.drop(ch.oldest())
	}
	ch.messages = append(ch.messages, m)
	r.messages[m.ref] = m
	r.send(m.to, m.event())
}

// oldest is the message to go first: one that nobody plays at, if there is any.
func (c *channel) oldest() *message {
	for _, m := range c.messages {
		if m.table == "" || len(m.body.buttons) == 0 {
			return m
		}
	}
	return c.messages[0]
}

// replace puts m in the place of old.
func (r *Room) replace(old, m *message) {
	m.n, m.ref, m.at = old.n, old.ref, old.at
	ch := &r.channels[old.channel-1]
	ch.messages[slices.Index(ch.messages, old)] = m
	r.messages[m.ref] = m
	r.send(m.to, m.event())
}

func (r *Room) drop(m *message) {
	ch := &r.channels[m.channel-1]
	ch.messages = slices.DeleteFunc(ch.messages, func(o *message) bool { return o == m })
	delete(r.messages, m.ref)
	key := pictureKey{m.channel, m.table, m.to}
	if p := r.pictures[key]; p != nil && p.ref == m.ref {
		delete(r.pictures, key)
	}
	r.send(m.to, dropEvent(m))
}

// forget takes away a message that only user to sees; any other stays.
func (r *Room) forget(ref bot.Ref, to int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.messages[ref]; m != nil && m.to == to {
		r.drop(m)
	}
}

// pressable is ref if user who could have pressed a button of the bot on it, and else no message: what the bot answers
// there must not fall on a message that the presser only names.
func (r *Room) pressable(ref bot.Ref, channel, who int64) bot.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.messages[ref]
	if m == nil || m.from != nil || m.channel != channel || m.to != 0 && m.to != who {
		return ""
	}
	return ref
}
