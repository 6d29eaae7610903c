package telegram

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestArrives: a group that adds the bot is greeted once, with buttons that work there; a change of its rights greets
// nobody. From a private chat a button leads to a group.
func TestArrives(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		bob := c.server.NewUser("Bob", "en")
		group := c.server.NewGroup("Friends")
		group.Kick(true)
		rest(time.Second)
		group.Add(bob)
		greeting := c.board(group, "cards right in this chat")
		if !strings.Contains(greeting.Text, "make me an admin") {
			t.Errorf("it says %q", greeting.Text)
		}
		group.Promote()
		group.Mute(true)
		group.Mute(false)
		rest(10 * time.Second)
		if n := len(group.Messages()); n != 1 {
			t.Errorf("%d messages stand there", n)
		}
		c.press(bob, greeting, "▶ Zevaka")
		c.board(group, "1. Bob")
		bob.Start("")
		rest(10 * time.Second)
		help := c.board(bob.Private(), "Choose one")
		if last := help.Buttons[len(help.Buttons)-2]; last.URL != "https://t.me/zevaka_test_bot?startgroup" {
			t.Errorf("it leads to %q", last.URL)
		}
		for _, lang := range []string{"", "ru", "pl"} {
			for _, field := range []string{"description", "short_description"} {
				if c.server.Profile(field, lang) == "" {
					t.Errorf("the profile has no %s in %q", field, lang)
				}
			}
		}
	})
}

// TestUpgradeGreetsNobody: a group that becomes a supergroup looks as if that had just added the bot, and isn't greeted again.
func TestUpgradeGreetsNobody(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		group := c.server.NewGroup("Friends")
		group.Add(c.server.NewUser("Bob", "en"))
		c.board(group, "cards right in this chat")
		next := group.Upgrade(true)
		rest(time.Minute)
		if n := len(next.Messages()); n != 0 {
			t.Errorf("%d messages stand there", n)
		}
	})
}
