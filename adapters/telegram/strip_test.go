package telegram

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestForgedPressTakesNoButtons: a press with what stands on no button of the message takes nothing from it.
func TestForgedPressTakesNoButtons(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru")
		group := x.server.NewGroup("Игры")
		group.Join(mallory)
		group.Say(ann, "/zevaka limit=none")
		board := x.board(group, "1. Аня")
		rest(time.Minute)
		group.Say(ann, "/patience")
		var offer telegramtest.Message
		x.until("the offer", func() bool {
			for _, m := range group.Messages() {
				if m.ID != board.ID && len(m.Buttons) > 4 {
					offer = m
				}
			}
			return offer.ID != 0
		})
		data := ""
		for _, b := range board.Buttons {
			if strings.Contains(b.Data, "!join") {
				data = b.Data
			}
		}
		x.send(mallory, offer, data)
		rest(5 * time.Minute)
		for _, m := range group.Messages() {
			if m.ID == offer.ID && len(m.Buttons) != len(offer.Buttons) {
				t.Errorf("of %d buttons %d are left", len(offer.Buttons), len(m.Buttons))
			}
		}
		c.close()
	})
}

// TestForgedAnswerTakesNoButtons: a second answer to a question of one's own, pressed on a table's board, leaves the board its buttons.
func TestForgedAnswerTakesNoButtons(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		mallory.Start("")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{mallory, friend} {
			group.Join(u)
			group.Say(u, "/balance")
		}
		group.Say(ann, "/zevaka limit=none")
		board := x.board(group, "1. Аня")
		rest(5 * time.Minute)
		group.Say(mallory, "/give Друг 1")
		data := ""
		x.until("the question", func() bool {
			for _, m := range append(group.Messages(), mallory.Private().Messages()...) {
				for _, b := range m.Buttons {
					if strings.Contains(b.Data, "!answer") {
						data = b.Data
					}
				}
			}
			return data != ""
		})
		for range 2 {
			x.send(mallory, board, data)
			rest(time.Minute)
		}
		for _, m := range group.Messages() {
			if m.ID == board.ID && len(m.Buttons) != len(board.Buttons) {
				t.Errorf("of %d buttons of the board %d are left", len(board.Buttons), len(m.Buttons))
			}
		}
		c.close()
	})
}
