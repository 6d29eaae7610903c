package etcd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
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
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	whole := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, patient)
	j := joined(t, whole, "one")
	n := 0
	storagetest.Run(t, func(t *testing.T) storage.Store {
		n++
		return part(t, taken(t, j, fmt.Sprint("part/", n)), n)
	})
}

// TestHold: a thing has one holder, who can let go of it, and whose commits count only as long as it has it.
func TestHold(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
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
	c := etcdtest.New(t, etcdtest.Options{Members: 1, Links: true})
	opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	s := opened(t, Address{Hosts: c.Doors("bot"), Prefix: "z"}, Options{})
	one := joined(t, s, "one")
	first := taken(t, one, "part/1")
	taken(t, one, "part/2")
	for _, broken := range []struct {
		name string
		call func(context.Context) error
	}{{"Release", first.Release}, {"Leave", one.Leave}} {
		member := c.Members[0].Name
		mend := c.Links.Cut(member, "bot")
		done := make(chan error)
		go func() { done <- broken.call(t.Context()) }()
		select {
		case err := <-done:
			t.Errorf("%s: %v before there was an answer", broken.name, err)
			continue
		case <-time.After(500 * time.Millisecond):
		}
		c.Links.Reset("bot", member)
		mend()
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
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	a := Address{Hosts: c.Hosts(), Prefix: "z"}
	s := opened(t, a, Options{New: true})
	c.Members[0].Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // Longer than one call.
	defer cancel()
	_, err := s.Join(ctx, "one")
	if !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil {
		t.Errorf("Join: %v", err)
	}
	time.AfterFunc(4*time.Second, c.Members[0].Start)
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
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
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
	c.Members[0].Kill()
	c.Members[0].Start()
	c.Ready()
	if err := one.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("false [{a }]")
}

// TestTwoOwners has another process write to a part again and again, stops it in the middle for longer than its session
// lasts, takes the part, writes to it, and wakes the other: nothing that it writes from then on counts.
func TestTwoOwners(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	a := Address{Hosts: c.Hosts(), Prefix: "z"}
	s := opened(t, a, Options{New: true})
	other := exec.Command(os.Args[0], "-test.run=^TestOtherOwner$", "-test.timeout=5m")
	other.Env = append(os.Environ(), "ZEVAKA_TEST_OWNER="+a.String())
	other.Stderr = os.Stderr
	out, err := other.StdoutPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range 20 { // It is in the midst of it.
		if !lines.Scan() {
			t.Fatal("the other process ended")
		}
	}
	if err := other.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	mine := joined(t, s, "mine")
	var hold *Hold
	for begun := time.Now(); hold == nil; time.Sleep(50 * time.Millisecond) {
		if hold, err = mine.Take(t.Context(), "part"); err != nil {
			t.Fatal(err)
		}
		if time.Since(begun) > 2*time.Minute { // A new leader gives every session its time anew.
			t.Fatal("the part is never free")
		}
	}
	count := func(part storage.Store) int {
		n := 0
		err := storage.Update(t.Context(), part, func(tx storage.Tx) error {
			items, err := tx.Get("n")
			if err != nil {
				return err
			}
			n = len(items[0].Value) + 1
			tx.Put("n", append(items[0].Value, 'm'))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	mineNow := part(t, hold, 1)
	was := count(mineNow)
	if err := other.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	if err := other.Wait(); err != nil || !slices.Contains(said, "fenced") {
		t.Errorf("the other process ended with %v and said %q", err, said)
	}
	if now := count(mineNow); now != was+1 {
		t.Errorf("%d writes came after the other had lost the part", now-was-1)
	}
}

// TestOtherOwner is the other process of TestTwoOwners. Alone it does nothing.
func TestOtherOwner(t *testing.T) {
	text := os.Getenv("ZEVAKA_TEST_OWNER")
	if text == "" {
		return
	}
	a, err := ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	other := part(t, taken(t, joined(t, opened(t, a, Options{}), "other"), "part"), 1)
	for {
		err := storage.Update(t.Context(), other, func(tx storage.Tx) error {
			items, err := tx.Get("n")
			if err != nil {
				return err
			}
			tx.Put("n", append(items[0].Value, 'o'))
			return nil
		})
		if errors.Is(err, ErrFenced) {
			fmt.Println("fenced")
			return
		}
		fmt.Println("written,", err)
	}
}

// TestClocks: a session's end is told by a clock that nobody can set, so that one that is set by hours ends none and keeps none.
// A program in Go can't be given another clock from outside, short of building it anew, so this looks at the times themselves.
func TestClocks(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	j := joined(t, opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true}), "one")
	for range 2 {
		until := j.until.get()
		if !strings.Contains(until.String(), " m=") || !j.Alive() {
			t.Errorf("a session is good until %v, alive is %v", until, j.Alive())
		}
		for begun := time.Now(); j.until.get().Equal(until) && time.Since(begun) < SessionTime; {
			sleep(context.Background(), pause)
		}
	}
}
