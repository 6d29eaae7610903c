package discord

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/storage/mem"
)

// TestQuiet: who wants to hear nothing is called and written to all the same, without a sound.
func TestQuiet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		const own, channel = "900", "707"
		h.server.Chat(own, ann)
		h.server.Place(channel, "800000000000000002", 0)
		in := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000002}, Channel: 707}
		who := chat.User{ID: 101, Name: ann.Name}
		said := chat.Message{Text: []chat.Span{{Text: "your turn"}}}
		for n, quiet := range []bool{false, true} {
			h.Show(t.Context(), chat.Response{Posts: []chat.Post{
				{In: in, Mention: []chat.User{who}, Quiet: quiet, Message: said, Request: "call"},
				{In: in, To: &who, Direct: true, Quiet: quiet, Message: said, Receipt: "told", Request: string(rune('a' + n))},
			}})
			h.server.Until("both are there", func() bool {
				return len(h.server.Messages(channel, "")) == n+1 && len(h.server.Messages(own, "")) == n+1
			})
			for _, where := range []string{channel, own} {
				if m := h.server.Messages(where, "")[n]; m.Silent != quiet {
					t.Errorf("quiet %v: %+v", quiet, m)
				}
			}
		}
		h.quietly()
	})
}

// herald is a bot that calls somebody whatever is done, and takes its time where the command or the button says so.
type herald struct{ table, quiet bool }

func (a herald) Handle(_ context.Context, r chat.Request) chat.Response {
	if r.Kind != chat.Press && r.Kind != chat.Command {
		return chat.Response{}
	}
	if strings.HasSuffix(r.Data, "slow") {
		time.Sleep(2 * time.Second)
	}
	p := chat.Post{In: r.In, Mention: []chat.User{{ID: 101, Name: ann.Name}}, Quiet: a.quiet, Message: chat.Message{Text: []chat.Span{{Text: "your turn"}}}}
	if a.table {
		p.Table, p.Level = "d1/"+r.ID, 1
	}
	return chat.Response{Posts: []chat.Post{p}}
}

// TestQuietAnswers: nor does who wants to hear nothing hear a call that goes as the answer to what somebody did.
func TestQuietAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		table bool
		press string
		takes string
	}{
		{false, "", "callback"}, {true, "", "callback"}, {true, "at once", "callback"}, {true, "slow", "follow"},
	} {
		for _, quiet := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				h := build(t, mem.New(), fake(t, discordtest.Options{}))
				h.serve(herald{c.table, quiet}, h.lone().Commands)
				h.connected()
				i := h.server.Command(ann, discordtest.Channel, "table", nil)
				i.Answer()
				if c.press != "" {
					m, _ := i.Message()
					h.server.Forget()
					h.server.Press(bob, m.ID, c.press).Answer()
				}
				time.Sleep(time.Second)
				all := h.server.Messages(discordtest.Channel, "")
				last := all[len(all)-1]
				if calls := h.quietly().Calls; !strings.HasPrefix(last.Content, "<@101>") || last.Silent != quiet || calls["post"] > 0 || calls[c.takes] == 0 {
					t.Errorf("%+v, quiet %v: after %v the last of %d messages is %+v", c, quiet, calls, len(all), last)
				}
			})
		}
	}
}

// TestUnheard: what the bot says by itself in a channel where it may not write is tried once, and nobody hears that it stands; where it
// may write again the next one does.
func TestUnheard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, rights := range []int64{0, 1 << 10} { // It doesn't see the channel, or may not write there.
			h := arrive(t)
			const channel = "707"
			h.server.Place(channel, "800000000000000002", 0)
			in := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000002}, Channel: 707}
			say := func() {
				h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Receipt: "day 7", Message: chat.Message{Text: []chat.Span{{Text: "the patience of the day"}}}}}})
			}
			h.server.Allow(channel, rights)
			h.server.Forget()
			say()
			h.server.Until("it is tried", func() bool { return h.server.Record().Calls["post"] == 1 })
			if calls := h.quietly().Calls; calls["post"] != 1 || len(h.dealer.asked.Of(chat.Shown)) > 0 || len(h.server.Messages(channel, "")) > 0 {
				t.Errorf("with rights %d it takes %v, and %d messages stand", rights, calls, len(h.server.Messages(channel, "")))
			}
			h.server.Allow(channel, discordtest.AllRights)
			say()
			h.server.Until("the next one stands, and the bot hears that", func() bool {
				all := h.dealer.asked.Of(chat.Shown)
				return len(all) == 1 && all[0].Data == "day 7"
			})
		}
	})
}

// TestToldInPrivate: who wants to be told in private is written to at once, and who can't be written to is told in the place
// again.
func TestToldInPrivate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		const own = "900"
		h.server.Chat(own, ann)
		for _, test := range []struct {
			who     discordtest.User
			reached bool
		}{{ann, true}, {bob, false}} {
			h.server.Forget()
			h.server.Command(test.who, discordtest.Channel, "settings", map[string]any{"what": "me"}).Answer()
			messages := h.server.Messages(discordtest.Channel, test.who.ID)
			panel := messages[len(messages)-1]
			button, ok := panel.Button("🔔 Мой ход: позвать здесь")
			if !ok {
				t.Fatalf("%s is shown %+v", test.who.Name, panel)
			}
			h.server.Press(test.who, panel.ID, button.CustomID).Answer()
			if test.reached {
				h.server.Until("somebody is told in private", func() bool {
					all := h.server.Messages(own, "")
					return len(all) == 1 && strings.Contains(all[0].Content, "Теперь я буду писать сюда")
				})
			} else {
				h.server.Until("the bot hears that somebody can't be told", func() bool { return len(h.dealer.asked.Of(chat.Unreached)) == 1 })
			}
			calls := h.quietly().Calls
			if calls["callback"] != 2 || calls["chat"] != 1 || calls["post"] != 1 {
				t.Errorf("%s: it took %v", test.who.Name, calls)
			}
			now, _ := h.server.Message(panel.ID)
			if _, changed := now.Button("🔔 Мой ход: написать в личку"); !changed {
				t.Errorf("%s: the settings are %+v", test.who.Name, now)
			}
			h.server.Command(test.who, discordtest.Channel, "settings", map[string]any{"what": "me"}).Answer()
			messages = h.server.Messages(discordtest.Channel, test.who.ID)
			if _, private := messages[len(messages)-1].Button("🔔 Мой ход: написать в личку"); private != test.reached {
				t.Errorf("%s: afterwards the settings are %+v", test.who.Name, messages[len(messages)-1])
			}
		}
	})
}

// TestMonth: who was best in a month is told in the channel, in its language and once, and no name does anything there.
func TestMonth(t *testing.T) {
	place := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000002}, Channel: 707}
	for _, lang := range []string{"en", "ru", "pl"} {
		var posts []chat.Post
		synctest.Test(t, func(t *testing.T) { posts = chatscript.Month(t, place, lang, "Аня", "**@everyone** <@101>") })
		synctest.Test(t, func(t *testing.T) {
			h := arrive(t)
			h.server.Place("707", "800000000000000002", 0)
			h.Show(t.Context(), chat.Response{Posts: posts})
			h.settle()
			all := h.server.Messages("707", "")
			if len(posts) != 1 || len(all) != 1 {
				t.Fatalf("in %s it is told %d times", lang, len(all))
			}
			text := all[0].Content
			if !strings.Contains(text, "Аня") || strings.Contains(text, "**@everyone**") || strings.Contains(text, "<@101>") {
				t.Errorf("in %s it is told:\n%s", lang, text)
			}
			t.Logf("%s", text)
			h.quietly()
		})
	}
}
