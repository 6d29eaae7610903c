//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/storage/etcd/etcdtest"
)

// TestDatabaseInACluster begins a database in a cluster, plays there, moves it to a file and to another place in the
// cluster, and finds the table everywhere as it was. All commands that read a database read it there.
func TestDatabaseInACluster(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	store := "etcd://" + strings.Join(c.Hosts(), ",") + "/club"
	second := "etcd://" + c.Hosts()[1] + "/second"
	folder := t.TempDir()
	file, copied := filepath.Join(folder, "moved.db"), filepath.Join(folder, "copy.db")

	refused := func(want string, args ...string) {
		t.Helper()
		end := finish(t, command(t, args...), nil)
		if end.code != exitFailed || !strings.Contains(end.err, want) || strings.Count(end.err, "\n") != 1 {
			t.Errorf("zevaka %s: exit %d, %s; want %q", args[0], end.code, end.err, want)
		}
	}
	refused("--new", "serve", "--listen", "off", "--store", store)
	s := startAs(t, command(t, "serve", "--new"), "ZEVAKA_STORE="+store)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
	bob.press(s.url, ann.look(s.url), "Join")
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

// TestWrongStores: what is no place for a database is refused in words, with what to write instead.
func TestWrongStores(t *testing.T) {
	for store, want := range map[string]string{
		"etcd://db1:2379":             "prefix",
		"etcd://bot:secret@db1/z":     "without a password",
		"postgres://db1/z":            "bolt:FILE or etcd://",
		"bolt:":                       "bolt:FILE or etcd://",
		"etcds://db1:2379,:/zevaka":   "HOST:PORT",
		"bolt:/no/such/folder/z.db":   "make its folder first",
		"etcd://127.0.0.1:1/zevaka/ ": "prefix",
	} {
		end := finish(t, command(t, "serve", "--listen", "off", "--store", store), nil)
		if end.code != exitFailed || !strings.Contains(end.err, want) || strings.Contains(end.err, "secret") {
			t.Errorf("--store %s: exit %d, %s; want %q", store, end.code, end.err, want)
		}
	}
}

// takeover is how long a database may be without one who serves it, when that one has died.
const takeover = 15 * time.Second

// TestAnotherTakesOver lets a second zevaka wait while the first serves. When the first is killed, stopped, or so long away that
// its turn is over, the other one serves, and everything is as it was; who was away ends and says why.
func TestAnotherTakesOver(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	store := "ZEVAKA_STORE=etcd://" + strings.Join(c.Hosts(), ",") + "/club"
	first := startAs(t, command(t, "serve", "--new"), store)
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	ann.send(first.url, "say", map[string]any{"text": "/zevaka limit=none"})
	was := ann.look(first.url).board()
	tests := []struct {
		name string
		end  func(s *server)
		at   time.Duration // how long it may take until another serves
	}{
		{"told to stop", func(s *server) { s.end(t, syscall.SIGTERM) }, takeover / 3},
		{"killed", func(s *server) { _ = s.cmd.Process.Kill() }, takeover},
		{"away", func(s *server) { _ = s.cmd.Process.Signal(syscall.SIGSTOP) }, takeover},
	}
	serves := first
	for _, k := range tests {
		after := launch(t, command(t), store)
		for begun := time.Now(); !strings.Contains(after.log.String(), "another zevaka serves"); time.Sleep(50 * time.Millisecond) {
			if time.Since(begun) > time.Minute {
				t.Fatalf("the second doesn't wait:\n%s", after.log)
			}
		}
		ended := time.Now()
		k.end(serves)
		after.opens(t)
		took := time.Since(ended)
		if took > k.at {
			t.Errorf("%s: another served after %v, want %v", k.name, took, k.at)
		}
		t.Logf("%s: another served after %v", k.name, took.Round(time.Millisecond))
		if now := ann.look(after.url).board(); now != was {
			t.Errorf("%s: the board is\n%s\nwant\n%s", k.name, now, was)
		}
		if k.name == "away" {
			_ = serves.cmd.Process.Signal(syscall.SIGCONT)
			if err := serves.cmd.Wait(); err == nil || !strings.Contains(serves.log.String(), "others may hold") {
				t.Errorf("the one who was away ended with %v and said\n%s", err, serves.log)
			}
		}
		serves = after
	}
	serves.end(t, syscall.SIGTERM)
}
