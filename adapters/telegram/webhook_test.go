package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

const hookURL = "http://bot.test/hook"

// hooked starts an adapter that Telegram calls, and calls it until stop is called.
func (x *house) hooked(o Options, lost func() bool) (stop func()) {
	x.t.Helper()
	o.Webhook = hookURL
	r := x.start(o)
	x.until("the webhook", func() bool { url, _ := x.server.Hook(); return url == hookURL })
	wire := telegramtest.NewWire(r.Handler())
	done, quit := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
			}
			if some, err := x.server.CallHook(x.t.Context(), &http.Client{Transport: gate{wire, &x.shut}}, lost()); err != nil {
				time.Sleep(time.Minute)
			} else if !some {
				time.Sleep(100 * time.Millisecond)
			}
		}
	}()
	return func() {
		close(quit)
		<-done
		wire.Close()
	}
}

// gate lets no call through while it is shut.
type gate struct {
	http.RoundTripper
	shut *atomic.Bool
}

func (g gate) RoundTrip(req *http.Request) (*http.Response, error) {
	if g.shut.Load() {
		return nil, errors.New("Connection refused")
	}
	return g.RoundTripper.RoundTrip(req)
}

func TestWebhook(t *testing.T) {
	d := secrets()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		chance, lost := rand.New(rand.NewPCG(1, 1)), 0
		stop := x.hooked(Options{}, func() bool {
			loses := chance.IntN(3) == 0
			if loses {
				lost++
			}
			return loses
		})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		for range 20 {
			if a := x.send(ann, board, "turn"); a.Text != "you turn" {
				t.Errorf("the answer is %+v", a)
			}
		}
		if a := x.send(ann, board, "asks"); a.Text != "" {
			t.Errorf("the answer is %+v", a)
		}
		x.board(c, "level 21")
		stop()
		if calls := x.server.Calls("answerCallbackQuery"); len(calls) == 0 || len(calls) > lost {
			t.Errorf("%d answers took a call of their own, %d were lost", len(calls), lost)
		}
		x.end()
		if n := len(d.heard.Of(chat.Press)); n != 21 {
			t.Errorf("%d presses reached the bot", n)
		}
		x.start(Options{}) // Without a webhook the old one has to go.
		rest(time.Second)
		c.Say(ann, "/zevaka")
		x.board(c, "level 22")
	})
}

func TestWebhookSecret(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		stop := x.hooked(Options{}, func() bool { return false })
		_, secret := x.server.Hook()
		wire := telegramtest.NewWire(x.run.Handler())
		client := &http.Client{Transport: wire}
		update := `{"update_id":1,"message":{"message_id":1,"chat":{"id":-5,"type":"group"},"from":{"id":5},"text":"/zevaka"}}`
		for _, try := range []struct {
			method, url, secret, body string
			status                    int
		}{
			{"POST", hookURL, "", update, 401}, {"POST", hookURL, secret + "x", update, 401}, {"POST", hookURL, secret[1:], update, 401},
			{"POST", "http://bot.test/", secret, update, 404}, {"GET", hookURL, secret, "", 405}, {"POST", hookURL, secret, "{", 200},
			{"POST", hookURL, secret, strings.Repeat("x", maxUpdate+1), 400}, {"POST", hookURL, secret, update, 200},
		} {
			req, err := http.NewRequestWithContext(x.t.Context(), try.method, try.url, bytes.NewBufferString(try.body))
			if err != nil {
				t.Fatal(err)
			}
			if try.secret != "" {
				req.Header.Set("X-Telegram-Bot-Api-Secret-Token", try.secret)
			}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != try.status {
				t.Errorf("%s %s with %q: %d, not %d", try.method, try.url, try.secret, resp.StatusCode, try.status)
			}
		}
		wire.Close()
		stop()
		if n := len(d.heard.Of(chat.Command)); n != 1 {
			t.Errorf("%d of these reached the bot", n)
		}
		if strings.Contains(x.log.String(), secret) {
			t.Error("the secret stands in the log")
		}
	})
}

// TestWebhookListens lets an adapter serve Telegram's calls itself, until it ends.
func TestWebhookListens(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		a := x.start(Options{Webhook: hookURL})
		rest(time.Second) // Nothing is served before it knows who it is.
		ln, served := telegramtest.NewListener(), make(chan error, 1)
		ctx, stop := context.WithCancel(t.Context())
		go func() { served <- a.serve(ctx, ln) }()
		transport := &http.Transport{DialContext: ln.Dial}
		call := func() {
			t.Helper()
			if some, err := x.server.CallHook(t.Context(), &http.Client{Transport: transport}, false); !some || err != nil {
				t.Fatal(some, err)
			}
		}
		x.until("the webhook", func() bool { url, _ := x.server.Hook(); return url != "" })
		ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		call()
		id := ann.Press(x.board(c, "level 1"), "flip")
		call()
		if a, ok := x.server.Answer(id); !ok || a.Text != "you flip" {
			t.Errorf("the answer is %+v", a)
		}
		transport.CloseIdleConnections()
		stop()
		if err := <-served; err != nil {
			t.Errorf("it ends with %v", err)
		}
		if _, err := ln.Dial(t.Context(), "", ""); err == nil {
			t.Error("it still listens")
		}
	})
}

// TestWebhookTakenAway: a webhook that another program removes, or sets to an address of its own, is set again.
func TestWebhookTakenAway(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		stop := x.hooked(Options{}, func() bool { return false })
		defer stop()
		_, secret := x.server.Hook()
		for _, url := range []string{"", "https://example.org/other"} {
			rest(10 * time.Minute)
			x.server.SetHook(url)
			rest(2 * time.Minute)
			if own, known := x.server.Hook(); own != hookURL || known != secret || x.run.Pulse().Up != 1 {
				t.Errorf("after %q Telegram calls %q", url, own)
			}
		}
		if sets, told := len(x.server.Calls("setWebhook")), strings.Count(x.log.String(), "another program reads this bot's updates"); sets != 3 || told != 2 {
			t.Errorf("it is set %d times, and told of %d times", sets, told)
		}
	})
}

// TestWebhookLost: while Telegram can't get through to the bot, though the bot gets through to Telegram, it knows that it hears nobody, also
// when Telegram has given up the presses that didn't come through; nothing is amiss where nobody says anything.
func TestWebhookLost(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		stop := x.hooked(Options{}, func() bool { return false })
		defer stop()
		x.unanswered = 1
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		deaf := func(when string, want bool) {
			t.Helper()
			if got := x.run.Deaf(community(c.ID)) > 0; got != want || (x.run.Pulse().Up == 0) != want {
				t.Errorf("%s it is deaf: %t", when, got)
			}
		}
		for _, says := range []bool{true, false} {
			rest(20 * time.Minute)
			deaf("while nobody says anything", false)
			x.shut.Store(true)
			rest(20 * time.Minute)
			deaf("while nothing waits", false)
			if says {
				c.Say(ann, "/zevaka")
			} else {
				ann.Press(board, board.Buttons[0].Data)
			}
			rest(time.Minute)
			deaf("while calls fail", true)
			rest(8 * time.Minute)
			deaf("some minutes later", true)
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if method == "getWebhookInfo" {
					f.Status = http.StatusBadGateway
				}
				return f
			})
			rest(time.Minute)
			deaf("while Telegram doesn't say whether they fail", true)
			x.server.SetFault(nil)
			rest(hookEvery)
			rest(20 * time.Minute)
			deaf("when nothing has failed for long", says) // What is said waits for a day, and fails again each minute.
			x.shut.Store(false)
			rest(2 * time.Minute)
			deaf("when they come again", false)
		}
		if told := strings.Count(x.log.String(), "Telegram can't call this bot"); told != 2 {
			t.Errorf("the operator is told %d times", told)
		}
	})
}

// TestLostCalls: calls get lost where they fail and none comes, but for one that a filter before the bot turns down, again and again.
func TestLostCalls(t *testing.T) {
	type look struct {
		failedAt, pending int64
		failedFor         string
		come              int64
		lost              bool
	}
	const refused, filtered = "Connection refused", "Wrong response from the webhook: 403 Forbidden"
	for name, looks := range map[string][]look{
		"before the start": {{9, 1, refused, 0, false}, {9, 1, refused, 0, false}},
		"the proxy":        {{0, 0, "", 0, false}, {10, 2, refused, 0, true}, {10, 0, refused, 0, true}, {10, 0, refused, 1, false}, {10, 1, refused, 1, false}},
		"nothing waits":    {{0, 0, "", 0, false}, {10, 0, refused, 0, false}},
		"others come":      {{0, 0, "", 0, false}, {10, 1, refused, 1, false}, {11, 1, refused, 2, false}},
		"a filter":         {{0, 0, "", 0, false}, {10, 1, filtered, 0, false}, {11, 1, filtered, 0, false}},
		"a gateway":        {{0, 0, "", 0, false}, {10, 1, "Wrong response from the webhook: 502 Bad Gateway", 0, true}},
	} {
		var calls hookCalls
		for i, one := range looks {
			now := webhookInfo{URL: hookURL, Pending: int(one.pending), FailedAt: one.failedAt, FailedFor: one.failedFor}
			if got := calls.lost(now, one.come); got != one.lost {
				t.Errorf("%s, look %d: calls get lost: %t", name, i, got)
			}
		}
	}
}

// TestWebhookAddress: an adapter that can't listen where it should says so, and ends.
func TestWebhookAddress(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		r := x.start(Options{Webhook: hookURL, WebhookListen: "127.0.0.1:99999"})
		if err := <-r.done; err == nil || !strings.Contains(err.Error(), "listen for Telegram's calls") {
			t.Errorf("it ends with %v", err)
		}
		x.run = nil
		r.wire.Close()
	})
}

// TestCallsOfOneChat: calls for a chat in which everything takes long leave room for those for other chats, and Telegram makes again
// what it was refused.
func TestCallsOfOneChat(t *testing.T) {
	g := &gated{dealer: newDealer()}
	bubble(t, g, telegramtest.Options{}, func(t *testing.T, x *house) {
		g.let, g.entered = make(chan struct{}), make(chan struct{})
		slow, quick := x.server.NewGroup("Slow"), x.server.NewGroup("Quick")
		g.chat = slow.ID
		r := x.start(Options{Webhook: hookURL})
		x.until("the webhook", func() bool { url, _ := x.server.Hook(); return url == hookURL })
		codes := make(chan int, 3*maxConnections)
		answered := func() int {
			select {
			case code := <-codes:
				return code
			case <-time.After(time.Minute):
				return 0
			}
		}
		call := func(chat int64, n int) {
			body := fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"from":{"id":%d},"chat":{"id":%d,"type":"group"},"text":"/zevaka"}}`, n, n, 100+n, chat)
			req := httptest.NewRequest(http.MethodPost, hookURL, strings.NewReader(body))
			_, secret := x.server.Hook()
			req.Header.Set(secretHeader, secret)
			w := httptest.NewRecorder()
			r.Handler().ServeHTTP(w, req)
			codes <- w.Code
		}
		go call(slow.ID, 1)
		<-g.entered
		for n := range maxConnections {
			go call(slow.ID, 2+n)
		}
		rest(time.Second)
		for range 1 + maxConnections - maxCallsEach {
			if code := answered(); code != http.StatusServiceUnavailable {
				t.Errorf("one too many is answered with %d", code)
			}
		}
		call(quick.ID, 1000)
		if code := answered(); code != http.StatusOK {
			t.Errorf("one for another chat is answered with %d", code)
		}
		close(g.let)
		for range maxCallsEach {
			if code := answered(); code != http.StatusOK {
				t.Errorf("one that has waited is answered with %d", code)
			}
		}
		rest(time.Minute)
	})
}

// TestDeafToCalls: a bot that is called by Telegram, and one that asks, hears nothing while Telegram can't be reached, also from its start on. It hears
// where something cuts the polls that are idle.
func TestDeafToCalls(t *testing.T) {
	for _, hooked := range []bool{true, false} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			away := func(string, map[string]string) telegramtest.Fault {
				return telegramtest.Fault{Status: http.StatusBadGateway}
			}
			x.server.SetFault(away)
			at := chat.Community{Platform: chat.Telegram, ID: -5}
			heard := func(what string, want bool) {
				t.Helper()
				if lasts := x.run.Deaf(at); (lasts == 0) != want {
					t.Errorf("hooked %t, %s: deaf for %v", hooked, what, lasts)
				}
			}
			time.AfterFunc(time.Minute, func() { x.server.SetFault(nil) })
			stop := func() {}
			if hooked {
				stop = x.hooked(Options{}, func() bool { return false })
			} else {
				x.start(Options{})
				time.Sleep(30 * time.Second)
			}
			heard("away at the start", false)
			rest(2 * time.Minute)
			heard("connected", true)
			x.server.SetFault(away)
			time.Sleep(2 * time.Minute)
			heard("away", false)
			x.server.SetFault(nil)
			rest(3 * time.Minute)
			heard("back", true)
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if method == "getUpdates" {
					f = telegramtest.Fault{Delay: 30 * time.Second, Reset: true}
				}
				return f
			})
			for range 60 {
				time.Sleep(13 * time.Second)
				heard("cut when idle", true)
			}
			x.server.SetFault(func(string, map[string]string) telegramtest.Fault {
				return telegramtest.Fault{Delay: 20 * time.Second, Status: http.StatusGatewayTimeout}
			})
			time.Sleep(2 * time.Minute)
			heard("held, and failed", false)
			x.server.SetFault(nil)
			rest(3 * time.Minute)
			heard("back again", true)
			for _, after := range []time.Duration{0, 8 * time.Second} {
				x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
					if method == "getUpdates" {
						f = telegramtest.Fault{Delay: after, Status: http.StatusBadGateway}
					}
					return f
				})
				time.Sleep(2 * time.Minute)
				heard(fmt.Sprint("polls alone refused after ", after), hooked)
				x.server.SetFault(nil)
				rest(3 * time.Minute)
			}
			if !hooked {
				x.server.SetFault(func(string, map[string]string) telegramtest.Fault { return telegramtest.Fault{Delay: time.Hour} })
				time.Sleep(30 * time.Second)
				heard("no answers for half a minute", false)
				x.server.SetFault(nil)
				rest(3 * time.Minute)
			}
			stop()
		})
	}
}

// TestOneMethodAway: a bot hears as long as presses come, whichever other method isn't answered.
func TestOneMethodAway(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"broken": {Status: http.StatusInternalServerError}, "hanging": {Delay: time.Hour}, "limited": {Status: http.StatusTooManyRequests, RetryAfter: 30},
		"kept back by a gateway": {Status: http.StatusForbidden, Body: "<html>403 Forbidden</html>"},
	} {
		for _, hooked := range []bool{true, false} {
			bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
				stop := func() {}
				if hooked {
					stop = x.hooked(Options{}, func() bool { return false })
				} else {
					x.start(Options{})
				}
				rest(time.Minute)
				x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
					if method == "getWebhookInfo" {
						f = fault
					}
					return f
				})
				for range 30 {
					time.Sleep(13 * time.Second)
					if lasts := x.run.Deaf(community(-5)); lasts > 0 {
						t.Errorf("hooked %t, getWebhookInfo %s: deaf for %v", hooked, name, lasts)
					}
				}
				stop()
			})
		}
	}
}

// TestWaitsFromTheStart: what waits for good, by Telegram's number, from before the start is no sign that polls bring nothing.
func TestWaitsFromTheStart(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if method == "getWebhookInfo" {
				f = telegramtest.Fault{Status: http.StatusOK, Body: `{"ok":true,"result":{"url":"","pending_update_count":3}}`}
			}
			return f
		})
		x.start(Options{})
		for range 60 {
			time.Sleep(11 * time.Second)
			if lasts := x.run.Deaf(community(-5)); lasts > 0 {
				t.Fatalf("deaf for %v", lasts)
			}
		}
	})
}

// TestPollsBringNothing: where people write and no poll brings it, however that ends, the bot is deaf until one does; and where something
// waits for good that no poll is to bring it hears.
func TestPollsBringNothing(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"hanging": {Delay: time.Hour}, "cut": {Delay: 30 * time.Second, Reset: true}, "empty": {Delay: pollTime, Status: http.StatusOK, Body: `{"ok":true,"result":[]}`},
		"timed out by a gateway": {Delay: 30 * time.Second, Status: http.StatusGatewayTimeout, Body: "<html>504</html>"},
		"empty at once":          {Delay: time.Second, Status: http.StatusOK, Body: `{"ok":true,"result":[]}`},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			x.unanswered = 8
			ann, c, board := x.table()
			rest(time.Minute)
			heard := func(what string, want bool) {
				t.Helper()
				if lasts := x.run.Deaf(community(c.ID)); (lasts == 0) != want {
					t.Errorf("polls are %s, %s: deaf for %v", name, what, lasts)
				}
			}
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if method == "getUpdates" {
					f = fault
				}
				return f
			})
			for n := range 40 {
				if n < 8 { // Telegram gives presses up when it has had them for a while.
					ann.Press(board, board.Buttons[0].Data)
				}
				time.Sleep(11 * time.Second)
				if n > 8 {
					heard(fmt.Sprint("after ", n), false)
				}
			}
			x.server.SetFault(nil)
			c.Say(ann, "/zevaka")
			rest(2 * time.Minute)
			heard("they come", true)
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if method == "getWebhookInfo" {
					f = telegramtest.Fault{Status: http.StatusOK, Body: `{"ok":true,"result":{"url":"","pending_update_count":7}}`}
				}
				return f
			})
			for range 9 {
				time.Sleep(pollTime)
				c.Say(ann, "/zevaka")
			}
			rest(pollTime)
			heard("seven wait for good", true)
		})
	}
}
