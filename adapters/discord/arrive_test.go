package discord

import (
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/storage/mem"
)

// TestArrives: a server that adds the bot is greeted once, in its language and where it tells of those who come, with
// buttons that work there; one that tells of nobody is left in peace, and so are all at a start.
func TestArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := enter(t, mem.New(), discordtest.Options{})
		const quiet, loud, news = "810000000000000001", "810000000000000002", "810000000000000003"
		h.server.Place("810000000000000004", quiet, 0)
		h.server.Invite(quiet, "")
		h.server.Place(news, loud, 0)
		h.server.Invite(loud, news)
		h.server.Invite(loud, news) // After an outage it comes again.
		h.server.Until("the greeting", func() bool { return len(h.server.Messages(news, "")) == 1 })
		greeting := h.server.Messages(news, "")[0]
		if !strings.Contains(greeting.Content, "karty prosto na tym czacie") || strings.Contains(greeting.Content, "administratora") {
			t.Errorf("it says %q", greeting.Content)
		}
		button, ok := greeting.Button("▶ Zewaka")
		if !ok {
			t.Fatalf("the greeting is %+v", greeting)
		}
		h.server.Press(ann, greeting.ID, button.CustomID).Answer()
		h.server.Until("the table", func() bool { return len(h.server.Messages(news, "")) == 2 })
		if n := len(h.server.Messages(discordtest.Channel, "")); n != 0 {
			t.Errorf("%d messages stand elsewhere", n)
		}
		h.quietly()
	})
}
