package telegram

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	tables "zevaka/bot/table"
	"zevaka/storage/storagetest/stores"
)

// everything is all that is stored, but for the clock's time.
func (c *casino) everything() map[string]string {
	c.t.Helper()
	all := map[string]string{}
	for _, item := range stores.Items(c.t, c.store, "") {
		if !strings.HasPrefix(item.Key, "c/") {
			all[item.Key] = string(item.Value)
		}
	}
	return all
}

// untouched checks that nothing was stored otherwise since before.
func (c *casino) untouched(what string, before map[string]string) {
	c.t.Helper()
	now := c.everything()
	if maps.Equal(before, now) {
		return
	}
	for key, value := range now {
		if before[key] != value {
			c.t.Errorf("%s changes %s\nfrom %s\n  to %s", what, key, before[key], value)
		}
	}
	for key := range before {
		if _, ok := now[key]; !ok {
			c.t.Errorf("%s deletes %s", what, key)
		}
	}
}

// bank sits people down at a bank in a group, the first as its host; all have spoken to the bot alone before. It returns
// the table's part of tokens.
func (c *casino) bank(group *telegramtest.Chat, people ...*telegramtest.User) (table string) {
	c.t.Helper()
	for _, u := range people {
		u.Start("")
	}
	group.Say(people[0], "/banchok 100 limit=none")
	board := c.board(group, "1. "+people[0].Name())
	for _, u := range people[1:] {
		rest(2 * time.Second)
		c.press(u, board, "Сесть")
	}
	board = c.board(group, fmt.Sprint(len(people), ". "))
	c.press(people[0], board, "Сдавать")
	board = c.board(group, "снимите")
	for _, b := range board.Buttons {
		if strings.HasSuffix(b.Data, "!cut 7") {
			for _, u := range people {
				c.send(u, board, b.Data)
			}
		}
	}
	board = c.board(group, "Банк 100")
	rest(time.Minute)
	return strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// payload is what anybody can write into a link to the bot.
func payload(token string) string { return "p-" + base64.RawURLEncoding.EncodeToString([]byte(token)) }

// TestLinksPressNothing: whoever opens a link that somebody else wrote gives nothing away, forgets nothing, and makes no
// move, at no table of theirs and none of the group's.
func TestLinksPressNothing(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann, bob, mallory := c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "ru"), c.server.NewUser("Мэл", "ru")
		group := c.server.NewGroup("Игры", ann)
		table := c.bank(group, ann, bob, mallory)
		s := c.lay(ann.Private(), ann, rainbow(), 7)
		s.move(1, rand.New(rand.NewPCG(1, 1)))
		group.Say(mallory, "/tecza")
		question := c.board(group, "Где разложим")
		rest(tables.CallAfter) // Whoever is waited for has been called by then.
		place, alone := "1."+community(group.ID).String()+".0.0.", s.table
		number := chat.Community{Platform: chat.Telegram, ID: mallory.ID}.String()[1:]
		tokens := []string{
			place + "!give " + number + " 2999 x", place + "!give " + number + " 5 ab", place + "!forget",
			place + "!mydata", place + "!ledger", place + "!patience pauk", place + "!aside none", "1.t0.0.0.!aside x",
			strings.Replace(question.Buttons[1].Data, "1.", "2.", 1), question.Buttons[1].Data,
			"/stop", "/forgetme", "", "\xff", "!",
		}
		for _, do := range []string{
			"!stop", "!stop-now", "!leave", "!back", "!giveup", "!giveup-now", "!join", "!hand", "!pass", "!bet 50", "!m leave", "!again",
			"!remove #1", "!remove " + number, "!whom", "!deal", "!cut 7", "!undo", "!home", "!show",
			"stake 50", "stake 500", "open", "show", "leave", "quit", "draw", "allow on",
		} {
			for epoch := range 5 {
				tokens = append(tokens, fmt.Sprintf("1.%s.%d.%s", table, epoch, do), fmt.Sprintf("1.%s.%d.%s", alone, epoch, do))
			}
		}
		for _, token := range tokens {
			before := c.everything()
			for _, u := range []*telegramtest.User{ann, bob} {
				u.Start(payload(token))
			}
			rest(20 * time.Second)
			c.untouched(token, before)
		}
		before := c.everything()
		for _, text := range []string{"p-!", "p-", "p", "p-" + strings.Repeat("A", 62)} {
			ann.Start(text)
		}
		rest(time.Minute)
		c.untouched("what is no token", before)
		if strings.Contains(c.log.String(), "level=ERROR") {
			t.Error("something broke")
		}
	})
}

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
			board := c.board(u.Private(), "12345", u.Name())
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
			if m.Topic != 7 || !strings.Contains(m.Text, name+"пасьянс не сошёлся") || !strings.Contains(m.Text, "№ 12345") || len(m.Buttons) > 0 {
				t.Errorf("the group reads in topic %d: %q", m.Topic, m.Text)
			}
		}
		if n := len(group.Messages()); n != 3 {
			t.Errorf("there are %d messages in the group", n)
		}
	})
}

// TestLessonAside: the lesson in a group's lobby is a way into the private chat of whoever presses it, and costs the group nothing.
func TestLessonAside(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann, bob := c.server.NewUser("Аня", "ru"), c.server.NewUser("Боря", "pl")
		group := c.server.NewForum("Игры", ann)
		group.Join(bob)
		group.SayIn(7, ann, "/zevaka")
		lobby := c.board(group, "1. Аня")
		i := slices.IndexFunc(lobby.Buttons, func(b telegramtest.Button) bool { return b.Text == "🎓 Урок" })
		if i < 0 {
			t.Fatalf("the lobby is %+v", lobby)
		}
		for _, u := range []*telegramtest.User{ann, bob} {
			u.Start(telegramtest.Payload(lobby.Buttons[i].URL))
			c.board(u.Private(), "🎓", u.Name())
		}
		rest(time.Minute)
		if n := len(group.Messages()); n != 1 {
			t.Errorf("there are %d messages in the group", n)
		}
	})
}

// TestLedToTheTable: who can't be forgotten because of a table in another topic reads alone where it stands.
func TestLedToTheTable(t *testing.T) {
	withPictures(t, telegramtest.Options{Old: true}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "ru")
		group := c.server.NewForum("Игры", ann)
		ann.Start("")
		group.SayIn(7, ann, "/zevaka")
		lobby := c.board(group, "1. Аня")
		rest(time.Minute)
		group.SayIn(8, ann, "/forgetme")
		rest(time.Minute)
		link := linkTo(refOf(group.ID, lobby.ID))
		reads := func(m telegramtest.Message) bool { return strings.Contains(m.Text, link) }
		if link == "" || !slices.ContainsFunc(ann.Private().Messages(), reads) || slices.ContainsFunc(group.Messages(), reads) {
			t.Errorf("%q isn't in %+v, or in %+v", link, ann.Private().Messages(), group.Messages())
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
			if board := c.photo(u.Private(), nil); !strings.Contains(board.Text, "Звезда") || !strings.Contains(board.Text, u.Name()) {
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
