package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/adapters/relay"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// town is several processes with one room and one door, over one store. Each community is served by one of them.
type town struct {
	t     *testing.T
	store storage.Store
	procs []*process

	mu sync.Mutex
	// by is who serves a community: nobody is -1, and the first process what isn't there.
	by map[chat.Community]int
}

// process is one of a town's.
type process struct {
	*town
	n    int
	room *Room
	door *usher
	// srv is what browsers reach, peer what other processes do.
	srv, peer *site
	// busy is held for reading by each request that is under way.
	busy sync.RWMutex
	// came counts the live connections that were asked for, relayed what was relayed from here.
	came, relayed atomic.Int64
	// from is where the last request came from.
	from atomic.Value

	owned sync.Mutex
	bots  map[chat.Community]*bot.Bot
	since map[chat.Community]time.Time
}

var _ relay.Elsewhere = (*process)(nil)

// settle is a town of so many processes, behind servers of that kind.
func settle(t *testing.T, n int, serve func(http.Handler) *site) *town {
	t.Helper()
	town := &town{t: t, store: mem.New(), by: map[chat.Community]int{}}
	for i := range n {
		p := &process{town: town, n: i, bots: map[chat.Community]*bot.Bot{}, since: map[chat.Community]time.Time{}}
		p.door = &usher{bot: p, used: map[string]bool{}}
		p.room = New(p, Options{Log: quiet(), Tables: p.Live, Elsewhere: p, Doors: []door.Door{p.door}, Key: [32]byte{7}})
		public := p.room.Handler()
		p.srv = serve(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if strings.HasSuffix(req.URL.Path, "/live") {
				p.came.Add(1)
			}
			public.ServeHTTP(w, req)
		}))
		p.peer = serve(p.room.Relayed())
		town.procs = append(town.procs, p)
	}
	t.Cleanup(func() {
		for _, p := range town.procs {
			p.room.close()
			p.room.tasks.Close(0)
		}
	})
	return town
}

// who serves a community; -1 is nobody.
func (t *town) who(c chat.Community) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.by[c]
}

func (t *town) put(c chat.Community, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.by[c] = n
}

// move gives a community to another process, as processes do: what is under way ends, the adapters leave, another begins.
func (t *town) move(c chat.Community, to int) {
	from := t.procs[t.who(c)]
	t.put(c, -1)
	from.busy.Lock() // Whatever is under way ends.
	from.owned.Lock()
	delete(from.bots, c)
	from.owned.Unlock()
	from.busy.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	from.room.Leave(ctx, func(o chat.Community) bool { return o == c })
	if ctx.Err() != nil {
		t.t.Error("leaving has no end")
	}
	one := t.procs[to]
	one.owned.Lock()
	one.since[c] = time.Now()
	one.owned.Unlock()
	t.put(c, to)
}

// Serves implements Elsewhere.
func (p *process) Serves(c chat.Community) bool { return p.who(c) == p.n }

// Since implements Elsewhere.
func (p *process) Since(c chat.Community) time.Time {
	p.owned.Lock()
	defer p.owned.Unlock()
	return p.since[c]
}

// Relay implements Elsewhere.
func (p *process) Relay(w http.ResponseWriter, req *http.Request, to chat.Community) {
	n := p.who(to)
	for end := time.Now().Add(time.Second); n < 0 && time.Now().Before(end); n = p.who(to) {
		time.Sleep(5 * time.Millisecond)
	}
	if n < 0 {
		relay.Later(w)
		return
	}
	p.relayed.Add(1)
	at, err := url.Parse(p.procs[n].peer.URL)
	if err != nil {
		p.t.Error(err)
	}
	proxy := httputil.ReverseProxy{
		Transport: p.peer.Transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(at); r.Out.Host = r.In.Host },
		ErrorLog:  log.New(nothing{}, "", 0), FlushInterval: -1,
	}
	proxy.ServeHTTP(w, req)
}

// nothing is where nothing is written.
type nothing struct{}

func (nothing) Write(b []byte) (int, error) { return len(b), nil }

// bot is that of a community; nil if it isn't served here.
func (p *process) bot(c chat.Community) *bot.Bot {
	p.owned.Lock()
	defer p.owned.Unlock()
	if !p.Serves(c) {
		return nil
	}
	if p.bots[c] == nil {
		b, err := bot.New(context.Background(), bot.Options{Store: p.store, Games: games.All()})
		if err != nil {
			p.t.Error(err)
			return nil
		}
		p.bots[c] = b
	}
	return p.bots[c]
}

// Live are the tables of a community.
func (p *process) Live(c chat.Community) *live.Tables {
	if b := p.bot(c); b != nil {
		return b.Live()
	}
	return nil
}

// Handle implements chat.Handler.
func (p *process) Handle(ctx context.Context, r chat.Request) chat.Response {
	p.busy.RLock()
	defer p.busy.RUnlock()
	p.from.Store(r.From)
	if b := p.bot(table.Home(r)); b != nil {
		return b.Handle(ctx, r)
	}
	return chat.Response{Toast: notHere, Alert: true}
}

// notHere is what a process says of what another one serves.
const notHere = "press again"

// usher is a door at which each process remembers by itself which logins were used. A login is user={"id":…}&auth_date=….
type usher struct {
	bot  chat.Handler
	mu   sync.Mutex
	used map[string]bool
}

var _ door.Homed = (*usher)(nil)

func (*usher) Path() string                           { return "/tg" }
func (*usher) Frames() []string                       { return nil }
func (*usher) Origins() []string                      { return nil }
func (*usher) Config() any                            { return nil }
func (*usher) Key() [32]byte                          { return door.KeyOf("usher", "visits") }
func (*usher) Stay(context.Context, door.Visit) error { return nil }

func tg(id int64) chat.Community { return chat.Community{Platform: chat.Telegram, ID: id} }

// login is one of a user's, made at a time.
func login(id int64, at time.Time) string {
	return url.Values{"user": {fmt.Sprintf(`{"id":%d,"language_code":"en"}`, id)}, "auth_date": {strconv.FormatInt(at.Unix(), 10)}}.Encode()
}

// Home implements door.Homed.
func (*usher) Home(h door.Hello) (chat.Community, time.Time, error) {
	all, err := url.ParseQuery(h.Login)
	var who struct{ ID int64 }
	if err != nil || json.Unmarshal([]byte(all.Get("user")), &who) != nil || who.ID <= 0 {
		return chat.Community{}, time.Time{}, door.ErrLogin
	}
	at, err := strconv.ParseInt(all.Get("auth_date"), 10, 64)
	if err != nil {
		return chat.Community{}, time.Time{}, door.ErrLogin
	}
	return tg(who.ID), time.Unix(at, 0), nil
}

// Enter lets in whoever has a login: to the table or community that the start names, else to their own.
func (u *usher) Enter(_ context.Context, h door.Hello) (door.Visit, error) {
	home, _, err := u.Home(h)
	if err != nil {
		return door.Visit{}, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.used[h.Login] {
		return door.Visit{}, door.ErrOld
	}
	u.used[h.Login] = true
	v := door.Visit{Who: chat.User{ID: home.ID, Name: fmt.Sprint("P", home.ID), Lang: "en"}}
	if h.Start == "" {
		v.In = chat.Place{Community: home, Channel: home.ID, Private: true}
		return v, nil
	}
	text, _, named := strings.Cut(h.Start, "/")
	c, err := chat.ParseCommunity(text)
	if err != nil {
		return door.Visit{}, door.ErrStart
	}
	v.In = chat.Place{Community: c, Channel: c.ID}
	if named {
		v.Table = h.Start
	}
	return v, nil
}

// Ask puts a press to the bot.
func (u *usher) Ask(ctx context.Context, v door.Visit, r chat.Request) chat.Response {
	r.ID, r.Who, r.In = fmt.Sprint("usher/", v.Who.ID, "/", r.ID), v.Who, v.In
	resp := u.bot.Handle(ctx, r)
	resp.Posts = nil
	return resp
}

// guest comes by the door of a process, and goes where it is sent, as the page does.
type guest struct {
	t   *testing.T
	srv *site

	login, start string
	// turns is how often the guest was sent on.
	turns int
	// seen are the versions of the table as they are shown.
	seen chan uint64
	ids  int

	// mu guards what a guest who watches has from one connection for the next, while the guest presses.
	mu       sync.Mutex
	conn     *websocket.Conn
	seal, at string
	// now is the newest picture of the table.
	now *live.Scene
}

// event is what a guest reads.
type event struct {
	visitEvent
	Scene *live.Scene
}

// dials opens a live connection, and says hello. While nobody serves the community it tries again.
func (g *guest) dials() error {
	address := g.srv.live("/tg")
	g.mu.Lock()
	seal, at := g.seal, g.at
	g.mu.Unlock()
	if at != "" {
		address += "?at=" + url.QueryEscape(at)
	}
	for {
		conn, resp, err := websocket.Dial(g.t.Context(), address, &websocket.DialOptions{HTTPClient: g.srv.Client})
		if resp != nil && resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "" {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		conn.SetReadLimit(1 << 20)
		g.mu.Lock()
		g.conn = conn
		g.mu.Unlock()
		hello := hello{Hello: door.Hello{Login: g.login, Start: g.start}}
		if seal != "" {
			hello.Hello, hello.Seal = door.Hello{}, seal
		}
		return conn.Write(g.t.Context(), websocket.MessageText, encode(hello))
	}
}

// comes comes in, and returns why not; empty if that worked.
func (g *guest) comes() (why string) {
	g.t.Helper()
	for g.turns = 0; ; g.turns++ {
		if g.turns > 3 {
			return "the guest is sent on and on"
		}
		if err := g.dials(); err != nil {
			return err.Error()
		}
		e, why := g.reads()
		switch {
		case why != "":
			return why
		case e.Kind == "visit":
			g.goesOn(e)
			conn := g.conn
			g.t.Cleanup(func() { _ = conn.CloseNow() })
			return ""
		case e.Kind != "elsewhere":
			return fmt.Sprintf("the first event is %+v", e)
		}
		g.goesOn(e)
		_ = g.conn.CloseNow()
	}
}

// goesOn keeps where an event sends the guest, and the seal that comes with it.
func (g *guest) goesOn(e event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.seal = e.At, cmp.Or(e.Seal, g.seal)
}

// reads is the next event, or why the connection has ended.
func (g *guest) reads() (e event, why string) {
	ctx, cancel := context.WithTimeout(g.t.Context(), time.Minute)
	defer cancel()
	_, b, err := g.conn.Read(ctx)
	if err != nil {
		if closed := (websocket.CloseError{}); errors.As(err, &closed) {
			return e, cmp.Or(closed.Reason, "closed")
		}
		return e, err.Error()
	}
	if err := json.Unmarshal(b, &e); err != nil {
		g.t.Error(err)
	}
	return e, ""
}

// watches looks at a table until the test ends, and comes back whenever the connection ends, as often as it takes: who is on the
// way while the community changes hands again and again may be sent on more often than others.
func (g *guest) watches(name string) (stop func()) {
	g.t.Helper()
	if why := g.comes(); why != "" {
		g.t.Fatal(why)
	}
	g.seen = make(chan uint64, 1000)
	var reading sync.WaitGroup
	var over atomic.Bool
	reading.Go(func() {
		for !over.Load() {
			_ = g.conn.Write(g.t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"look":%q}`, name))
			for e, why := g.reads(); why == ""; e, why = g.reads() {
				if e.Kind == "scene" && e.Scene != nil {
					g.mu.Lock()
					g.now = e.Scene
					g.mu.Unlock()
					g.seen <- e.Scene.Version
				}
			}
			for !over.Load() && g.comes() != "" {
				time.Sleep(20 * time.Millisecond)
			}
		}
	})
	return func() {
		over.Store(true)
		g.mu.Lock()
		_ = g.conn.CloseNow()
		g.mu.Unlock()
		reading.Wait()
	}
}

// until waits until a version of the table is shown that is newer.
func (g *guest) until(than uint64) {
	g.t.Helper()
	for {
		select {
		case v := <-g.seen:
			if v > than {
				return
			}
		case <-time.After(time.Minute):
			g.t.Fatalf("%s never sees what comes after %d", g.login, than)
		}
	}
}

// act is a button of the table that the guest may press; false if there is none.
func (g *guest) act(do string) (token string, version uint64, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, a := range g.now.Acts {
		if a.Do == do && !a.Later && g.now.Yours {
			return a.Token, g.now.Version, true
		}
	}
	return "", g.now.Version, false
}

// presses presses a button, again while the answer is that nobody could take it, as the page does.
func (g *guest) presses(token string) said {
	g.t.Helper()
	g.ids++
	for tries := 0; ; tries++ {
		b := encode(note{ID: fmt.Sprint("id", g.ids), Token: token})
		status, header, a := g.posts("/tg/press", b, nil)
		switch {
		case status == http.StatusServiceUnavailable && header.Get("Retry-After") != "":
			time.Sleep(20 * time.Millisecond)
		case status != http.StatusOK:
			g.t.Fatalf("a press is answered %d", status)
		case a.Toast == notHere:
			g.ids++ // Whoever reads that presses again.
		default:
			return a
		}
	}
}

func (g *guest) posts(path string, body []byte, header http.Header) (int, http.Header, said) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.srv.URL+path, strings.NewReader(string(body)))
	if err != nil {
		g.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	g.mu.Lock()
	req.Header.Set(visitHeader, g.seal)
	g.mu.Unlock()
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := g.srv.Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	var a said
	_ = json.NewDecoder(resp.Body).Decode(&a)
	return resp.StatusCode, resp.Header, a
}
