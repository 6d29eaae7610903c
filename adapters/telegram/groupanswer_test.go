package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// warm leaves a group nothing of what may be written to it.
func (x *house) warm(c *telegramtest.Chat) {
	x.t.Helper()
	to := x.run.out.chats.get(x.run.out, c.ID)
	to.mu.Lock()
	defer to.mu.Unlock()
	to.budget = newBudget(true, time.Now())
}

// TestManyAskForHelp: eight people who ask for help in a group that has just used up its writes have it below or just above
// their line five seconds later, and it isn't said eight times. Who asks last is told where it stands.
func TestManyAskForHelp(t *testing.T) {
	for _, pause := range []time.Duration{0, 300 * time.Millisecond, 900 * time.Millisecond} {
		t.Run(pause.String(), func(t *testing.T) {
			inCasino(t, func(t *testing.T, x *house, c *casino) {
				group := x.server.NewGroup("Cards")
				var people []*telegramtest.User
				for n := range 8 {
					people = append(people, x.server.NewUser(fmt.Sprint("P", n), "en"))
				}
				x.until("it knows itself", func() bool { rest(time.Second); return x.run.me.Load() != nil })
				rest(time.Minute)
				x.warm(group)
				for _, u := range people {
					group.Say(u, "/help")
					rest(pause)
				}
				asked := time.Now()
				x.until("the help", func() bool { return len(group.Messages()) > 0 })
				if late := time.Since(asked); late > 5*time.Second {
					t.Errorf("the help came after %v", late)
				}
				rest(time.Minute)
				all := group.Messages()
				helped, told := 0, 0
				for _, m := range all {
					switch {
					case strings.HasPrefix(m.Text, "Card games right in the chat.") && m.To == 0:
						helped++
					case m.Text == "That was asked just now: the answer is here in the chat.":
						told++
					default:
						t.Errorf("the group reads %q", m.Text)
					}
				}
				if helped > 2 || told == 0 || told > 2 {
					t.Errorf("it is said %d times, and %d times that it is", helped, told)
				}
				group.Say(people[3], "/help")
				rest(5 * time.Second)
				if now := len(group.Messages()); now != len(all)+1 {
					t.Errorf("asked again a minute later it is said %d times", now-len(all))
				}
				c.close()
			})
		})
	}
}

// TestSaidWhereItWasAsked: what is no secret stands in the group below what was typed, what asks somebody may be pressed by
// them alone, and goes when a table says what came of it.
func TestSaidWhereItWasAsked(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "pl")
		group := x.server.NewForum("Игры", ann)
		said := func(line string) telegramtest.Message {
			t.Helper()
			before := len(group.Messages())
			typed := group.SayIn(7, ann, line)
			x.until("the answer to "+line, func() bool { return len(group.Messages()) > before })
			m := group.Messages()[before]
			rest(20 * time.Second)
			if m.ReplyTo != typed || m.Topic != 7 || m.To != 0 {
				t.Errorf("%s is answered %+v", line, m)
			}
			return m
		}
		for line, begins := range map[string]string{
			"/help": "Карты прямо", "/start": "Карты прямо", "/rules": "Правила какой", "/privacy": "Что", "/top": "", "/scores": "", "/balance": "",
			"/zevaka odd": "", "/odd@" + telegramtest.Username: "", "/daily": "",
		} {
			if m := said(line); !strings.HasPrefix(m.Text, begins) {
				t.Errorf("%s: %q", line, m.Text)
			}
		}
		if n := len(ann.Private().Messages()) + len(bob.Private().Messages()); n != 0 {
			t.Errorf("%d messages went elsewhere", n)
		}
		group.SayIn(7, ann, "/zevaka")
		x.press(bob, x.board(group, "1. Аня"), "Сесть")
		x.board(group, "2. Боря")
		rest(20 * time.Second)
		question := said("/stop")
		if a := x.press(bob, question, question.Buttons[0].Text); a.Text != "To nie twoje przyciski: naciska je Аня." {
			t.Errorf("another is told %+v", a)
		}
		if a := x.press(ann, question, question.Buttons[0].Text); a.Text == "" || a.Alert {
			t.Errorf("she is told %+v", a)
		}
		rest(time.Minute)
		if slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ID == question.ID }) {
			t.Error("the question stands though the table says what became of it")
		}
		c.close()
	})
}

// TestGoesOnAfterAStart: what goes on in a message of which it isn't known any more whose it is comes as a new one, and what only closes
// it not at all.
func TestGoesOnAfterAStart(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		p := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Edit: r.On, Message: chat.Message{Text: []chat.Span{{Text: "one's " + r.Data}}}}
		if r.Data == "next" {
			p.Buttons = [][]chat.Button{{{Label: "Next", Token: "next"}}}
		}
		return chat.Response{Posts: []chat.Post{p}}, r.Data == "next" || r.Data == "end"
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		said := func(text string) (n int) {
			for _, m := range c.Messages() {
				if strings.HasSuffix(m.Text, "one's "+text) {
					n++
				}
			}
			return n
		}
		rest(time.Minute)
		x.send(ann, board, "next")
		rest(time.Minute)
		x.send(ann, board, "end")
		rest(time.Minute)
		stands := slices.ContainsFunc(c.Messages(), func(m telegramtest.Message) bool { return m.ID == board.ID && m.Text == board.Text })
		if said("next") != 1 || said("end") != 0 || !stands {
			t.Errorf("there stands %+v", c.Messages())
		}
	})
}

// TestForgedAnswers: with the token of an answer nobody changes what stands in a group, but for what asked them.
func TestForgedAnswers(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann, mallory := x.server.NewUser("Аня", "en"), x.server.NewUser("Мэл", "en")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka")
		board := x.board(group, "1. Аня")
		rest(20 * time.Second)
		before := fmt.Sprint(group.Messages())
		place := "1." + community(group.ID).String() + ".0.0."
		table := strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
		for _, token := range []string{place + "!answer ABCDEFGHIJKLM 0", "1." + table + ".0.!answer ABCDEFGHIJKLM 0"} {
			if a := x.send(mallory, board, token); !a.Alert {
				t.Errorf("it is answered %+v", a)
			}
			rest(time.Minute)
		}
		if now := fmt.Sprint(group.Messages()); now != before {
			t.Errorf("the group reads %s\nand before %s", now, before)
		}
		c.close()
	})
}

// TestPrivatelyByPress: whoever presses for a secret that goes to their own chat is told so.
func TestPrivatelyByPress(t *testing.T) {
	between(t, secrets, "Аня", "Боря", func(t *testing.T, x *house, ann, bob *telegramtest.User, old bool) {
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		rest(20 * time.Second)
		if a := x.send(bob, board, "asks"); (a.Text == "✉ Sent to you in private") != old {
			t.Errorf("it is answered %+v", a)
		}
	})
}

// TestSaidOnce: what isn't the same for all is said as often as it is asked for.
func TestSaidOnce(t *testing.T) {
	d := newDealer()
	open := chat.Secret
	d.says("again", func(r chat.Request) []chat.Post {
		return []chat.Post{{In: r.In, Open: open, Message: chat.Message{Text: []chat.Span{{Text: "told"}}}}}
	})
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		for _, test := range []struct {
			open chat.Openness
			more int
		}{{chat.Secret, 3}, {chat.Personal, 3}, {chat.Common, 1}} {
			said := func() (n int) {
				for _, m := range c.Messages() {
					if m.Text == "told" {
						n++
					}
				}
				return n
			}
			before := said()
			d.mu.Lock()
			open = test.open
			d.mu.Unlock()
			for range 3 {
				c.Say(ann, "/again")
				rest(time.Second)
			}
			rest(time.Minute)
			if n := said() - before; n != test.more {
				t.Errorf("%v is said %d times", test.open, n)
			}
		}
	})
}

// TestPictureOnItsWay: whoever presses a button that the newest picture doesn't have any more is told in how long that comes,
// as long as it isn't there.
func TestPictureOnItsWay(t *testing.T) {
	withPictures(t, telegramtest.Options{}, func(t *testing.T, c *casino) {
		ann := c.server.NewUser("Аня", "en")
		group := c.server.NewGroup("Games", ann)
		group.Say(ann, "/tecza number=7")
		c.press(ann, c.board(group, "Where do you want"), "Play it here")
		board := c.photo(group, nil)
		rest(time.Minute)
		c.warm(group)
		if a := c.press(ann, board, "Draw"); a.Alert || a.Text == "" {
			t.Errorf("a move is answered %+v", a)
		}
		pressed := time.Now()
		rest(time.Second)
		a := c.press(ann, board, "Draw")
		if !strings.HasPrefix(a.Text, "Wait ") || !strings.HasSuffix(a.Text, " s: the new picture is on its way.") {
			t.Errorf("a second press is answered %+v", a)
		}
		next := c.photo(group, board.Photo)
		var left int
		if _, err := fmt.Sscanf(a.Text, "Wait %d s", &left); err != nil || time.Since(pressed) > time.Duration(left+2)*time.Second {
			t.Errorf("it came %v after the press: %q", time.Since(pressed), a.Text)
		}
		rest(time.Minute)
		board.Buttons = slices.Clone(board.Buttons)
		if a := c.press(ann, board, "Draw"); a.Text != "That didn't count: the game had moved on. This is the table now." {
			t.Errorf("where nothing is on its way it is answered %+v", a)
		}
		if next.ID != board.ID {
			t.Error("the picture has moved")
		}
	})
}

// TestAloudElsewhere: what is to be said aloud in a topic that is closed keeps nobody's question in another from being answered, and is said once it
// is open.
func TestAloudElsewhere(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		said := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Request: r.ID, Message: chat.Message{Text: []chat.Span{{Text: "for " + r.Who.Name}}}}
		if r.Data == "/aloud" {
			said.To, said.Open = nil, chat.Aloud
		}
		return chat.Response{Posts: []chat.Post{said}}, r.Kind == chat.Command
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		_, c := x.forum()
		rest(time.Minute)
		x.server.SetFault(func(_ string, p map[string]string) telegramtest.Fault {
			if p["message_thread_id"] == "2" {
				return telegramtest.Fault{Status: 400, Text: "Bad Request: TOPIC_CLOSED"}
			}
			return telegramtest.Fault{}
		})
		for n := range 12 {
			c.SayIn(2, x.server.NewUser(fmt.Sprint("A", n%4), "en"), "/aloud")
			rest(10 * time.Second)
		}
		rest(time.Hour)
		for n := range 10 {
			c.SayIn(3, x.server.NewUser(fmt.Sprint("P", n), "en"), "/mine")
			rest(30 * time.Second)
		}
		if n := len(c.Messages()); n != 10 {
			t.Errorf("%d of 10 are answered", n)
		}
		x.server.SetFault(nil)
		rest(2 * longClosed)
		said := ""
		for _, m := range c.Messages()[10:] {
			said += m.Text + "\n"
		}
		if n := strings.Count(said, "for A"); n != 12 {
			t.Errorf("%d of 12 are said: %q", n, said)
		}
	})
}

// TestLimitsInARow: where Telegram says several times in a row that new messages have to wait for some seconds, none of those answers is given
// up that wait; and a new table comes at once where that of another topic was refused in words that nobody knows.
func TestLimitsInARow(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data != "/mine" {
			return d.moving(r, nil)
		}
		said := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Request: r.ID, Message: chat.Message{Text: []chat.Span{{Text: "for " + r.Who.Name}}}}
		return chat.Response{Posts: []chat.Post{said}}, true
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		rest(time.Minute)
		until := time.Now().Add(45 * time.Second)
		x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
			switch {
			case method != "sendMessage":
			case time.Now().Before(until):
				return telegramtest.Fault{Status: 429, RetryAfter: 5}
			case p["message_thread_id"] == "2":
				return telegramtest.Fault{Status: 400, Text: "Bad Request: MSG_WAIT_FAILED"}
			}
			return telegramtest.Fault{}
		})
		for n := range 6 {
			c.SayIn(4, x.server.NewUser(fmt.Sprint("P", n), "en"), "/mine")
		}
		rest(3 * time.Minute)
		if n := len(c.Messages()); n != 6 {
			t.Errorf("%d of 6 are answered", n)
		}
		for _, line := range []string{"/zevaka", "hello"} {
			c.SayIn(2, ann, line)
			rest(10 * time.Second)
		}
		c.SayIn(3, ann, "/zevaka")
		rest(10 * time.Second)
		if now, _ := c.Board(); now.Topic != 3 {
			t.Errorf("the table stands in topic %d", now.Topic)
		}
	})
}

// TestCrowded: where fifty people ask at once those are answered for whom there is room, and all others read once that there is none.
func TestCrowded(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		said := chat.Message{Text: []chat.Span{{Text: fmt.Sprint("for ", r.Who.ID)}}}
		return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: said}}}, r.Kind == chat.Command
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		_, c := x.group()
		rest(time.Minute)
		for n := range 50 {
			c.Say(x.server.NewUser(fmt.Sprint("P", n), "en"), "/mine")
		}
		rest(3 * time.Minute)
		answered, told := 0, 0
		for _, m := range c.Messages() {
			switch {
			case strings.HasPrefix(m.Text, "for "), strings.HasSuffix(m.Text, ", this is for you only:"):
				answered++
			case strings.HasPrefix(m.Text, "Too many people are asking at once"):
				told++
			default:
				t.Errorf("the group reads %q", m.Text)
			}
		}
		if answered < maxAnswers || answered > 2*maxAnswers || told != 1 {
			t.Errorf("%d are answered, and it is said %d times that too many ask", answered, told)
		}
	})
}
