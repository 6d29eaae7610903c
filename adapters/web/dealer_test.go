package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/live"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/patience"
)

// dealer is a small bot: one table, which counts what was pressed.
type dealer struct {
	mu     sync.Mutex
	level  uint64
	stands chat.Ref
	heard  chatscript.Asked
}

func (d *dealer) Handle(_ context.Context, r chat.Request) chat.Response {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard.Add(r)
	if r.Kind == chat.Talk {
		return chat.Response{}
	}
	word, _, _ := strings.Cut(r.Data, " ")
	switch word {
	case "/zevaka":
		d.level = 1
		return chat.Response{Posts: []chat.Post{d.picture(r, "")}}
	case "/secret":
		return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: text("for " + r.Who.Name + " only")}}}
	case "hand":
		hand := text("for " + r.Who.Name + " only: 7♦ Т♠")
		return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Table: "T", Level: d.level, Message: hand}}}
	case "flip":
		d.level++
		return chat.Response{Toast: "flipped", Posts: []chat.Post{d.picture(r, d.stands)}}
	case "end":
		d.level++
		p := d.picture(r, d.stands)
		p.Buttons, p.Final = [][]chat.Button{{{Label: "Ещё раз", Token: "again"}}}, true
		return chat.Response{Posts: []chat.Post{p}}
	}
	if r.Kind == chat.Shown {
		d.stands = r.On
		return chat.Response{}
	}
	return chat.Response{Toast: "no such thing: " + word, Alert: true}
}

func (d *dealer) picture(r chat.Request, edit chat.Ref) chat.Post {
	p := chat.Post{In: r.In, Edit: edit, Table: "T", Level: d.level, Receipt: "at T"}
	p.Text = []chat.Span{
		{Text: "Зевака · 36 карт", Style: chat.Strong}, {Text: "   ⏱ 60 с\nЦентр  6♠ … 10♠   "},
		{Text: "дальше", Style: chat.Faint}, {Text: " В♠\n▶ "}, {Text: "Боря", Style: chat.Strong},
		{Text: "   🂠 9   7♣ ×3   вскрыта "}, {Text: "8♥", Style: chat.Red}, {Text: fmt.Sprintf("\n   Аня   🂠 %d   ", d.level)},
		{Text: "К♦", Style: chat.Red}, {Text: "\n   Виктория   🂠 11   6♠\n\n"}, {Text: "Боря вскрывает 8♥.", Style: chat.Faint},
	}
	p.Buttons = [][]chat.Button{
		{{Label: "Вскрыть", Token: "flip", Look: chat.Primary}, {Label: "Центр", Token: "hand"}},
		{{Label: "Аня", Token: "ann"}, {Label: "Боря", Token: "bob"}, {Label: "Закончить", Token: "end", Look: chat.Danger}},
	}
	return p
}

func text(s string) chat.Message {
	return chat.Message{Text: []chat.Span{{Text: s}}}
}

func quiet() *slog.Logger {
	return slog.New(slog.DiscardHandler)
}

// serve is a room for a test, with its server.
func serve(t testing.TB, h chat.Handler) (*Room, *site) {
	t.Helper()
	r := New(h, Options{Log: quiet()})
	return r, inside(t, r)
}

// inside serves a room until the test ends.
func inside(t testing.TB, r *Room) *site {
	srv := newNetwork(t).serve(r.Handler())
	t.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
	})
	return srv
}

// tab is a tab of a test: somebody with a secret and a name.
type tab struct {
	t      testing.TB
	url    string
	secret string
	name   string
	admin  string
	lang   string // Russian if it is empty
	ids    int
	client *http.Client // nil is the default one
}

func sit(t testing.TB, srv *site, name string) *tab {
	return &tab{t: t, url: srv.URL, client: srv.Client, name: name, secret: fmt.Sprintf("%032x", []byte(name))[:32]}
}

// id is the tab's user id.
func (p *tab) id() int64 {
	u, err := person(p.secret, note{Name: p.name})
	if err != nil {
		p.t.Fatal(err)
	}
	return u.ID
}

// request is a good POST, to be spoilt by a test.
func (p *tab) request(path string, n note) *http.Request {
	p.t.Helper()
	p.ids++
	if n.ID == "" {
		n.ID = fmt.Sprintf("id%d", p.ids)
	}
	if n.Channel == 0 {
		n.Channel = 1
	}
	if n.Name == "" {
		n.Name = p.name
	}
	n.Lang = cmp.Or(n.Lang, p.lang)
	b, err := json.Marshal(n)
	if err != nil {
		p.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url+path, bytes.NewReader(b))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(tabHeader, p.secret)
	req.Header.Set(adminHeader, p.admin)
	return req
}

// reply is any answer of the room's.
type reply struct {
	status int
	said
	Error   string
	cookies []*http.Cookie // that it sets
}

func (p *tab) do(req *http.Request) reply {
	p.t.Helper()
	resp, err := cmp.Or(p.client, http.DefaultClient).Do(req)
	if err != nil {
		p.t.Error(err)
		return reply{}
	}
	defer resp.Body.Close()
	var a struct {
		said
		Error string
	}
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		p.t.Fatal(err)
	}
	return reply{resp.StatusCode, a.said, a.Error, resp.Cookies()}
}

func (p *tab) say(line string) reply {
	p.t.Helper()
	return p.do(p.request("/say", note{Text: line}))
}

func (p *tab) press(token string, on chat.Ref) reply {
	p.t.Helper()
	return p.do(p.request("/press", note{Token: token, On: on}))
}

// presses presses the button that does that on the newest message in the room that has one.
func (p *tab) presses(r *Room, do string) reply {
	p.t.Helper()
	m, token := offered(r, do)
	if m == nil {
		p.t.Fatalf("nothing offers %s", do)
	}
	return p.press(token, m.ref)
}

// offered is the newest message in the room with a button that does that, and what the button says; nil if there is none.
func offered(r *Room, do string) (newest *message, token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		for _, b := range slices.Concat(m.body.buttons...) {
			if does(b.Token) == do && (newest == nil || m.n > newest.n) {
				newest, token = m, b.Token
			}
		}
	}
	return newest, token
}

// does is what a token does.
func does(token string) string {
	parts := strings.SplitN(token, ".", 5)
	return parts[len(parts)-1]
}

// happening is any event of a live connection.
type happening struct {
	Seq      int
	Kind     string
	Run, You string
	Admin    bool
	Messages []messageView
	Message  messageView
	People   []personView
	Channel  int64
	Ref      chat.Ref
}

// window is a tab's live connection.
type window struct {
	t    testing.TB
	conn *websocket.Conn
	seq  int
}

func (p *tab) look() *window {
	p.t.Helper()
	conn, resp, err := websocket.Dial(p.t.Context(), "ws"+strings.TrimPrefix(p.url, "http")+"/live", &websocket.DialOptions{HTTPClient: p.client})
	if err != nil {
		p.t.Fatal(err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	conn.SetReadLimit(1 << 24)
	w := &window{t: p.t, conn: conn}
	p.t.Cleanup(func() { _ = conn.CloseNow() })
	hello, err := json.Marshal(note{Tab: p.secret, Admin: p.admin, Name: p.name, Lang: cmp.Or(p.lang, "ru")})
	if err == nil {
		err = conn.Write(p.t.Context(), websocket.MessageText, hello)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return w
}

// next is the next event, whatever it is.
func (w *window) next() (happening, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	_, b, err := w.conn.Read(ctx)
	if err != nil {
		return happening{}, err
	}
	var h happening
	if err := json.Unmarshal(b, &h); err != nil {
		return happening{}, err
	}
	w.seq++
	if h.Seq != w.seq {
		return happening{}, fmt.Errorf("event %d comes as number %d", w.seq, h.Seq)
	}
	return h, nil
}

// until is the next event of a kind.
func (w *window) until(kind string) happening {
	w.t.Helper()
	for {
		h, err := w.next()
		if err != nil {
			w.t.Fatalf("wait for %q: %v", kind, err)
		}
		if h.Kind == kind {
			return h
		}
	}
}

// read is the plain text of a message.
func (m messageView) read() string {
	var s strings.Builder
	for _, span := range m.Text {
		s.WriteString(span.Text)
	}
	return s.String()
}

// tablesOf are the tables of one bot, wherever they are.
func tablesOf(b *bot.Bot) func(chat.Community) *live.Tables {
	return func(chat.Community) *live.Tables { return b.Live() }
}

// allGames are the games of the house and every patience, once.
func allGames() []engine.Rules {
	all := games.All()
	for _, rules := range patience.All() {
		if _, known := games.ByName(rules.Info().Name); !known {
			all = append(all, rules)
		}
	}
	return all
}
