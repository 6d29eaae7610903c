package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

// group is a community that the tests here move about.
func group() chat.Community { return tg(-77) }

// deals opens a table of two players in the group, and returns its name.
func (t *town) deals(players ...int64) string {
	t.t.Helper()
	ask := func(who int64, kind chat.Kind, data string) chat.Response {
		r := chat.Request{ID: fmt.Sprint("deal ", who, data), Kind: kind, In: chat.Place{Community: group(), Channel: group().ID}, Data: data}
		r.Who = chat.User{ID: who, Name: fmt.Sprint("P", who), Lang: "en"}
		return t.procs[t.who(group())].Handle(t.t.Context(), r)
	}
	name := ask(players[0], chat.Command, "/zevaka 21a limit=none").Opened
	if name == "" {
		t.t.Fatal("no table opens")
	}
	token := func(epoch int, do string) string {
		return fmt.Sprintf("1.%s.%d.%s", strings.Replace(name, "/", ".", 1), epoch, do)
	}
	ask(players[1], chat.Press, token(0, "!join"))
	ask(players[0], chat.Press, token(0, "!deal"))
	for _, p := range players {
		ask(p, chat.Press, token(1, "!no-cut"))
	}
	return name
}

// TestComesByAnyProcess: whichever process somebody reaches, and whatever the page guesses, they come in where their community is
// served; their login is used up once, in all processes together.
func TestComesByAnyProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 3, newNetwork(t).serve)
		town.put(group(), 2)
		const home = 7
		town.put(tg(home), 1)
		hints := []string{"", tg(home).String(), group().String(), "w1", "d1", tg(-5).String(), "zz!", "t-", strings.Repeat("t", 3000), "t7&x=1", "../t7"}
		n := 0
		for _, start := range []string{"", group().String()} {
			for reached := range town.procs {
				for _, hint := range hints {
					n++
					// Each is a login of its own.
					l := login(home, time.Now()) + fmt.Sprint("&n=", n)
					g := &guest{t: t, srv: town.procs[reached].srv, login: l, start: start, at: hint}
					if why := g.comes(); why != "" {
						t.Fatalf("by %d to %q with the hint %q: %s", reached, start, hint, why)
					}
					want := tg(home)
					if start != "" {
						want = group()
					}
					if g.at != want.String() || g.turns > 2 {
						t.Errorf("by %d to %q with the hint %q: at %s after %d turns", reached, start, hint, g.at, g.turns)
					}
					_ = g.conn.CloseNow()
					if n%7 == 0 {
						town.replays(g)
					}
				}
			}
		}
		for i, p := range town.procs {
			if used := len(p.door.used); (used == n) != (i == 1) || used > 0 && i != 1 {
				t.Errorf("process %d has let in %d of %d logins", i, used, n)
			}
		}
	})
}

// replays comes again with a used login, everywhere, in every way, and with the seal, which is good.
func (t *town) replays(g *guest) {
	t.t.Helper()
	for i, p := range t.procs {
		for _, start := range []string{"", group().String(), tg(-6).String()} {
			for _, hint := range []string{"", g.at, group().String(), tg(-6).String()} {
				thief := &guest{t: t.t, srv: p.srv, login: g.login, start: start, at: hint}
				if why := thief.comes(); why != string(door.ErrOld) {
					t.t.Errorf("a used login comes in by %d to %q with the hint %q: %q", i, start, hint, why)
				}
			}
		}
		again := &guest{t: t.t, srv: p.srv, seal: g.seal}
		if why := again.comes(); why != "" || again.turns > 1 || again.at != g.at {
			t.t.Errorf("the seal comes in by %d: %q, %d turns", i, why, again.turns)
		}
		_ = again.conn.CloseNow()
	}
}

// TestLoginOfBefore: what was let in before a process took a community over, it doesn't let in again.
func TestLoginOfBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		before := login(7, time.Now().Add(-2*time.Second))
		g := &guest{t: t, srv: town.procs[0].srv, login: before}
		if why := g.comes(); why != "" {
			t.Fatal(why)
		}
		town.move(tg(7), 1)
		for _, p := range town.procs {
			thief := &guest{t: t, srv: p.srv, login: before}
			if why := thief.comes(); why != string(door.ErrOld) {
				t.Errorf("a used login comes in: %q", why)
			}
			back := &guest{t: t, srv: p.srv, seal: g.seal, at: g.at}
			if why := back.comes(); why != "" {
				t.Errorf("the visitor doesn't come back: %q", why)
			}
			fresh := &guest{t: t, srv: p.srv, login: login(7, time.Now()) + fmt.Sprint("&n=", p.n)}
			if why := fresh.comes(); why != "" {
				t.Errorf("a new login doesn't come in: %q", why)
			}
		}
	})
}

// TestTableSeenFromAnywhere plays at a table with its players at two processes and its community at a third, and then on the move:
// each press is seen by both.
func TestTableSeenFromAnywhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 3, newNetwork(t).serve)
		town.put(group(), 2)
		name := town.deals(1, 2)
		players := make([]*guest, 2)
		for i := range players {
			players[i] = &guest{t: t, srv: town.procs[i].srv, login: login(int64(i+1), time.Now()), start: name}
			t.Cleanup(players[i].watches(name))
			players[i].until(0)
		}
		still := town.plays(players, 40)
		var stop atomic.Bool
		var moving sync.WaitGroup
		var moves atomic.Int64
		moving.Go(func() {
			for ; !stop.Load(); moves.Add(1) {
				town.move(group(), (town.who(group())+1)%3)
				time.Sleep(50 * time.Millisecond)
			}
		})
		var onTheMove []time.Duration
		for moves.Load() < 9 {
			onTheMove = append(onTheMove, town.plays(players, 5)...)
		}
		stop.Store(true)
		moving.Wait()
		p95 := func(took []time.Duration) time.Duration {
			slices.Sort(took)
			return took[len(took)*95/100]
		}
		t.Logf("both see a press after %v (95 of 100), with the community changing hands %d times after %v", p95(still), moves.Load(), p95(onTheMove))
	})
}

// plays makes so many moves, and tells how long each took to be seen by both.
func (t *town) plays(players []*guest, moves int) (took []time.Duration) {
	t.t.Helper()
	end := time.Now().Add(4 * time.Minute)
	for len(took) < moves {
		if time.Now().After(end) {
			t.t.Fatalf("only %d moves can be made", len(took))
		}
		for _, p := range players {
			if d, ok := p.moves(players); ok {
				took = append(took, d)
			}
		}
		time.Sleep(time.Millisecond)
	}
	return took
}

// moves keeps the card that was flipped, or flips one, and tells how long it took until all have seen that; false if it isn't the
// guest's turn.
func (g *guest) moves(all []*guest) (took time.Duration, ok bool) {
	g.t.Helper()
	for _, do := range []string{"keep", "flip"} {
		token, version, ok := g.act(do)
		if !ok {
			continue
		}
		began := time.Now()
		if g.presses(token).Alert {
			continue // There is nothing to keep.
		}
		for _, other := range all {
			other.until(version)
		}
		return time.Since(began), true
	}
	return 0, false
}

// TestRoomByAnyProcess: the room is one, by whichever process one comes, and its people stay who they are when it moves.
func TestRoomByAnyProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		town.put(community(), 1)
		ann, bob := sit(t, town.procs[0].srv, "Аня"), sit(t, town.procs[1].srv, "Боря")
		ann.admin = *town.procs[1].room.admin.Load()
		hers, his := ann.look(), bob.look()
		first := hers.until("room")
		his.until("room")
		if !first.Admin || first.You != publicID(ann.id()) {
			t.Errorf("Аня is %+v", first)
		}
		if a := ann.say("привет"); a.status != http.StatusOK {
			t.Errorf("talk is answered %+v", a)
		}
		if m := his.until("put").Message; m.read() != "привет" || m.From.Name != "Аня" {
			t.Errorf("Боря reads %+v", m)
		}
		if from := town.procs[1].from.Load(); from != "" {
			t.Errorf("an admin comes from %v", from)
		}
		bob.say("/zevaka")
		hers.until("put")
		if m := hers.until("put").Message; m.Table == "" {
			t.Errorf("Аня sees the table as %+v", m)
		}

		town.move(community(), 0)
		for _, w := range []*window{hers, his} {
			for _, err := w.next(); err == nil; {
				_, err = w.next()
			}
		}
		hers, his = ann.look(), bob.look()
		second := hers.until("room")
		his.until("room")
		if second.Run == first.Run || second.You != first.You || !second.Admin || len(second.Messages) != 0 {
			t.Errorf("after the move Аня is %+v", second)
		}
		bob.say("и я")
		if m := hers.until("put").Message; m.read() != "и я" {
			t.Errorf("Аня reads %+v", m)
		}
		town.move(community(), 1)
		if third := bob.look().until("room"); third.Run == first.Run || third.Run == second.Run || len(third.Messages) != 0 {
			t.Errorf("where it was before, the room is %+v", third)
		}
	})
}

// TestRelayIsTrustedAlone: where a visitor comes from only another process can say, and nothing is relayed twice.
func TestRelayIsTrustedAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		town.put(community(), 1)
		const name = "X-Zevaka-Relayed"
		forged := "from=10.0.0.1%2F32&call=http%3A%2F%2Fevil.example%2F"
		for i, c := range []struct {
			what, url  string
			header     http.Header
			status     int
			from, call string
		}{
			{"a browser", town.procs[0].srv.URL, nil, 200, "127.0.0.1/32", ""},
			{"a browser that says more, relayed", town.procs[0].srv.URL, http.Header{name: {forged}}, 200, "127.0.0.1/32", ""},
			{"a browser that says more", town.procs[1].srv.URL, http.Header{name: {forged}}, 200, "127.0.0.1/32", ""},
			{"and twice", town.procs[1].srv.URL, http.Header{name: {forged, forged}}, 200, "127.0.0.1/32", ""},
			{"one that has it taken out", town.procs[0].srv.URL, http.Header{"Connection": {name}}, 400, "", ""},
			{"one that says by which proxies it came", town.procs[0].srv.URL, http.Header{"X-Forwarded-For": {"10.0.0.1"}}, 200, "127.0.0.1/32", ""},
			{"another process", town.procs[1].peer.URL, http.Header{name: {forged}}, 200, "10.0.0.1/32", ""},
			{"one that doesn't say whence", town.procs[1].peer.URL, nil, 400, "", ""},
			{"nonsense", town.procs[1].peer.URL, http.Header{name: {"from=x"}}, 400, "", ""},
			{"twice", town.procs[1].peer.URL, http.Header{name: {forged, forged}}, 400, "", ""},
			{"to the wrong process", town.procs[0].peer.URL, http.Header{name: {forged}}, 503, "", ""},
		} {
			for _, p := range town.procs {
				p.from.Store("")
				p.relayed.Store(0)
			}
			bob := sit(t, town.procs[0].srv, "Боря")
			bob.url = c.url
			req := bob.request("/say", note{ID: fmt.Sprint("id", i), Text: c.what})
			for header, values := range c.header {
				req.Header[header] = values
			}
			resp, err := bob.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if from := town.procs[1].from.Load(); resp.StatusCode != c.status || from != c.from {
				t.Errorf("%s: %s, from %q", c.what, resp.Status, from)
			}
			if again := resp.Header.Get("Retry-After"); (again != "") != (c.status == 503) {
				t.Errorf("%s: it may be tried again after %q", c.what, again)
			}
			if twice := town.procs[0].relayed.Load() + town.procs[1].relayed.Load(); twice > 1 {
				t.Errorf("%s is relayed %d times", c.what, twice)
			}
		}
	})
}

// TestRelayKeepsOut: what a process turns away it doesn't relay, and what it may not do by a relay it does nowhere.
func TestRelayKeepsOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		town.put(community(), 1)
		town.put(group(), 1)
		g := &guest{t: t, srv: town.procs[0].srv, login: login(7, time.Now()), start: group().String()}
		if why := g.comes(); why != "" {
			t.Fatal(why)
		}
		seal := g.seal
		town.procs[0].relayed.Store(0)
		evil := http.Header{"Origin": {"https://evil.example"}}
		for _, c := range []struct {
			what, path, seal string
			header           http.Header
			status           int
		}{
			{"a foreign page in the room", "/say", seal, evil, http.StatusForbidden},
			{"a foreign page at the door", "/tg/press", seal, evil, http.StatusForbidden},
			{"no seal", "/tg/press", "", nil, http.StatusUnauthorized},
			{"an altered one", "/tg/press", seal[:9] + "x" + seal[10:], nil, http.StatusUnauthorized},
			{"nothing pressed", "/tg/say", seal, nil, http.StatusBadRequest},
		} {
			g.seal = c.seal
			if status, _, _ := g.posts(c.path, []byte(`{"id":"x","name":"x","channel":1,"token":"1.w1.x.0.flip","text":"x"}`), c.header); status != c.status {
				t.Errorf("%s: %d, want %d", c.what, status, c.status)
			}
		}
		if n := town.procs[0].relayed.Load(); n != 0 {
			t.Errorf("%d requests were relayed that are turned away", n)
		}
	})
}

// TestNobodyServes: the page is told to try again, and whoever waits comes in when somebody serves.
func TestNobodyServes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		town.put(group(), -1)
		g := &guest{t: t, srv: town.procs[0].srv, login: login(7, time.Now()), start: group().String()}
		came := make(chan string, 1)
		go func() { came <- g.comes() }()
		select {
		case why := <-came:
			t.Fatalf("somebody comes in where nobody is: %q", why)
		case <-time.After(50 * time.Millisecond):
		}
		town.put(group(), 1)
		if why := <-came; why != "" {
			t.Error(why)
		}
	})
}

// TestRelayEndsWithRoom: a live connection that is relayed ends when the process does by which it goes.
func TestRelayEndsWithRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		town := settle(t, 2, newNetwork(t).serve)
		town.put(tg(7), 1)
		g := &guest{t: t, srv: town.procs[0].srv, login: login(7, time.Now())}
		if why := g.comes(); why != "" {
			t.Fatal(why)
		}
		town.procs[0].room.close()
		for _, why := g.reads(); why == ""; {
			_, why = g.reads()
		}
	})
}
