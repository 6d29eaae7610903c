package telegram

import (
	"slices"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestChannelsShare: who writes as several channels, one after the other, keeps nobody from an answer.
func TestChannelsShare(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka limit=none")
		x.press(bob, x.board(group, "1. Аня"), "Сесть")
		rest(5 * time.Minute)
		n := 0
		write := func() {
			n++
			group.Write(map[string]any{
				"from": map[string]any{"id": 136817688, "is_bot": true, "first_name": "Channel"}, "text": "/help",
				"sender_chat": map[string]any{"id": -1000000000099 - n%3, "type": "channel", "title": "News"},
			}, 0)
			rest(time.Second)
		}
		for range 60 {
			write()
		}
		answered := 0
		for range 10 {
			asked := time.Now()
			question := group.Say(ann, "/top")
			said := func() bool {
				return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ReplyTo == question })
			}
			for time.Since(asked) < time.Minute && !said() {
				write()
			}
			if said() {
				answered++
			}
		}
		if answered < 9 {
			t.Errorf("%d of 10 are answered in the group", answered)
		}
		c.close()
	})
}
