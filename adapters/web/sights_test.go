package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// serveBot is a room with a bot in it.
func serveBot(t testing.TB) (*Room, *site) {
	t.Helper()
	return serveBotOn(t, mem.New())
}

// serveBotOn is one whose bot has that store.
func serveBotOn(t testing.TB, s storage.Store) (*Room, *site) {
	t.Helper()
	b, err := bot.New(t.Context(), bot.Options{Store: s, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	r := New(b, Options{Log: quiet(), Tables: tablesOf(b)})
	srv := newNetwork(t).serve(r.Handler())
	t.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
		if tables, places := b.Live().Watched(); tables+places != 0 {
			t.Errorf("%d tables and %d places are still looked at", tables, places)
		}
	})
	return r, srv
}

// eye is a tab's live connection, and what was seen on it last.
type eye struct {
	*tab
	conn   *websocket.Conn
	seq    int
	scene  *live.Scene
	gone   string
	tables []live.Brief
	own    live.Own
	lines  []string
	// past is the game that was shown again last, and pasts how often one was, or wasn't there.
	past  *live.Past
	pasts int
	// sign is what was said last at the table.
	sign signEvent
}

// open makes the tab's live connection.
func (p *tab) open(lang string) *eye {
	p.t.Helper()
	conn, _, err := websocket.Dial(p.t.Context(), "ws"+strings.TrimPrefix(p.url, "http")+"/live", &websocket.DialOptions{HTTPClient: p.client})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	e := &eye{tab: p, conn: conn}
	e.wish(fmt.Sprintf(`{"tab":%q,"name":%q,"lang":%q}`, p.secret, p.name, lang))
	return e
}

// wish says something on the connection.
func (e *eye) wish(text string) {
	e.t.Helper()
	if err := e.conn.Write(e.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		e.t.Fatal(err)
	}
}

// until reads events until what was seen is so.
func (e *eye) until(what string, so func() bool) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.t.Context(), time.Minute)
	defer cancel()
	for !so() {
		_, b, err := e.conn.Read(ctx)
		if err != nil {
			e.t.Fatalf("%s: %v", what, err)
		}
		var event struct {
			Seq    int
			Kind   string
			Table  string
			Scene  *live.Scene
			Tables []live.Brief
			live.Own
			Lines []string
			Past  *live.Past
		}
		if err := json.Unmarshal(b, &event); err != nil {
			e.t.Fatal(err)
		}
		if e.seq++; event.Seq != e.seq {
			e.t.Fatalf("event %d comes after %d", event.Seq, e.seq-1)
		}
		switch event.Kind {
		case "scene":
			if e.scene, e.gone = event.Scene, ""; event.Scene == nil {
				e.gone = event.Table
			}
		case "tables":
			e.tables, e.own = event.Tables, event.Own
		case "sign":
			if err := json.Unmarshal(b, &e.sign); err != nil {
				e.t.Fatal(err)
			}
		case "log":
			e.lines = event.Lines
		case "past":
			e.past = event.Past
			e.pasts++
		}
	}
}

// act is the act of that name.
func (e *eye) act(do string) (live.Act, bool) {
	i := slices.IndexFunc(e.scene.Acts, func(a live.Act) bool { return a.Do == do && !a.Later })
	if i < 0 {
		return live.Act{}, false
	}
	return e.scene.Acts[i], true
}

// does presses it as soon as it is there.
func (e *eye) does(do string) {
	e.t.Helper()
	var act live.Act
	e.until("can "+do, func() (can bool) {
		if e.scene != nil {
			act, can = e.act(do)
		}
		return can
	})
	if a := e.press(act.Token, ""); a.Error != "" || a.Alert {
		e.t.Fatalf("%s is answered %+v", do, a)
	}
}

// sickly is a store that can't be read while it is sick.
type sickly struct {
	storage.Store
	sick atomic.Bool
}

func (s *sickly) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	if s.sick.Load() {
		return nil, storage.ErrUnavailable
	}
	return s.Store.Get(ctx, keys...)
}

func (s *sickly) View(ctx context.Context, fn func(storage.Reader) error) error {
	if s.sick.Load() {
		return storage.ErrUnavailable
	}
	return s.Store.View(ctx, fn)
}

// TestSignsAreHeard: a page is told what is said at the table that it looks at, by whom it knows from its seats.
func TestSignsAreHeard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serveBot(t)
		ann, boris := sit(t, srv, "Ann").open("en"), sit(t, srv, "Boris").open("ru")
		ann.say("/zevaka")
		ann.wish(`{"channel":1}`)
		ann.until("the table", func() bool { return len(ann.tables) == 1 })
		id := ann.tables[0].Table
		for _, e := range []*eye{ann, boris} {
			e.wish(fmt.Sprintf(`{"look":%q}`, id))
		}
		boris.does("join")
		ann.until("who sits there", func() bool { return ann.scene != nil && ann.scene.Says != "" })
		if a := ann.press(ann.scene.Says+"yawn", ""); a.Alert || a.Error != "" {
			t.Fatalf("%+v", a)
		}
		who, err := person(ann.secret, note{Name: "Ann"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*eye{ann, boris} {
			e.until("what Ann says", func() bool { return e.sign.Code == "yawn" })
			if want := (signEvent{"sign", id, 0, publicID(who.ID), "Ann", "yawn"}); e.sign != want || e.scene.Seats[0].Who != want.Who {
				t.Errorf("%+v, want %+v", e.sign, want)
			}
		}
	})
}

// TestUnreadIsNotGone: where the store can't be read, nobody is told that what they look at is gone: the connection ends, and whoever
// comes again later sees it. What isn't there is told to be gone.
func TestUnreadIsNotGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &sickly{Store: mem.New()}
		_, srv := serveBotOn(t, store)
		ann := sit(t, srv, "Ann")
		eye := ann.open("en")
		eye.say("/tecza deal=1")
		eye.wish(`{"channel":1}`)
		eye.until("the table", func() bool { return len(eye.tables) == 1 })
		id := eye.tables[0].Table
		for _, w := range []string{fmt.Sprintf(`{"look":%q}`, id), `{"channel":1}`} {
			store.sick.Store(true)
			eye = ann.open("en")
			eye.wish(w)
			for {
				_, b, err := eye.conn.Read(t.Context())
				if err != nil {
					if code := websocket.CloseStatus(err); code == closeRefused {
						t.Errorf("%s is refused: %v", w, err)
					}
					break
				}
				if bytes.Contains(b, []byte(`"kind":"scene"`)) || bytes.Contains(b, []byte(`"kind":"tables"`)) {
					t.Fatalf("%s is answered %s", w, b)
				}
			}
			store.sick.Store(false)
			eye = ann.open("en")
			eye.wish(w)
			eye.until(w, func() bool { return eye.scene != nil || eye.tables != nil })
		}
		eye.wish(`{"look":"w0/nothing"}`)
		eye.until("nothing", func() bool { return eye.gone != "" })
	})
}

func TestTablesAreSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serveBot(t)
		ann, ola, eve := sit(t, srv, "Ann").open("en"), sit(t, srv, "Ola").open("pl"), sit(t, srv, "Eve").open("ru")
		for _, e := range []*eye{ann, ola, eve} {
			e.wish(`{"channel":1}`)
			e.until("an empty list", func() bool { return e.tables != nil && len(e.tables) == 0 })
		}
		opened := ann.say("/zevaka").Table
		if opened == "" {
			t.Fatal("the answer to /zevaka names no table")
		}
		for _, e := range []*eye{ann, ola, eve} {
			e.until("the table in the list", func() bool { return len(e.tables) == 1 && e.tables[0].Table == opened })
			e.wish(fmt.Sprintf(`{"look":%q}`, opened))
			e.until("the lobby", func() bool { return e.scene != nil && e.scene.Phase == "lobby" })
		}
		if !ann.tables[0].Yours || eve.tables[0].Yours || !eve.tables[0].Room {
			t.Errorf("the lists are %+v and %+v", ann.tables, eve.tables)
		}
		for _, e := range []*eye{ann, eve} {
			e.wish(`{"channel":2}`)
			e.until("another hall", func() bool { return len(e.tables) == 0 })
			if own := e.own.Elsewhere; (e == ann) != (len(own) == 1 && own[0].Table == opened) {
				t.Errorf("%s has %+v elsewhere", e.name, own)
			}
			e.wish(`{"channel":1}`)
			e.until("the hall", func() bool { return len(e.tables) == 1 })
		}
		if len(ann.own.Elsewhere) > 0 {
			t.Errorf("what is here is elsewhere, too: %+v", ann.own)
		}
		ola.does("join")
		ann.until("two seats", func() bool { return len(ann.scene.Seats) == 2 })
		ann.does("deal")
		first := ann
		ann.until("the cut", func() bool { return ann.scene.Phase == "cutting" })
		if !ann.scene.Yours {
			first = ola
		}
		first.does("no-cut")
		for _, e := range []*eye{ann, ola, eve} {
			e.until("the deal", func() bool { return e.scene.Phase == "playing" })
		}
		mover, langs := ann, map[string]bool{}
		if !ann.scene.Yours {
			mover = ola
		}
		mover.does("flip")
		for _, e := range []*eye{ann, ola, eve} {
			e.until("the flip", func() bool { return len(e.scene.Steps) > 0 })
			if step := e.scene.Steps[0]; step.Do != "flip" || len(step.Moved) != 1 || len(step.Said) == 0 {
				t.Errorf("%s sees %+v", e.name, step)
			}
			langs[e.scene.Lang] = true
		}
		if len(langs) != 3 {
			t.Errorf("all see the table in %v", langs)
		}
		if len(eve.scene.Acts) > 0 {
			for _, a := range eve.scene.Acts {
				if a.Kind != "ask" {
					t.Errorf("who only looks is offered %+v", a)
				}
			}
		}
		eve.wish(`{"log":true}`)
		eve.until("the log", func() bool { return len(eve.lines) > 0 })
		eve.wish(`{"look":"w1/nosuchtable"}`)
		eve.until("that it is gone", func() bool { return eve.gone == "w1/nosuchtable" })
		eve.wish(`{"look":"t-1/` + strings.TrimPrefix(opened, "w1/") + `"}`)
		eve.until("another community's", func() bool { return strings.HasPrefix(eve.gone, "t-1/") })
	})
}

// TestHiddenPage: a page that says that it is hidden has nobody see the table, whichever it looks at, until it says otherwise.
func TestHiddenPage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		opened := sit(t, srv, "Ann").say("/zevaka").Table
		id, _ := table.ParseID(opened)
		s := newSights(r.opts.Tables(community()), chat.User{ID: 5, Name: "Eve"}, place, func() {})
		defer s.close()
		look := fmt.Sprintf(`{"look":%q,"hidden":`, opened)
		for _, step := range []struct {
			says string
			sees bool
		}{{look + `false}`, true}, {`{"hidden":true}`, false}, {look + `true}`, false}, {`{"channel":1,"hidden":false}`, true}} {
			var w wish
			if err := json.Unmarshal([]byte(step.says), &w); err != nil {
				t.Fatal(err)
			}
			s.take(t.Context(), w)
			if sees := s.tables.Sees(id, s.who.ID); sees != step.sees {
				t.Errorf("after %s she sees it: %v", step.says, sees)
			}
		}
	})
}

// TestWishesAreSlow has a page wish without end: others still get theirs.
func TestWishesAreSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serveBot(t)
		ann := sit(t, srv, "Ann").open("en")
		opened := ann.say("/patience tecza").Table
		for range 200 {
			ann.wish(fmt.Sprintf(`{"look":%q,"channel":1,"log":true}`, opened))
		}
		ola := sit(t, srv, "Ola").open("pl")
		ola.wish(fmt.Sprintf(`{"look":%q}`, opened))
		ola.until("the table", func() bool { return ola.scene != nil })
		for _, text := range []string{`{"look":5}`, `{`, `[]`} {
			p := sit(t, srv, "Bad").open("en")
			p.wish(text)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			for err := error(nil); err == nil; {
				_, _, err = p.conn.Read(ctx)
			}
			if ctx.Err() != nil {
				t.Errorf("%s keeps its connection", text)
			}
			cancel()
		}
	})
}

// TestWishesAfterTheEnd: a wish that waited while its connection ended has nobody look.
func TestWishesAfterTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t) // It tells in the end whether anything is still looked at.
		ann := sit(t, srv, "Ann").open("en")
		opened := ann.say("/zevaka").Table
		s := newSights(r.opts.Tables(community()), chat.User{ID: 5, Name: "Eve"}, place, func() {})
		s.close()
		s.take(t.Context(), wish{Look: &opened, Channel: 1})
		if tables, places := r.opts.Tables(community()).Watched(); tables+places != 0 || s.unseen() {
			t.Errorf("%d tables and %d places are looked at, after all", tables, places)
		}
	})
}

// TestTalkKeepsNoTableBack: on a slow line what is played comes in turns with what is said, however much that is, and of those who are here only the
// newest list.
func TestTalkKeepsNoTableBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		bob := sit(t, srv, "Боря")
		ann := sit(t, srv, "Аня")
		ann.client = srv.net.client("127.0.0.1")
		ann.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, _, to string) (net.Conn, error) {
			conn, err := srv.net.dial(ctx, "127.0.0.1", to)
			return slowLine{conn}, err
		}
		e := ann.open("ru")
		e.wish(`{"channel":1}`)
		e.until("the tables", func() bool { return e.tables != nil })
		for i := range 12 {
			r.talk(talk{id: fmt.Sprint(i), channel: 1, who: chat.User{ID: 9, Name: "Y"}, from: homeOf('b'), line: strings.Repeat("𝔛", maxLine)})
		}
		for range 5 {
			w := bob.look()
			w.until("room")
			time.Sleep(2 * listTime)
			_ = w.conn.CloseNow()
		}
		began := time.Now()
		bob.say("/zevaka")
		e.until("the table", func() bool { return len(e.tables) == 1 })
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("behind what is said a table comes after %v", took)
		}
		lists := 0
		for done := false; !done; {
			ctx, cancel := context.WithTimeout(t.Context(), writeTime)
			_, b, err := e.conn.Read(ctx)
			cancel()
			if done = err != nil; bytes.Contains(b, []byte(`"kind":"people"`)) {
				lists++
			}
		}
		if lists != 1 {
			t.Errorf("%d lists of people waited", lists)
		}
	})
}

// TestListsOfTablesRest: where people sit down and get up without end, everybody is told of it the more rarely the longer the list is, and in
// the end how it is; one that is asked for comes at once.
func TestListsOfTablesRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		for i := range 6 {
			sit(t, srv, fmt.Sprint(i, strings.Repeat("𝔛", 40))).say("/patience tecza")
		}
		sit(t, srv, "Anna").say("/zevaka")
		e := sit(t, srv, "Ann").open("en")
		e.wish(`{"channel":1}`)
		e.until("the tables", func() bool { return len(e.tables) == 7 })
		sent, newest, done := 0, []live.Brief{}, make(chan struct{})
		go func() {
			defer close(done)
			for {
				_, b, err := e.conn.Read(t.Context())
				var event struct{ Tables []live.Brief }
				if err != nil || json.Unmarshal(b, &event) != nil {
					return
				}
				if event.Tables != nil {
					sent, newest = sent+len(b), event.Tables
				}
			}
		}()
		bob, began := sit(t, srv, "Bob"), time.Now()
		for time.Since(began) < 20*time.Second {
			for _, do := range []string{"!join", "!leave"} {
				bob.presses(r, do)
				time.Sleep(50 * time.Millisecond)
			}
		}
		bob.presses(r, "!join")
		time.Sleep(2 * listTime)
		_ = e.conn.CloseNow()
		<-done
		if most := int(21*time.Second/listTime+1) * listPart; sent > most || sent < most/3 {
			t.Errorf("%d bytes of lists are sent, want at most %d", sent, most)
		}
		if len(newest) != 7 || len(newest[6].Names) != 2 {
			t.Errorf("in the end they are told %+v", newest)
		}
		other := sit(t, srv, "Eve").open("en")
		other.wish(`{"channel":1}`)
		other.until("the tables", func() bool { return len(other.tables) == 7 })
		asked := time.Now()
		other.wish(`{"channel":2}`)
		other.until("those of another hall", func() bool { return len(other.tables) == 0 })
		if took := time.Since(asked); took > wishTime {
			t.Errorf("a list that is asked for comes after %v", took)
		}
	})
}
