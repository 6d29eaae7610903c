//go:build cluster

package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

// joined is a session that ends with its test.
func joined(t *testing.T, s *Store, name string) *Session {
	t.Helper()
	j, err := s.Join(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// taken is a thing that nobody else has.
func taken(t *testing.T, j *Session, thing string) *Hold {
	t.Helper()
	h, err := j.Take(t.Context(), thing)
	if err != nil || h == nil {
		t.Fatalf("Take: %v, %v", h, err)
	}
	return h
}

// part is a part of a store for whoever holds it.
func part(t *testing.T, h *Hold, n int) *Store {
	t.Helper()
	s, err := h.Part(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPartIsAStore runs the contract against a part that is held.
func TestPartIsAStore(t *testing.T) {
	c := etcdtest.Shared(t)
	whole := opened(t, at(c), patient)
	j := joined(t, whole, "one")
	n := 0
	storagetest.Run(t, func(t *testing.T) storage.Store {
		n++
		return part(t, taken(t, j, fmt.Sprint("part/", n)), n)
	})
}

// TestHold: a thing has one holder, who can let go of it, and whose commits count only as long as it has it.
func TestHold(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	one, two := joined(t, s, "one"), joined(t, s, "two")
	first := taken(t, one, "part/1")
	if again := taken(t, one, "part/1"); again.fence != first.fence {
		t.Error("taken twice by one, it is held anew")
	}
	if h, err := two.Take(t.Context(), "part/1"); h != nil || err != nil {
		t.Errorf("taken by two as well: %v, %v", h, err)
	}
	parts := map[*Hold]*Store{first: part(t, first, 1)}
	write := func(h *Hold, value string) error {
		_, err := parts[h].Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte(value)}}})
		return err
	}
	if err := write(first, "one"); err != nil {
		t.Error(err)
	}
	if err := first.Release(t.Context()); err != nil {
		t.Error(err)
	}
	second := taken(t, two, "part/1")
	parts[second] = part(t, second, 1)
	if err := write(first, "late"); !errors.Is(err, ErrFenced) || !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("written without holding: %v", err)
	}
	if err := first.Release(t.Context()); err != nil { // It isn't one's own any more.
		t.Error(err)
	}
	if err := write(second, "two"); err != nil {
		t.Error(err)
	}
	if err := two.Leave(t.Context()); err != nil || two.Alive() {
		t.Errorf("Leave: %v; alive %v", err, two.Alive())
	}
	taken(t, one, "part/1")
	if err := write(second, "late"); !errors.Is(err, ErrFenced) {
		t.Errorf("written after the end of the session: %v", err)
	}
	items, err := part(t, taken(t, one, "part/1"), 1).Get(t.Context(), "a")
	if err != nil || string(items[0].Value) != "two" {
		t.Errorf("written is %v, %v", items, err)
	}
}

// TestLeaveOverBrokenConnection: where the connection breaks off before the answer has come, as one does some seconds after the
// machine's clock was put back, what was held is let go of all the same, and so is the session.
func TestLeaveOverBrokenConnection(t *testing.T) {
	c := etcdtest.Shared(t)
	a := at(c)
	a.Hosts = c.Doors("bot")
	s := opened(t, a, Options{New: true})
	one := joined(t, s, "one")
	first := taken(t, one, "part/1")
	taken(t, one, "part/2")
	for _, broken := range []struct {
		name string
		call func(context.Context) error
	}{{"Release", first.Release}, {"Leave", one.Leave}} {
		for _, m := range c.Members {
			c.Links.Cut(m.Name, "bot")
		}
		done := make(chan error)
		go func() { done <- broken.call(t.Context()) }()
		select {
		case err := <-done:
			t.Errorf("%s: %v before there was an answer", broken.name, err)
			continue
		case <-time.After(500 * time.Millisecond):
		}
		for _, m := range c.Members {
			c.Links.Reset("bot", m.Name)
		}
		c.Links.Mend()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", broken.name, err)
		}
	}
	two := joined(t, s, "two")
	for _, thing := range []string{"part/1", "part/2"} {
		taken(t, two, thing)
	}
}

// TestJoinWaits: a session waits for a cluster that can't be reached, until its context ends, and not for a store that was closed.
func TestJoinWaits(t *testing.T) {
	c := etcdtest.Shared(t)
	a, o := at(c), Options{New: true, CallTime: time.Second / 2}
	s := opened(t, a, o)
	for _, m := range c.Members {
		m.Kill()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*o.CallTime)
	defer cancel()
	_, err := s.Join(ctx, "one")
	if !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil {
		t.Errorf("Join: %v", err)
	}
	for _, m := range c.Members {
		time.AfterFunc(2*o.CallTime, m.Start)
	}
	taken(t, joined(t, s, "two"), "part")
	closed := opened(t, a, Options{})
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := closed.Join(t.Context(), "three"); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Join of a closed store: %v", err)
	}
}

// TestFollow: who holds what is told from the beginning and as it changes, also after etcd let go of what came between.
func TestFollow(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	one := joined(t, s, "one")
	taken(t, one, "a")
	told := make(chan string, 100)
	done := make(chan error)
	go func() {
		done <- s.Follow(t.Context(), func(all bool, held []Held) { told <- fmt.Sprint(all, held) })
	}()
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-told:
			if got != want {
				t.Errorf("told %s, want %s", got, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("not told of %s", want)
		}
	}
	expect("true [{a one}]")
	b := taken(t, one, "b")
	expect("false [{b one}]")
	if err := b.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("false [{b }]")
	for _, m := range c.Members {
		m.Kill()
		m.Start()
	}
	c.Ready()
	if err := one.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("false [{a }]")
}

// TestTwoOwners has somebody write to a part again and again, cuts them off in the middle until another has taken the part and written
// to it, and lets them go on: nothing that they write from then on counts.
func TestTwoOwners(t *testing.T) {
	c := etcdtest.Shared(t)
	a := at(c)
	s := opened(t, a, Options{New: true})
	a.Hosts = c.Doors("away")
	away := joined(t, opened(t, a, Options{}), "away")
	count := func(part storage.Store) (n int, err error) {
		err = storage.Update(t.Context(), part, func(tx storage.Tx) error {
			items, err := tx.Get("n")
			if err != nil {
				return err
			}
			n = len(items[0].Value) + 1
			tx.Put("n", append(items[0].Value, 'x'))
			return nil
		})
		return n, err
	}
	theirs := part(t, taken(t, away, "part"), 1)
	midst, fenced := make(chan bool, 1), make(chan int)
	go func() {
		answered := 0
		for {
			_, err := count(theirs)
			switch {
			case errors.Is(err, ErrFenced):
				fenced <- answered
				return
			case err == nil:
				if answered++; answered == 20 {
					midst <- true
				}
			}
		}
	}()
	<-midst
	for _, m := range c.Members {
		c.Links.Cut(m.Name, "away")
		c.Links.Cut("away", m.Name)
	}
	mine := joined(t, s, "mine")
	var hold *Hold
	for begun := time.Now(); hold == nil; time.Sleep(50 * time.Millisecond) {
		var err error
		if hold, err = mine.Take(t.Context(), "part"); err != nil {
			t.Fatal(err)
		}
		if time.Since(begun) > 2*time.Minute { // A new leader gives every session its time anew.
			t.Fatal("the part is never free")
		}
	}
	if away.Alive() {
		t.Error("a part was taken by another, and its holder thinks that it holds it")
	}
	now := part(t, hold, 1)
	before, err := count(now)
	c.Links.Mend()
	answered := <-fenced
	after, again := count(now)
	if err := errors.Join(err, again); err != nil || before <= answered || after != before+1 {
		t.Errorf("%d writes by the one were answered, then there were %d, then %d; %v", answered, before, after, err)
	}
}

// TestClocks: a session's end is told by a clock that nobody can set, so that one that is set by hours ends none and keeps none.
// A program in Go can't be given another clock from outside, short of building it anew, so this looks at the times themselves.
func TestClocks(t *testing.T) {
	c := etcdtest.Shared(t)
	j := joined(t, opened(t, at(c), Options{New: true}), "one")
	for renewed := range 2 {
		until := j.until.get()
		if !strings.Contains(until.String(), " m=") || !j.Alive() {
			t.Errorf("a session is good until %v, alive is %v", until, j.Alive())
		}
		for begun := time.Now(); renewed == 0 && j.until.get().Equal(until) && time.Since(begun) < SessionTime; {
			sleep(context.Background(), pause)
		}
	}
}
