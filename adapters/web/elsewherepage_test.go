//go:build browser

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/relay"
	"zevaka/bot/chat"
)

// TestPageComesByAnyProcess has a browser reach a process that serves nothing of what it wants: the page goes where it is sent, and
// comes back by itself when the community moves.
func TestPageComesByAnyProcess(t *testing.T) {
	t.Parallel()
	town := settle(t, 3, func(h http.Handler) *site { return outside(t, h) })
	town.put(group(), 2)
	town.put(tg(1), 1)
	name := town.deals(1, 2)
	first := &town.procs[0].came
	launch := url.Values{"tgWebAppData": {login(1, time.Now())}, "tgWebAppStartParam": {name}, "tgWebAppVersion": {"8.0"}}
	s := startChromium(t).open(town.procs[0].srv.URL + "/tg#" + launch.Encode())
	s.until(`document.querySelector(".tbl h2")?.textContent`)
	if n := first.Load(); n != 2 {
		t.Errorf("the page has connected %d times", n)
	}
	if n := len(town.procs[1].door.used); n != 1 {
		t.Errorf("%d logins were used up where the person is", n)
	}

	// A reload knows the way.
	s.reload()
	s.until(`document.querySelector(".tbl h2")?.textContent`)
	if n := first.Load(); n != 3 {
		t.Errorf("after a reload the page has connected %d times", n)
	}
	const table = `document.querySelector(".tbl").innerText`
	for to := range town.procs {
		town.move(group(), to)
		s.until(`document.querySelector("#lost").textContent === ""`)
		bob := &guest{t: t, srv: town.procs[1].srv, login: login(2, time.Now()) + fmt.Sprint("&n=", to), start: name, ids: 1000 * to}
		ann := &guest{t: t, srv: town.procs[2].srv, login: login(1, time.Now()) + fmt.Sprint("&n=", to), start: name, ids: 1000 * to}
		both := []*guest{ann, bob}
		for _, g := range both {
			t.Cleanup(g.watches(name))
			g.until(0)
		}
		shown := value[string](s, table)
		town.plays(both, 4)
		ann.mu.Lock()
		yours := ann.now.Yours
		ann.mu.Unlock()
		s.until(table + ` !== ` + quote(shown))
		s.until(fmt.Sprintf(`[...document.querySelectorAll(".tbl .act")].some((b) => /^(flip|keep)$/.test(b.act?.do) && b.getAttribute("aria-disabled") !== "true") === %v`, yours))
	}
	s.calm()
}

// fickle serves the group at each second look.
type fickle struct {
	relay.Nowhere
	looks atomic.Int64
}

func (f *fickle) Serves(c chat.Community) bool { return c != group() || f.looks.Add(1)%2 == 0 }

// TestPageDoesNotLoop: who is sent on and on by a server gone wrong takes more and more time for it.
func TestPageDoesNotLoop(t *testing.T) {
	t.Parallel()
	f := &fickle{}
	r := New(nil, Options{Log: quiet(), Elsewhere: f, Doors: []door.Door{&usher{used: map[string]bool{}}}})
	came := make(chan time.Time, 1000)
	public := r.Handler()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/tg/live" {
			came <- time.Now()
		}
		public.ServeHTTP(w, req)
	}))
	t.Cleanup(func() {
		r.close()
		r.tasks.Close(0)
		srv.Close()
	})
	launch := url.Values{"tgWebAppData": {login(1, time.Now())}, "tgWebAppStartParam": {group().String()}}
	s := startChromium(t).open(srv.URL + "/tg#" + launch.Encode())
	begun := <-came
	for range 8 {
		<-came
	}
	// Three at once, the others after waits that grow from 250 ms, 30 of 100 shorter at least.
	if took, least := time.Since(begun), 1500*time.Millisecond; took < least {
		t.Errorf("nine connections within %v, not %v", took, least)
	}
	s.until(`document.querySelector("#lost").textContent`)
}
