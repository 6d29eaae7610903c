package telegram

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// gated is a bot that handles what is said in one chat only when it is let.
type gated struct {
	*dealer
	chat    int64
	let     chan struct{}
	once    sync.Once
	entered chan struct{}
}

// Handle waits, if it is that chat.
func (g *gated) Handle(ctx context.Context, r chat.Request) chat.Response {
	if r.In.Channel == g.chat && r.Kind == chat.Command {
		g.once.Do(func() { close(g.entered) })
		<-g.let
	}
	return g.dealer.Handle(ctx, r)
}

// TestConfirmed checks that nothing is confirmed before it is durable, nor anything after it; and that nobody else has to
// wait for it.
func TestConfirmed(t *testing.T) {
	g := &gated{dealer: newDealer()}
	bubble(t, g, telegramtest.Options{}, func(t *testing.T, x *house) {
		g.let, g.entered = make(chan struct{}), make(chan struct{})
		ann := x.server.NewUser("Аня", "")
		slow, quick := x.server.NewGroup("Slow"), x.server.NewGroup("Quick")
		g.chat = slow.ID
		x.start(Options{})
		slow.Say(ann, "/zevaka")
		<-g.entered
		slow.Say(ann, "/second")
		for i := range 120 { // More than one poll brings.
			quick.Say(ann, "/zevaka")
			if i%30 == 0 {
				rest(2 * time.Second)
			}
		}
		rest(time.Minute)
		if n := x.server.Waiting(); n != 122 {
			t.Errorf("%d updates wait, of 122", n)
		}
		before := len(g.heard.Of(chat.Command))
		if before < 48 {
			t.Errorf("only %d others were handled", before)
		}
		close(g.let)
		x.until("all to be confirmed", func() bool { return x.server.Waiting() == 0 })
		var slowly []string
		for _, r := range g.heard.Of(chat.Command) {
			if r.In.Channel == slow.ID {
				slowly = append(slowly, r.Data)
			}
		}
		if n := len(g.heard.Of(chat.Command)); n != 122 || strings.Join(slowly, "") != "/zevaka/second" {
			t.Errorf("%d commands were handled, in the slow chat %v", n, slowly)
		}
	})
}

// stalled is a way to Telegram that nothing comes back on once it stalls.
type stalled struct {
	http.RoundTripper
	stalls *atomic.Bool
}

func (s stalled) RoundTrip(req *http.Request) (*http.Response, error) {
	if s.stalls.Load() {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return s.RoundTripper.RoundTrip(req)
}

// TestStopsInTime: a Telegram that doesn't answer any more doesn't keep the program beyond the five seconds in which it promises to end.
func TestStopsInTime(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		var stalls atomic.Bool
		x.wrap = func(way http.RoundTripper) http.RoundTripper { return stalled{way, &stalls} }
		x.start(Options{})
		ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		stalls.Store(true)
		c.Say(ann, "/zevaka")
		rest(time.Minute)
		asked := time.Now()
		x.end()
		if took := time.Since(asked); took > 4*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestStale: what somebody wrote while nobody read it for long is not done any more, whether it is asked for or brought; a press and
// what a platform says of a group are.
func TestStale(t *testing.T) {
	for name, start := range map[string]func(*house) (stop func()){
		"asked for": func(x *house) func() { x.start(Options{}); return func() {} },
		"brought":   func(x *house) func() { return x.hooked(Options{}, func() bool { return false }) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDealer()
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
				c.Say(ann, "/zevaka")
				rest(6*time.Hour - staleAfter/2)
				c.Say(ann, "/tecza")
				rest(staleAfter / 2)
				defer start(x)()
				x.until("all updates", func() bool { return x.server.Waiting() == 0 })
				heard := d.heard.Of(chat.Command)
				if len(heard) != 1 || heard[0].Data != "/tecza" {
					t.Errorf("it did %+v", heard)
				}
				rest(time.Minute)
			})
		})
	}
}

// TestWebhookConfirms: Telegram is told that a call was heard only when what it asked is durable.
func TestWebhookConfirms(t *testing.T) {
	g := &gated{dealer: newDealer()}
	bubble(t, g, telegramtest.Options{}, func(t *testing.T, x *house) {
		g.let, g.entered = make(chan struct{}), make(chan struct{})
		r := x.start(Options{Webhook: hookURL})
		x.until("the webhook", func() bool { url, _ := x.server.Hook(); return url == hookURL })
		wire := telegramtest.NewWire(r.Handler())
		defer wire.Close()
		ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Slow")
		g.chat = c.ID
		c.Say(ann, "/zevaka")
		done := make(chan error, 1)
		go func() {
			_, err := x.server.CallHook(t.Context(), &http.Client{Transport: wire}, false)
			done <- err
		}()
		<-g.entered
		rest(10 * time.Second)
		if n := x.server.Waiting(); n != 1 {
			t.Errorf("%d updates wait, of 1", n)
		}
		close(g.let)
		if err := <-done; err != nil || x.server.Waiting() != 0 {
			t.Errorf("%d updates wait: %v", x.server.Waiting(), err)
		}
		x.board(c, "level 1")
	})
}

// TestTokenRefused: a token that is refused once, or for some minutes, while the bot runs is tried again, and no board is lost.
func TestTokenRefused(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{"401": {Status: 401, Text: "Unauthorized"}, "404": {Status: 404, Text: "Not Found"}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c, board := x.table()
				for _, lasts := range []time.Duration{time.Second, 20 * time.Minute} {
					x.server.SetFault(func(method string, _ map[string]string) (none telegramtest.Fault) {
						if method == "getUpdates" {
							return fault
						}
						return none
					})
					rest(lasts)
					x.server.SetFault(nil)
					rest(11 * time.Minute)
				}
				once := true
				x.server.SetFault(func(method string, _ map[string]string) (none telegramtest.Fault) {
					if once && method == "editMessageText" {
						once = false
						return fault
					}
					return none
				})
				x.send(ann, board, "turn")
				rest(time.Minute)
				x.board(c, "level 2")
			})
		})
	}
}

// TestTokenRevoked: a token that is taken back while the bot runs ends it after an hour, with a word to the operator.
func TestTokenRevoked(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		r := x.start(Options{})
		rest(time.Minute)
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			return telegramtest.Fault{Status: 401, Text: "Unauthorized"}
		})
		select {
		case err := <-r.done:
			if !errors.Is(err, ErrToken) {
				t.Errorf("it ends with %v", err)
			}
		case <-time.After(80 * time.Minute):
			t.Fatal("it goes on")
		}
		x.run = nil
		r.wire.Close()
	})
}

// TestWebhookSetMeanwhile: a webhook that another program sets takes the updates away, until the bot that polls has taken
// it back.
func TestWebhookSetMeanwhile(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		rest(time.Second)
		x.server.SetHook("https://example.org/other")
		ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		if url, _ := x.server.Hook(); url != "" {
			t.Errorf("the webhook is %s", url)
		}
	})
}
