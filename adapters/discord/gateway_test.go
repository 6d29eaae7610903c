package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/testlog"
	"zevaka/storage/mem"
)

// TestTwoPrograms: where two programs have one token and are no cluster, both are told of what people do, and that whose answer comes second says so.
func TestTwoPrograms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, logs := fake(t, discordtest.Options{}), [2]testlog.Log{}
		for i := range logs {
			h := build(t, mem.New(), server)
			h.log = slog.New(slog.NewTextHandler(&logs[i], nil))
			h.start()
		}
		server.Command(ann, discordtest.Channel, "balance", nil).Answer()
		time.Sleep(time.Minute)
		if said := logs[0].String() + logs[1].String(); strings.Count(said, "another program has answered") != 1 {
			t.Errorf("they say: %s", said)
		}
	})
}

// TestBackByItself takes the gateway away in every way there is: presses work again, and what the clock said meanwhile
// is there.
func TestBackByItself(t *testing.T) {
	for name, take := range map[string]func(*discordtest.Server){
		"op 7":   (*discordtest.Server).Reconnect,
		"op 9":   (*discordtest.Server).Invalidate,
		"cut":    (*discordtest.Server).Cut,
		"silent": func(s *discordtest.Server) { s.Mute(true); time.Sleep(maxQuiet) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				h.start()
				h.table(map[string]any{"limit": "none"})
				before, intents := h.server.Identifies()
				if intents != int(discordgo.IntentsGuilds) {
					t.Errorf("the intents are %d", intents)
				}
				take(h.server)
				h.server.Until("the bot is back", func() bool {
					now, _ := h.server.Identifies()
					return now+h.server.Record().Calls["resume"] > before && h.server.Connected() > 0
				})
				h.server.Mute(false)
				h.server.Forgive()
				h.server.Until("presses work", func() bool {
					m := h.board(discordtest.Channel)
					b, _ := m.Button("Вскрыть")
					return h.server.Press(vika, m.ID, b.CustomID).Answer() == 4
				})
				h.server.Forgive()
				h.quietly()
			})
		})
	}
}

// TestRedraw draws open tables again after a new session.
func TestRedraw(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		h.server.Invalidate()
		h.server.Until("the table is drawn again", func() bool {
			now, _ := h.server.Message(m.ID)
			return now.Edits > m.Edits && now.Content == m.Content
		})
		h.quietly()
	})
}

// TestRedrawOfShards: each shard that has begun a new session has its own servers' tables drawn again, the first those of private chats, too,
// and no two do so at the same time.
func TestRedrawOfShards(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const shards, each = 3, 150
		h := build(t, mem.New(), fake(t, discordtest.Options{Shards: shards, Identify: 5 * time.Second}))
		h.run()
		h.server.Until("all shards are connected", func() bool { return h.server.Connected() == shards })
		h.server.Chat("900", ann)
		places := []chat.Place{{Community: chat.Community{Platform: chat.Discord, ID: 1 << 22}, Channel: 900, Private: true}}
		if first := (part{Count: shards}); !first.hears(places[0]) {
			t.Error("private chats aren't the first shard's")
		}
		for n := range shards * each {
			guild := (1000 + int64(n)) << 22
			h.server.Place(strconv.FormatInt(guild+1, 10), strconv.FormatInt(guild, 10), 0)
			places = append(places, chat.Place{Community: chat.Community{Platform: chat.Discord, ID: guild}, Channel: guild + 1})
		}
		for n, in := range places {
			p := chat.Post{In: in, Table: fmt.Sprint("d1/", n), Level: 1, Message: chat.Message{Text: []chat.Span{{Text: "a table"}}}}
			h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
		}
		edits := func() (n int) {
			for _, in := range places {
				for _, m := range h.server.Messages(strconv.FormatInt(in.Channel, 10), "") {
					n += m.Edits
				}
			}
			return n
		}
		time.Sleep(time.Minute)
		h.server.Invalidate()
		for before, seconds := 0, 0; seconds < 120; seconds++ {
			time.Sleep(time.Second)
			now := edits()
			if now-before > int(time.Second/redrawEvery)+1 {
				t.Errorf("in a second %d tables are drawn again", now-before)
			}
			before = now
		}
		for _, in := range places {
			if all := h.server.Messages(strconv.FormatInt(in.Channel, 10), ""); len(all) != 1 || all[0].Edits != 1 {
				t.Fatalf("in %+v stands %+v", in, all)
			}
		}
		h.quietly()
	})
}

// TestResume loses nothing that was pressed while the connection was away.
func TestResume(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		b, _ := m.Button("Вскрыть")
		h.server.Cut()
		if i := h.server.Press(vika, m.ID, b.CustomID); i.Answer() != 4 {
			t.Errorf("a press while the connection was away is answered with %d", i.Answer())
		}
		h.quietly()
	})
}

func TestShards(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := fake(t, discordtest.Options{Shards: 5, Concurrency: 2, Identify: 5 * time.Second})
		h := build(t, mem.New(), server)
		h.shards = "1-3/5"
		h.run()
		server.Until("three shards are connected", func() bool { return server.Connected() == 3 })
		h.quietly()
		for _, bad := range []string{"1", "3-1/5", "0-5/5", "5/5", "-1/5", "a-b/n", "0/0", "0-1/2/3"} {
			if _, _, _, err := parseShards(bad); err == nil {
				t.Errorf("shards %q are taken", bad)
			}
		}
		for good, want := range map[string][3]int{"": {0, 0, 0}, "0-3/8": {0, 3, 8}, "7/8": {7, 7, 8}} {
			first, last, count, err := parseShards(good)
			if err != nil || [3]int{first, last, count} != want {
				t.Errorf("shards %q are %d-%d/%d: %v", good, first, last, count, err)
			}
		}
	})
}

// TestGate obeys what is left for the day.
func TestGate(t *testing.T) {
	t.Parallel()
	now := time.Now()
	limit := discordgo.SessionInformation{Total: 1000, Remaining: 1, ResetAfter: 3600_000, MaxConcurrency: 1}
	g := newIdentifyLimit(limit, 5*time.Second, slog.New(slog.DiscardHandler))
	if at, _ := g.take(0, now); !at.Equal(now) {
		t.Errorf("the first waits %v", at.Sub(now))
	}
	if at, _ := g.take(0, now); at.Sub(now) < 59*time.Minute {
		t.Errorf("one too many waits %v", at.Sub(now))
	}
}

// TestIdentifiesLast: what doesn't come as far as an identify takes none of those that are left for the day. That none are is said once.
func TestIdentifiesLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{Shards: 2, Identify: 5 * time.Second}))
		log := &testlog.Log{}
		h.log = slog.New(slog.NewTextHandler(log, nil))
		h.server.Starts(4, 24*time.Hour)
		connected := func() bool { return h.server.Connected() == 2 }
		h.run()
		h.server.Until("both shards are connected", connected)
		h.server.SetFaults(discordtest.Faults{Only: "gateway", Broken: 1})
		h.server.Invalidate()
		time.Sleep(time.Hour)
		h.server.SetFaults(discordtest.Faults{})
		time.Sleep(3 * time.Minute)
		if !connected() {
			t.Error("an hour without a gateway has taken what was left for the day")
		}
		const spent = "no shard may identify any more today"
		if strings.Contains(log.String(), spent) {
			t.Errorf("it is said too early:\n%s", log.String())
		}
		h.server.Invalidate()
		time.Sleep(12 * time.Hour)
		if n := strings.Count(log.String(), spent); connected() || n != 1 {
			t.Errorf("it is said %d times that they are used up", n)
		}
		time.Sleep(12 * time.Hour)
		if !connected() {
			t.Error("the next day the bot isn't back")
		}
		h.quietly()
	})
}

// TestTokenRefused: a token that has been good is tried again for an hour each time that it is refused.
func TestTokenRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		for range 2 {
			time.Sleep(3 * time.Hour)
			h.server.Distrust(3)
			h.server.Cut()
			time.Sleep(5 * time.Minute)
			if h.server.Connected() == 0 {
				t.Fatal("the bot isn't back")
			}
		}
		refuses := discordtest.Faults{Only: "gateway", Refused: 1, Status: http.StatusUnauthorized, Most: 3}
		h.server.SetFaults(refuses)
		if info, err := h.gateway(t.Context()); err != nil || info.URL == "" {
			t.Errorf("after three refusals: %+v, %v", info, err)
		}
		refuses.Most = 0
		h.server.SetFaults(refuses)
		at := time.Now()
		if _, err := h.gateway(t.Context()); !errors.Is(err, ErrToken) || time.Since(at) < time.Hour || time.Since(at) > 2*time.Hour {
			t.Errorf("after %v: %v", time.Since(at), err)
		}
		h.server.SetFaults(discordtest.Faults{})
		h.quietly()
	})
}

// TestTokenRefusedNowAndThen: a token with which connections stand meanwhile, however shortly, isn't taken back.
func TestTokenRefusedNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.server.Distrust(1)
		h.server.Cut()
		for end := time.Now().Add(90 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Second) {
			if h.server.Connected() > 0 { // It stands for less than a minute, and the next try is turned away.
				h.server.TurnAway(1)
				h.server.Cut()
			}
		}
		h.server.Distrust(1)
		h.server.Cut()
		time.Sleep(5 * time.Minute)
		if h.server.Connected() == 0 {
			t.Error("the bot isn't back")
		}
	})
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := fake(t, discordtest.Options{})
		var log bytes.Buffer
		secret := "wrong.secret.token"
		a := New(nil, Options{
			Token: secret, API: server.URL(), Dial: server.Dial, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Commands: func(string) []bot.CommandInfo { return nil },
		})
		err := a.Run(context.Background())
		if !errors.Is(err, ErrToken) || strings.Contains(err.Error(), "\n") {
			t.Errorf("a wrong token: %v", err)
		}
		if strings.Contains(err.Error()+log.String(), secret) {
			t.Errorf("the token is told: %v %s", err, log.String())
		}
	})
}

// TestSecrets has everything go wrong and looks for tokens in the log.
func TestSecrets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		log := &testlog.Log{}
		h.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h.start()
		h.table(map[string]any{"limit": "none"})
		h.server.SetFaults(discordtest.Faults{Reset: 0.7, Broken: 0.9, Seed: 1})
		for range 5 {
			h.press(vika, "Вскрыть")
		}
		h.server.Cut()
		h.server.Until("it is told that it went wrong", func() bool { return strings.Contains(log.String(), "not delivered") })
		for _, secret := range []string{discordtest.Token, "interaction-token"} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("%q is told: %s", secret, log.String())
			}
		}
	})
}

// TestStop closes the connection so that the session would live on, and answers what was pressed.
func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.table(map[string]any{"limit": "none"})
		m := h.board(discordtest.Channel)
		b, _ := m.Button("Вскрыть")
		h.dealer.slow.Store(int64(200 * time.Millisecond))
		i := h.server.Press(vika, m.ID, b.CustomID)
		h.server.Until("the press is there", func() bool { _, ok := h.seen.Get(i.ID); return ok })
		h.end()
		if i.Answer() != 4 {
			t.Errorf("a press before the end is answered with %d", i.Answer())
		}
		h.server.Until("the connection is closed", func() bool { return h.server.Connected() == 0 })
		if h.server.Sessions() != 1 {
			t.Error("the session ended with the connection")
		}
		h.Show(context.Background(), chat.Response{Posts: []chat.Post{{In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 1}}}}})
		h.quietly()
	})
}
