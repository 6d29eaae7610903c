package discord

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// noting is an observer that remembers what it is told.
type noting struct {
	chat.Observer
	mu sync.Mutex
	// calls are those that were answered, with the request that each was made for.
	calls    []noted
	answered int
	caught   int
}

type noted struct {
	method, request string
	status          int
}

func (n *noting) Call(ctx context.Context, c chat.Call) (context.Context, func(int)) {
	return ctx, func(status int) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.calls = append(n.calls, noted{c.Method, chat.RequestOf(ctx), status})
	}
}

func (n *noting) Answered(_ chat.Platform, took time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if took > 0 {
		n.answered++
	}
}

func (n *noting) Caught(chat.Platform) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.caught++
}

// has reports whether a call was noted.
func (n *noting) has(c noted) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Contains(n.calls, c)
}

// last is the newest call of a method.
func (n *noting) last(method string) noted {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range slices.Backward(n.calls) {
		if c.method == method {
			return c
		}
	}
	return noted{}
}

// TestObserver: the observer is told of each call with the request that it is made for, also of one made later, of each
// answer once, and of a panic.
func TestObserver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &noting{Observer: chat.Observe(nil)}
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.set = func(a *Adapter) { a.watch, a.rest.watch = n, n }
		h.start()
		h.dealer.slow.Store(int64(time.Millisecond)) // No answer takes no time.
		h.table(map[string]any{"limit": "none"})
		h.quietly()
		if c := n.last("gateway"); c != (noted{"gateway", "", 200}) {
			t.Errorf("the gateway was asked for: %+v", c)
		}
		h.server.Command(bob, discordtest.Channel, "table", nil).Answer()
		h.press(ann, "Вскрыть")
		h.press(vika, "Вскрыть")
		h.quietly()
		presses, commands := h.dealer.asked.Of(chat.Press), h.dealer.asked.Of(chat.Command)
		want := noted{"answer", presses[len(presses)-1].ID, 204}
		h.server.Until("the last answer is noted", func() bool { return n.has(want) })
		h.server.Until("the old board is noted", func() bool { return n.last("edit").status == 200 })
		if c := n.last("edit"); c.request == "" {
			t.Errorf("the old board is noted as %+v", c)
		}
		n.mu.Lock()
		if want := len(presses) + len(commands); n.answered != want {
			t.Errorf("%d presses and commands are noted as %d answers", want, n.answered)
		}
		n.mu.Unlock()
		h.dealer.broken.Store(true)
		h.server.Press(ann, h.board(discordtest.Channel).ID, "x")
		h.server.Until("the panic is noted", func() bool { n.mu.Lock(); defer n.mu.Unlock(); return n.caught == 1 })
		h.server.Forgive()
	})
}

// TestPulse: an adapter says how many of its connections stand, and that nothing waits when nothing does.
func TestPulse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if p := New(nil, Options{}).Pulse(); p != (chat.Pulse{Links: 1}) {
			t.Errorf("at first: %+v", p)
		}
		h := build(t, mem.New(), fake(t, discordtest.Options{Shards: 2}))
		h.start()
		h.server.Until("both shards stand", func() bool { return h.Pulse() == chat.Pulse{Links: 2, Up: 2} })
		for range 3 {
			h.server.Cut()
			h.server.Until("both are connected again", func() bool { return h.server.Connected() == 2 })
			h.server.Until("both stand again", func() bool { return h.Pulse() == chat.Pulse{Links: 2, Up: 2} })
		}
		h.end()
		if p := h.Pulse(); p.Up != 0 {
			t.Errorf("at the end: %+v", p)
		}
	})
}

// TestPulseCounts tells what came in from what waits to be shown.
func TestPulseCounts(t *testing.T) {
	a := New(nil, Options{})
	begin := func(func()) bool { return true } // Nothing is ever done.
	for n := range 7 {
		if n < 3 {
			a.in.Put("7", begin, func() {})
		}
		a.sender.out.Put("7/posts", begin, func() {})
	}
	if p := a.Pulse(); p.Waiting != 3 || p.Unshown != 7 {
		t.Errorf("%d wait to be done and %d to be shown, want 3 and 7", p.Waiting, p.Unshown)
	}
}
