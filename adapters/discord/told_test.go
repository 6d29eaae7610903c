package discord

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
)

// TestToldApart: who has themselves written to in private again and again keeps nobody else waiting who is told something there.
func TestToldApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		const vikas, bobs = "900", "901"
		w.server.Chat(vikas, vika)
		w.server.Chat(bobs, bob)
		choose := func(u discordtest.User) {
			m, _ := w.server.Command(u, discordtest.Channel, "settings", map[string]any{"what": "me"}).Message()
			for _, row := range m.Rows {
				for _, b := range row {
					if place, _, ok := strings.Cut(b.CustomID, "!own notice"); ok {
						w.server.Press(u, m.ID, place+"!own notice private").Answer()
						return
					}
				}
			}
			t.Fatalf("nothing can be chosen: %+v", m)
		}
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
			choose(vika)
		}
		asked := time.Now()
		choose(bob)
		for len(w.server.Messages(bobs, "")) == 0 && time.Since(asked) < 10*time.Minute {
			choose(vika)
			time.Sleep(time.Second)
		}
		if late := time.Since(asked); late > time.Second {
			t.Errorf("beside %d messages to somebody else one came after %v", len(w.server.Messages(vikas, "")), late)
		}
	})
}
