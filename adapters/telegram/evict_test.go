package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestGrantIsSeen: an admin can't hide a grant behind other things that they have said, before it and after it.
func TestGrantIsSeen(t *testing.T) {
	for _, before := range []int{0, 25, 50} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			atLiveTables(t, func(t *testing.T, x *house, c *casino) {
				ann, mallory, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
				group := x.server.NewGroup("Игры", mallory)
				for _, u := range []*telegramtest.User{mallory, friend} {
					group.Join(u)
					group.Say(u, "/balance")
				}
				group.Say(ann, "/zevaka limit=none")
				v := x.enter(mallory, startIn(t, x.board(group, "1. Аня")))
				rest(5 * time.Minute)
				give := func(n int) {
					for range n {
						for _, p := range x.asks(v, chat.Command, fmt.Sprintf("/give <@%d> 1", friend.ID)).Posts {
							x.asks(v, chat.Press, p.Buttons[0][0].Token)
						}
						rest(400 * time.Millisecond)
					}
				}
				give(before)
				x.asks(v, chat.Command, fmt.Sprintf("/grant <@%d> 777777", friend.ID))
				give(100 - before)
				rest(time.Hour)
				gifts, seen := 0, false
				for _, m := range group.Messages() {
					gifts += strings.Count(m.Text, "Фишки: 1.")
					seen = seen || strings.Contains(m.Text, "777777")
				}
				if !seen || gifts != 100 {
					t.Errorf("the grant is seen %v, and %d of 100 gifts", seen, gifts)
				}
				if n := len(group.Messages()); n > 30 {
					t.Errorf("it takes %d messages", n)
				}
				c.close()
			})
		})
	}
}
