package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/chat"
)

// TestCrowd lets people in one after another: a letter is a household, a capital one who doesn't make room; "a-" has
// the one of a who came first go.
func TestCrowd(t *testing.T) {
	for _, test := range []struct {
		name       string
		most, each int
		come, want string // Want is who is there in the end, those of one household together.
	}{
		{"room for all", 5, 5, "abcab", "aabbc"},
		{"the oldest of one's own makes room", 9, 2, "aaaab", "aab"},
		{"nobody makes room", 9, 2, "AAaab", "AAb"},
		{"who stays is left alone", 9, 2, "Aaaaa", "Aa"},
		{"full: the household with most makes room", 4, 4, "aaabcd", "abcd"},
		{"full: who has most gets no more of others", 4, 4, "BCAaaa", "AaBC"},
		{"full of those who stay", 3, 3, "ABCd", "ABC"},
		{"nobody is counted who left", 2, 2, "aa-ab", "ab"},
	} {
		c := newSlots(test.most)
		in := map[*slot]rune{}
		var order []*slot
		for _, who := range test.come {
			if who == '-' {
				order[0].release()
				order[0].release()
				delete(in, order[0])
				continue
			}
			var g *slot
			g = c.acquire(homeOf(who), test.each, func() { delete(in, g) })
			if g == nil {
				continue
			}
			g.pin(who < 'a')
			in[g] = who
			order = append(order, g)
		}
		count := map[rune]int{}
		for _, who := range in {
			count[who]++
		}
		got := ""
		for _, who := range "AaBbCcDd" {
			for range count[who] {
				got += string(who)
			}
		}
		if got != test.want || c.n != len(in) {
			t.Errorf("%s: %s of %s is there, %d are counted, want %s", test.name, got, test.come, c.n, test.want)
		}
	}
}

// homeOf is the household of a letter, large or small.
func homeOf(who rune) netip.Prefix { return household(fmt.Sprintf("192.0.2.%d", who&31)) }

// TestWaitsLongest: who did something just now isn't the one who makes room.
func TestWaitsLongest(t *testing.T) {
	c, out := newSlots(9), ""
	var held []*slot
	for i := range 3 {
		held = append(held, c.acquire(homeOf('a'), 3, func() { out += fmt.Sprint(i) }))
	}
	held[0].pin(true)
	held[0].pin(false)
	for range 2 {
		c.acquire(homeOf('a'), 3, func() {})
	}
	if out != "12" {
		t.Errorf("%s made room", out)
	}
}

// TestDoors: half of the files stay for the rest of the process, and no address has all of the room's.
func TestDoors(t *testing.T) {
	for files, want := range map[uint64]doors{
		0: {1024, 128}, 1 << 30: {1024, 128}, 4096: {1024, 128}, 1024: {480, 128}, 512: {224, 112}, 256: {96, 48}, 64: {8, 4}, 10: {8, 4},
	} {
		if got := doorsFor(files); got != want {
			t.Errorf("%d files: %+v, want %+v", files, got, want)
		}
	}
}

// TestPorts: at a port beside the room whoever says nothing makes room for who comes, and who is being answered doesn't; in the end no
// more stand than may.
func TestPorts(t *testing.T) {
	begun, let := make(chan struct{}), make(chan struct{})
	srv := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/slow" {
			close(begun)
			<-let
		}
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bounded := MachinesPort().bound(srv, ln, spareFiles)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(bounded) }()
	url := "http://" + ln.Addr().String()
	slow := make(chan error, 1)
	go func() { slow <- answered(url + "/slow") }()
	<-begun
	var silent []net.Conn
	for range 3 * leastConns {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, conn)
	}
	if err := answered(url + "/quick"); err != nil {
		t.Errorf("a newcomer isn't answered: %v", err)
	}
	inside := bounded.(*listener).inside
	inside.mu.Lock()
	n := inside.n
	inside.mu.Unlock()
	if n > leastConns {
		t.Errorf("%d stand, of %d", n, leastConns)
	}
	if _, err := silent[0].Read(make([]byte, 1)); err == nil {
		t.Error("who came first and said nothing still stands")
	}
	close(let)
	if err := <-slow; err != nil {
		t.Errorf("who was being answered: %v", err)
	}
	for _, conn := range silent {
		_ = conn.Close()
	}
	_ = srv.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// answered is what comes of asking at an address, by a connection of one's own.
func answered(url string) error {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// TestHere: over the loopback a machine is called by its own names alone, elsewhere by any.
func TestHere(t *testing.T) {
	for _, test := range []struct {
		local, host string
		want        int
	}{
		{"127.0.0.1:9464", "127.0.0.1:9464", http.StatusOK}, {"127.0.0.1:9464", "localhost:9464", http.StatusOK},
		{"127.0.0.1:9464", "evil.example:9464", http.StatusForbidden}, {"[::1]:9464", "evil.example", http.StatusForbidden},
		{"10.0.0.7:9464", "zevaka1:9464", http.StatusOK},
	} {
		req := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		req.Host = test.host
		local := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(test.local))
		req = req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, local))
		said := httptest.NewRecorder()
		Here(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(said, req)
		if said.Code != test.want {
			t.Errorf("%s called %s: %d", test.local, test.host, said.Code)
		}
	}
}

// TestHouseholds: what counts as one address.
func TestHouseholds(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:80":              "192.0.2.7/32",
		"192.0.2.7":                 "192.0.2.7/32",
		"[::ffff:192.0.2.7]:80":     "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1":      "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80":         "fe80::/64",
		"127.0.0.1:9":               "127.0.0.1/32",
		"[::1]:9":                   "::/64",
		"somebody":                  "invalid Prefix",
		"":                          "invalid Prefix",
		"192.0.2.7, 192.0.2.8":      "invalid Prefix",
		"unknown":                   "invalid Prefix",
		"[2001:db8:1:3::1]":         "2001:db8:1:3::/64",
	} {
		if got := household(address).String(); got != want {
			t.Errorf("%q: %s, want %s", address, got, want)
		}
	}
}

// TestForwarded: X-Forwarded-For says where a request comes from only where a proxy of the room's wrote it.
func TestForwarded(t *testing.T) {
	const proxy, direct = "10.0.0.1:80", "198.51.100.9:80"
	for _, test := range []struct {
		peer    string
		forward []string
		want    string
	}{
		{direct, nil, "198.51.100.9/32"},
		{direct, []string{"192.0.2.1"}, "198.51.100.9/32"},
		{direct, []string{"10.0.0.2", "10.0.0.1"}, "198.51.100.9/32"},
		{proxy, nil, "10.0.0.1/32"},
		{proxy, []string{"192.0.2.1"}, "192.0.2.1/32"},
		{proxy, []string{"203.0.113.5, 192.0.2.1"}, "192.0.2.1/32"},
		{proxy, []string{"203.0.113.5", "192.0.2.1"}, "192.0.2.1/32"},
		{proxy, []string{"192.0.2.1, 10.0.0.2"}, "192.0.2.1/32"},
		{proxy, []string{"192.0.2.1, nonsense"}, "10.0.0.1/32"},
		{proxy, []string{""}, "10.0.0.1/32"},
		{proxy, []string{"2001:db8::7"}, "2001:db8::/64"},
		{proxy, []string{"192.0.2.1:4711"}, "192.0.2.1/32"},
		{"[::ffff:10.0.0.1]:80", []string{"192.0.2.1"}, "192.0.2.1/32"},
	} {
		r := New(nil, Options{Log: quiet()})
		if err := r.opts.Proxies.UnmarshalText([]byte("10.0.0.1, 10.0.0.2/32")); err != nil {
			t.Fatal(err)
		}
		req := &http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.forward}}
		if got := r.visitor(req).String(); got != test.want {
			t.Errorf("%s, forwarded for %q: %s, want %s", test.peer, test.forward, got, test.want)
		}
	}
}

func TestProxies(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "127.0.0.1": "127.0.0.1/32", "10.1.2.3/8, ::1": "10.0.0.0/8,::1/128", "::ffff:10.0.0.1": "10.0.0.1/32",
	} {
		var p Proxies
		if err := p.UnmarshalText([]byte(text)); err != nil || p.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, p, err, want)
		}
	}
	for _, text := range []string{"proxy", "10.0.0.1,", "10.0.0.0/33", "10.0.0.1:80", ","} {
		if err := new(Proxies).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestTalkOfNow: what is said now stays in a full hall, however many have said something there long ago, were told something and have gone, or have
// ended a game that is told to nobody.
func TestTalkOfNow(t *testing.T) {
	t.Parallel()
	visit := map[string]func(r *Room, i int){
		"said something": func(r *Room, i int) {
			r.talk(talk{id: fmt.Sprint("v", i), channel: 1, who: chat.User{ID: int64(100 + i), Name: "X"}, from: household(fmt.Sprint("198.51.100.", i)), line: "hi"})
			time.Sleep(longAgo / 50)
		},
		"were told something": func(r *Room, i int) {
			told := chat.Post{In: place(1), To: &chat.User{ID: int64(100 + i)}, Message: text("The rules.")}
			r.show(t.Context(), chat.Response{Posts: []chat.Post{told}}, source{household(fmt.Sprint("198.51.100.", i)), int64(100 + i)})
		},
		"ended a patience": func(r *Room, i int) {
			ended := chat.Post{In: place(1), Table: fmt.Sprint("w1/", i), Final: true, Message: text("It has come out.")}
			r.show(t.Context(), chat.Response{Posts: []chat.Post{ended}}, source{household(fmt.Sprint("198.51.100.", i)), int64(100 + i)})
		},
	}
	for name, come := range visit {
		synctest.Test(t, func(t *testing.T) {
			r, _ := serve(t, &dealer{})
			for i := range 2 * maxMessages {
				come(r, i)
			}
			time.Sleep(longAgo)
			for i := range 90 {
				r.talk(talk{id: fmt.Sprint(i), channel: 1, who: chat.User{ID: int64(i % 3), Name: "Y"}, from: homeOf(rune('a' + i%3)), line: fmt.Sprint(i)})
			}
			kept := 0
			for _, m := range r.channels[0].messages {
				if m.by.who < 100 {
					kept++
				}
			}
			if kept != 90 {
				t.Errorf("where many %s %d of 90 lines are kept", name, kept)
			}
			told := chat.Post{In: place(1), To: &chat.User{ID: 7}, Message: text("The rules.")}
			r.show(t.Context(), chat.Response{Posts: []chat.Post{told}}, source{homeOf('d'), 7})
			for _, stands := range []bool{true, false} { // Somebody's phone was locked for a moment, or they are gone.
				for i := range 10 {
					r.talk(talk{id: rand.Text(), channel: 1, who: chat.User{ID: int64(i % 3), Name: "Y"}, from: homeOf(rune('a' + i%3)), line: "last"})
				}
				if slices.ContainsFunc(r.channels[0].messages, func(m *message) bool { return m.to == 7 }) != stands {
					t.Errorf("where many %s what somebody was told stands: %t", name, !stands)
				}
				time.Sleep(backSoon)
			}
		})
	}
}

// TestHistoryIsShared: whoever talks without end pushes out their own lines, from wherever and as whomever.
func TestHistoryIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			name string
			who  func(i int) (household rune, person int64)
		}{
			{"one person elsewhere", func(int) (rune, int64) { return 'b', 9 }},
			{"one person at the same address", func(int) (rune, int64) { return 'a', 9 }},
			{"somebody new with each line, elsewhere", func(i int) (rune, int64) { return 'b', int64(100 + i) }},
		} {
			r, _ := serve(t, &dealer{})
			say := func(i int, home rune, who int64) {
				r.talk(talk{id: fmt.Sprint(i), channel: 1, who: chat.User{ID: who, Name: "X"}, from: homeOf(home), line: fmt.Sprint(i)})
			}
			show(t, r, chat.Post{In: place(1), Message: text("of the clock")})
			for i := range 20 {
				say(i, 'a', 1)
			}
			for i := range 3 * maxMessages {
				home, who := test.who(i)
				say(1000+i, home, who)
			}
			own, clock := 0, 0
			for _, m := range r.channels[0].messages {
				if m.by.who == 1 {
					own++
				}
				if m.from == nil {
					clock++
				}
			}
			if n := len(r.channels[0].messages); own != 20 || clock != 1 || n != maxMessages {
				t.Errorf("%s: %d messages, %d lines of 20 by who was quiet, %d of the clock's", test.name, n, own, clock)
			}
		}
	})
}
