package telegram

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestElection: one of several processes asks for updates, another as soon as it can't any more; none is lost, and none is done
// twice.
func TestElection(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 3, func(t *testing.T, f *fleet) {
		f.slow = 300 * time.Millisecond
		k := newTalkers(f, 9)
		polled := map[int]bool{}
		for range 1500 {
			k.act()
			time.Sleep(time.Duration(k.chance.IntN(300)) * time.Millisecond)
			polled[f.polling()] = true
			if k.chance.IntN(25) == 0 {
				f.kill()
			}
		}
		k.settle()
		k.last()
		if len(polled) < 4 || len(f.byWhom()) != 3 || f.refused() > 0 {
			t.Errorf("%v polled, %v handled, %d were refused", polled, f.byWhom(), f.refused())
		}
		if strings.Contains(f.log.String(), "another program reads this bot's updates") {
			t.Error("two asked at a time")
		}
		if n := len(f.server.Calls("deleteWebhook")); n < 40 || n > 70 {
			t.Errorf("it was taken over %d times", n)
		}
	})
}

// TestBlindElection: while nobody knows who asks for updates nobody does, and that is to be seen.
func TestBlindElection(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		k := newTalkers(f, 2)
		blind := func(on bool, up int) {
			t.Helper()
			f.mu.Lock()
			f.blind = on
			f.mu.Unlock()
			f.kill()
			rest(10 * time.Second)
			for _, m := range f.members {
				if p := m.run.Pulse(); p.Up != up {
					t.Errorf("blind %t: %+v", on, p)
				}
			}
		}
		blind(true, 0)
		k.act()
		rest(time.Minute)
		if n := f.server.Waiting(); n != 1 {
			t.Errorf("%d updates wait, of 1", n)
		}
		blind(false, 1)
		k.settle()
		k.last()
		if n := strings.Count(f.log.String(), "it isn't known which process"); n != 2 {
			t.Errorf("it is said %d times", n)
		}
	})
}

// TestBreaksElsewhere: an update at which something breaks in another process is not tried for ever.
func TestBreaksElsewhere(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data == "break" {
			panic("broken")
		}
		return chat.Response{}, false
	}
	inFleet(t, telegramtest.Options{}, d, Options{}, 2, func(t *testing.T, f *fleet) {
		k := newTalkers(f, 2) // One at each process.
		for _, c := range k.groups {
			board, _ := c.Board()
			board.Chat = c.ID
			k.who.Press(board, "break")
			k.say(c)
		}
		f.twice, f.unanswered = 2, 2
		k.presses = 2
		k.settle()
		k.last()
	})
}

// TestPollerStops: who stops asking has confirmed what it handled, and lets the next one ask.
func TestPollerStops(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		k := newTalkers(f, 4)
		for range 6 {
			for range 10 {
				k.act()
			}
			first := f.members[f.polling()]
			rest(100 * time.Millisecond)
			first.stop()
			if n := f.server.Waiting(); n > 0 {
				t.Errorf("%d updates are not confirmed", n)
			}
			if f.polling() == first.n {
				t.Error("it holds on")
			}
			for range 10 {
				k.act()
			}
			// What the one that ended served waits for it.
			rest(3 * time.Second)
			if f.polling() != 1-first.n {
				t.Error("the other one doesn't ask")
			}
			first.start(Options{})
			k.settle()
		}
		k.last()
	})
}

// TestPassFails: what can't be passed for a while is not confirmed before it is handled, in its order, and keeps no other chat
// waiting.
func TestPassFails(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		k := newTalkers(f, 6)
		rest(time.Minute)
		here := f.polling()
		f.mu.Lock()
		f.cut = true
		f.mu.Unlock()
		before := f.byWhom()
		waits, since := 0, 0
		const some = 45 // So few that nothing is given up.
		for range some {
			c := k.groups[k.chance.IntN(len(k.groups))]
			if f.ownerOf(community(c.ID)) != here {
				waits++
			}
			if waits > 0 {
				since++ // What came after one that isn't confirmed can't be, either.
			}
			k.say(c)
			rest(time.Second)
		}
		now := f.byWhom()
		if now[1-here] != before[1-here] || now[here] < before[here]+some-waits {
			t.Errorf("with %d that wait %v were handled, before %v", waits, now, before)
		}
		if n := f.server.Waiting(); n != since {
			t.Errorf("%d updates wait, of %d", n, since)
		}
		f.mu.Lock()
		f.cut = false
		f.mu.Unlock()
		k.settle()
		k.last()
	})
}

// TestWebhookToAnyProcess: Telegram may call whichever process it likes, with one secret.
func TestWebhookToAnyProcess(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{Webhook: hookURL}, 3, func(t *testing.T, f *fleet) {
		f.until("the webhook", func() bool { url, _ := f.server.Hook(); return url == hookURL })
		rest(time.Minute)
		if _, secret := f.server.Hook(); len(secret) < 32 || strings.Contains(f.log.String(), secret) || strings.Contains(telegramtest.Token, secret) {
			t.Errorf("the secret is %q", secret)
		}
		var clients []*http.Client
		for _, m := range f.members {
			wire := telegramtest.NewWire(m.run.Handler())
			defer wire.Close()
			clients = append(clients, &http.Client{Transport: wire})
		}
		quit, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for n := 0; ; n++ {
				select {
				case <-quit:
					return
				default:
				}
				if some, _ := f.server.CallHook(t.Context(), clients[n%3], n%5 == 0); !some || n%5 == 0 {
					time.Sleep(10 * time.Millisecond)
				}
			}
		}()
		k := newTalkers(f, 6)
		for i := range 300 {
			k.act()
			time.Sleep(time.Duration(k.chance.IntN(200)) * time.Millisecond)
			f.mu.Lock()
			f.cut = i%50 > 40
			f.mu.Unlock()
		}
		f.mu.Lock()
		f.cut = false
		f.mu.Unlock()
		lone := k.groups[0]
		to := (f.ownerOf(community(lone.ID)) + 1) % 3
		f.move(lone.ID, to, func() { // Telegram is told to call again.
			k.say(lone)
			rest(30 * time.Second)
			if n := f.server.Waiting(); n != 1 {
				t.Errorf("%d updates wait, of 1", n)
			}
		})
		k.settle()
		k.last()
		close(quit)
		<-done
		if f.refused() > 0 || len(f.byWhom()) != 3 {
			t.Errorf("%v handled, %d were refused", f.byWhom(), f.refused())
		}
	})
}

// TestPortion: all processes together keep within what a bot may write in a second.
func TestPortion(t *testing.T) {
	inFleet(t, telegramtest.Options{}, newDealer(), Options{}, 2, func(t *testing.T, f *fleet) {
		var people []*telegramtest.User
		for range 60 {
			u := f.server.NewUser("Аня", "")
			people = append(people, u)
			f.give(u.ID, 0)
		}
		f.give(people[0].ID, 1)
		level := 0
		shown := func(portion float64) time.Duration {
			level++
			f.mu.Lock()
			f.members[0].portion = portion
			f.mu.Unlock()
			from := time.Now()
			for _, u := range people {
				u.Private().Say(u, "/zevaka")
			}
			f.until("all boards", func() bool {
				return !slices.ContainsFunc(people, func(u *telegramtest.User) bool {
					m, ok := u.Private().Board()
					return !ok || !strings.Contains(m.Text, fmt.Sprintf("level %d ", level))
				})
			})
			return time.Since(from)
		}
		shown(1)
		rest(time.Minute)
		for portion, least := range map[float64]time.Duration{1: 58 * everywhere, 0.25: 4 * 58 * everywhere} {
			if took := shown(portion); took < least || took > 3*least {
				t.Errorf("with %v of it 60 boards took %v", portion, took)
			}
			rest(time.Minute)
		}
	})
}

// TestKeptElsewhere: what waits for somebody until they open their chat with the bot is with the process of the group, and finds them.
func TestKeptElsewhere(t *testing.T) {
	inFleet(t, telegramtest.Options{Old: true}, secrets(), Options{}, 2, func(t *testing.T, f *fleet) {
		ann, c := f.server.NewUser("Аня", ""), f.server.NewGroup("Cards")
		f.give(c.ID, 0)
		f.give(ann.ID, 1)
		c.Say(ann, "/zevaka")
		board := f.board(c, "level 1")
		payload := telegramtest.Payload(f.send(ann, board, "long").URL)
		if payload == "" || len(payload) > maxStart {
			t.Fatalf("the link's payload is %q", payload)
		}
		ann.Start(payload)
		rest(5 * time.Second)
		if _, direct := private(c, ann); !strings.HasPrefix(direct, "secret") {
			t.Errorf("she is told %q", direct)
		}
		ann.Private().Say(ann, "/zevaka")
		f.board(ann.Private(), "level 1")
		if by := f.byWhom(); by[1] == 0 || f.refused() > 0 {
			t.Errorf("%v handled", by)
		}
	})
}

// TestUpgradeAcross: a group and the supergroup that it became may be at different processes.
func TestUpgradeAcross(t *testing.T) {
	for _, told := range []bool{true, false} {
		d := newDealer()
		inFleet(t, telegramtest.Options{}, d, Options{}, 2, func(t *testing.T, f *fleet) {
			ann, c := f.server.NewUser("Аня", ""), f.server.NewGroup("Cards", nil...)
			f.give(c.ID, 0)
			c.Say(ann, "/zevaka")
			f.board(c, "level 1")
			next := c.Upgrade(told)
			f.give(next.ID, 1)
			if !told {
				c.Say(ann, "/zevaka")
			}
			rest(time.Minute)
			if moved := d.heard.Of(chat.Migrated); len(moved) != 1 || moved[0].In != placeOf(c.ID) || moved[0].Data != community(next.ID).String() {
				t.Errorf("the bot was told %+v", moved)
			}
			if n := len(d.heard.Of(chat.Arrived)); n > 0 {
				t.Errorf("it says hello in %d groups", n)
			}
			next.Say(ann, "/zevaka")
			f.board(next, "level 1")
		})
	}
}

// TestPollerAway: where the process that asks for updates doesn't reach Telegram another asks, and hears; the first one hears nothing until it reaches
// it again.
func TestPollerAway(t *testing.T) {
	d := newDealer()
	inFleet(t, telegramtest.Options{}, d, Options{}, 3, func(t *testing.T, f *fleet) {
		ann, c := f.server.NewUser("Аня", ""), f.server.NewGroup("Cards")
		rest(time.Minute)
		first := f.polling()
		f.give(c.ID, (first+1)%3)
		away := f.members[first].run
		away.wire.Away(true)
		rest(2*awayTime + 2*pollTime)
		if now := f.polling(); now == first || away.Deaf(community(c.ID)) == 0 {
			t.Errorf("process %d was cut off, and %d polls; it is deaf for %v", first, now, away.Deaf(community(c.ID)))
		}
		c.Say(ann, "/zevaka")
		f.board(c, "level 1")
		away.wire.Away(false)
		rest(time.Minute)
		if lasts := away.Deaf(community(c.ID)); lasts > 0 {
			t.Errorf("it reaches Telegram again, and is deaf for %v", lasts)
		}
	})
}

// TestDeafElsewhere: a process that doesn't ask for updates knows from the one that does for how long none have come.
func TestDeafElsewhere(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		f := newFleet(x, d, Options{}, 3)
		heard := func(what string, want bool) {
			t.Helper()
			for _, m := range f.members {
				if lasts := m.run.Deaf(community(-1)); (lasts == 0) != want {
					t.Errorf("%s: process %d is deaf for %v", what, m.n, lasts)
				}
			}
		}
		time.Sleep(time.Minute)
		heard("before", true)
		x.server.SetFault(func(string, map[string]string) telegramtest.Fault {
			return telegramtest.Fault{Status: http.StatusBadGateway}
		})
		for range 20 {
			time.Sleep(13 * time.Second)
		}
		heard("away", false)
		x.server.SetFault(nil)
		time.Sleep(2 * time.Minute)
		heard("back", true)
		f.end()
	})
}

// TestFirstBoardOfMany: where there are several processes a group waits for its first board only if it has changed hands shortly before.
func TestFirstBoardOfMany(t *testing.T) {
	for _, test := range []struct {
		rest        time.Duration
		least, most time.Duration
	}{
		{time.Second, refill - 2*time.Second, refill}, {burst * refill, 0, time.Second},
	} {
		d := newDealer()
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			f := newFleet(x, d, Options{}, 2)
			ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
			f.give(c.ID, 1)
			time.Sleep(test.rest)
			asked := time.Now()
			c.Say(ann, "/zevaka")
			x.board(c, "level 1")
			if took := time.Since(asked); took < test.least || took > test.most {
				t.Errorf("after %v the board comes after %v", test.rest, took)
			}
			f.end()
		})
	}
}
