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
		group.Join(bob)
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
			s.giveUp()
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

// TestPatienceInTwoTaps: whoever has never spoken to the bot has a patience before them after a tap in the group and START, and
// it costs the group one message.
func TestPatienceInTwoTaps(t *testing.T) {
	withPictures(t, telegramtest.Options{Old: true}, func(t *testing.T, c *casino) {
		ann, bob := c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "ru")
		group := c.server.NewForum("Игры", ann)
		typed := group.SayIn(7, ann, "/patience")
		offer := c.board(group, "Какой пасьянс?", "сразу")
		if offer.ReplyTo != typed || len(offer.Buttons) != 9 || offer.Buttons[8].URL != "" {
			t.Fatalf("it is offered %+v", offer)
		}
		for _, u := range []*telegramtest.User{ann, bob} {
			group.Join(u)
			for i, b := range offer.Buttons[:8] {
				payload := telegramtest.Payload(b.URL)
				if payload == "" || len(payload) > maxStart {
					t.Errorf("%q leads to %q", b.Text, b.URL)
				}
				if i == 3 {
					u.Start(payload)
				}
			}
			if board := c.photo(u.Private(), nil); !strings.Contains(board.Text, "Gwiazda") || !strings.Contains(board.Text, u.Name()) {
				t.Errorf("in private stands %q", board.Text)
			}
			rest(time.Second)
			if n := len(u.Private().Messages()); n != 1 {
				t.Errorf("there are %d messages in private", n)
			}
		}
		rest(time.Minute)
		if n := len(group.Messages()); n != 1 {
			t.Errorf("there are %d messages in the group", n)
		}
		here := c.press(bob, offer, "Разложить здесь")
		which := c.board(group, "Какой пасьянс разложить здесь?")
		if here.Alert || !strings.Contains(which.HTML, "tg://user?id=") {
			t.Errorf("here: %+v, %+v", here, which)
		}
		rest(time.Minute)
		if a := c.press(ann, which, which.Buttons[0].Text); a.Text != "Эти кнопки не для вас: их нажимает Боря." {
			t.Errorf("somebody else is told %+v", a)
		}
		c.press(bob, which, which.Buttons[0].Text)
		c.photo(group, nil)
	})
}
