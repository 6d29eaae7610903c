package telegram

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestSlowMode: in a group's slow mode the messages that have to wait keep no table from being changed where it stands. One comes when it
// may, and all come soon after the mode has ended.
func TestSlowMode(t *testing.T) {
	for name, ends := range map[string]bool{"goes on": false, "ends": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, secrets(), telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c, board := x.table()
				c.Slow(time.Hour)
				rest(time.Minute)
				c.Say(ann, "/zevaka")
				x.send(x.server.NewUser("Bob", "en"), board, "long")
				rest(10 * time.Second)
				for range 5 {
					x.send(ann, board, "turn")
					rest(10 * time.Second)
				}
				if m := c.Messages(); len(m) != 1 || m[0].ID != board.ID || !strings.Contains(m[0].Text, "level 7") {
					t.Errorf("a minute later there are %+v", m)
				}
				rest(30 * time.Minute)
				late, want := 30*time.Minute, 1
				if ends {
					c.Slow(0)
					late, want = longSlow, 2
				}
				rest(late)
				answers := 0 // To Ann. Bob's press may have been answered by a link, or he is called to one.
				for _, m := range c.Messages() {
					if strings.Contains(m.Text, "you /zevaka") {
						answers++
					}
				}
				if answers != want {
					t.Errorf("at last there are %d answers", answers)
				}
				if n := x.server.Report().Counts["sendMessage"]; n > 15 {
					t.Errorf("%d tries", n)
				}
			})
		})
	}
}
