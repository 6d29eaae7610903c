//go:build unix

package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/engine/enginetest"
	"zevaka/storage/etcd/etcdtest"
)

// TestTwoCells has two zevaka serve a cell each. The room lives in one of them, is reached at both, and moves while people play
// there, also by a command that is killed; what is there in the end nobody has lost.
func TestTwoCells(t *testing.T) {
	store := func(c *etcdtest.Cluster, name string) string { return "etcd://" + c.Hosts()[0] + "/" + name }
	first, second := etcdtest.New(t, etcdtest.Options{Members: 1}), etcdtest.New(t, etcdtest.Options{Members: 1})
	directory, one, two := store(first, "directory"), store(first, "one"), store(second, "two")
	serving := func(name, store string) *server {
		s := launch(t, command(t, "serve", "--new", "--cell", name, "--directory", directory), "ZEVAKA_STORE="+store, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0")
		s.opens(t)
		return s
	}
	refused := func(want string, args ...string) {
		t.Helper()
		end := finish(t, command(t, args...), nil)
		if end.code == 0 || !strings.Contains(end.err, want) || strings.Count(end.err, "\n") != 1 {
			t.Errorf("zevaka %v: exit %d, %s; want %q", args, end.code, end.err, want)
		}
	}
	servers := []*server{serving("one", one), serving("two", two)}
	ann, bob := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}, &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	ann.sendSoon(servers[0].url, "/zevaka limit=none")
	if !bob.press(servers[1].url, bob.look(servers[1].url), "Join") {
		t.Fatal("Bob can't sit down by the other one")
	}
	was := ann.look(servers[0].url).board()
	listed := func() string { return good(t, "", "cells", "--directory", directory) }
	refused("can't be used together", "directories", "--directory", directory, "--add", directory, "--remove", "first")
	half := store(second, "directory")
	if out := good(t, "", "directories", "--directory", directory, "--add", half); !strings.Contains(out, "first: 2048 of 4096 slots") || !strings.Contains(out, half+": 2048 of") {
		t.Errorf("the directories are\n%s", out)
	}
	lives := func() string {
		t.Helper()
		for _, name := range []string{"one", "two"} {
			if strings.Contains(listed(), name+": 1 communities") {
				return name
			}
		}
		t.Fatalf("the room lives nowhere:\n%s", listed())
		return ""
	}
	for n := range enginetest.Bound(2, 4) {
		to := map[string]string{"one": "two", "two": "one"}[lives()]
		move := func() *exec.Cmd { return command(t, "move", "web:1", to, "--directory", directory) }
		if n%2 == 1 { // Killed somewhere; what it held is free in a while.
			killed := move()
			if err := killed.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(200+n*150) * time.Millisecond)
			_ = killed.Process.Kill()
			_ = killed.Wait()
		}
		for begun := time.Now(); ; time.Sleep(time.Second) {
			end := finish(t, move(), nil)
			if end.code == 0 || strings.Contains(end.err, "lives there already") {
				t.Log(strings.TrimSpace(end.out + end.err))
				break
			}
			if !strings.Contains(end.err, "by another command") || time.Since(begun) > 2*takeover {
				t.Fatalf("zevaka move: exit %d, %s", end.code, end.err)
			}
		}
		if lives() != to {
			t.Errorf("moved to %s, it lives in %s", to, lives())
		}
		for _, s := range servers {
			begun := time.Now()
			for now := ""; now != was; time.Sleep(20 * time.Millisecond) {
				if p, ok := ann.glance(s.url); ok {
					now = p.board()
				}
				if time.Since(begun) > takeover {
					t.Fatalf("moved to %s, the board is\n%s\nwant\n%s\n%s", to, now, was, s.log)
				}
			}
		}
	}
	refused("lives there already", "move", "web:1", lives(), "--directory", directory)
	refused("no such cell", "move", "web:1", "three", "--directory", directory)
	refused("nobody there has used the bot yet: t-5\n", "move", "telegram:-5", "one", "--directory", directory)
	refused("give a platform", "move", "somewhere:1", "one", "--directory", directory)
	refused("say where the directory", "move", "web:1", "one")
	refused("not a directory", "cells", "--directory", one)
	refused("name that", "cells", "--directory", half)
	refused("there is no such directory", "directories", "--directory", directory, "--remove", one)
	if out := good(t, "", "directories", "--directory", directory, "--remove", "first"); !strings.Contains(out, "first: 0 of 4096 slots, 0 communities, to have nothing") {
		t.Errorf("one of two directories taken away, they are\n%s", out)
	}
	refused("one directory has to stay", "directories", "--directory", directory, "--remove", half)
	refused("give both", "serve", "--cell", "one", "--store", one)
	refused("this is cell one", "serve", "--store", one, "--listen", "off")
	refused("no such cell", "cells", "--directory", directory, "--close", "three")
	if out := good(t, "", "cells", "--directory", directory, "--close", "one"); !strings.Contains(out, "closed to new ones") {
		t.Errorf("closed, the cells are\n%s", out)
	}
	for _, s := range servers {
		s.end(t, syscall.SIGTERM)
	}
	for _, store := range []string{one, two} {
		good(t, "", "audit", "--store", store)
	}
}
