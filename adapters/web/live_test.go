package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

func TestSlowReaderIsLetGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		slow, quick := sit(t, srv, "Аня").look(), sit(t, srv, "Боря").look()
		slow.until("room")
		quick.until("room")
		read := make(chan int)
		go func() {
			n := 0
			for {
				h, err := quick.next()
				if err != nil || h.Message.read() == "end" {
					break
				}
				n++
			}
			read <- n
		}()
		long := strings.Repeat("я", 30_000)
		for range 60 {
			for range 4 {
				show(t, r, chat.Post{In: place(1), Message: text(long)})
			}
			synctest.Wait()
		}
		show(t, r, chat.Post{In: place(1), Message: text("end")})
		<-read
		if here(r, "Аня") || !here(r, "Боря") {
			t.Errorf("Аня, who doesn't read, is here: %v; Боря, who does: %v", here(r, "Аня"), here(r, "Боря"))
		}
	})
}

func here(r *Room, name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.people(), func(p personView) bool { return p.Name == name })
}

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		var first *window
		for range maxStreamsEach {
			w := ann.look()
			w.until("room")
			if first == nil {
				first = w
			}
		}
		_, err := ann.look().next()
		if websocket.CloseStatus(err) != closeRefused || !strings.Contains(err.Error(), "full") {
			t.Errorf("one more: %v", err)
		}
		_ = first.conn.CloseNow()
		synctest.Wait()
		ann.look().until("room")
	})
}

// muted is a connection on which nothing is sent any more once its network has changed.
type muted struct {
	net.Conn
	changed *atomic.Bool
}

func (m muted) Write(p []byte) (int, error) {
	if m.changed.Load() {
		return len(p), nil
	}
	return m.Conn.Write(p)
}

// listen reads until the connection ends.
func (w *window) listen() {
	for {
		if _, _, err := w.conn.Read(context.Background()); err != nil {
			return
		}
	}
}

// TestForgottenStreams: connections that a phone has left behind with its network don't keep its person out for long, and that of somebody who
// only reads stays.
func TestForgottenStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		bob := sit(t, srv, "Боря").look()
		bob.until("room")
		var changed atomic.Bool
		client := srv.net.client("127.0.0.1")
		transport := client.Transport.(*http.Transport)
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
			conn, err := dial(ctx, network, to)
			return muted{conn, &changed}, err
		}
		ann := sit(t, srv, "Аня")
		ann.client = client
		for range maxStreamsEach {
			w := ann.look()
			w.until("room")
			go w.listen()
		}
		go bob.listen()
		changed.Store(true)
		time.Sleep(beatTime + pongTime + time.Second)
		if here(r, "Аня") || !here(r, "Боря") {
			t.Errorf("Аня, whose network has changed, is here: %v; Боря, who reads: %v", here(r, "Аня"), here(r, "Боря"))
		}
		changed.Store(false)
		ann.look().until("room")
	})
}

// TestEverybodyAtOnce has people talk, press, come and go at once; whoever stays sees the same in the end.
func TestEverybodyAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &dealer{}
		r, srv := serve(t, d)
		host := sit(t, srv, "Хозяин")
		host.say("/zevaka")
		table := d.stands
		var people sync.WaitGroup
		for i := range 6 {
			people.Go(func() {
				p := sit(t, srv, fmt.Sprint("Гость", i))
				for j := range 15 {
					post(p, "/say", note{Text: fmt.Sprint("слово ", j)})
					post(p, "/press", note{Token: "flip", On: table})
					post(p, "/press", note{Token: "hand", On: table})
					if j%5 == 0 {
						r.Show(context.WithoutCancel(t.Context()), chat.Response{Posts: []chat.Post{{In: place(2), Message: text("tick")}}})
					}
				}
			})
		}
		w := host.look()
		go func() {
			people.Wait()
			time.Sleep(5 * time.Second) // All come from one address, and so fast that some are refused.
			post(host, "/say", note{Text: "всё"})
		}()
		seen := map[chat.Ref]messageView{}
		for {
			h, err := w.next()
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range append(h.Messages, h.Message) {
				seen[m.Ref] = m
			}
			if h.Kind == "drop" {
				delete(seen, h.Ref)
			}
			if h.Message.read() == "всё" {
				break
			}
		}
		delete(seen, "")
		now := host.look().until("room").Messages
		if len(seen) != len(now) {
			t.Errorf("saw %d messages, there are %d", len(seen), len(now))
		}
		for _, m := range now {
			if seen[m.Ref].read() != m.read() {
				t.Errorf("%s: saw %q, there is %q", m.Ref, seen[m.Ref].read(), m.read())
			}
		}
		if m := words.Flat(r.messages[table].body.text); !strings.Contains(m, fmt.Sprint("🂠 ", d.level)) {
			t.Errorf("the table is at level %d: %s", d.level, m)
		}
	})
}

// post is a request from beside the test's own goroutine: what it answers is not asked.
func post(p *tab, path string, n note) {
	resp, err := p.client.Do(p.request(path, n))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// TestManyComeAndGo: where many come and go, everybody is told now and then who is here, and in the end who stayed.
func TestManyComeAndGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serve(t, &dealer{})
		w := sit(t, srv, "Аня").look()
		w.until("room")
		begun := time.Now()
		for i := range 20 {
			other := sit(t, srv, fmt.Sprint("Боря ", i)).look()
			other.until("room")
			if i < 19 {
				_ = other.conn.CloseNow()
			}
		}
		synctest.Wait()
		if !here(r, "Боря 19") || here(r, "Боря 18") {
			t.Error("who stayed isn't here, or who left is")
		}
		for told := 1; ; told++ {
			h := w.until("people")
			if len(h.People) != 2 || h.People[1].Name != "Боря 19" {
				continue
			}
			if most := 3 + int(time.Since(begun)/listTime); told > most {
				t.Errorf("%d times she is told who is here, want at most %d", told, most)
			}
			return
		}
	})
}

// TestNobodyConnected: while no page at all is connected to the room, by whichever process, it says for how long, and a little longer; also when a
// process has just begun to serve it.
func TestNobodyConnected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		second := town.procs[1]
		deaf := func(when string, want time.Duration) {
			t.Helper()
			synctest.Wait()
			if lasts := second.room.Deaf(community()); lasts.Round(time.Second) != want {
				t.Errorf("%s it is deaf for %v, want %v", when, lasts, want)
			}
		}
		time.Sleep(2 * time.Hour)
		town.move(community(), 1)
		time.Sleep(2 * time.Second)
		deaf("at first", 2*time.Second)
		time.Sleep(time.Minute)
		deaf("while nobody comes", 62*time.Second)
		ann, bob := sit(t, town.procs[0].srv, "Аня"), sit(t, second.srv, "Боря")
		first := ann.look()
		go first.listen()
		time.Sleep(backTime)
		deaf("with a page that came by the other process", 0)
		last := bob.look()
		go last.listen()
		synctest.Wait()
		_ = first.conn.CloseNow()
		time.Sleep(backTime)
		time.Sleep(time.Second)
		deaf("with another page", 0)
		_ = last.conn.CloseNow()
		for range 3 { // Each is there for postedTime.
			answer := second.srv.posts(t, `[{"tab":"`+bob.secret+`","name":"Боря"}]`)
			go func() { _, _ = io.Copy(io.Discard, answer.Body) }()
			time.Sleep(postedTime + time.Second)
			deaf("with a page that goes on by requests", 0)
		}
		time.Sleep(time.Minute)
		deaf("with none any more", 61*time.Second)
		go ann.look().listen()
		deaf("at once after somebody is back", 61*time.Second)
		time.Sleep(backTime)
		deaf("later", 0)
	})
}
