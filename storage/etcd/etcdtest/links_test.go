//go:build cluster

package etcdtest

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// talk is a connection over links between the ends "a" and "b", as each has it.
func talk(t *testing.T, l *Links) (a, b net.Conn) {
	t.Helper()
	n, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	host := l.relay("b", n.Addr().String(), func(net.Conn) (string, error) { return "a", nil })
	if a, err = net.Dial("tcp", host); err == nil {
		b, err = n.Accept()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

// heard is what an end hears within so long.
func heard(t *testing.T, c net.Conn, within time.Duration) string {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 100)
	n, _ := c.Read(said)
	return string(said[:n])
}

func say(t *testing.T, c net.Conn, what string) {
	t.Helper()
	if _, err := io.WriteString(c, what); err != nil {
		t.Fatal(err)
	}
}

// TestLinks: what is said arrives, but for a line that is cut, which holds it back until it is mended, the other direction not.
func TestLinks(t *testing.T) {
	const soon, long = 50 * time.Millisecond, 20 * time.Second
	l := newLinks(t)
	t.Cleanup(l.close)
	a, b := talk(t, l)
	say(t, a, "hello")
	if got := heard(t, b, long); got != "hello" {
		t.Errorf("b heard %q", got)
	}
	mend, again := l.Cut("a", "b"), l.Cut("a", "b")
	say(t, a, "lost?")
	say(t, b, "and you")
	if got := heard(t, a, long); got != "and you" {
		t.Errorf("a heard %q", got)
	}
	mend()
	mend()
	if got := heard(t, b, soon); got != "" {
		t.Errorf("b heard %q over a line that is cut", got)
	}
	again()
	if got := heard(t, b, long); got != "lost?" {
		t.Errorf("b heard %q", got)
	}
	l.Slow("b", "a", 200*time.Millisecond)
	begun := time.Now()
	say(t, b, "late")
	if got := heard(t, a, long); got != "late" || time.Since(begun) < 200*time.Millisecond {
		t.Errorf("a heard %q after %v", got, time.Since(begun))
	}
}

// TestLinksEnd: the end of a connection arrives as what was said before it does, and a reset at both ends at once.
func TestLinksEnd(t *testing.T) {
	l := newLinks(t)
	t.Cleanup(l.close)
	a, b := talk(t, l)
	mend := l.Cut("a", "b")
	say(t, a, "bye")
	a.Close()
	if got := heard(t, b, 50*time.Millisecond); got != "" {
		t.Errorf("b heard %q over a line that is cut", got)
	}
	mend()
	if err := b.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(b); string(said) != "bye" || err != nil {
		t.Errorf("b heard %q, %v", said, err)
	}
	a, b = talk(t, l)
	say(t, a, "hello")
	heard(t, b, 20*time.Second)
	l.Reset("b", "a")
	for _, c := range []net.Conn{a, b} {
		if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("after a reset: %v", err)
		}
	}
}
