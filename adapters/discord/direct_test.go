package discord

import (
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
)

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
