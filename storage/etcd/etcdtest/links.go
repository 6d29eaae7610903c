package etcdtest

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Links are what the members of a cluster, and their clients, speak through: everything goes over relays. What one end says
// to another can be held back, slowed down, or broken off, each direction by itself. Ends have names, of members or of
// clients.
type Links struct {
	t testing.TB

	mu        sync.Mutex
	changed   chan struct{} // closed when a line changes, and replaced
	over      bool
	lines     map[line]weather
	pairs     map[*pair]bool
	listeners []net.Listener
	running   sync.WaitGroup
}

// line is one direction between two ends.
type line struct{ from, to string }

// weather is how a line is.
type weather struct {
	cuts int // how many hold back what is said on it
	slow time.Duration
}

// pair is a connection as the relay has it: one to each end.
type pair struct {
	ends  [2]string // who began it, and to whom
	conns [2]*net.TCPConn
}

// newLinks are links that last until they are closed.
func newLinks(t testing.TB) *Links {
	return &Links{t: t, changed: make(chan struct{}), lines: map[line]weather{}, pairs: map[*pair]bool{}}
}

// Mend has all lines be as they were at first.
func (l *Links) Mend() { l.change(func() { clear(l.lines) }) }

// Cut holds back all that one end says to another until mend is called: nobody is told, and nothing is lost, it arrives late, as
// where the network is broken and TCP sends again. What is cut twice is to be mended twice.
func (l *Links) Cut(from, to string) (mend func()) {
	l.change(func() { l.bend(from, to, 1) })
	return sync.OnceFunc(func() { l.change(func() { l.bend(from, to, -1) }) })
}

func (l *Links) bend(from, to string, by int) {
	w := l.lines[line{from, to}]
	w.cuts = max(0, w.cuts+by) // Mend may have been before.
	l.lines[line{from, to}] = w
}

// Slow has all that one end says to another arrive that much later; 0 is as fast as can be.
func (l *Links) Slow(from, to string, by time.Duration) {
	l.change(func() {
		w := l.lines[line{from, to}]
		w.slow = by
		l.lines[line{from, to}] = w
	})
}

// Reset breaks off all connections between two ends.
func (l *Links) Reset(a, b string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		if p.ends == [2]string{a, b} || p.ends == [2]string{b, a} {
			p.reset()
		}
	}
}

func (p *pair) reset() {
	for _, c := range p.conns {
		_ = c.SetLinger(0)
		_ = c.Close()
	}
}

// change changes lines, and wakes who waits for them.
func (l *Links) change(how func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	how()
	close(l.changed)
	l.changed = make(chan struct{})
}

// close ends all, and waits for it.
func (l *Links) close() {
	l.change(func() {
		l.over = true
		for _, n := range l.listeners {
			_ = n.Close()
		}
		for p := range l.pairs {
			p.reset()
		}
	})
	l.running.Wait()
}

// relay is where an end is reached over the links, at a host of this machine. From says who began a connection.
func (l *Links) relay(to, host string, from func(net.Conn) (string, error)) string {
	l.t.Helper()
	n, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	l.change(func() { l.listeners = append(l.listeners, n) })
	l.running.Go(func() {
		for {
			conn, err := n.Accept()
			if err != nil {
				return
			}
			l.running.Go(func() { l.join(conn.(*net.TCPConn), to, host, from) })
		}
	})
	return n.Addr().String()
}

// join passes on what both ends of a connection say, until both have ended.
func (l *Links) join(conn *net.TCPConn, to, host string, from func(net.Conn) (string, error)) {
	begun, err := from(conn)
	var other net.Conn
	if err == nil {
		other, err = net.Dial("tcp", host)
	}
	if err != nil { // One of the two is down.
		_ = conn.SetLinger(0)
		_ = conn.Close()
		return
	}
	p := &pair{[2]string{begun, to}, [2]*net.TCPConn{conn, other.(*net.TCPConn)}}
	l.change(func() {
		l.pairs[p] = true
		if l.over {
			p.reset()
		}
	})
	var both sync.WaitGroup
	both.Go(func() { l.pass(p, 0, 1) })
	both.Go(func() { l.pass(p, 1, 0) })
	both.Wait()
	l.change(func() { delete(l.pairs, p) })
	_ = conn.Close()
	_ = other.Close()
}

// pass passes on what one end says to the other, and that it has ended.
func (l *Links) pass(p *pair, from, to int) {
	said := make([]byte, 64<<10)
	on := line{p.ends[from], p.ends[to]}
	for {
		n, err := p.conns[from].Read(said)
		l.wait(on)
		if n > 0 {
			_, _ = p.conns[to].Write(said[:n]) // Who doesn't hear any more is told so by what it says itself.
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			_ = p.conns[to].CloseWrite()
			return
		default:
			_ = p.conns[to].SetLinger(0)
			_ = p.conns[to].Close()
			return
		}
	}
}

// wait waits until what was said on a line may arrive.
func (l *Links) wait(on line) {
	for slow := true; ; {
		l.mu.Lock()
		w, changed, over := l.lines[on], l.changed, l.over
		l.mu.Unlock()
		switch {
		case over:
			return
		case w.cuts > 0:
			<-changed
		case w.slow > 0 && slow:
			slow = false
			time.Sleep(w.slow)
		default:
			return
		}
	}
}
