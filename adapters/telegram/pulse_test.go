package telegram

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// noting is an observer that remembers what it is told.
type noting struct {
	chat.Observer
	mu sync.Mutex
	// calls are how many there were of each method for each request, and with which status.
	calls    map[string]int
	waits    map[string]bool
	answered int
	longest  time.Duration
	caught   int
}

func (n *noting) Call(ctx context.Context, c chat.Call) (context.Context, func(int)) {
	return ctx, func(status int) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.calls[fmt.Sprintf("%s for %q: %d", c.Method, chat.RequestOf(ctx), status)]++
		n.waits[c.Method] = c.Waits
	}
}

func (n *noting) Answered(_ chat.Platform, took time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answered++
	n.longest = max(n.longest, took)
}

func (n *noting) Caught(chat.Platform) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.caught++
}

// TestObserver: the observer is told of each call with the request that it is made for, also of an edit that comes later,
// of each answer to a press, and of a panic.
func TestObserver(t *testing.T) {
	n := &noting{Observer: chat.Observe(nil), calls: map[string]int{}, waits: map[string]bool{}}
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data == "break" {
			panic("broken")
		}
		return chat.Response{}, false
	}
	bubble(t, naming{d}, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{Observer: n})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		for range 3 {
			x.send(ann, board, "flip")
		}
		x.board(c, "level 4")
		rest(time.Minute)
		presses, command := d.heard.Of(chat.Press), d.heard.Of(chat.Command)[0]
		want := map[string]int{
			fmt.Sprintf("sendMessage for %q: 200", command.ID):            2, // The board, and a reply.
			fmt.Sprintf("answerCallbackQuery for %q: 200", presses[0].ID): 1,
			fmt.Sprintf("answerCallbackQuery for %q: 200", presses[2].ID): 1,
			fmt.Sprintf("editMessageText for %q: 200", presses[2].ID):     1,
			`getMe for "": 200`: 1,
		}
		n.mu.Lock()
		got := maps.Clone(n.calls)
		maps.DeleteFunc(got, func(call string, _ int) bool { return want[call] == 0 })
		if !maps.Equal(got, want) {
			t.Errorf("noted are %v, want %v", n.calls, want)
		}
		if !n.waits["getUpdates"] || n.waits["sendMessage"] {
			t.Errorf("what waits: %v", n.waits)
		}
		if n.answered != 3 || n.longest > time.Second {
			t.Errorf("%d answers are noted, the longest after %v", n.answered, n.longest)
		}
		n.mu.Unlock()
		ann.Press(board, "break")
		rest(time.Minute)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.caught != 1 {
			t.Errorf("%d panics are noted", n.caught)
		}
		x.unanswered = 1
	})
}

// naming has posts bear the request's ID, as the bot does.
type naming struct{ *dealer }

func (d naming) Handle(ctx context.Context, r chat.Request) chat.Response {
	response := d.dealer.Handle(ctx, r)
	for i := range response.Posts {
		response.Posts[i].Request = r.ID
	}
	return response
}

// TestPulse: the adapter's connection stands as long as news come.
func TestPulse(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		failing := func(on bool) {
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if on && method != "getMe" {
					f.Status = 502
				}
				return f
			})
		}
		failing(true)
		r := x.start(Options{})
		stands := func(want int, when string) {
			t.Helper()
			rest(2 * time.Minute)
			if p := r.Pulse(); p != (chat.Pulse{Links: 1, Up: want}) {
				t.Errorf("%s: %+v", when, p)
			}
		}
		stands(0, "at first, with Telegram out of order")
		failing(false)
		stands(1, "when news come")
		failing(true)
		stands(0, "when none come")
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		failing(false)
		stands(1, "when they come again")
		x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if method == "sendMessage" {
				f.Status = 502
			}
			return f
		})
		c.Say(ann, "/zevaka")
		rest(time.Minute)
		if p := r.Pulse(); p != (chat.Pulse{Links: 1, Up: 1, Unshown: 2}) {
			t.Errorf("with a board and a reply that can't be sent: %+v", p)
		}
		failing(false)
		x.board(c, "level 1")
		x.end()
		if p := r.Pulse(); p.Up != 0 {
			t.Errorf("at the end: %+v", p)
		}
	})
}
