//go:build unix && faults

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKilledInTheMiddle plays at a table whose zevaka is killed again and again, between two presses and during one:
// every answered press still counts after the next start, and the game goes on.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	db := "ZEVAKA_DB=" + filepath.Join(t.TempDir(), "z.db")
	ann := &guest{t: t, name: "Ann", secret: strings.Repeat("a", 32)}
	bob := &guest{t: t, name: "Bob", secret: strings.Repeat("b", 32)}
	guests := map[string]*guest{"Ann": ann, "Bob": bob}
	s := start(t, db)
	ann.send(s.url, "say", map[string]any{"text": "/zevaka limit=none"})
	bob.press(s.url, ann.look(s.url), "Join")
	ann.press(s.url, ann.look(s.url), "Deal")
	asked := ann.look(s.url)
	if cutter := guests[cutterOf(t, asked)]; !cutter.press(s.url, asked, "13") {
		t.Fatalf("no cut:\n%s", asked.board())
	}
	for who, g := range guests { // The other adds nothing.
		if p := g.look(s.url); who != cutterOf(t, asked) && !g.press(s.url, p, "Don't cut") {
			t.Fatalf("%s has to cut, too:\n%s", who, p.board())
		}
	}
	for round := range 6 {
		for range 5 {
			p := ann.look(s.url)
			if who, label := p.next(t); !guests[who].press(s.url, p, label) {
				t.Fatalf("round %d: %s can't press %s:\n%s", round, who, label, p.board())
			}
		}
		before := ann.look(s.url)
		answered := make(chan bool, 1)
		if round%2 == 0 {
			answered <- false
		} else {
			who, label := before.next(t)
			go func() { answered <- guests[who].press(s.url, before, label) }()
			time.Sleep(time.Duration(round) * 200 * time.Microsecond)
		}
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		counted := <-answered
		s = start(t, db)
		after := ann.look(s.url)
		switch same := after.board() == before.board(); {
		case counted && same:
			t.Errorf("round %d: an answered press was lost:\n%s", round, after.board())
		case round%2 == 0 && !same:
			t.Errorf("round %d: the table changed:\n%s\n%s", round, before.board(), after.board())
		}
	}
	s.end(t, syscall.SIGTERM)
}
