//go:build unix && cluster

package main

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// TestDatabaseInACluster begins a database in a cluster, plays there, moves it to a file and to another place in the
// cluster, and finds the table everywhere as it was. All commands that read a database read it there.
func TestDatabaseInACluster(t *testing.T) {
	c := etcdtest.Shared(t)
	store, second := "etcd://"+strings.Join(c.Hosts(), ",")+"/"+c.Prefix(), "etcd://"+c.Hosts()[1]+"/"+c.Prefix()
	folder := t.TempDir()
	file, copied := filepath.Join(folder, "moved.db"), filepath.Join(folder, "copy.db")

	refused := func(want string, args ...string) {
		t.Helper()
		end := zevaka(t, "", args...)
		if end.code != exitFailed || !strings.Contains(end.err, want) || strings.Count(end.err, "\n") != 1 {
			t.Errorf("zevaka %s: exit %d, %s; want %q", args[0], end.code, end.err, want)
		}
	}
	refused("--new", "serve", "--listen", "off", "--store", store)
	s := startAs(t, command(t, "serve", "--new"), "ZEVAKA_STORE="+store)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
	bob.press(s.url, bob.look(s.url), "Join")
	was := ann.look(s.url).board()
	if !strings.Contains(was, "Bob") {
		t.Fatalf("Bob doesn't sit:\n%s", was)
	}
	good(t, "", "backup", "--store", store, copied) // While it serves.
	s.end(t, syscall.SIGTERM)

	good(t, "", "check", copied)
	for _, call := range []string{"check", "audit", "export", "rebuild-scores"} {
		good(t, "", call, "--store", store)
	}
	refused("--store", "compact", "--store", "etcd://nowhere")
	refused("is done to a file", "compact", "--store", store)
	refused("is done to a file", "restore", "--store", store, copied)

	for _, move := range [][2]string{{store, "bolt:" + file}, {"bolt:" + file, second}} {
		if out := good(t, "", "copy", move[0], move[1]); !strings.Contains(out, "compared and audited") {
			t.Errorf("copy says %q", out)
		}
		refused("", "copy", move[0], move[1])
	}
	for _, settings := range []string{"ZEVAKA_STORE=" + store, "ZEVAKA_STORE=bolt:" + file, "ZEVAKA_STORE=" + second, "ZEVAKA_DB=" + copied} {
		s := start(t, settings)
		if now := ann.look(s.url).board(); now != was {
			t.Errorf("with %s the board is\n%s\nwant\n%s", settings, now, was)
		}
		s.end(t, syscall.SIGTERM)
	}
}

// TestRestoredInACluster: a game of several that was on when a backup was made doesn't go on where that is brought to a cluster, but does from a
// file that was only moved.
func TestRestoredInACluster(t *testing.T) {
	c := etcdtest.Shared(t)
	cluster := "etcd://" + strings.Join(c.Hosts(), ",") + "/" + c.Prefix()
	folder := t.TempDir()
	db, copied := filepath.Join(folder, "z.db"), filepath.Join(folder, "copy.db")
	ann := backedUpGame(t, db, copied)
	for _, file := range []string{db, copied} {
		to := cluster + filepath.Base(file)
		good(t, "", "copy", "bolt:"+file, to)
		s := start(t, "ZEVAKA_STORE="+to)
		now := ann.look(s.url).board()
		if closed := strings.Contains(now, "goes on from a backup"); closed != (file == copied) || !closed && !strings.Contains(now, "Bob") {
			t.Errorf("from %s:\n%s", file, now)
		}
		s.end(t, syscall.SIGTERM)
	}
}

// BenchmarkCopy moves 50,000 items of a hundred to three hundred bytes from a file to a cluster of three on this machine.
func BenchmarkCopy(b *testing.B) {
	c := etcdtest.Shared(b)
	file := filepath.Join(b.TempDir(), "z.db")
	from, err := bolt.Open(file, bolt.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	for n := range 500 {
		var writes []storage.Write
		for i := range 100 {
			key := fmt.Sprintf("l/t-%s/k7/%05d", strconv.FormatInt(int64(n*100+i), 36), 1)
			writes = append(writes, storage.Write{Key: key, Value: bytes.Repeat([]byte("v"), 100+n%200)})
		}
		if _, err := from.Commit(b.Context(), storage.Txn{Writes: writes}); err != nil {
			b.Fatal(err)
		}
	}
	if err := from.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var out bytes.Buffer
		code := run([]string{"copy", "bolt:" + file, "etcd://" + strings.Join(c.Hosts(), ",") + "/" + c.Prefix()}, streams{out: &out, err: &out})
		if code != 0 || !strings.Contains(out.String(), "50000 items, compared and audited") {
			b.Fatalf("exit %d, %s", code, &out)
		}
	}
}

// TestOrdersTogether: what the operator tells one of two bots over a cluster is done by whichever serves the chat, and both heed a pause.
func TestOrdersTogether(t *testing.T) {
	c := etcdtest.Shared(t)
	store := "ZEVAKA_STORE=etcd://" + strings.Join(c.Hosts(), ",") + "/" + c.Prefix()
	sockets := []string{filepath.Join(t.TempDir(), "1"), filepath.Join(t.TempDir(), "2")}
	one := launch(t, command(t, "serve", "--new", "--socket", sockets[0]), store, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0")
	one.opens(t)
	two := launch(t, command(t, "serve", "--socket", sockets[1]), store, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0")
	two.opens(t)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	ann.sendSoon(one.url, "/zevaka limit=none")
	says := func(want string, call ...string) {
		t.Helper()
		for _, socket := range sockets {
			said := good(t, "", append(call, "--store", strings.TrimPrefix(store, "ZEVAKA_STORE="), "--socket", socket)...)
			if !strings.Contains(said, want) {
				t.Errorf("zevaka %s says %q; want %q", strings.Join(call, " "), said, want)
			}
		}
	}
	says("web:1  open tables: 1\n", "admin", "chats")
	says("zevaka, people sit down", "admin", "tables", "web:1")
	says("paused", "admin", "pause")
	for _, s := range []*server{one, two} {
		if ann.send(s.url, "say", map[string]any{"text": "/zevaka"}) {
			t.Errorf("a table is opened in a pause\n%s", s.log)
		}
	}
	says("people play on", "admin", "resume")
	says("", "admin", "block", "web:5")
	says("web:5\n", "admin", "blocked")
	who := regexp.MustCompile(`"Ann" (web:\d+)`).FindStringSubmatch(good(t, "", "admin", "tables", "web:1", "--store", strings.TrimPrefix(store, "ZEVAKA_STORE="), "--socket", sockets[0]))[1]
	for _, socket := range sockets {
		ann.sendSoon(two.url, "hello")
		if said := good(t, "", "forget", "--force", who, "--store", strings.TrimPrefix(store, "ZEVAKA_STORE="), "--socket", socket); !strings.Contains(said, "the room: 1 messages taken away\n") {
			t.Errorf("zevaka forget says %q", said)
		}
	}
	one.end(t, syscall.SIGTERM)
	two.end(t, syscall.SIGTERM)
	file := filepath.Join(t.TempDir(), "z.db")
	good(t, "", "copy", strings.TrimPrefix(store, "ZEVAKA_STORE="), "bolt:"+file)
	s := open(t, "--db", file)
	if said := good(t, "", "admin", "blocked", "--db", file); said != "web:5\n" {
		t.Errorf("in the copy are blocked: %s", said)
	}
	s.close(t)
}

// stoppedTables is for how many tables TestStopsInTime stops.
var stoppedTables = flag.Int64("tables", 1000, "with how many tables a bot is stopped")

// TestStopsInTime: with many tables a bot ends within five seconds of SIGTERM, and well: over a file, over a cluster, and over one whose
// members have just been frozen.
func TestStopsInTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "z.db")
	store, err := bolt.Open(file, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	dealer, err := bot.New(t.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	for n := range *stoppedTables {
		in := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -1 - n}, Channel: 1}
		r := dealer.Handle(t.Context(), chat.Request{ID: fmt.Sprint(n), Kind: chat.Command, Data: "/tecza", Who: chat.User{ID: 1 + n%500, Name: "P", Lang: "en"}, In: in})
		if r.Alert {
			t.Fatal(r.Toast)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	c := etcdtest.Shared(t)
	at := "etcd://" + strings.Join(c.Hosts(), ",") + "/" + c.Prefix()
	good(t, "", "copy", "bolt:"+file, at)
	stops := func(name, setting string, before func()) {
		t.Helper()
		s := start(t, setting, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0")
		s.log.Wait(fmt.Sprint("open_tables=", *stoppedTables))
		before()
		begun := time.Now()
		s.end(t, syscall.SIGTERM)
		t.Logf("%s: ended after %v", name, time.Since(begun).Round(time.Millisecond))
	}
	stops("a file", "ZEVAKA_DB="+file, func() {})
	stops("a cluster", "ZEVAKA_STORE="+at, func() {})
	stops("a cluster that is frozen", "ZEVAKA_STORE="+at, func() {
		for _, m := range c.Members {
			m.Pause()
		}
	})
	for _, m := range c.Members {
		m.Resume()
	}
}

// takeover is how long a database may be without one who serves it, when that one has died.
const takeover = 15 * time.Second

// member starts a zevaka that serves a cluster together with others.
func member(t *testing.T, store string, args ...string) *server {
	t.Helper()
	s := launch(t, command(t, args...), store, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0")
	s.opens(t)
	return s
}

// TestTogether has two zevaka serve the room, at which people reach either. When one is told to stop, is killed, or is so long away
// that its share is taken over, everything is as it was at the other; who was away ends and says why.
func TestTogether(t *testing.T) {
	c := etcdtest.Shared(t)
	prefix := c.Prefix()
	store := "ZEVAKA_STORE=etcd://" + strings.Join(c.Hosts(), ",") + "/" + prefix
	one := member(t, store, "serve", "--new")
	two := member(t, store)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.sendSoon(one.url, "/zevaka limit=none")
	var was string
	within := func(what string, s *server, most time.Duration) {
		t.Helper()
		begun := time.Now()
		for now := ""; now != was || was == ""; time.Sleep(20 * time.Millisecond) {
			if p, ok := ann.glance(s.url); ok {
				now = p.board()
			}
			if was == "" {
				was = now
			}
			if time.Since(begun) > most {
				t.Fatalf("%s: after %v the board is\n%s\nwant\n%s\n%s", what, most, now, was, s.log)
			}
		}
		t.Logf("%s: all is there after %v", what, time.Since(begun).Round(time.Millisecond))
	}
	within("at first", one, takeover)
	if !bob.press(two.url, bob.look(two.url), "Join") {
		t.Fatal("Bob can't sit down by the other one")
	}
	if was = ann.look(one.url).board(); !strings.Contains(was, "Bob") {
		t.Fatalf("Bob doesn't sit:\n%s", was)
	}
	for _, k := range []struct {
		name string
		end  func(s *server)
		most time.Duration
	}{
		{"told to stop", func(s *server) { s.end(t, syscall.SIGTERM) }, takeover / 3},
		{"killed", func(s *server) { _ = s.cmd.Process.Kill() }, takeover},
		{"away", func(s *server) { _ = s.cmd.Process.Signal(syscall.SIGSTOP) }, takeover},
	} {
		if !serves(t, c, prefix, one) { // That is the one to be missed.
			one, two = two, one
		}
		k.end(one)
		within(k.name, two, k.most)
		if k.name == "away" {
			for begun := time.Now(); holds(t, c, prefix, one); time.Sleep(20 * time.Millisecond) { // The room may just have gone to the other one.
				if time.Since(begun) > takeover {
					t.Fatalf("who is away still holds something\n%s", one.log)
				}
			}
			_ = one.cmd.Process.Signal(syscall.SIGCONT)
			if err := one.cmd.Wait(); err == nil || !strings.Contains(one.log.String(), "others may hold") {
				t.Errorf("the one who was away ended with %v and said\n%s", err, one.log)
			}
		}
		one, two = two, member(t, store)
		within("by a new one", two, takeover)
	}
	one.end(t, syscall.SIGTERM)
	within("the last", two, takeover)
	two.end(t, syscall.SIGTERM)
	good(t, "", "audit", "--store", strings.TrimPrefix(store, "ZEVAKA_STORE="))
}

// TestLostData: when the cluster has lost all that was stored, a zevaka that serves ends, and none starts there again by itself.
func TestLostData(t *testing.T) {
	c := etcdtest.Shared(t)
	at := "etcd://" + strings.Join(c.Hosts(), ",") + "/" + c.Prefix()
	s := member(t, "ZEVAKA_STORE="+at, "serve", "--new")
	for _, m := range c.Members {
		m.Lose()
	}
	for _, m := range c.Members {
		m.Start()
	}
	c.Ready()
	if err := s.cmd.Wait(); err == nil {
		t.Errorf("it ended well, and said\n%s", s.log)
	}
	for range 2 {
		end := zevaka(t, "", "serve", "--store", at)
		if end.code != exitFailed || !strings.Contains(end.err, "--new") {
			t.Errorf("the next one ended with %d, and said %s", end.code, end.err)
		}
	}
	if left, err := c.Client().Get(t.Context(), "/", clientv3.WithPrefix()); err != nil || left.Count != 0 {
		t.Errorf("something was begun anew: %+v, %v", left, err)
	}
}

// serves reports whether a zevaka serves the room.
func serves(t *testing.T, c *etcdtest.Cluster, prefix string, s *server) bool {
	t.Helper()
	room := chat.Community{Platform: chat.Web, ID: 1}
	found, err := c.Client().Get(t.Context(), fmt.Sprintf("/%s/held/part/%02x", prefix, etcd.PartOf(room.String())))
	if err != nil || len(found.Kvs) != 1 {
		t.Fatalf("who serves the room: %+v, %v", found, err)
	}
	address, _, _ := strings.Cut(string(found.Kvs[0].Value), " ")
	return strings.Contains(s.log.String(), address)
}

// holds reports whether a zevaka holds anything.
func holds(t *testing.T, c *etcdtest.Cluster, prefix string, s *server) bool {
	t.Helper()
	found, err := c.Client().Get(t.Context(), fmt.Sprintf("/%s/held/", prefix), clientv3.WithPrefix())
	if err != nil {
		t.Fatalf("who holds what: %v", err)
	}
	for _, kv := range found.Kvs {
		if address, _, _ := strings.Cut(string(kv.Value), " "); strings.Contains(s.log.String(), address) {
			return true
		}
	}
	return false
}

// sendSoon says something as soon as somebody listens.
func (g *guest) sendSoon(url, text string) {
	g.t.Helper()
	for begun := time.Now(); !g.send(url, "say", map[string]any{"text": text}); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > takeover {
			g.t.Fatalf("nobody listens to %s", text)
		}
	}
}
