package telegram

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestAside plays a game for one in private that was asked for in a topic of a group, which is told how it ended.
func TestAside(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann, bob := c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "pl")
		group := c.server.NewForum("Игры", ann)
		group.SayIn(7, ann, "/tecza deal=12345")
		question := c.board(group, "Где разложим: ")
		link := question.Buttons[0]
		payload := telegramtest.Payload(link.URL)
		if link.Text != "В личке" || payload == "" || len(payload) > maxStart || question.Topic != 7 {
			t.Fatalf("the question is %+v", question)
		}
		rest(time.Second)                                  // The bot learns where the question stands.
		for _, u := range []*telegramtest.User{ann, bob} { // Everybody may take it up.
			u.Start(payload)
			s := &solitaire{casino: c, chat: u.Private(), player: u}
			board := c.board(u.Private(), "№ 12345", u.Name())
			if board.Photo == nil {
				t.Errorf("in private stands %q", board.Text)
			}
			s.begin(rainbow(), 12345, board)
			s.move(1, rand.New(rand.NewPCG(1, 1)))
			s.wish("!giveup-now")
		}
		c.until("the results", func() bool { return len(group.Messages()) == 3 })
		rest(time.Minute)
		if m := group.Messages()[0]; m.ID != question.ID || len(m.Buttons) > 0 || !strings.Contains(m.Text, "Аня раскладывает в личке") {
			t.Errorf("instead of the question stands %q", m.Text)
		}
		for i, m := range group.Messages()[1:] {
			name := []string{"Аня: ", "Боря: "}[i]
			if m.Topic != 7 || !strings.Contains(m.Text, name+"не сошёлся") || !strings.Contains(m.Text, "№ 12345") || len(m.Buttons) > 0 {
				t.Errorf("the group reads in topic %d: %q", m.Topic, m.Text)
			}
		}
		if n := len(group.Messages()); n != 3 {
			t.Errorf("there are %d messages in the group", n)
		}
	})
}

// TestForgedAside: what was not offered can't be taken up, nor anything but a press be made of a payload.
func TestForgedAside(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "ru")
		group := c.server.NewGroup("Игры", ann)
		for _, token := range []string{
			"1." + community(group.ID).String() + ".0.0.!aside none", "1." + community(group.ID).String() + ".0.0.!here none",
			"1.t0.0.0.!aside x", "/stop", "", "\xff",
		} {
			address := c.run.aside(token)
			ann.Start(telegramtest.Payload(address))
		}
		ann.Start("p-!")
		ann.Start("p-")
		rest(time.Minute)
		if n := len(group.Messages()) + len(c.tables("o/")); n != 0 {
			t.Errorf("there are %d messages and tables", n)
		}
		if strings.Contains(c.log.String(), "level=ERROR") {
			t.Error("something broke")
		}
	})
}
