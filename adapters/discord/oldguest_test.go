package discord

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
)

// TestGuestsOldBoard: where the bot is a guest, what the clock does after a slow press on an old board is shown in the new one, or nowhere before
// the next press: never in the old one.
func TestGuestsOldBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := besideGuild(t)
		h.server.RemoveBot(guild)
		h.start()
		h.server.Command(ann, channel, "zevaka", map[string]any{"limit": "15s", "set": "21b"}).Answer()
		h.shown(1)
		for _, label := range []string{"Сесть", "Сдавать", "13"} {
			for _, u := range []discordtest.User{bob, ann} {
				m := h.board(channel)
				if b, ok := m.Button(label); ok {
					h.server.Press(u, m.ID, b.CustomID).Answer()
				}
			}
		}
		old := h.board(channel)
		time.Sleep(55 * time.Minute)
		h.dealer.slow.Store(int64(2 * time.Second))
		b, _ := old.Button("Вскрыть")
		h.server.Press(ann, old.ID, b.CustomID).Answer()
		h.dealer.slow.Store(0)
		time.Sleep(10 * time.Second)
		h.dealer.running.Add(int64(16 * time.Second))
		h.ring()
		time.Sleep(5 * time.Second)
		if now, _ := h.server.Message(old.ID); strings.Contains(now.Content, "время вышло") {
			t.Errorf("the old board is %s", now.Content)
		}
		h.end()
	})
}
