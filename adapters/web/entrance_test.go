package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// porter is a door of a test: a login is a name, and good once.
type porter struct {
	path string
	bot  chat.Handler
	mu   sync.Mutex
	used map[string]bool
	// from is where the last one came from.
	from string
	// guest is who comes, whatever the login; the zero User is whom the login names.
	guest chat.User
	// out is a user who may not stay.
	out atomic.Int64
	// hold has whoever asks to be held wait until it is closed.
	hold atomic.Pointer[chan struct{}]
}

var _ door.Door = (*porter)(nil)

func (p *porter) Path() string      { return p.path }
func (p *porter) Frames() []string  { return []string{"https://client.example"} }
func (p *porter) Origins() []string { return []string{"https://app.example"} }
func (p *porter) Config() any       { return map[string]string{"client": "7"} }
func (p *porter) Key() [32]byte     { return door.KeyOf(p.path, "visits") }

func (p *porter) in() chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -9}, Channel: -9}
}

func (p *porter) Enter(_ context.Context, h door.Hello) (door.Visit, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.from = h.From
	if p.guest.ID != 0 {
		return door.Visit{Who: p.guest, In: p.in(), Table: cmp.Or(h.Start, h.Instance)}, nil
	}
	switch {
	case h.Login == "":
		return door.Visit{}, door.ErrLogin
	case p.used[h.Login]:
		return door.Visit{}, door.ErrOld
	}
	p.used[h.Login] = true
	who := chat.User{ID: int64(len(h.Login)), Name: h.Login, Lang: "en"}
	return door.Visit{Who: who, In: p.in(), Table: h.Start, Unsure: h.Login == "perhaps"}, nil
}

// Stay lets nobody stay who is called out.
func (p *porter) Stay(_ context.Context, v door.Visit) error {
	if p.out.Load() == v.Who.ID {
		return door.ErrPlace
	}
	return nil
}

func (p *porter) Ask(ctx context.Context, v door.Visit, r chat.Request) chat.Response {
	if r.Data == "/hold" {
		<-*p.hold.Load()
		return chat.Response{}
	}
	r.ID, r.Who, r.In = "porter/"+r.ID, v.Who, v.In
	resp := p.bot.Handle(ctx, r)
	var own []chat.Post
	for _, post := range resp.Posts {
		if post.To != nil {
			own = append(own, post)
		}
	}
	resp.Posts = own
	return resp
}

// gate is a room with two doors and a bot.
func gate(t *testing.T) (*site, *bot.Bot, *porter) {
	t.Helper()
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	one := &porter{path: "/one", bot: b, used: map[string]bool{}}
	doors := []door.Door{one, &porter{path: "/two", bot: b, used: map[string]bool{}}}
	r := New(b, Options{Log: quiet(), Tables: tablesOf(b), Doors: doors, Public: "https://public.example"})
	return inside(t, r), b, one
}

// visitor is somebody at a door.
type visitor struct {
	t    *testing.T
	srv  *site
	door string
	conn *websocket.Conn
	seal string
	ids  int
}

// comes says hello at a door, such as /one. It returns why the door stays shut; empty where it opened.
func comes(t *testing.T, srv *site, door, hello, origin string) (*visitor, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := &websocket.DialOptions{HTTPClient: srv.Client, HTTPHeader: http.Header{}}
	if origin != "" {
		o.HTTPHeader.Set("Origin", origin)
	}
	conn, resp, err := websocket.Dial(ctx, srv.live(door), o)
	if err != nil {
		if resp != nil {
			return nil, fmt.Sprint(resp.StatusCode)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	if err := conn.Write(ctx, websocket.MessageText, []byte(hello)); err != nil {
		t.Fatal(err)
	}
	v := &visitor{t: t, srv: srv, door: door, conn: conn}
	event, why := v.next()
	v.seal = event.Seal
	return v, why
}

type seenEvent struct {
	visitEvent
	Scene  *live.Scene
	Tables []live.Brief
}

func (v *visitor) next() (event seenEvent, why string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Minute)
	defer cancel()
	_, b, err := v.conn.Read(ctx)
	if err != nil {
		var closed websocket.CloseError
		if !errors.As(err, &closed) {
			return event, err.Error()
		}
		return event, closed.Reason
	}
	if err := json.Unmarshal(b, &event); err != nil {
		v.t.Fatal(err)
	}
	return event, ""
}

// ask makes a POST.
func (v *visitor) ask(path, seal string, n note, header ...string) (int, said) {
	v.t.Helper()
	v.ids++
	if n.ID == "" {
		n.ID = fmt.Sprint("id", v.ids)
	}
	b, err := json.Marshal(n)
	if err != nil {
		v.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.srv.URL+v.door+path, bytes.NewReader(b))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(visitHeader, seal)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := v.srv.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	var a said
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		v.t.Fatal(err)
	}
	return resp.StatusCode, a
}

func TestDoor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, keeper := gate(t)
		const one, two = "/one", "/two"
		ann, why := comes(t, srv, one, `{"login":"ann","lang":"pl"}`, "https://app.example")
		if why != "" || ann.seal == "" {
			t.Fatalf("ann is refused: %s", why)
		}
		again, why := comes(t, srv, one, fmt.Sprintf(`{"seal":%q}`, ann.seal), "https://public.example")
		if why != "" || again.seal != ann.seal {
			t.Errorf("ann comes back and is refused: %s", why)
		}
		keeper.out.Store(3)
		if _, why := comes(t, srv, one, fmt.Sprintf(`{"seal":%q}`, ann.seal), ""); why != string(door.ErrPlace) {
			t.Errorf("ann, who was put out, comes back: %q", why)
		}
		keeper.out.Store(0)
		altered := ann.seal[:10] + "x" + ann.seal[11:]
		for _, c := range []struct{ what, url, hello, origin, why string }{
			{"no login", one, `{}`, "", string(door.ErrLogin)},
			{"a login used before", one, `{"login":"ann"}`, "", string(door.ErrOld)},
			{"no JSON", one, `{`, "", "json"},
			{"a seal altered", one, fmt.Sprintf(`{"seal":%q}`, altered), "", string(door.ErrLogin)},
			{"a seal of another door", two, fmt.Sprintf(`{"seal":%q}`, ann.seal), "", string(door.ErrLogin)},
			{"a foreign page", one, `{"login":"eve"}`, "https://evil.example", "403"},
			{"the page of the room", one, `{"login":"tab"}`, "null", "403"},
		} {
			if _, why := comes(t, srv, c.url, c.hello, c.origin); why != c.why {
				t.Errorf("%s: %q, want %q", c.what, why, c.why)
			}
		}
		for _, c := range []struct {
			what, path, seal string
			n                note
			header           []string
			status           int
		}{
			{"a command", "/say", ann.seal, note{Text: "/help"}, nil, 200},
			{"talk", "/say", ann.seal, note{Text: "hello"}, nil, 400},
			{"nothing", "/press", ann.seal, note{}, nil, 400},
			{"a long token", "/press", ann.seal, note{Token: strings.Repeat("x", maxToken+1)}, nil, 400},
			{"without a seal", "/say", "", note{Text: "/help"}, nil, 401},
			{"with an altered one", "/say", altered, note{Text: "/help"}, nil, 401},
			{"no JSON", "/say", ann.seal, note{Text: "/help"}, []string{"Content-Type", "text/plain"}, 415},
			{"a foreign page", "/say", ann.seal, note{Text: "/help"}, []string{"Origin", "https://evil.example"}, 403},
			{"a bad id", "/say", ann.seal, note{ID: "a b", Text: "/help"}, nil, 400},
			{"much", "/say", ann.seal, note{Text: "/" + strings.Repeat("x", maxBody)}, nil, 413},
		} {
			if status, _ := ann.ask(c.path, c.seal, c.n, c.header...); status != c.status {
				t.Errorf("%s: %d, want %d", c.what, status, c.status)
			}
		}
	})
}

// TestDoorShowsTables opens a table by a door: who comes by it sees it, and none of another place's.
func TestDoorShowsTables(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, b, _ := gate(t)
		ann, _ := comes(t, srv, "/one", `{"login":"ann"}`, "")
		r := b.Handle(t.Context(), chat.Request{ID: "x", Who: chat.User{ID: 3, Name: "ann"}, In: (&porter{}).in(), Kind: chat.Command, Data: "/zevaka"})
		elsewhere := (&porter{}).in()
		elsewhere.Channel = -10
		other := b.Handle(t.Context(), chat.Request{ID: "y", Who: chat.User{ID: 4, Name: "bob"}, In: elsewhere, Kind: chat.Command, Data: "/zevaka"})
		for _, c := range []struct {
			table string
			seen  bool
		}{{r.Opened, true}, {other.Opened, false}, {"t-9/nothing", false}} {
			if err := ann.conn.Write(t.Context(), websocket.MessageText, []byte(fmt.Sprintf(`{"look":%q}`, c.table))); err != nil {
				t.Fatal(err)
			}
			event, why := ann.next()
			for event.Kind == "beat" {
				event, why = ann.next()
			}
			if event.Kind != "scene" || event.Table != c.table || (event.Scene != nil) != c.seen {
				t.Errorf("%s is shown as %+v, %s", c.table, event, why)
			}
		}
	})
}

// TestDoorBounds has one person take all that they can get: others get theirs.
func TestDoorBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, keeper := gate(t)
		ann, _ := comes(t, srv, "/one", `{"login":"ann"}`, "")
		ola, _ := comes(t, srv, "/one", `{"login":"olga"}`, "")
		hello := fmt.Sprintf(`{"seal":%q}`, ann.seal)
		for n := 1; n < maxVisitsEach; n++ {
			if _, why := comes(t, srv, "/one", hello, ""); why != "" {
				t.Fatalf("connection %d is refused: %s", n+1, why)
			}
		}
		if _, why := comes(t, srv, "/one", hello, ""); why != refusedFull.code {
			t.Errorf("one connection more than a person may have: %q", why)
		}
		if _, why := comes(t, srv, "/one", fmt.Sprintf(`{"seal":%q}`, ola.seal), ""); why != "" {
			t.Errorf("somebody else is refused: %s", why)
		}
		held := make(chan struct{})
		keeper.hold.Store(&held)
		answers := make(chan int, 2*maxAsksEach)
		for n := range 2 * maxAsksEach {
			go func() {
				one := &visitor{t: t, srv: srv, door: ann.door}
				status, _ := one.ask("/say", ann.seal, note{ID: fmt.Sprint("hold", n), Text: "/hold"})
				answers <- status
			}()
		}
		for range maxAsksEach {
			if status := <-answers; status != http.StatusTooManyRequests {
				t.Errorf("one press more than a person may have under way is answered %d", status)
			}
		}
		if status, _ := ola.ask("/say", ola.seal, note{Text: "/help"}); status != http.StatusOK {
			t.Errorf("somebody else is answered %d", status)
		}
		close(held)
		for range maxAsksEach {
			if status := <-answers; status != http.StatusOK {
				t.Errorf("what was under way is answered %d", status)
			}
		}
	})
}

// watched has an admin choose who may look on.
func watched(t *testing.T, b *bot.Bot, admin chat.User, id, watchers string) {
	t.Helper()
	r := chat.Request{ID: id, Who: admin, In: (&porter{}).in(), Kind: chat.Press}
	r.Data = table.PlaceToken(r, "!set watchers "+watchers)
	if response := b.Handle(t.Context(), r); response.Alert {
		t.Fatal(response.Toast)
	}
}

// TestDoorClosed has a place choose who may look on.
func TestDoorClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, b, _ := gate(t)
		admin := chat.User{ID: 3, Name: "ann", Admin: true}
		ask := func(id, line string) chat.Response {
			return b.Handle(t.Context(), chat.Request{ID: id, Who: admin, In: (&porter{}).in(), Kind: chat.Command, Data: line})
		}
		set := func(id, watchers string) { watched(t, b, admin, id, watchers) }
		table := ask("open", "/zevaka").Opened
		known, _ := comes(t, srv, "/one", `{"login":"known"}`, "")
		unsure, _ := comes(t, srv, "/one", `{"login":"perhaps"}`, "")
		for i, c := range []struct {
			who     *visitor
			setting string
			seen    bool
		}{{unsure, "watchers", true}, {unsure, "no-watchers", false}, {known, "no-watchers", true}, {unsure, "watchers", true}} {
			set(fmt.Sprint("set ", i), c.setting)
			if err := c.who.conn.Write(t.Context(), websocket.MessageText, []byte(fmt.Sprintf(`{"look":%q}`, table))); err != nil {
				t.Fatal(err)
			}
			for event, why := c.who.next(); event.Kind != "scene" || (event.Scene != nil) != c.seen; event, why = c.who.next() {
				if why != "" {
					t.Fatalf("%d, %s: %s", i, c.setting, why)
				}
			}
		}
	})
}

// TestDoorClosedMeanwhile: who looked on before isn't told either what was played.
func TestDoorClosedMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, b, _ := gate(t)
		admin := chat.User{ID: 3, Name: "ann", Admin: true}
		ask := func(id, line string) chat.Response {
			return b.Handle(t.Context(), chat.Request{ID: id, Who: admin, In: (&porter{}).in(), Kind: chat.Command, Data: line})
		}
		set := func(id, watchers string) { watched(t, b, admin, id, watchers) }
		table := ask("open", "/zevaka").Opened
		unsure, _ := comes(t, srv, "/one", `{"login":"perhaps"}`, "")
		wish := func(text string) {
			if err := unsure.conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		until := func(what string, so func(seenEvent) bool) {
			for event, why := unsure.next(); !so(event); event, why = unsure.next() {
				if why != "" || what == "the list" && event.Kind == "log" {
					t.Fatalf("%s: %+v, %s", what, event, why)
				}
			}
		}
		wish(fmt.Sprintf(`{"look":%q}`, table))
		until("the table", func(e seenEvent) bool { return e.Scene != nil })
		wish(`{"log":true}`)
		until("the log", func(e seenEvent) bool { return e.Kind == "log" })
		set("close", "no-watchers")
		until("that it is gone", func(e seenEvent) bool { return e.Kind == "scene" && e.Scene == nil })
		wish(`{"log":true}`)
		time.Sleep(10 * wishTime) // Wishes that come together are granted together, the list first.
		wish(`{"channel":1}`)
		until("the list", func(e seenEvent) bool {
			if len(e.Tables) > 0 {
				t.Errorf("a closed table is listed: %+v", e.Tables)
			}
			return e.Kind == "tables"
		})
	})
}

// TestDoorIsToldWhereFrom: a door hears of each visitor from which address they come, whatever their page says.
func TestDoorIsToldWhereFrom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, one := gate(t)
		if _, why := comes(t, srv, "/one", `{"login":"ann","From":"10.0.0.1/32","from":"10.0.0.1/32"}`, ""); why != "" {
			t.Fatalf("nobody is let in, by %q", why)
		}
		one.mu.Lock()
		defer one.mu.Unlock()
		if _, err := netip.ParsePrefix(one.from); err != nil || one.from == "10.0.0.1/32" {
			t.Errorf("they come from %q", one.from)
		}
	})
}

// TestDoorWary: where many come from who are turned away, connections wait.
func TestDoorWary(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := gate(t)
		for range 100 * maxStrangers {
			begun := time.Now()
			if _, why := comes(t, srv, "/one", `{"login":""}`, ""); why != string(door.ErrLogin) {
				t.Fatalf("nobody is let in, by %q", why)
			}
			if time.Since(begun) >= restTime {
				return
			}
		}
		t.Error("nobody ever waited")
	})
}

// TestDoorHeaders holds what browsers are told of a door's answers.
func TestDoorHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := gate(t)
		resp, err := srv.Get(srv.URL + "/one/config")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		policy := resp.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors https://client.example;", "require-trusted-types-for 'script'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("the policy %q has no %q", policy, part)
			}
		}
		room, err := srv.Get(srv.URL + "/")
		if err != nil {
			t.Fatal(err)
		}
		defer room.Body.Close()
		if policy := room.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || room.Header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("the room's own policy is %q", policy)
		}
	})
}
