package web

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

// spoilt is a request that is refused, and how.
type spoilt struct {
	name   string
	path   string
	spoil  func(*http.Request)
	status int
	code   string
}

// sends, header and field spoil a request.
func sends(s string) func(*http.Request) {
	return func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader(s)), int64(len(s)) }
}

func header(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

func field(change func(*note)) func(*http.Request) {
	n := note{ID: "x", Name: "Аня", Channel: 1, Text: "/zevaka", Token: "flip"}
	change(&n)
	return sends(string(encode(n)))
}

func refusals() []spoilt {
	return []spoilt{
		{"a page elsewhere", "/say", header("Origin", "https://example.com"), 403, "origin"},
		{"a page elsewhere, says the browser", "/say", header("Sec-Fetch-Site", "cross-site"), 403, "origin"},
		{"a page on another port", "/press", header("Origin", "http://127.0.0.1:1"), 403, "origin"},
		{"a page of a file", "/say", header("Origin", "null"), 403, "origin"},
		{"another name for this machine", "/say", func(r *http.Request) { r.Host = "evil.example:80" }, 421, "host"},
		{"our name, another port", "/say", func(r *http.Request) { r.Host = "localhost:1" }, 421, "host"},
		{"our name and more", "/say", func(r *http.Request) { r.Host = "localhost.evil.example" }, 421, "host"},
		{"a form", "/say", header("Content-Type", "text/plain"), 415, "json"},
		{"no JSON", "/say", sends("line=/zevaka"), 400, "json"},
		{"half a JSON", "/say", sends(`{"id":"x","name":"A`), 400, "json"},
		{"two JSONs", "/say", sends(`{"id":"x","name":"A"} {}`), 400, "json"},
		{"a JSON of other things", "/say", sends(`{"id":7}`), 400, "json"},
		{"a big body", "/say", sends(`{"id":"` + strings.Repeat("x", maxBody) + `"}`), 413, "big"},
		{"no secret", "/say", header(tabHeader, ""), 401, "tab"},
		{"a short secret", "/press", header(tabHeader, "abcd"), 401, "tab"},
		{"a secret not in hex", "/press", header(tabHeader, strings.Repeat("z", 32)), 401, "tab"},
		{"no name", "/say", field(func(n *note) { n.Name = " \u200b " }), 400, "name"},
		{"no id", "/say", field(func(n *note) { n.ID = "" }), 400, "json"},
		{"an id with a way out", "/say", field(func(n *note) { n.ID = "../x" }), 400, "json"},
		{"a long id", "/say", field(func(n *note) { n.ID = strings.Repeat("x", 65) }), 400, "json"},
		{"channel 0", "/say", field(func(n *note) { n.Channel = 0 }), 404, "channel"},
		{"channel 4", "/press", field(func(n *note) { n.Channel = 4 }), 404, "channel"},
		{"nothing said", "/say", field(func(n *note) { n.Text = " \n\x00 " }), 400, "empty"},
		{"too much said", "/say", field(func(n *note) { n.Text = "/" + strings.Repeat("я", 2000) }), 400, "long"},
		{"no token", "/press", field(func(n *note) { n.Token = "" }), 400, "token"},
		{"a long token", "/press", field(func(n *note) { n.Token = strings.Repeat("t", 65) }), 400, "token"},
		{"a token of 10 kB", "/press", field(func(n *note) { n.Token = strings.Repeat("t", 10<<10) }), 400, "token"},
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		_, srv := serve(t, d)
		ann := sit(t, srv, "Аня")
		for _, test := range refusals() {
			req := ann.request(test.path, note{Text: "/zevaka", Token: "flip"})
			test.spoil(req)
			if got := ann.do(req); got.status != test.status || got.Error != test.code {
				t.Errorf("%s: %d %q, want %d %q", test.name, got.status, got.Error, test.status, test.code)
			}
		}
		if n := len(d.heard.All()); n != 0 {
			t.Errorf("the bot was asked %d times", n)
		}
	})
}

func TestForeignLiveConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		for name, opts := range map[string]*websocket.DialOptions{
			"origin": {HTTPClient: srv.Client, HTTPHeader: http.Header{"Origin": {"https://example.com"}}},
			"host":   {HTTPClient: srv.Client, Host: "evil.example"},
		} {
			conn, resp, err := websocket.Dial(t.Context(), srv.live(""), opts)
			if err == nil {
				_ = conn.CloseNow()
				t.Errorf("%s: let in", name)
			} else if resp.StatusCode/100 != 4 {
				t.Errorf("%s: %s", name, resp.Status)
			}
		}
	})
}

func TestLiveRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		for hello, code := range map[string]string{
			`{"tab":"abc","name":"A"}`:                              "tab",
			`{"tab":"` + strings.Repeat("0", 32) + `","name":"\n"}`: "name",
			`{`: "json",
		} {
			conn, _, err := websocket.Dial(t.Context(), srv.live(""), &websocket.DialOptions{HTTPClient: srv.Client})
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(hello)); err != nil {
				t.Fatal(err)
			}
			_, _, err = conn.Read(t.Context())
			var closed websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != closeRefused || closed.Reason != code {
				t.Errorf("%s: %v, want %q", hello, err, code)
			}
			_ = conn.CloseNow()
		}
	})
}

func TestHeadersAndHealth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		root := roomBundle().root
		for path, part := range map[string]string{
			"/": "<title>", "/" + root + "page.js": "function", "/" + root + "page.css": ":root", "/" + root + "icon.svg": "<svg", "/healthz": "ok\n",
		} {
			resp, err := srv.Get(srv.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != 200 || !strings.Contains(string(b), part) {
				t.Errorf("%s: %s, without %q", path, resp.Status, part)
			}
			if path == "/healthz" {
				continue
			}
			policy := resp.Header.Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: headers %v", path, resp.Header)
			}
		}
	})
}

func TestOnlyFilesAreServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		root := roomBundle().root
		for _, path := range []string{
			"/icons/", "/picture/", "/nothing", "/index.html", "/icon.svg", "/room.js", "/words/ru.json", "/ru.json", "/a/", "/" + root, "/" + root + "icons/",
			"/" + root + "index.html", "/" + root + "room.js", "/a/0000/page.js",
		} {
			if resp, b := get(t, srv, path); resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s, %q", path, resp.Status, b)
			}
		}
		if _, b := get(t, srv, "/"); !strings.Contains(string(b), "<noscript>") {
			t.Error("who has no JavaScript is told nothing")
		}
	})
}

func TestNamesWithTowersOfMarks(t *testing.T) {
	const tower = "\u0301\u0302\u0303\u0304"
	for name, want := range map[string]string{
		"Zo\u0308e\u0301":  "Zo\u0308e\u0301",
		"А" + tower + "ня": "А\u0301\u0302ня",
		tower + " Аня ":    "Аня",
		"А\u202e" + tower:  "А\u0301\u0302",
		tower:              "",
		"Аня " + tower:     "Аня \u0301\u0302",
	} {
		if got := cutName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestCalledByAnotherName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "evil.example"
		resp, err := srv.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != refusedHost.status || !strings.Contains(string(b), srv.URL) || !strings.Contains(string(b), "--room-open") {
			t.Errorf("%s: %s", resp.Status, b)
		}
	})
}

// TestOpenRoom goes by any name, and its admin may do so, too.
func TestOpenRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r := New(d, Options{Open: true, Log: quiet()})
		srv := inside(t, r)
		ann := sit(t, srv, "Аня")
		ann.say("/one")
		req := ann.request("/say", note{Text: "/two"})
		req.Host = "room.example"
		req.Header.Set("Origin", "http://room.example")
		req.Header.Set(adminHeader, *r.admin.Load())
		ann.do(req)
		got := d.heard.Of(chat.Command)
		if len(got) != 2 || got[0].Who.Admin || !got[1].Who.Admin {
			t.Errorf("asked %+v", got)
		}
		req = ann.request("/say", note{Text: "/three"})
		req.Header.Set("Origin", "http://room.example")
		if got := ann.do(req); got.Error != "origin" {
			t.Errorf("from elsewhere: %+v", got)
		}
	})
}

func TestAddress(t *testing.T) {
	own := cmp.Or(ownAddress(), "localhost")
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/",
		"0.0.0.0:80":     "http://" + own + ":80/",
		"[::]:8080":      "http://" + own + ":8080/",
		"[::1]:8080":     "http://[::1]:8080/",
	} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(a); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

func TestListen(t *testing.T) {
	tests := []struct {
		addr string
		open bool
		ok   bool
	}{
		{"127.0.0.1:0", false, true},
		{"localhost:0", false, true},
		{"0.0.0.0:0", false, false},
		{":0", false, false},
		{"192.0.2.1:8080", false, false},
		{"example.com:8080", false, false},
		{"0.0.0.0:0", true, true},
	}
	for _, test := range tests {
		ctx, cancel := context.WithCancel(t.Context())
		ready := false
		r := New(&dealer{}, Options{Listen: test.addr, Open: test.open, Log: quiet(), Ready: func(string) {
			ready = true
			cancel()
		}})
		err := r.Run(ctx)
		cancel()
		if test.ok != (err == nil) || ready != test.ok || !test.ok && !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s, open %v: ready %v, %v", test.addr, test.open, ready, err)
		}
	}
	for _, opts := range []Options{
		{Doors: []door.Door{&porter{}}, Public: "https://cards.example"},
		{Doors: []door.Door{&porter{}}, Proxies: Proxies{netip.MustParsePrefix("10.0.0.5/32")}},
		{Public: "https://cards.example", Proxies: Proxies{netip.MustParsePrefix("10.0.0.5/32")}},
	} {
		opts.Listen, opts.Log = "0.0.0.0:0", quiet()
		if err := New(&dealer{}, opts).Run(t.Context()); !errors.Is(err, ErrNotLoopback) {
			t.Errorf("half of what a proxy elsewhere needs: %v", err)
		}
	}
	if err := New(nil, Options{Listen: "8080", Log: quiet()}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "127.0.0.1:8080") {
		t.Errorf("an address without a port: %v", err)
	}
}

// TestDoorsAlone: a room that isn't open, on an address that other machines reach, lets the proxy come to the doors by the public name. Nobody
// else comes in, nobody comes to anything else, and nobody is told of an address of the room.
func TestDoorsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r, n := New(d, Options{
			Log: quiet(), Proxies: Proxies{netip.MustParsePrefix("10.0.0.5/32")}, Public: "https://cards.example",
			Doors: []door.Door{&porter{path: "/one"}}, Ready: func(string) { t.Error("somebody is told of the room") },
		}), newNetwork(t)
		ln := n.listenAt("10.0.0.2")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.serve(ctx, ln) }()
		defer func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}()
		for _, test := range []struct {
			from, host, method, path, header string
			status                           int
		}{
			{"10.0.0.5", "cards.example", "GET", "/one", "", 200},
			{"10.0.0.5", "Cards.Example:8443", "GET", "/one/config", "", 200},
			{"10.0.0.5", "cards.example", "GET", "/one/config", "Origin: https://cards.example", 200},
			{"10.0.0.5", "cards.example", "GET", "/one/config", "Origin: https://evil.example", 403},
			{"10.0.0.5", "cards.example", "POST", "/one/press", "Content-Type: application/json", 401},
			{"10.0.0.5", "evil.example", "GET", "/one", "", 421},
			{"10.0.0.5", "cards.example.evil.example", "GET", "/one", "", 421},
			{"10.0.0.5", "10.0.0.2", "GET", "/one", "", 421},
			{"10.0.0.5", "localhost", "GET", "/", "", 421},
			{"10.0.0.6", "cards.example", "GET", "/one", "", 403},
			{"10.0.0.6", "cards.example", "GET", "/one", "X-Forwarded-For: 10.0.0.5", 403},
			{"127.0.0.1", "localhost", "GET", "/", "", 403},
			{"10.0.0.5", "cards.example", "GET", "/", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/healthz", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/live", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/qr.svg", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/picture/1/1", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/" + roomBundle().root + "page.js", "", 404},
			{"10.0.0.5", "cards.example", "POST", "/say", adminHeader + ": " + *r.admin.Load(), 404},
			{"10.0.0.5", "cards.example", "POST", "/press", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/one/%2e%2e/live", "", 404},
			{"10.0.0.5", "cards.example", "GET", "/one/../live", "", 307}, // To /live, which isn't there.,
		} {
			req, err := http.NewRequestWithContext(t.Context(), test.method, "http://"+ln.addr.String(), http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.URL.Opaque, req.Host = test.path, test.host
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				req.Header.Set(name, value)
			}
			resp, err := n.client(test.from).Transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != test.status {
				t.Errorf("%+v: %s", test, resp.Status)
			}
		}
		if asked := len(d.heard.All()); asked != 0 || r.AdminAddress(false) != "" || r.Pulse().Up != 1 {
			t.Errorf("the bot was asked %d times; an admin would come to %q", asked, r.AdminAddress(false))
		}
	})
}

func TestRunStopsWithPeopleInIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		r, n := New(&dealer{}, Options{Log: quiet()}), newNetwork(t)
		ln := n.listen()
		go func() { done <- r.serve(ctx, ln) }()
		ann := sit(t, n.site(ln), "Аня")
		w := ann.look()
		w.until("room")
		begun := time.Now()
		cancel()
		if err := <-done; err != nil || time.Since(begun) > stopTime {
			t.Errorf("stopped after %v: %v", time.Since(begun), err)
		}
		if _, err := w.next(); err == nil {
			if _, err = w.next(); err == nil {
				t.Error("the connection lives on")
			}
		}
	})
}

func TestWhoAsks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r, srv := serve(t, d)
		ann := sit(t, srv, "  Аня\n\t\u202eИвановна\u2066 "+strings.Repeat("я", 100))
		ann.admin = *r.admin.Load()
		ann.say("/one")
		ann.admin = ""
		forwarded := ann.request("/say", note{Text: "/two", Lang: "pl-PL"})
		forwarded.Header.Set("X-Forwarded-For", "192.0.2.7")
		ann.do(forwarded)
		got := d.heard.Of(chat.Command)
		if len(got) != 2 {
			t.Fatalf("asked %d times", len(got))
		}
		one, two := got[0], got[1]
		if want := "Аня Ивановна " + strings.Repeat("я", 51); one.Who.Name != want {
			t.Errorf("name %q, want %q", one.Who.Name, want)
		}
		if !one.Who.Admin || two.Who.Admin {
			t.Errorf("admin %v with the secret, %v without", one.Who.Admin, two.Who.Admin)
		}
		if one.Who.ID <= 0 || one.Who.ID != two.Who.ID || one.ID == two.ID || two.Who.Lang != "pl-PL" {
			t.Errorf("users %v and %v, requests %q and %q", one.Who, two.Who, one.ID, two.ID)
		}
		if one.In != (chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}) {
			t.Errorf("place %v", one.In)
		}
		bob := sit(t, srv, "Боря")
		bob.do(bob.request("/say", note{ID: "id1", Text: "/one"}))
		if three := d.heard.Of(chat.Command)[2]; three.ID == one.ID || three.Who.ID == one.Who.ID {
			t.Errorf("two people: %q and %q", one.ID, three.ID)
		}
	})
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"id":"a","name":"Аня","lang":"ru","channel":1,"text":"/zevaka 21б"}`), strings.Repeat("0", 32))
	f.Add([]byte(`{"id":"a","name":"\u202eboo","channel":2,"token":"t","on":"abc-1"}`), strings.Repeat("ff", 16))
	f.Add([]byte(`{"tab":"","name":["A"]}`), "")
	f.Add([]byte("{\"id\":\"a\",\"name\":\"\u0301Z\u0301\u202e\u0301\u0301 \u0301a\"}"), strings.Repeat("0", 32))
	f.Fuzz(func(t *testing.T, body []byte, secret string) {
		n, err := parseNote(body)
		if err != nil {
			return
		}
		who, err := person(secret, n)
		if err != nil {
			return
		}
		if who.ID <= 0 || len([]rune(who.Name)) > maxName || who.Name == "" || len(who.Lang) > maxLang || len(n.On) > maxRef {
			t.Errorf("%+v from %+v", who, n)
		}
		if strings.ContainsAny(who.Name, "\n\r\x00") || cutName(who.Name) != who.Name {
			t.Errorf("name %q is not clean", who.Name)
		}
		if validID(n.ID) && strings.Count(requestID(who, n.ID), "/") != 2 {
			t.Errorf("request id %q", requestID(who, n.ID))
		}
	})
}
