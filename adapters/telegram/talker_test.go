package telegram

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestTalkerAtTheLiveTable: what somebody has said in the group by the live table comes out of their own share. Who gives chips away there
// without a pause keeps nobody else from an answer.
func TestTalkerAtTheLiveTable(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{mallory, friend} {
			group.Join(u)
			group.Say(u, "/balance")
		}
		group.Say(ann, "/zevaka")
		v := x.enter(mallory, startIn(t, x.board(group, "1. Аня")))
		rest(5 * time.Minute)
		gifts := 0
		give := func() {
			for _, p := range x.asks(v, chat.Command, fmt.Sprintf("/give <@%d> 1", friend.ID)).Posts {
				if r := x.asks(v, chat.Press, p.Buttons[0][0].Token); !r.Alert {
					gifts++
				}
			}
			rest(time.Second)
		}
		for range 60 {
			give()
		}
		asked := time.Now()
		question := group.Say(ann, "/top")
		answered := func() bool {
			return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ReplyTo == question })
		}
		for time.Since(asked) < 5*time.Minute && !answered() {
			give()
		}
		if late := time.Since(asked); late > besideRefill {
			t.Errorf("beside %d gifts an answer came after %v, or never", gifts, late)
		}
		if gifts < 60 {
			t.Errorf("only %d gifts were given", gifts)
		}
		c.close()
	})
}
