package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// ajar is a house with a door, on a Discord where Activities are enabled.
func ajar(t testing.TB) *house {
	t.Helper()
	h := build(t, mem.New(), fake(t, discordtest.Options{Activities: true}))
	h.secret = discordtest.Secret
	h.start()
	return h
}

// comes is what the page says of somebody who looks at an instance.
func (h *house) comes(u discordtest.User, instance string) door.Hello {
	return door.Hello{Login: h.server.Authorize(u), Instance: instance}
}

// visit has somebody come to a channel through the door.
func (h *house) visit(u discordtest.User, channel string) door.Visit {
	h.t.Helper()
	v, err := h.Door().Enter(h.t.Context(), h.comes(u, h.server.Launch(channel, u)))
	if err != nil {
		h.t.Fatalf("%s doesn't come in: %v", u.Name, err)
	}
	return v
}

// here is the channel of the tests.
var here = chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel)}

func TestDoorSettings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if d := New(nil, Options{Token: "x"}).Door(); d != nil {
			t.Errorf("without a secret there is a door: %v", d)
		}
		d := New(nil, Options{Token: "x", ClientSecret: "y"}).Door()
		if d.Origins() != nil || d.Config() != nil || len(d.Frames()) != 3 {
			t.Errorf("before anything is known the door says %v, %v, %v", d.Origins(), d.Config(), d.Frames())
		}
		if _, err := d.Enter(t.Context(), door.Hello{Login: "code", Instance: "i-1-gc-2-3"}); !errors.Is(err, door.ErrAway) {
			t.Errorf("before anything is known somebody comes in: %v", err)
		}
		h := ajar(t)
		d = h.Door()
		origin := "https://" + discordtest.App + ".discordsays.com"
		if !slices.Equal(d.Origins(), []string{origin}) || d.Path() != "/dc" || !slices.Contains(d.Frames(), "https://ptb.discord.com") || !slices.Contains(d.Frames(), origin) {
			t.Errorf("the door says %v, %v, %v", d.Origins(), d.Path(), d.Frames())
		}
		if config, err := json.Marshal(d.Config()); err != nil || string(config) != `{"client_id":"`+discordtest.App+`"}` {
			t.Errorf("the page is told %s, %v", config, err)
		}
		if d.Key() != h.Door().Key() || d.Key() == New(nil, Options{Token: "x", ClientSecret: "y"}).Door().Key() {
			t.Error("the key doesn't follow from the secret alone")
		}
	})
}

// TestEnter lets people in to where Discord says that they are.
func TestEnter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Place("703", "", 2)
		h.server.Chat("704", ann)
		h.server.Chat("705", bob)
		h.server.Place("706", "666", 0)
		h.server.RemoveBot("666")
		private := func(id int64) chat.Place {
			return chat.Place{Community: chat.Community{Platform: chat.Discord, ID: id}, Channel: 704, Private: true}
		}
		for _, c := range []struct {
			what, channel string
			who           discordtest.User
			want          chat.User
			in            chat.Place
		}{
			{"a channel", discordtest.Channel, ann, chat.User{ID: 101, Name: "Аня", Lang: "ru"}, here},
			{"the same channel, another person, without a name to show", discordtest.Channel, vika, chat.User{ID: 103, Name: "vika", Lang: "pl"}, here},
			{"an admin, who is none behind a door", discordtest.Channel, discordtest.User{ID: "109", Name: "adm", Rights: 8, Locale: "en-US"}, chat.User{ID: 109, Name: "adm", Lang: "en-US"}, here},
			{"a group", "703", ann, chat.User{ID: 101, Name: "Аня", Lang: "ru"}, chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 703}, Channel: 703, Guest: true}},
			{"their own chat with the bot", "704", ann, chat.User{ID: 101, Name: "Аня", Lang: "ru"}, private(101)},
			{"a chat of somebody else's", "705", ann, chat.User{ID: 101, Name: "Аня", Lang: "ru"}, chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 705}, Channel: 705, Guest: true}},
			{"a server where the bot is no member", "706", ann, chat.User{ID: 101, Name: "Аня", Lang: "ru"}, chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 666}, Channel: 706, Guest: true}},
		} {
			if v := h.visit(c.who, c.channel); v.Who != c.want || v.In != c.in || v.Table != "" || !isInstance(v.Instance) {
				t.Errorf("%s: %+v", c.what, v)
			}
		}
		h.quietly()
	})
}

// TestRefusedAtTheDoor refuses whoever can't prove who or where they are, and says so when Discord can't tell.
func TestRefusedAtTheDoor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		spent := h.comes(ann, h.server.Launch(discordtest.Channel, ann))
		if _, err := h.Door().Enter(t.Context(), spent); err != nil {
			t.Fatal(err)
		}
		instance := func(id string, all ...discordtest.User) string {
			h.server.Place(id, discordtest.Guild, 0)
			return h.server.Launch(id, all...)
		}
		odd := func(id string, said map[string]any) door.Hello {
			one := instance(id, ann)
			h.server.Distort(one, said)
			return h.comes(ann, one)
		}
		real := instance("711", ann)
		robot := discordtest.User{ID: "108", Name: "robot", Bot: true}
		broken := func(what string) discordtest.Faults { return discordtest.Faults{Broken: 1, Only: what} }
		for _, c := range []struct {
			what  string
			hello door.Hello
			fault discordtest.Faults
			want  error
		}{
			{"a code used twice", spent, discordtest.Faults{}, door.ErrLogin},
			{"a code for another application", door.Hello{Login: h.server.AuthorizeElsewhere(ann), Instance: real}, discordtest.Faults{}, door.ErrLogin},
			{"a code of nobody's", door.Hello{Login: "code-1", Instance: real}, discordtest.Faults{}, door.ErrLogin},
			{"no code", door.Hello{Instance: real}, discordtest.Faults{}, door.ErrLogin},
			{"a code that is too long", door.Hello{Login: strings.Repeat("x", 300), Instance: real}, discordtest.Faults{}, door.ErrLogin},
			{"a bot", h.comes(robot, instance("712", robot)), discordtest.Faults{}, door.ErrLogin},
			{"no instance", h.comes(ann, ""), discordtest.Faults{}, door.ErrPlace},
			{"an instance that has ended", h.comes(ann, "i-1-gc-2-3"), discordtest.Faults{}, door.ErrPlace},
			{"an instance that is a path", h.comes(ann, "../users/@me"), discordtest.Faults{}, door.ErrPlace},
			{"an instance that is a query", h.comes(ann, real+"?x=1"), discordtest.Faults{}, door.ErrPlace},
			{"an instance with a line", h.comes(ann, real+"\n"), discordtest.Faults{}, door.ErrPlace},
			{"an instance that is too long", h.comes(ann, "i-"+strings.Repeat("1", 200)), discordtest.Faults{}, door.ErrPlace},
			{"an instance where others are", h.comes(ann, instance("713", bob)), discordtest.Faults{}, door.ErrPlace},
			{"an instance of another application", odd("714", map[string]any{"application_id": "900000000000000999"}), discordtest.Faults{}, door.ErrPlace},
			{"another instance than was asked for", odd("715", map[string]any{"instance_id": real}), discordtest.Faults{}, door.ErrPlace},
			{"a party", odd("716", map[string]any{"location": map[string]any{"id": "x", "kind": "party"}}), discordtest.Faults{}, door.ErrPlace},
			{"a channel of no server", odd("717", map[string]any{"location": map[string]any{"id": "x", "kind": "gc", "channel_id": "717"}}), discordtest.Faults{}, door.ErrPlace},
			{"nobody there", odd("718", map[string]any{"users": []string{}}), discordtest.Faults{}, door.ErrPlace},
			{"no answer about the code", h.comes(ann, real), broken("token"), door.ErrAway},
			{"no answer about the person", h.comes(ann, real), broken("me"), door.ErrAway},
			{"no answer about the instance", h.comes(ann, instance("719", ann)), broken("activity"), door.ErrAway},
			{"too many questions", h.comes(ann, instance("720", ann)), discordtest.Faults{Route: 1, Only: "activity", Retry: time.Hour}, door.ErrAway},
		} {
			h.server.SetFaults(c.fault)
			v, err := h.Door().Enter(t.Context(), c.hello)
			if !errors.Is(err, c.want) || v != (door.Visit{}) {
				t.Errorf("%s: %+v, %v; want %v", c.what, v, err, c.want)
			}
		}
		h.quietly()
	})
}

// TestWrongClientSecret tells the operator, and nobody the secret.
func TestWrongClientSecret(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{Activities: true}))
		log := &testlog.Log{}
		h.log, h.secret = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})), "wrong-secret"
		h.start()
		hello := h.comes(ann, h.server.Launch(discordtest.Channel, ann))
		if _, err := h.Door().Enter(t.Context(), hello); !errors.Is(err, door.ErrAway) {
			t.Errorf("with a wrong secret: %v", err)
		}
		if said := log.String(); !strings.Contains(said, "DISCORD_CLIENT_SECRET") || strings.Contains(said, h.secret) || strings.Contains(said, hello.Login) {
			t.Errorf("the log says %s", said)
		}
	})
}

// TestLoginIsForgotten: neither what somebody comes with nor what Discord gives for it stands in a log, a visit or a seal.
func TestLoginIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{Activities: true}))
		log := &testlog.Log{}
		h.log, h.secret = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})), discordtest.Secret
		h.start()
		instance := h.server.Launch(discordtest.Channel, ann)
		for _, fault := range []discordtest.Faults{
			{}, {Broken: 1, Only: "token"}, {Reset: 1, Only: "token"}, {Reset: 1, Only: "me"}, {Swallow: 1, Only: "me"}, {Route: 1, Only: "me", Retry: time.Hour},
		} {
			h.server.SetFaults(fault)
			hello := h.comes(ann, instance)
			v, err := h.Door().Enter(t.Context(), hello)
			seal, failed := door.Seal(h.Door().Key(), v, time.Now())
			if failed != nil {
				t.Fatal(failed)
			}
			opened, _ := door.Unseal(h.Door().Key(), seal, time.Now())
			said := fmt.Sprint(log, v, err, opened)
			for _, secret := range []string{hello.Login, discordtest.Secret, "token-", "Bearer"} {
				if strings.Contains(said, secret) {
					t.Errorf("%+v: %s is in %s", fault, secret, said)
				}
			}
		}
		h.quietly()
	})
}

// TestSlowDiscord keeps nobody waiting: who comes is told so, who is there goes on playing.
func TestSlowDiscord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		v := h.visit(ann, discordtest.Channel)
		time.Sleep(trustVisitor.present)
		h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 3 * time.Second, Only: "activity"})
		soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := h.Door().Enter(soon, h.comes(ann, v.Instance)); !errors.Is(err, door.ErrAway) {
			t.Errorf("who comes hears %v", err)
		}
		if r := h.Door().Ask(soon, v, chat.Request{ID: "1", Kind: chat.Command, Data: "/help"}); r.Alert || len(r.Posts) == 0 {
			t.Errorf("who is there hears %+v", r)
		}
		h.quietly()
	})
}

// TestDoorForgets: what is remembered of windows has an end, and what it was is then found out anew.
func TestDoorForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		v := h.visit(ann, discordtest.Channel)
		for n := range 2 * maxInstances {
			h.entrance.instances.known.Set(fmt.Sprint("i-", n), sight{})
		}
		for n := range int64(maxLaunches) {
			h.launches.note(launch{who: chat.User{ID: n + 1}, in: chat.Place{Channel: n + 1}})
		}
		if n, m := len(h.entrance.instances.known.All()), len(h.launches.known.All()); n != maxInstances || m != maxLaunches {
			t.Errorf("remembered are %d windows, and %d who opened one", n, m)
		}
		if r := h.Door().Ask(t.Context(), v, chat.Request{ID: "1", Kind: chat.Command, Data: "/help"}); r.Alert || len(r.Posts) == 0 {
			t.Errorf("who is there hears %+v", r)
		}
		h.quietly()
	})
}

// TestBelievedFor asks Discord again as soon as what it has said is too old, and not before.
func TestBelievedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		v := h.visit(ann, discordtest.Channel)
		looked := func() int { return h.server.Record().Calls["activity"] }
		help := func() bool { // It is answered unless the door refuses.
			r := h.Door().Ask(t.Context(), v, chat.Request{ID: "x", Kind: chat.Command, Data: "/help"})
			return !strings.Contains(r.Toast, "Discord")
		}
		for _, c := range []struct {
			what   string
			before func()
			want   bool
			looks  int
		}{
			{"at once", func() {}, true, 0},
			{"just under a minute", func() { time.Sleep(trustVisitor.present - time.Second) }, true, 0},
			{"after a minute", func() { time.Sleep(time.Second) }, true, 1},
			{"when Discord is away, within a minute", func() { h.server.SetFaults(discordtest.Faults{Broken: 1, Only: "activity"}) }, true, 0},
			{"when Discord is away, within five", func() { time.Sleep(trustVisitor.silent - 10*time.Second) }, true, maxTries},
			{"at once after that", func() {}, true, 0},
			{"when Discord has been away for too long", func() { time.Sleep(10*time.Second + silentFor) }, false, maxTries},
			{"when Discord is there again", func() { h.server.SetFaults(discordtest.Faults{}); time.Sleep(silentFor) }, true, 1},
			{"after being kicked, within a minute", func() { h.server.Launch(discordtest.Channel, bob); h.server.Leave(v.Instance, ann) }, true, 0},
			{"after being kicked", func() { time.Sleep(trustVisitor.present) }, false, 1},
			{"again", func() {}, false, 0},
			{"after coming back", func() { h.server.Launch(discordtest.Channel, ann); time.Sleep(trustVisitor.absent) }, true, 1},
			{"when the instance has ended", func() {
				h.server.Leave(v.Instance, ann)
				h.server.Leave(v.Instance, bob)
				time.Sleep(trustVisitor.present)
			}, false, 1},
		} {
			c.before()
			before := looked()
			if got := help(); got != c.want || looked()-before != c.looks {
				t.Errorf("%s: answered %v, after %d looks", c.what, got, looked()-before)
			}
		}
		h.quietly()
	})
}

// TestLeftSince: who isn't in the instance any more, or is in another place, can do nothing, and nothing is done.
func TestLeftSince(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		h.shown(1)
		sit, _ := h.board(discordtest.Channel).Button("Сесть")
		h.server.Place("711", discordtest.Guild, 0)
		stays, kicked, elsewhere := h.visit(ann, discordtest.Channel), h.visit(bob, discordtest.Channel), h.visit(bob, "711")
		h.server.Leave(kicked.Instance, bob)
		time.Sleep(trustVisitor.present)
		forged := elsewhere
		forged.In = kicked.In
		for what, v := range map[string]door.Visit{"kicked": kicked, "a place that isn't the instance's": forged} {
			asked := len(h.dealer.asked.All())
			r := h.Door().Ask(t.Context(), v, chat.Request{ID: what, Kind: chat.Press, Data: sit.CustomID})
			if !r.Alert || !strings.Contains(r.Toast, "▦") || len(h.dealer.asked.All()) != asked {
				t.Errorf("%s: %+v", what, r)
			}
			if err := h.Door().Stay(t.Context(), v); !errors.Is(err, door.ErrPlace) {
				t.Errorf("%s may look on: %v", what, err)
			}
		}
		if err := h.Door().Stay(t.Context(), stays); err != nil {
			t.Errorf("who is there may not look on: %v", err)
		}
		for _, kind := range []chat.Kind{chat.Timeout, chat.Shown, chat.Gone, chat.Migrated, chat.Followed, chat.Arrived} {
			asked := len(h.dealer.asked.All())
			h.Door().Ask(t.Context(), stays, chat.Request{ID: "kind", Kind: kind, Data: sit.CustomID})
			if len(h.dealer.asked.All()) != asked {
				t.Errorf("a visitor makes a request of kind %s", kind.Name())
			}
		}
		h.quietly()
	})
}

// TestGameThroughTheDoor plays a game that one of two plays in the chat and the other through the door: all is shown in the chat,
// what is for the visitor alone is not. So it is also where, after some moves, much goes wrong.
func TestGameThroughTheDoor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, playThroughTheDoor)
}

func playThroughTheDoor(t *testing.T) {
	h := ajar(t)
	h.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"set": "21b", "limit": "none", "fast": "on"}).Answer()
	h.shown(1)
	v := h.visit(bob, discordtest.Channel)
	token := func(label string) string {
		b, ok := h.board(discordtest.Channel).Button(label)
		if !ok {
			t.Fatalf("no button %s on %+v", label, h.board(discordtest.Channel))
		}
		return b.CustomID
	}
	n := 0
	press := func(data string) chat.Response {
		n++
		r := h.Door().Ask(t.Context(), v, chat.Request{ID: strings.Repeat("x", n), Kind: chat.Press, Data: data})
		for _, p := range r.Posts {
			if p.To == nil || p.To.ID != v.Who.ID {
				t.Errorf("left for the visitor: %+v", p)
			}
		}
		return r
	}
	sits := func() bool { return strings.Contains(h.board(discordtest.Channel).Content, "bob") }
	press(token("Сесть"))
	h.server.Until("who sits down through the door is seen in the chat", sits)
	if r := press(token("Сдавать")); r.Toast == "" || !r.Alert {
		t.Errorf("a guest deals: %+v", r)
	}
	h.press(ann, "Сдавать")
	for range 2 {
		if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "▶") {
			b, _ := m.Button("13")
			h.server.Press(ann, m.ID, b.CustomID).Answer()
			press(b.CustomID)
		}
		h.server.Until("the cards are dealt, or cut", func() bool { return h.board(discordtest.Channel).Content != "" })
	}
	if m := h.board(discordtest.Channel); !slices.Contains(labelsOf(m), launchMark) {
		t.Errorf("the buttons of a game are %v", labelsOf(m))
	}
	moved := map[string]int{}
	const moment = 5 * time.Millisecond
	storm := discordtest.Faults{Route: 0.01, Broken: 0.01, Reset: 0.01, Swallow: 0.01, Slow: 0.05, Duplicate: 0.05, Delay: moment, Retry: moment, Seed: 5}
	for presses := 0; ; presses++ {
		if presses == 50 {
			h.quietly()
			h.server.SetFaults(storm)
		}
		m := h.board(discordtest.Channel)
		if _, over := m.Button("Ещё раз"); over {
			break
		}
		if presses > 3000 {
			t.Fatalf("no end: %s", m.Content)
		}
		_, line, _ := strings.Cut(m.Content, "▶ ")
		line, _, _ = strings.Cut(line, "\n")
		for _, verb := range []string{"take", "centre", "put", "flip", "keep"} {
			i := slices.IndexFunc(m.Buttons(), func(b discordtest.Button) bool {
				parts := strings.SplitN(b.CustomID, ".", 5)
				return len(parts) == 5 && strings.HasPrefix(parts[4], verb)
			})
			if i < 0 {
				continue
			}
			id := m.Buttons()[i].CustomID
			if strings.Contains(line, "bob") {
				if r := press(id); !r.Alert {
					moved["door"]++
					h.server.Until("the chat shows the visitor's move", func() bool { now := h.board(discordtest.Channel); return now.Edits != m.Edits || now.ID != m.ID })
					break
				}
			} else if h.server.Press(ann, m.ID, id).Answer() == answerUpdate {
				moved["chat"]++
				break
			}
		}
	}
	h.server.SetFaults(discordtest.Faults{})
	if moved["door"] < 10 || moved["chat"] < 10 {
		t.Errorf("moved were %v", moved)
	}
	if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "🏆") || slices.Contains(labelsOf(m), launchMark) {
		t.Errorf("the end: %s, with the buttons %v", m.Content, labelsOf(m))
	}
	if r := h.quietly(); r.Faults == 0 {
		t.Error("nothing went wrong")
	}
}

// TestForTheVisitorAlone leaves what is an answer to the visitor in the response, and shows it nowhere.
func TestForTheVisitorAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Chat("704", ann)
		for _, channel := range []string{discordtest.Channel, "704"} {
			v := h.visit(ann, channel)
			for _, line := range []string{"/mydata", "/help", "/rules", "/top", "/scores", "/balance", "/ledger", "/privacy", "/lang", "/zzz"} {
				r := h.Door().Ask(t.Context(), v, chat.Request{ID: channel + line, Kind: chat.Command, Data: line})
				for _, p := range r.Posts {
					if p.To == nil || p.To.ID != 101 {
						t.Errorf("%s in %s: %+v", line, channel, p)
					}
				}
				if len(r.Posts) == 0 && r.Toast == "" {
					t.Errorf("%s in %s is not answered", line, channel)
				}
			}
			if all := h.server.Messages(channel, ann.ID); len(all) > 0 {
				t.Errorf("the chat shows %+v", all)
			}
		}
		if n := h.server.Record().Calls["post"]; n > 0 {
			t.Errorf("%d messages were posted", n)
		}
		v := h.visit(ann, discordtest.Channel)
		notice := table.PlaceToken(chat.Request{In: v.In}, "!own notice private")
		if r := h.Door().Ask(t.Context(), v, chat.Request{ID: "notice", Kind: chat.Press, Data: notice}); r.Alert || slices.ContainsFunc(r.Posts, func(p chat.Post) bool { return p.Direct }) {
			t.Errorf("what is for a private chat is said on the page: %+v", r)
		}
		h.settle()
		if n := h.server.Record().Calls["post"]; n != 1 {
			t.Errorf("%d messages were sent to her private chat", n)
		}
		h.quietly()
	})
}

// TestManyAtTheDoor has a hundred come and ask at once: Discord is asked about their instance once.
func TestManyAtTheDoor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		v := h.visit(ann, discordtest.Channel)
		time.Sleep(trustVisitor.present)
		before := h.server.Record().Calls["activity"]
		h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 200 * time.Millisecond, Only: "activity"})
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if _, err := h.entrance.instances.with(t.Context(), v.Instance, v.Who.ID, trustVisitor); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := h.server.Record().Calls["activity"] - before; n != 1 {
			t.Errorf("Discord was asked %d times", n)
		}
		for range maxEnteringEach {
			h.entrance.arrives("")
		}
		many := h.comes(ann, v.Instance)
		if _, err := h.Door().Enter(t.Context(), many); !errors.Is(err, door.ErrAway) {
			t.Errorf("too many at once from one address: %v", err)
		}
		many.From = "elsewhere"
		if _, err := h.Door().Enter(t.Context(), many); err != nil {
			t.Errorf("meanwhile from another: %v", err)
		}
		for n := range maxEntering {
			h.entrance.arrives(fmt.Sprint(n))
		}
		if _, err := h.Door().Enter(t.Context(), many); !errors.Is(err, door.ErrAway) {
			t.Errorf("too many at once: %v", err)
		}
		h.quietly()
	})
}

// TestJunkAtTheDoor has somebody come again and again with codes of nobody's, from one address and from four: few of them cost a call,
// and all others come in.
func TestJunkAtTheDoor(t *testing.T) {
	t.Parallel()
	const each, lasts = 6 * time.Millisecond, time.Minute // 171 a second.
	for _, addresses := range []int{1, 4} {
		for name, c := range map[string]struct {
			instances int
			// most is how many codes of an address may be asked for.
			most int
		}{
			"no instance": {0, 0}, "one instance": {1, 2 * maxVainEach}, "many instances": {40, 2 * maxVain},
		} {
			t.Run(fmt.Sprint(name, ", ", addresses), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					h := ajar(t)
					var real []string
					for n := range c.instances {
						channel := fmt.Sprint(7000 + n)
						h.server.Place(channel, discordtest.Guild, 0)
						real = append(real, h.server.Launch(channel, vika))
					}
					h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 100 * time.Millisecond})
					var all sync.WaitGroup
					junk := 0
					for at := time.Now(); time.Since(at) < lasts; junk++ {
						hello := door.Hello{Login: fmt.Sprint("junk", junk), Instance: fmt.Sprint("i-", junk, "-gc-2-3"), From: fmt.Sprint("10.0.0.", junk%addresses)}
						if len(real) > 0 {
							hello.Instance = real[junk%len(real)]
						}
						all.Go(func() { _, _ = h.Door().Enter(t.Context(), hello) })
						if junk%500 == 0 { // Now and then somebody honest comes: to a table of their own, and to the one that is attacked.
							channel := fmt.Sprint(8000 + junk)
							h.server.Place(channel, discordtest.Guild, 0)
							who := discordtest.User{ID: fmt.Sprint(2000 + junk), Name: "honest", Locale: "pl"}
							comes := []door.Hello{h.comes(who, h.server.Launch(channel, who))}
							if len(real) > 0 {
								h.server.Launch("7000", who)
								comes = append(comes, h.comes(who, real[0]))
							}
							for _, hello := range comes {
								hello.From = fmt.Sprint("192.0.2.", junk%16)
								all.Go(func() {
									if _, err := h.Door().Enter(t.Context(), hello); err != nil {
										t.Errorf("somebody honest doesn't come in after %d of junk: %v", junk, err)
									}
								})
							}
						}
						time.Sleep(each)
					}
					all.Wait()
					r := h.quietly()
					honest := r.Calls["me"]
					if n := r.Calls["token"] - honest; n > addresses*c.most {
						t.Errorf("of %d codes %d were asked for", junk, n)
					}
					if n := r.Calls["activity"] - 2*honest; n > 2*maxStrays+c.instances {
						t.Errorf("instances were asked for %d times", n)
					}
					t.Logf("%d of junk, %d honest: %v", junk, honest, r.Calls)
				})
			})
		}
	}
}

// TestComesAgainAndAgain: who comes into a group chat's Activity again and again, with codes that are good, costs few calls, and hardly one that
// Discord refuses; others come in there.
func TestComesAgainAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		h.server.Place("703", "", 2)
		here := h.server.Launch("703", ann, bob)
		comes := func(u discordtest.User, from string) error {
			hello := h.comes(u, here)
			hello.From = from
			_, err := h.Door().Enter(t.Context(), hello)
			return err
		}
		const minutes = 10
		for range minutes {
			in := 0
			for range 60 {
				if comes(ann, "192.0.2.1") == nil {
					in++
				}
				time.Sleep(time.Second)
			}
			if in < maxOften {
				t.Errorf("she comes in %d times in a minute", in)
			}
			if err := comes(bob, "192.0.2.2"); err != nil {
				t.Errorf("he doesn't: %v", err)
			}
		}
		calls := h.server.Record().Calls
		if most := minutes*(maxOften+maxVainEach+1) + maxOften + maxVainEach; calls["channel"] > 3 || calls["token"] > most {
			t.Errorf("it took %v, want %d codes", calls, most)
		}
		h.server.Forgive()
	})
}

// TestLimitsWithoutALogin: what Discord refuses to whoever comes through the door it doesn't refuse to the bot. Nothing more is asked for
// codes until it may be, and then who waited comes in.
func TestLimitsWithoutALogin(t *testing.T) {
	t.Parallel()
	const retry = 3 * time.Second
	for name, fault := range map[string]discordtest.Faults{"route": {Route: 1}, "all": {Global: 1}, "before Discord": {HTML: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := ajar(t)
				first := h.comes(ann, h.server.Launch(discordtest.Channel, ann, bob))
				fault.Only, fault.Retry, fault.Most = "token", retry, 1
				h.server.SetFaults(fault)
				at := time.Now()
				var all sync.WaitGroup
				enter := func(hello door.Hello) {
					all.Go(func() {
						if _, err := h.Door().Enter(t.Context(), hello); err != nil || time.Since(at) < retry {
							t.Errorf("somebody comes in after %v, %v", time.Since(at), err)
						}
					})
				}
				enter(first)
				synctest.Wait()
				enter(h.comes(bob, first.Instance))
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: here, Message: chat.Message{Text: []chat.Span{{Text: "x"}}}}}})
				synctest.Wait()
				if calls := h.server.Record().Calls; calls["token"] != 1 || calls["post"] != 1 || time.Since(at) > 0 {
					t.Errorf("after %v it took %v", time.Since(at), calls)
				}
				all.Wait()
				h.quietly()
			})
		})
	}
}

// TestLaunchedIsKnown: whom the bot has shown a table comes in however many come from the same address in vain.
func TestLaunchedIsKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := ajar(t)
		launched := h.server.EntryPoint(ann, discordtest.Channel).Launched()
		h.settle() // The bot reads which one it was.
		for n := range maxStrays {
			if _, err := h.Door().Enter(t.Context(), door.Hello{Login: "junk", Instance: fmt.Sprint("i-", n)}); err == nil {
				t.Fatal("junk comes in")
			}
		}
		if _, err := h.Door().Enter(t.Context(), h.comes(bob, h.server.Launch("7000", bob))); !errors.Is(err, door.ErrAway) {
			t.Errorf("an instance of which nobody knows: %v", err)
		}
		if _, err := h.Door().Enter(t.Context(), h.comes(ann, launched)); err != nil {
			t.Errorf("who was shown the table: %v", err)
		}
		if _, err := h.Door().Enter(t.Context(), door.Hello{Login: "junk", Instance: launched, From: "10.0.0.1"}); !errors.Is(err, door.ErrLogin) {
			t.Errorf("a code of nobody's: %v", err)
		}
		h.quietly()
	})
}

// TestJunkFromOneNetwork: junk from many households of one network of IPv6, which are one person's, keeps nobody honest out.
func TestJunkFromOneNetwork(t *testing.T) {
	t.Parallel()
	for _, households := range []int{4, 32, 256} {
		t.Run(fmt.Sprint(households), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := ajar(t)
				h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 100 * time.Millisecond})
				var all sync.WaitGroup
				in, out := 0, 0
				var mu sync.Mutex
				for n, at := 0, time.Now(); time.Since(at) < 2*time.Minute; n++ {
					all.Go(func() {
						_, _ = h.Door().Enter(t.Context(), door.Hello{Login: fmt.Sprint("junk", n), Instance: fmt.Sprint("i-", n, "-gc-2-3"), From: fmt.Sprintf("2001:db8:0:%x::/64", n%households)})
					})
					if n%487 == 100 {
						channel := fmt.Sprint(8000 + n)
						h.server.Place(channel, discordtest.Guild, 0)
						who := discordtest.User{ID: fmt.Sprint(2000 + n), Name: "honest", Locale: "pl"}
						hello := h.comes(who, h.server.Launch(channel, who))
						hello.From = fmt.Sprint("192.0.2.", n%16)
						all.Go(func() {
							_, err := h.Door().Enter(t.Context(), hello)
							mu.Lock()
							defer mu.Unlock()
							if err == nil {
								in++
							} else {
								out++
							}
						})
					}
					time.Sleep(6 * time.Millisecond)
				}
				all.Wait()
				if in < 40 || out > 0 {
					t.Errorf("beside junk from %d households %d who are honest came in, and %d didn't", households, in, out)
				}
			})
		})
	}
}
