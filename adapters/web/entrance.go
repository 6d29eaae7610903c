package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/adapters/outbox"
	"zevaka/adapters/relay"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/table"
	"zevaka/engine"
)

const (
	// visitTime is how long a visit lasts that was let in once.
	visitTime = 12 * time.Hour
	// visitHeader carries the sealed visit.
	visitHeader = "X-Zevaka-Visit"
	// enterTime is how long a door may take to find out who comes.
	enterTime = 8 * time.Second
	// maxVisits are live connections by all doors, maxVisitsEach those of a person.
	maxVisits, maxVisitsEach = 8192, 8
	// maxAsks are presses and commands that are under way, maxAsksEach those of a person.
	maxAsks, maxAsksEach = 1024, 8
)

// entrance serves the live tables to those who come by a platform's door.
type entrance struct {
	*Room
	door.Door
	// pace is that of each visitor: many come from one address.
	pace *pace.Pace[int64]
	// visits are the live connections, asks what is under way.
	visits, asks *counts
	// strangers are the households of those who are turned away.
	strangers *wary
	page      *doorPage
}

func newEntrance(r *Room, d door.Door) *entrance {
	pace := pace.NewPace[int64](maxAsked)
	return &entrance{r, d, pace, newCounts(maxVisits, maxVisitsEach), newCounts(maxAsks, maxAsksEach), newWary(restTime), newDoorPage(d)}
}

// mount adds what the door serves.
func (e *entrance) mount(mux *http.ServeMux) {
	path := e.Path()
	mux.Handle("GET "+path, e.guarded(e.page))
	mux.Handle("GET "+path+"/{$}", e.guarded(e.page))
	mux.Handle("GET "+path+"/"+assetRoot, e.guarded(http.StripPrefix(path, e.page.bundle)))
	mux.Handle("GET "+path+"/config", e.guarded(http.HandlerFunc(e.serveConfig)))
	mux.Handle("GET "+path+"/live", e.guarded(http.HandlerFunc(e.serveVisit)))
	mux.Handle("POST "+path+"/press", e.guarded(e.serveAsk(chat.Press)))
	mux.Handle("POST "+path+"/say", e.guarded(e.serveAsk(chat.Command)))
}

// guarded lets through only what the page behind this door may have sent, and tells browsers who may show it.
func (e *entrance) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy(ancestors(e.Frames()), e.page.pictures...))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if !e.ownOrigin(req) {
			refuse(w, refusedOrigin)
			return
		}
		next.ServeHTTP(w, req)
	})
}

// ancestors are the origins that may show the page in a frame.
func ancestors(origins []string) string {
	if len(origins) == 0 {
		return "'none'"
	}
	return strings.Join(origins, " ")
}

// ownOrigin says whether a request that names its origin comes from the page behind this door.
func (e *entrance) ownOrigin(req *http.Request) bool {
	origins := req.Header.Values("Origin")
	if len(origins) == 1 && slices.Contains(e.Origins(), origins[0]) {
		return true
	}
	return sameOrigin(req) || len(origins) == 1 && e.opts.Public != "" && origins[0] == e.opts.Public
}

// serveConfig tells the page what it must know to speak to the client around it.
func (e *entrance) serveConfig(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, e.Config())
}

// hello is the first message of a visitor's live connection: a login, or the seal of a visit that was let in.
type hello struct {
	door.Hello
	Seal string `json:"seal"`
	Lang string `json:"lang"`
}

// The events of a visitor's live connection beside those of a room's.
type visitEvent struct {
	Kind string `json:"kind"`
	// Seal is what lets the visitor in again.
	Seal  string `json:"seal"`
	You   string `json:"you"`
	Name  string `json:"name"`
	Lang  string `json:"lang"`
	Table string `json:"table,omitempty"`
	// At is the community that is visited, by which the page comes back; empty where there is only this process.
	At string `json:"at,omitempty"`
}

// serveVisit lets a visitor's live connection begin, and returns once it has, or hasn't. Its address may name the community that
// the visitor comes to, at=COMMUNITY: that says by which process it goes, and nothing else.
func (e *entrance) serveVisit(w http.ResponseWriter, req *http.Request) {
	leave, ok := e.tasks.Enter()
	if !ok {
		e.fail(w, refusedClosed)
		return
	}
	defer leave()
	if hint, err := chat.ParseCommunity(req.URL.Query().Get("at")); err == nil && passedOn(e.exchange, w, req, hint) {
		return
	}
	s := e.newStream(req)
	defer s.settle()
	e.strangers.wait(req.Context(), s.from)
	greets := e.greeting.acquire(s.from, maxGreeting, s.end)
	defer greets.release()
	if s.accept(w, req, &websocket.AcceptOptions{InsecureSkipVerify: true}) != nil { // ownOrigin has looked.
		return // Accept has answered.
	}
	v, seal, err := e.greetVisitor(s)
	greets.release()
	var why engine.Refusal
	if errors.As(err, &why) && why != door.ErrAway {
		e.strangers.turned(s.from)
	}
	if err == nil {
		err = e.receive(s, v, seal)
	}
	s.refuse(err)
}

// greetVisitor finds out who comes.
func (e *entrance) greetVisitor(s *stream) (door.Visit, string, error) {
	b, err := s.readHello()
	if err != nil {
		return door.Visit{}, "", err
	}
	var h hello
	if json.Unmarshal(b, &h) != nil {
		return door.Visit{}, "", refusedJSON
	}
	if h.Seal != "" {
		v, err := door.Unseal(e.Key(), h.Seal, time.Now())
		if err == nil {
			err = e.comesTo(v, "")
		}
		if err == nil {
			err = e.stay(s.life, v)
		}
		return inLang(v, h.Lang), h.Seal, err
	}
	if err := e.takesLogin(h.Hello); err != nil {
		return door.Visit{}, "", err
	}
	h.From = s.from.String()
	entering, cancel := context.WithTimeout(s.life, enterTime)
	defer cancel()
	v, err := e.Enter(entering, h.Hello)
	if err != nil {
		return v, "", fmt.Errorf("let somebody in: %w", err)
	}
	seal, err := door.Seal(e.Key(), v, time.Now().Add(visitTime))
	if err != nil {
		return v, "", fmt.Errorf("let somebody in: %w", err)
	}
	return inLang(v, h.Lang), seal, e.comesTo(v, seal)
}

// moved is the error by which a visitor is told to come by the process that serves a community; with a seal, if they were let in, or their
// community has another ID now.
type moved struct {
	to   chat.Community
	seal string
}

func (m moved) Error() string { return "the visit goes on in community " + m.to.String() }

// elsewhereEvent has the page connect again, and say where to.
type elsewhereEvent struct {
	Kind string `json:"kind"`
	At   string `json:"at"`
	Seal string `json:"seal,omitempty"`
}

// comesTo sends a visitor on who comes to a community that another process serves, with the seal that they don't have yet.
func (e *entrance) comesTo(v door.Visit, seal string) error {
	if to := v.In.Community; !e.opts.Elsewhere.Serves(to) {
		return moved{to, seal}
	}
	return nil
}

// stay refuses a visitor who may not be there any more, and sends one on whose place has another ID now.
func (e *entrance) stay(ctx context.Context, v door.Visit) error {
	err := e.Stay(ctx, v)
	var now door.Moved
	if !errors.As(err, &now) {
		return err
	}
	seal, err := door.Seal(e.Key(), now.Visit, time.Now().Add(visitTime))
	if err != nil {
		return fmt.Errorf("let somebody go on: %w", err)
	}
	return moved{now.In.Community, seal}
}

// takesLogin sends a visitor on whose login another process has to use up, and refuses one that another may have used up.
func (e *entrance) takesLogin(h door.Hello) error {
	d, ok := e.Door.(door.Homed)
	if !ok {
		return nil
	}
	home, made, err := d.Home(h)
	switch {
	case err != nil:
		return fmt.Errorf("read a login: %w", err)
	case !e.opts.Elsewhere.Serves(home):
		return moved{to: home}
	case made.Before(e.opts.Elsewhere.Since(home).Truncate(time.Second)):
		return door.ErrOld
	}
	return nil
}

// inLang is the visit of somebody who has chosen a language.
func inLang(v door.Visit, lang string) door.Visit {
	if lang = cutLang(lang); lang != "" {
		v.Who.Lang = lang
	}
	return v
}

// receive shows a visitor what there is to be seen, until they or the room are gone.
func (e *entrance) receive(s *stream, v door.Visit, seal string) error {
	if !e.visits.take(v.Who.ID) {
		return refusedFull
	}
	s.who, s.at = v.Who, v.In.Community
	s.sights = newSights(e.opts.Tables(s.at), v.Who, func(int64) chat.Place { return v.In }, s.wake)
	s.sights.only, s.sights.unsure = true, v.Unsure
	s.may = func() bool { return e.pace.Allow(v.Who.ID, time.Now()) }
	s.stays = func() error { return e.stay(s.life, v) }
	first := visitEvent{Kind: "visit", Seal: seal, You: publicID(v.Who.ID), Name: v.Who.Name, Lang: v.Who.Lang, Table: v.Table}
	if _, alone := e.opts.Elsewhere.(relay.Nowhere); !alone {
		first.At = s.at.String()
	}
	s.push(encode(first))
	s.begin(func() { e.visits.give(v.Who.ID) })
	return nil
}

// serveAsk takes what a visitor presses or asks for.
func (e *entrance) serveAsk(kind chat.Kind) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		n, v, err := e.readVisitor(req)
		data := n.Token
		if kind == chat.Command {
			data = strings.TrimSpace(clean(n.Text))
		}
		switch {
		case err != nil:
		case kind == chat.Press && (data == "" || len(data) > maxToken):
			err = refusedToken
		case utf8.RuneCountInString(n.Text) > maxLine:
			err = refusedLong
		case kind == chat.Command && !strings.HasPrefix(data, "/"):
			err = refusedEmpty
		}
		if err != nil {
			e.fail(w, err)
			return
		}
		// Of what is pressed the table counts, as everywhere afar.
		q := chat.Request{ID: n.ID, Kind: kind, Data: data}
		if passedOn(e.exchange, w, req, table.Home(chat.Request{Kind: kind, In: v.In, Data: data, FromOutside: true})) {
			return
		}
		if !e.asks.take(v.Who.ID) {
			e.fail(w, refusedFast)
			return
		}
		defer e.asks.give(v.Who.ID)
		if !e.pace.Allow(v.Who.ID, time.Now()) {
			outbox.Sleep(req.Context(), restTime)
		}
		if kind == chat.Press {
			q.Text = strings.TrimSpace(clean(n.Text))
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), handleTime)
		defer cancel()
		e.tell(w, req, e.Ask(ctx, inLang(v, n.Lang), q))
	})
}

// tell answers a visitor.
func (e *entrance) tell(w http.ResponseWriter, req *http.Request, resp chat.Response) {
	if resp.TooFast {
		outbox.Sleep(req.Context(), restTime)
		refuse(w, refusedFast)
		return
	}
	a := said{Toast: resp.Toast, Alert: resp.Alert, Named: resp.Named, Table: resp.Opened}
	if a.Toast == "" {
		a.Toast = resp.Done
	}
	for _, p := range resp.Posts {
		if p, ok := p.Drawn(); ok && !p.Delete {
			m := &message{to: 1, at: time.Now().UnixMilli(), shy: true, body: body{text: p.Text, buttons: p.Rows(maxRow), file: named(p.File)}}
			a.Said = append(a.Said, m.view(""))
		}
	}
	answer(w, http.StatusOK, a)
}

// readVisitor takes a POST of a visitor's apart. What it returns without an error is of bounded size.
func (e *entrance) readVisitor(req *http.Request) (note, door.Visit, error) {
	if !isJSON(req) {
		return note{}, door.Visit{}, refusedType
	}
	v, err := door.Unseal(e.Key(), req.Header.Get(visitHeader), time.Now())
	if err != nil {
		e.strangers.turned(e.visitor(req))
		e.strangers.wait(req.Context(), e.visitor(req))
		return note{}, door.Visit{}, refusal{http.StatusUnauthorized, err.Error()}
	}
	b, err := io.ReadAll(http.MaxBytesReader(nil, req.Body, maxBody))
	if err != nil {
		return note{}, door.Visit{}, refusedBig
	}
	req.Body = io.NopCloser(bytes.NewReader(b)) // It may have to be relayed.
	n, err := parseNote(b)
	if err == nil && !validID(n.ID) {
		err = refusedID
	}
	return n, v, err
}
