package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestPoison: an update that breaks what handles it, each time that it comes, keeps no other one from being heard.
func TestPoison(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data == "/balance poison" {
			panic("poison")
		}
		return chat.Response{}, false
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/balance poison")
		rest(time.Minute)
		for n := range 3 * pollMost {
			other := x.server.NewGroup(fmt.Sprint("Other ", n))
			other.Say(ann, "/balance")
			rest(time.Second)
		}
		rest(10 * time.Minute)
		heard := 0
		for _, r := range d.heard.Of(chat.Command) {
			if strings.HasPrefix(r.Data, "/balance") && !strings.Contains(r.Data, "poison") {
				heard++
			}
		}
		if heard != 3*pollMost {
			t.Errorf("of %d commands %d are heard, and %d updates wait", 3*pollMost, heard, x.server.Waiting())
		}
	})
}
