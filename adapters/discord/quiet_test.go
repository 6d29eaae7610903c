package discord

import (
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
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
