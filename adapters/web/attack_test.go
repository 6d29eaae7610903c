package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/testlog"
	"zevaka/bot/words"
)

// besieged is a room as it is run, behind a gate.
type besieged struct {
	*Room
	t   *testing.T
	net *network
	url string // without a slash at its end
}

func besiege(t *testing.T, rates pace.Rates, opts Options) *besieged {
	t.Helper()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	if opts.Log == nil {
		opts.Log = quiet()
	}
	b := &besieged{Room: New(pace.NewGate(&dealer{}, rates, catalogue, nil), opts), t: t, net: newNetwork(t)}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ln, done := b.net.listen(), make(chan error, 1)
	go func() { done <- b.serve(ctx, ln) }()
	b.url = "http://" + ln.addr.String()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return b
}

// machine is somebody's computer: all that comes from one address.
type machine struct {
	*http.Client
	from string
}

func (b *besieged) machine(address string) *machine {
	m := &machine{b.net.client(address), address}
	m.Transport.(*http.Transport).MaxConnsPerHost = 20
	return m
}

// sit is somebody with a secret of their own at that machine.
func (b *besieged) sit(m *machine, name string) *tab {
	return &tab{t: b.t, url: b.url, name: name, secret: fmt.Sprintf("%032x", []byte(name))[:32], client: m.Client}
}

// at once has n things done by some at once.
func atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range 16 {
		all.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				do(i)
			}
		})
	}
	all.Wait()
}

// TestTalker: of what one tab says without a pause only so much is heard, and the rest is refused in a word that the
// page has a sentence for; so are commands, which nobody else reads.
func TestTalker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, line := range []string{"talk %d", "/no-such-thing %d"} {
			b := besiege(t, pace.Rates{User: 5, Address: 1000, Community: 1000}, Options{})
			talker, quiet := b.sit(b.machine("127.0.0.1"), "Talker"), b.sit(b.machine("127.0.0.1"), "Quiet")
			quiet.say("anybody here?")
			var heard, refused atomic.Int64
			begun := time.Now()
			var ids sync.Mutex
			atOnce(100, func(i int) {
				ids.Lock()
				req := talker.request("/say", note{Text: fmt.Sprintf(line, i)})
				ids.Unlock()
				switch got := talker.do(req); {
				case got.status == http.StatusOK:
					heard.Add(1)
				case got.status == http.StatusTooManyRequests && got.Error == "fast":
					refused.Add(1)
				}
			})
			most := 20 + int64(time.Since(begun)/(time.Second/5)) + 1
			if heard.Load() < 20 || heard.Load() > most || heard.Load()+refused.Load() != 100 {
				t.Errorf("%s: %d lines were heard, %d refused; %d may be", line, heard.Load(), refused.Load(), most)
			}
			read := quiet.look().until("room").Messages
			others := 1
			if line[0] != '/' {
				others += int(heard.Load())
			}
			if len(read) != others || read[0].read() != "anybody here?" {
				t.Errorf("%s: %d lines are to be read, %d were heard", line, len(read), heard.Load())
			}
			if got := quiet.say("still here"); got.status != http.StatusOK {
				t.Errorf("%s: the other one is refused: %+v", line, got)
			}
		}
	})
}

// TestNewSecretEachTime: a machine that is somebody new with each press gets no more than its address may, and somebody
// at another one is not refused.
func TestNewSecretEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := besiege(t, pace.Rates{User: 5, Address: 5, Community: 15}, Options{Open: true})
		hostile, victim := b.machine("127.0.0.2"), b.sit(b.machine("127.0.0.3"), "Quiet")
		var through atomic.Int64
		begun := time.Now()
		atOnce(120, func(i int) {
			who := b.sit(hostile, fmt.Sprint(i, " new"))
			if who.do(who.request("/press", note{Token: "flip"})).status == http.StatusOK {
				through.Add(1)
			}
		})
		for i := range 15 {
			if got := victim.press("flip", ""); got.status != http.StatusOK {
				t.Fatalf("press %d of the other one: %+v", i, got)
			}
		}
		if most := 20 + int64(time.Since(begun)/(time.Second/5)) + 1; through.Load() > most {
			t.Errorf("%d presses went through, %d may", through.Load(), most)
		}
		admin := b.sit(hostile, "Operator")
		admin.admin = (*b.admin.Load())
		if got := admin.press("flip", ""); got.status != http.StatusOK {
			t.Errorf("the operator at that very machine: %+v", got)
		}
	})
}

// TestForgedAddress: a visitor who writes X-Forwarded-For himself counts as one, and so does one behind a proxy.
func TestForgedAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, proxies := range map[string]string{"no proxy": "", "a proxy": "127.0.0.2", "another one is the proxy": "192.0.2.1"} {
			opts := Options{}
			if err := opts.Proxies.UnmarshalText([]byte(proxies)); err != nil {
				t.Fatal(err)
			}
			b := besiege(t, pace.Rates{User: 5, Address: 5}, opts)
			hostile := b.machine("127.0.0.2")
			through := 0
			begun := time.Now()
			for i := range 40 {
				who := b.sit(hostile, fmt.Sprint(i, " new"))
				req := who.request("/press", note{Token: "flip"})
				// As a proxy passes it on: what the visitor wrote, and after it where he comes from.
				req.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d, 198.51.100.1", i))
				if proxies == "" {
					req.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
				}
				if who.do(req).status == http.StatusOK {
					through++
				}
			}
			if most := 20 + int(time.Since(begun)/(time.Second/5)) + 1; through > most {
				t.Errorf("%s: %d presses went through, %d may", name, through, most)
			}
		}
	})
}

// stillOpen counts the connections that their other end hasn't closed.
func stillOpen(conns []net.Conn) int {
	n := 0
	var mu sync.Mutex
	atOnce(len(conns), func(i int) {
		conn := conns[i-1]
		_ = conn.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		_, err := conn.Read(make([]byte, 1))
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
	return n
}

// sockets are n connections of a machine, each of which sends something and waits.
func (b *besieged) sockets(m *machine, n int, send string) []net.Conn {
	b.t.Helper()
	conns := make([]net.Conn, n)
	atOnce(n, func(i int) {
		conn, err := b.net.dial(b.t.Context(), m.from, strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			b.t.Error(err)
			conn, _ = net.Pipe()
			_ = conn.Close()
		}
		_, _ = io.WriteString(conn, send)
		conns[i-1] = conn
	})
	b.t.Cleanup(func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	})
	return conns
}

// TestThousandSockets: of a thousand connections from one address that say nothing, or never end to say it, only its share
// stands, and nobody else loses theirs; not even who sits at the same address.
func TestThousandSockets(t *testing.T) {
	for name, send := range map[string]string{
		"silent":       "",
		"slow headers": "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"slow body": "POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Zevaka-Tab: " +
			strings.Repeat("0a", 16) + "\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := besiege(t, pace.Rates{User: 5, Address: 20, Community: 60}, Options{Open: true})
				hostile := b.machine("127.0.0.2")
				here, there := b.sit(hostile, "Here"), b.sit(b.machine("127.0.0.3"), "There")
				sees := there.look()
				sees.until("room")
				conns := b.sockets(hostile, 1000, send)
				late := b.sit(b.machine("127.0.0.3"), "Late")
				for _, who := range []*tab{there, late, here} {
					if got := who.say("I am " + who.name); got.status != http.StatusOK {
						t.Errorf("%s: %+v", who.name, got)
					}
				}
				for sees.until("put").Message.read() != "I am Here" {
				}
				late.look().until("room")
				here.look().until("room")
				if n := stillOpen(conns); n > maxConnsEach {
					t.Errorf("%d connections stand, want %d at most", n, maxConnsEach)
				}
			})
		})
	}
}

// live opens live connections of a machine, which say hello, and returns those that were let in, and why the last one of
// the others was not.
func (b *besieged) live(m *machine, n int, hello func(i int) string) (in int, why string) {
	var mu sync.Mutex
	atOnce(n, func(i int) {
		conn, _, err := websocket.Dial(b.t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+"/live", &websocket.DialOptions{HTTPClient: m.Client})
		if err != nil {
			return
		}
		b.t.Cleanup(func() { _ = conn.CloseNow() })
		text := hello(i)
		if text == "" {
			return
		}
		if conn.Write(b.t.Context(), websocket.MessageText, []byte(text)) != nil {
			return
		}
		conn.SetReadLimit(1 << 24)
		_, _, err = conn.Read(b.t.Context())
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			in++
		} else {
			why = err.Error()
		}
	})
	return in, why
}

// TestLiveConnectionsOfOneAddress: however many live connections come from one address, silent ones, those of many
// people or of one, there is room for somebody from another one, and for an admin from that very one.
func TestLiveConnectionsOfOneAddress(t *testing.T) {
	hello := func(secret int) string { return fmt.Sprintf(`{"tab":"%032x","name":"N%d"}`, secret, secret) }
	for _, test := range []struct {
		name  string
		n     int
		hello func(i int) string
		want  int
	}{
		{"silent", 600, func(int) string { return "" }, 0},
		{"of many people", maxStreams + 4, hello, maxStreamsFrom},
		{"of one person", 30, func(int) string { return hello(7) }, maxStreamsEach},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := besiege(t, pace.Rates{}, Options{Open: true})
				hostile := b.machine("127.0.0.2")
				hostile.Transport.(*http.Transport).MaxConnsPerHost = 0
				in, why := b.live(hostile, test.n, test.hello)
				if in != test.want || in > 0 && !strings.Contains(why, "full") {
					t.Errorf("%d are let in, want %d; the last one is told %q", in, test.want, why)
				}
				b.sit(b.machine("127.0.0.3"), "Other").look().until("room")
				admin := b.sit(hostile, "Operator")
				admin.admin = (*b.admin.Load())
				if !admin.look().until("room").Admin {
					t.Error("the operator is no admin")
				}
			})
		})
	}
}

// TestNetworksShareTheRoom: where the room is full, the network that has most live connections makes room for who comes from one that has
// few, unless those who would have to go play; networks that have as many take nothing from each other.
func TestNetworksShareTheRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := besiege(t, pace.Rates{}, Options{Open: true})
		tabs := 0
		fill := func(address string, n int) string {
			m := b.machine(address)
			m.Transport.(*http.Transport).MaxConnsPerHost = 0
			first := tabs
			tabs += n
			_, why := b.live(m, n, func(i int) string { return fmt.Sprintf(`{"tab":"%032x","name":"N"}`, first+i) })
			return why
		}
		held := func() map[string]int {
			b.mu.Lock()
			defer b.mu.Unlock()
			all := map[string]int{}
			for s := range b.streams {
				all[chat.Network(s.from.String())]++
			}
			return all
		}
		for n := range 3 {
			fill(fmt.Sprintf("127.0.0.%d", 2+n), 60)
		}
		for n := range 4 {
			fill(fmt.Sprintf("2001:db8:7:%x::1", n), 19)
		}
		const wide = "2001:db8:7::/48"
		for n := range 10 {
			b.sit(b.machine(fmt.Sprintf("127.0.1.%d", n)), fmt.Sprint("G", n)).look().until("room")
		}
		synctest.Wait()
		if all := held(); all[wide] != 66 || all["127.0.0.2/32"] != 60 || len(b.streams) != maxStreams {
			t.Errorf("there are %v", all)
		}
		fill("127.0.0.2", 3)
		fill("127.0.0.3", 3)
		fill("127.0.0.4", 3)
		if why := fill("127.0.0.4", 1); !strings.Contains(why, "full") {
			t.Errorf("who has as many as the others is told %q: %v", why, held())
		}
		b.mu.Lock()
		for s := range b.streams {
			s.sights.plays.Store(true)
		}
		b.mu.Unlock()
		if why := fill("127.0.2.1", 1); !strings.Contains(why, "full") {
			t.Errorf("where all play, a newcomer is told %q", why)
		}
	})
}

// TestComingAndGoing: who comes is told to everybody, so it costs as much as to talk.
func TestComingAndGoing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := besiege(t, pace.Rates{User: 5, Address: 5, Community: 60}, Options{Open: true})
		hostile := b.machine("127.0.0.2")
		hello := func(i int) string { return fmt.Sprintf(`{"tab":"%032x","name":"N"}`, i%4) }
		begun := time.Now()
		in, why := b.live(hostile, 28, hello)
		if most := 20 + int(time.Since(begun)/(time.Second/5)) + 1; in > most || in < 28 && !strings.Contains(why, "fast") {
			t.Errorf("%d of 28 came in, %d may; the last one is told %q", in, most, why)
		}
		b.sit(b.machine("127.0.0.3"), "Other").look().until("room")
	})
}

// TestAdminSecret: an admin is who has the secret from the address, from wherever, and nobody else; and no log has it.
func TestAdminSecret(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b := besiege(t, pace.Rates{}, Options{Open: true, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		if len((*b.admin.Load())) < 26 {
			t.Errorf("the secret is %q", (*b.admin.Load()))
		}
		there := b.sit(b.machine("127.0.0.2"), "Ann")
		own := there.secret
		other := (*b.admin.Load())[:len((*b.admin.Load()))-1] + string((*b.admin.Load())[len((*b.admin.Load()))-1]^1)
		for secret, want := range map[string]bool{
			(*b.admin.Load()): true, "": false, "x": false, other: false, (*b.admin.Load()) + "x": false, (*b.admin.Load())[1:]: false, strings.ToLower((*b.admin.Load())): false,
			own: false, b.run: false, "true": false,
		} {
			there.admin, there.secret = secret, fmt.Sprintf("%032x", len(there.secret)+there.ids)
			if got := there.look().until("room").Admin; got != want {
				t.Errorf("with %q a tab is an admin: %v", secret, got)
			}
			there.say("/x")
		}
		if strings.Contains(log.String(), (*b.admin.Load())) {
			t.Errorf("the log has the secret:\n%s", log)
		}
		if resp, body := get(t, &site{Client: there.client, URL: b.url}, "/?admin="+(*b.admin.Load())); strings.Contains(string(body)+fmt.Sprint(resp.Header), (*b.admin.Load())) {
			t.Error("the page says the secret")
		}
	})
}

// TestPace: who asks for too much waits for each answer, and gets it; others don't wait.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := New(&dealer{}, Options{Log: quiet()})
		r.pace = pace.NewPace[netip.Prefix](0.5)
		srv := inside(t, r)
		conn, err := srv.net.dial(t.Context(), "127.0.0.1", srv.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		begun := time.Now()
		read := bufio.NewReader(conn)
		for i := range 6 {
			if _, err := io.WriteString(conn, "GET /"+roomBundle().root+"icon.svg HTTP/1.1\r\nHost: "+srv.addr+"\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			resp, err := http.ReadResponse(read, nil)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("answer %d: %v, %v", i, resp, err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
		}
		if took := time.Since(begun); took < 3*restTime {
			t.Errorf("6 answers took %v", took)
		}
	})
}

// TestLongLines: however long the lines are that somebody says, and whatever letters they are of, whoever comes in is sent so much at most, also
// where their line is slow, and the lines of others stay. A table that somebody plays at doesn't go for it.
func TestLongLines(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"𝔛", "<", `"`, "\u2028"} {
		t.Run(letter, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { longLines(t, letter) })
		})
	}
}

// enters has somebody come by a slow line to a room that is full, and counts what they are sent.
func enters(t *testing.T, srv *site) {
	t.Helper()
	anna := sit(t, srv, "Аня")
	anna.client = srv.net.client("127.0.0.1")
	anna.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, _, to string) (net.Conn, error) {
		conn, err := srv.net.dial(ctx, "127.0.0.1", to)
		return slowLine{conn}, err
	}
	w := anna.look()
	began := time.Now()
	_, sent, err := w.conn.Read(t.Context())
	if most := (maxWeight + 4) * perWeight; err != nil || len(sent) > most {
		t.Errorf("%d bytes are sent, want at most %d; %v", len(sent), most, err)
	}
	if took := time.Since(began); err == nil && took < writeTime {
		t.Errorf("the line was so fast that it took %v", took)
	}
}

func longLines(t *testing.T, letter string) {
	t.Helper()
	r, srv := serve(t, &dealer{})
	show(t, r, chat.Post{In: place(1), Table: "t", Message: chat.Message{
		Text: []chat.Span{{Text: strings.Repeat("board ", 100)}}, Buttons: [][]chat.Button{{{Label: "Flip", Token: "flip"}}},
	}})
	for i := range 20 {
		r.talk(talk{id: fmt.Sprint(i), channel: 1, who: chat.User{ID: 1, Name: "X"}, from: homeOf('a'), line: fmt.Sprint(i)})
	}
	for i := range 3 * maxMessages {
		who := chat.User{ID: int64(9 + i%2), Name: "Y"}
		r.talk(talk{id: fmt.Sprint("long ", i), channel: 1, who: who, from: homeOf('b'), line: strings.Repeat(letter, maxLine)})
	}
	enters(t, srv)
	for range maxMessages {
		post := chat.Post{In: place(1), Message: chat.Message{Text: []chat.Span{{Text: "Short."}}}}
		post.Each = map[string]chat.Message{"ru": {Text: []chat.Span{{Text: strings.Repeat("Ж", 2*perWeight)}}}}
		r.show(t.Context(), chat.Response{Posts: []chat.Post{post}}, source{household: homeOf('b'), who: 9})
	}
	own, boards := 0, 0
	for _, m := range r.channels[0].messages {
		if m.by.who == 1 {
			own++
		}
		if m.played() {
			boards++
		}
	}
	if own != 20 || boards != 1 {
		t.Errorf("%d lines of 20 by who was quiet, %d boards", own, boards)
	}
	enters(t, srv)
}

// slowLine is a connection by which 3 kB a second come.
type slowLine struct{ net.Conn }

func (l slowLine) Read(p []byte) (int, error) {
	time.Sleep(time.Second / 16)
	return l.Conn.Read(p[:min(len(p), 192)])
}

// TestTalkIsWeighed: what a household says is bounded by what it weighs; others' lines, and short ones after a rest, are said.
func TestTalkIsWeighed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		bob, ann := sit(t, srv, "Боря"), sit(t, srv, "Аня")
		ann.client = srv.net.client("127.0.0.2")
		long := strings.Repeat("𝔛", maxLine)
		said := 0
		for range 20 {
			if got := bob.say(long); got.status == http.StatusOK {
				said++
			} else if got.Error != refusedFast.code {
				t.Fatalf("a long line: %d %q", got.status, got.Error)
			}
		}
		most := (4*maxSaid + int(20*restTime/time.Second)*maxSaid) / (len(long) / perWeight)
		if said == 0 || said > most {
			t.Errorf("%d of 20 long lines are said, want 1 to %d", said, most)
		}
		if got := ann.say(long); got.status != http.StatusOK {
			t.Errorf("somebody else's line: %d %q", got.status, got.Error)
		}
		time.Sleep(5 * time.Second)
		for i := range 2 * maxSaid {
			if got := bob.say("да"); got.status != http.StatusOK {
				t.Fatalf("short line %d: %d %q", i, got.status, got.Error)
			}
		}
	})
}
