package discord

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// TestClock calls who is to move, and nobody else, and makes the move when the time is up.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.table(map[string]any{"limit": "15s"})
		m := h.board(discordtest.Channel)
		if !strings.Contains(m.Content, "<t:") {
			t.Errorf("nothing counts down: %s", m.Content)
		}
		// The first turn may have a longer time; the second has its own.
		for n, wait := range []time.Duration{62 * time.Second, 11 * time.Second, 5 * time.Second} {
			before, _ := h.server.Message(m.ID)
			h.dealer.running.Add(int64(wait))
			h.ring()
			if n == 1 {
				h.server.Until("somebody is called by a new board, and the old one is gone", func() bool {
					_, stands := h.server.Message(m.ID)
					return len(h.server.Record().Notified) == 1 && !stands
				})
				m = h.board(discordtest.Channel)
				continue
			}
			h.server.Until("the move is made", func() bool {
				now, _ := h.server.Message(m.ID)
				return now.Content != before.Content && strings.Contains(now.Content, "время вышло")
			})
		}
		r := h.quietly()
		if who := r.Notified[0]; r.Calls["edit"] != 2 || who != ann.ID && who != bob.ID {
			t.Errorf("notified %v, calls %v", r.Notified, r.Calls)
		}
	})
}

// TestLateClock delivers pictures in a wrong order: the newest one stays.
func TestLateClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		h.server.SetFaults(discordtest.Faults{Slow: 0.5, Delay: 10 * time.Millisecond, Seed: 3})
		post := chat.Post{
			In:    chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel)},
			Table: "some table", Edit: newRef(m.Channel, m.ID),
		}
		var all sync.WaitGroup
		for _, level := range []uint64{3, 9, 1, 7, 30, 5, 20, 11, 2} {
			all.Go(func() {
				p := post
				p.Level, p.Text = level, []chat.Span{{Text: fmt.Sprint("level ", level)}}
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
			})
		}
		all.Wait()
		h.end()
		if now, _ := h.server.Message(m.ID); now.Content != "level 30" {
			t.Errorf("what stands there is %q", now.Content)
		}
		h.quietly()
	})
}

// TestOvertaken shows an older picture after a newer one that couldn't be shown: the newer one is.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, m := playing(t)
		show := func(level uint64) {
			h.Show(t.Context(), chat.Response{Posts: []chat.Post{{
				In:    chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel)},
				Table: "some table", Edit: newRef(m.Channel, m.ID), Level: level,
				Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint("level ", level)}}},
			}}})
		}
		h.server.Allow(discordtest.Channel, 0)
		show(9)
		h.server.Until("it may not be shown", func() bool { return told(h.Adapter) })
		h.server.Allow(discordtest.Channel, discordtest.AllRights)
		show(7)
		h.server.Until("the newer one is shown", func() bool { now, _ := h.server.Message(m.ID); return now.Content == "level 9" })
		h.quietly()
	})
}

// TestCrowd has many people press at once: each is answered by one call, and the last picture is the newest.
func TestCrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		h.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
		h.shown(1)
		h.server.SetFaults(discordtest.Faults{Slow: 1, Delay: 5 * time.Millisecond, Seed: 5})
		h.server.Forget()
		m := h.board(discordtest.Channel)
		limit, _ := m.Button("Сесть")
		var crowd sync.WaitGroup
		for n := range 40 {
			crowd.Go(func() {
				who := discordtest.User{ID: fmt.Sprint(1000 + n), Name: fmt.Sprint("guest", n), Locale: "en-US"}
				i := h.server.Press(who, m.ID, limit.CustomID)
				i.Answer()
				if i.Calls() != 1 {
					t.Errorf("%d calls for one press", i.Calls())
				}
			})
		}
		crowd.Wait()
		h.end()
		now, _ := h.server.Message(m.ID)
		if !strings.Contains(now.Content, "· 6.") {
			t.Errorf("six people sit down: %s", now.Content)
		}
		if r := h.quietly(); r.Calls["callback"] != 40 || r.Calls["edit"] > 1 {
			t.Errorf("forty presses took %v", r.Calls)
		}
	})
}

// TestGlobalLimit is told to keep still as a whole, by Discord and by what stands before it: once it has heard that, no
// call is made anywhere until the time is over.
func TestGlobalLimit(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]discordtest.Faults{"global": {Global: 1}, "HTML": {HTML: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := arrive(t)
				channels := []string{"711", "712", "713"}
				for n, channel := range channels {
					h.server.Place(channel, discordtest.Guild, 0)
					h.server.Command(ann, channel, "zevaka", map[string]any{"limit": "none"}).Answer()
					h.shown(n + 1)
				}
				f.Only, f.Retry = "edit", 600*time.Millisecond
				h.server.SetFaults(f)
				for n, channel := range channels {
					h.server.Command(ann, channel, "lang", map[string]any{"what": "pl"}).Answer()
					if n == 0 {
						h.server.Until("it may have heard", func() bool { return h.server.Heard() })
						h.server.SetFaults(discordtest.Faults{})
					}
				}
				h.server.Until("all tables speak Polish", func() bool {
					return !slices.ContainsFunc(channels, func(channel string) bool {
						return !strings.Contains(h.board(channel).Content, "Przy stole")
					})
				})
				if r := h.quietly(); r.Faults != 1 {
					t.Errorf("%d calls were refused", r.Faults)
				}
			})
		})
	}
}

// TestChannelLimits edits many boards of one channel through its rate limit, by which nobody is refused twice in a row.
func TestChannelLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{Window: 200 * time.Millisecond, Burst: 3})
		for n := range 4 {
			who, game := []discordtest.User{ann, bob}[n%2], []string{"zevaka", "banchok"}[n%2]
			h.server.Command(who, discordtest.Channel, game, map[string]any{"limit": "15s"}).Answer()
			h.shown(n + 1)
		}
		boss := ann
		boss.Rights = 1 << 13
		for range 3 {
			h.server.Command(boss, discordtest.Channel, "lang", map[string]any{"what": "pl"}).Answer()
		}
		h.server.Until("all tables speak Polish", func() bool {
			n := 0
			for _, m := range h.server.Messages(discordtest.Channel, "") {
				if strings.Contains(m.Content, "Przy stole") || strings.Contains(m.Content, "stole") {
					n++
				}
			}
			return n >= 4
		})
		h.end()
		if r := h.quietly(); r.Calls["limited"] > r.Calls["edit"]/2 {
			t.Errorf("calls: %v", r.Calls)
		}
	})
}
