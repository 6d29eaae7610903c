package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// secrets is a dealer that has something for one person only: "short" without buttons, "long" and "asks" too much for
// an alert.
func secrets() *dealer {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		who := r.Who
		p := chat.Post{In: r.In, To: &who}
		switch strings.TrimPrefix(r.Data, "/") {
		case "short":
			p.Text = []chat.Span{{Text: "secret: 7♦ Т♠"}}
		case "long":
			p.Text = []chat.Span{{Text: "secret: " + strings.Repeat("7♦ ", 80)}}
		case "asks":
			p.Text = []chat.Span{{Text: "secret?"}}
			p.Buttons = [][]chat.Button{{{Label: "Yes", Token: "yes", Look: chat.Danger}, {Label: "Say", Token: "say", Ask: "What?"}}}
		case "refused":
			return chat.Response{Toast: strings.Repeat("no ", 70), Alert: true}, true
		default:
			return chat.Response{}, false
		}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	return d
}

// private is the newest secret that only u sees, in the group or in the chat with the bot.
func private(c *telegramtest.Chat, u *telegramtest.User) (inGroup, direct string) {
	for _, m := range c.Messages() {
		if m.To == u.ID {
			inGroup = m.Text
		}
	}
	for _, m := range u.Private().Messages() {
		if strings.HasPrefix(m.Text, "secret") {
			direct = m.Text
		}
	}
	return inGroup, direct
}

func publicSecrets(t *testing.T, chats ...*telegramtest.Chat) {
	t.Helper()
	for _, c := range chats {
		for _, m := range c.Messages() {
			if m.To == 0 && strings.Contains(m.Text, "secret") {
				t.Errorf("everybody reads %q", m.Text)
			}
		}
	}
}

// between runs a test against servers with private messages in groups and without: of two people in a group one has
// talked with the bot, the other has not.
func between(t *testing.T, d func() *dealer, ann, bob string, test func(t *testing.T, x *house, ann, bob *telegramtest.User, old bool)) {
	for _, server := range []telegramtest.Options{{}, {Old: true}} {
		bubble(t, d(), server, func(t *testing.T, x *house) {
			x.start(Options{})
			ann, bob := x.server.NewUser(ann, ""), x.server.NewUser(bob, "")
			bob.Private().Say(bob, "/start")
			test(t, x, ann, bob, server.Old)
		})
	}
}

func TestPrivatePosts(t *testing.T) {
	between(t, secrets, "Аня", "Боря", func(t *testing.T, x *house, ann, bob *telegramtest.User, old bool) {
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		if a := x.send(ann, board, "short"); a.Text != "secret: 7♦ Т♠" || !a.Alert {
			t.Errorf("a short secret is answered %+v", a)
		}
		for _, what := range []string{"long", "asks"} {
			for _, u := range []*telegramtest.User{ann, bob} {
				rest(20 * time.Second) // There is a budget for these.
				a := x.send(u, board, what)
				rest(time.Second)
				inGroup, direct := private(c, u)
				payload := telegramtest.Payload(a.URL)
				switch {
				case !old:
					if !strings.HasPrefix(inGroup, "secret") || a != (telegramtest.Answer{After: a.After}) {
						t.Errorf("%s in the group: %q, %+v", what, inGroup, a)
					}
					continue
				case u == ann && payload == "":
					t.Errorf("%s without a link: %+v", what, a)
					continue
				case u == ann:
					bob.Start(payload) // Another's link leads nowhere.
					rest(time.Second)
					u.Start(payload)
					rest(2 * time.Second)
					_, direct = private(c, u)
					u.Block()
					rest(time.Second)
				}
				if !strings.HasPrefix(direct, "secret") || inGroup != "" {
					t.Errorf("%s directly: %q, in the group: %q", what, direct, inGroup)
				}
			}
		}
		publicSecrets(t, c)
	})
}

// TestPressWaitsForNoMessage: however long a message for one person takes, the press that brings it is answered at once, and
// whoever can't be written to after all is told in the group where it waits.
func TestPressWaitsForNoMessage(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault telegramtest.Fault
		lang  string
		want  string
		// told says that the group is told.
		told bool
	}{
		{"soon", telegramtest.Fault{Delay: 30 * time.Millisecond}, "en", "✉ Sent to you in private", false},
		{"slow", telegramtest.Fault{Delay: 5 * time.Second}, "en", "On its way to you…", false},
		{"slow and refused", telegramtest.Fault{Delay: 5 * time.Second, Status: 403, Text: "Forbidden: bot was blocked by the user"}, "ru", "Сейчас придёт…", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, secrets(), telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
				x.start(Options{})
				ann := x.server.NewUser("Ann", test.lang)
				ann.Start("")
				c := x.server.NewGroup("Cards")
				c.Say(ann, "/zevaka")
				board := x.board(c, "level 1")
				x.server.SetFault(func(_ string, p map[string]string) telegramtest.Fault {
					if p["chat_id"] == strconv.FormatInt(ann.ID, 10) {
						return test.fault
					}
					return telegramtest.Fault{}
				})
				a := x.send(ann, board, "long")
				if a.Text != test.want || a.URL != "" || a.After > 200*time.Millisecond {
					t.Errorf("the answer is %+v", a)
				}
				rest(20 * time.Second)
				_, direct := private(c, ann)
				link, _ := c.Board()
				if told := telegramtest.Payload(link.Buttons[0].URL) != ""; told != test.told || told != (direct == "") {
					t.Errorf("the group is told %v, and directly stands %q", told, direct)
				}
				publicSecrets(t, c)
			})
		})
	}
}

func TestPrivateButtonsSpeakOfTheGroup(t *testing.T) {
	d := secrets()
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		ann.Start("")
		c := x.server.NewForum("Cards", ann)
		c.SayIn(5, ann, "/zevaka")
		x.send(ann, x.board(c, "level 1"), "asks")
		question := x.board(ann.Private(), "secret?")
		if len(question.Buttons) != 1 {
			t.Errorf("the buttons are %+v", question.Buttons)
		}
		x.press(ann, question, "Yes")
		pressed := d.heard.Of(chat.Press)
		last := pressed[len(pressed)-1]
		if want := (chat.Place{Community: community(c.ID), Channel: c.ID, Thread: 5, Crowded: true}); last.In != want || !last.Who.Admin {
			t.Errorf("the answer came from %+v by %+v", last.In, last.Who)
		}
	})
}

// TestPrivateMessageChanges: what is asked in a message that one person sees is answered there, if it can be.
func TestPrivateMessageChanges(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault telegramtest.Fault
		press string
		want  []string
	}{
		{"changes", telegramtest.Fault{}, "long", []string{"secret: 7♦"}},
		{"stays the same", telegramtest.Fault{}, "asks", []string{"secret?"}},
		{"can't change", telegramtest.Fault{Status: 400}, "long", []string{"secret?", "secret: 7♦"}},
	} {
		bubble(t, secrets(), telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c := x.group()
			c.Say(ann, "/zevaka")
			board := x.board(c, "level 1")
			rest(time.Minute)
			x.send(ann, board, "asks")
			rest(20 * time.Second)
			hers := func() (all []telegramtest.Message) {
				for _, m := range c.Messages() {
					if m.To == ann.ID {
						all = append(all, m)
					}
				}
				return all
			}
			question := hers()[0]
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if method != "editEphemeralMessageText" {
					return telegramtest.Fault{}
				}
				return test.fault
			})
			if a := x.send(ann, question, test.press); a.Text != "" || a.URL != "" {
				t.Errorf("%s: the answer is %+v", test.name, a)
			}
			var got []string
			for _, m := range hers() {
				words := strings.Fields(m.Text)
				got = append(got, strings.Join(words[:min(2, len(words))], " "))
			}
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("%s: ann sees %q", test.name, got)
			}
			publicSecrets(t, c)
		})
	}
}

// TestPrivateWithAToast: a press that brings a line and something private, too, to somebody who can't be written to, is
// answered by the line, and leads to the rest in words.
func TestPrivateWithAToast(t *testing.T) {
	d := secrets()
	reply := d.reply
	d.reply = func(r chat.Request) (chat.Response, bool) {
		response, ok := reply(r)
		if ok {
			response.Toast = "done"
		}
		return response, ok
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		x.start(Options{})
		for _, test := range []struct{ lang, text, open string }{
			{"en", "Аня, this is for you only:", "✉ Read it"}, {"ru", "Аня, это только для вас:", "✉ Прочитать"},
			{"pl", "Аня, to tylko dla ciebie:", "✉ Przeczytaj"}, {"", "Аня, this is for you only:", "✉ Read it"},
		} {
			ann := x.server.NewUser("Аня", test.lang)
			c := x.server.NewGroup("Cards")
			c.Say(ann, "/zevaka")
			if a := x.send(ann, x.board(c, "level 1"), "long"); a.Text != "done" || a.URL != "" {
				t.Errorf("the answer is %+v", a)
			}
			note := x.board(c, test.text)
			if note.Buttons[0].Text != test.open {
				t.Errorf("it is said in %q: %+v", test.lang, note)
			}
			ann.Start(telegramtest.Payload(note.Buttons[0].URL))
			x.until("the secret", func() bool { _, direct := private(c, ann); return strings.HasPrefix(direct, "secret") })
			publicSecrets(t, c)
		}
		nobody, c := x.server.NewUser("\u200b", ""), x.server.NewGroup("Cards")
		c.Say(nobody, "/zevaka")
		x.send(nobody, x.board(c, "level 1"), "long")
		x.board(c, "…, this is for you only:")
	})
}

func TestPrivateAnswersToCommands(t *testing.T) {
	between(t, secrets, "Аня", "Боря & Co", func(t *testing.T, x *house, ann, bob *telegramtest.User, old bool) {
		c := x.server.NewGroup("Cards")
		c.Say(bob, "/long")
		c.Say(ann, "/long")
		rest(10 * time.Second)
		if _, direct := private(c, bob); !strings.HasPrefix(direct, "secret") {
			t.Errorf("bob reads %q", direct)
		}
		link, sent := c.Messages()[0], c.Messages()[1]
		if strings.Contains(sent.Text, "Аня") { // Either may be the first to be answered.
			link, sent = sent, link
		}
		if sent.Text != "The answer is private:" || sent.Buttons[0] != (telegramtest.Button{Text: "✉ Sent to you in private", URL: "https://t.me/" + telegramtest.Username}) {
			t.Errorf("bob is told %+v", sent)
		}
		notified := func(m telegramtest.Message) bool { return strings.HasPrefix(m.Text, "secret") && !m.Silent }
		if all := bob.Private().Messages(); !slices.ContainsFunc(all, notified) {
			t.Errorf("bob isn't notified: %+v", all)
		}
		if !strings.Contains(link.Text, "Аня") {
			t.Fatalf("ann is told %+v", link)
		}
		before := len(ann.Private().Messages())
		for range 3 {
			ann.Start(telegramtest.Payload(link.Buttons[0].URL))
			rest(15 * time.Second)
		}
		if _, direct := private(c, ann); !strings.HasPrefix(direct, "secret") {
			t.Errorf("ann reads %q", direct)
		}
		for i, m := range ann.Private().Messages()[before:] {
			if used := strings.HasPrefix(m.Text, "Nothing waits"); used != (i > 0) || i > 2 {
				t.Errorf("message %d of a link that was tapped three times is %q", i, m.Text)
			}
		}
		c.Promote()
		c.Say(ann, "/asks")
		rest(5 * time.Second)
		if inGroup, _ := private(c, ann); (inGroup == "secret?") != !old {
			t.Errorf("of a bot that is admin ann reads %q", inGroup)
		}
		c.Say(ann, "/refused")
		rest(20 * time.Second)
		messages := c.Messages()
		if last := messages[len(messages)-1]; !strings.HasPrefix(last.Text, "no no") || !last.Silent {
			t.Errorf("a refusal is %+v", last)
		}
		publicSecrets(t, c)
	})
}

func TestServerThatShowsSecretsIsFoundOut(t *testing.T) {
	bubble(t, secrets(), telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		r := x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		rest(time.Minute)
		r.out.posts.setEphemeral(true) // The probe was wrong.
		x.send(ann, board, "long")
		x.send(ann, board, "asks")
		rest(time.Minute)
		publicSecrets(t, c)
		if r := x.server.Report(); r.Counts["deleteMessage"] != 1 {
			t.Errorf("%d messages were taken back", r.Counts["deleteMessage"])
		}
	})
}

func TestPrivateChat(t *testing.T) {
	bubble(t, secrets(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "pl")
		c := ann.Private()
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		for range 10 {
			x.send(ann, board, "flip")
			rest(300 * time.Millisecond)
		}
		x.board(c, "level 11")
		x.send(ann, board, "long")
		rest(3 * time.Second)
		if _, direct := private(c, ann); !strings.HasPrefix(direct, "secret") {
			t.Errorf("ann reads %q", direct)
		}
		ann.Block()
		rest(time.Second)
	})
}

// TestDirect: what goes to somebody's private chat comes there, with a link to what it is about; who has never opened that chat
// can't be written to, which the bot is told. It hears, too, of what is refused only this once, or doesn't come through for a while.
func TestDirect(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data != "turn" && r.Data != "hush" {
			return chat.Response{}, false
		}
		who := r.Who
		p := chat.Post{In: r.In, To: &who, Direct: true, Quiet: r.Data == "hush", About: refOf(r.In.Channel, 7), Receipt: "about " + who.Name}
		p.Text = []chat.Span{{Text: "secret: your turn"}}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann, bob := x.server.NewUser("Аня", ""), x.server.NewUser("Боря", "")
		bob.Private().Say(bob, "/start")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		x.send(bob, board, "turn")
		x.send(bob, board, "hush")
		x.send(ann, board, "turn")
		x.until("the private message", func() bool { _, direct := private(c, bob); return strings.Contains(direct, "your turn") })
		x.until("the bot hears who can't be reached", func() bool { return len(d.heard.Of(chat.Unreached)) == 1 })
		if got := d.heard.Of(chat.Unreached)[0]; got.Data != "about Аня" {
			t.Errorf("the bot hears that %q can't be reached", got.Data)
		}
		var own []telegramtest.Message
		x.until("both private messages", func() bool {
			own = slices.DeleteFunc(bob.Private().Messages(), func(m telegramtest.Message) bool { return !strings.Contains(m.Text, "your turn") })
			return len(own) == 2
		})
		if own[0].Silent || !own[1].Silent {
			t.Errorf("in private there is %+v", own)
		}
		lost := telegramtest.Fault{Status: 400, Text: "Bad Request: chat not found"} // As a server says of all chats that has lost its memory.
		for i, fault := range []telegramtest.Fault{{Status: 400, Text: "Bad Request: something new"}, {Status: 502}, {Reset: true}, {Status: 429, RetryAfter: 300}, lost, lost} {
			x.server.SetFault(func(method string, params map[string]string) telegramtest.Fault {
				if method == "sendMessage" && params["chat_id"] == strconv.FormatInt(bob.ID, 10) {
					return fault
				}
				return telegramtest.Fault{}
			})
			x.send(bob, board, "turn")
			sent := time.Now()
			x.until("the bot hears who was missed", func() bool { return len(d.heard.Of(chat.Missed)) == i+1 })
			if late := time.Since(sent); late > 75*time.Second {
				t.Errorf("%+v: it hears so after %v", fault, late)
			}
			rest(6 * time.Minute)
		}
		if n := len(d.heard.Of(chat.Unreached)); n != 1 {
			t.Errorf("%d people can't be reached", n)
		}
		publicSecrets(t, c)
	})
}

// TestLinkTo: only supergroups have addresses for their messages.
func TestLinkTo(t *testing.T) {
	for ref, want := range map[chat.Ref]string{
		"-1001234/5": "https://t.me/c/1234/5", "-55/5": "", "77/5": "", "": "", "-1001234/x": "",
	} {
		if got := linkTo(ref); got != want {
			t.Errorf("%q is at %q, want %q", ref, got, want)
		}
	}
}

// filing is a dealer that has a file for whoever asks for one.
func filing() *dealer {
	d := newDealer()
	d.says("file", func(r chat.Request) []chat.Post {
		who := r.Who
		file := &chat.File{Name: "mydata.json", Data: fmt.Appendf(nil, `{"person":%q}`, who.Name)}
		message := chat.Message{Text: []chat.Span{{Text: "secret file"}}, File: file, Buttons: [][]chat.Button{{{Label: "More", Token: "file"}}}}
		return []chat.Post{{In: r.In, To: &who, Message: message}}
	})
	return d
}

// TestFiles: a file goes to the private chat of whoever asked for it and to nobody else, by command and by button, in the
// group, behind a link if need be, and in private.
func TestFiles(t *testing.T) {
	between(t, filing, "Ann", "Bob", func(t *testing.T, x *house, ann, bob *telegramtest.User, _ bool) {
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		files := func(u *telegramtest.User) (n int) {
			for _, m := range u.Private().Messages() {
				if m.Document == nil {
					continue
				}
				n++
				if want := fmt.Sprintf(`{"person":%q}`, u.Name()); string(m.Document) != want || m.Text != "secret file" || len(m.Buttons) != 1 {
					t.Errorf("%s has %s with %+v", u.Name(), m.Document, m)
				}
			}
			return n
		}
		if a := x.send(bob, board, "file"); a.URL != "" || a.Text != "✉ Sent to you in private" {
			t.Errorf("Bob's press is answered %+v", a)
		}
		a := x.send(ann, board, "file")
		payload := telegramtest.Payload(a.URL)
		bob.Start(payload) // Another's link leads nowhere.
		rest(time.Second)
		if payload == "" || files(ann) != 0 || files(bob) != 1 {
			t.Errorf("Ann is answered %+v; there are %d and %d files", a, files(ann), files(bob))
		}
		ann.Start(payload)
		rest(5 * time.Second)
		c.Say(ann, "/file")
		rest(5 * time.Second)
		ann.Private().Say(ann, "/file")
		rest(5 * time.Second)
		if files(ann) != 3 || files(bob) != 1 {
			t.Errorf("there are %d and %d files", files(ann), files(bob))
		}
		for _, m := range c.Messages() {
			if m.Document != nil || strings.Contains(m.Text, "secret") {
				t.Errorf("the group has %+v", m)
			}
		}
	})
}

// TestFilesThatWait: few files are kept for people who don't come for them. Whoever asks for many has none kept less for others.
func TestFilesThatWait(t *testing.T) {
	bubble(t, filing(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		c := x.server.NewGroup("Cards")
		c.Say(x.server.NewUser("Ann", ""), "/zevaka")
		board := x.board(c, "level 1")
		for n := range 3 * maxFiles {
			x.send(x.server.NewUser(fmt.Sprint("P", n), ""), board, "file")
		}
		others, greedy := map[int64]bool{}, x.server.NewUser("Eve", "")
		for _, w := range x.run.out.posts.waiting {
			others[w.post.To.ID] = true
		}
		for range 3 * maxFiles {
			x.send(greedy, board, "file")
		}
		x.run.out.posts.mu.Lock()
		defer x.run.out.posts.mu.Unlock()
		if n := len(x.run.out.posts.waiting); n != maxFiles {
			t.Errorf("%d wait", n)
		}
		for _, w := range x.run.out.posts.waiting {
			delete(others, w.post.To.ID)
		}
		if len(others) != 1 {
			t.Errorf("%d others have lost theirs to one", len(others))
		}
	})
}
