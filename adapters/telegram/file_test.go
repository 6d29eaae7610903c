package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

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

// TestFilesThatWait: few files are kept for people who don't come for them.
func TestFilesThatWait(t *testing.T) {
	bubble(t, filing(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		c := x.server.NewGroup("Cards")
		c.Say(x.server.NewUser("Ann", ""), "/zevaka")
		board := x.board(c, "level 1")
		for n := range 3 * maxFiles {
			x.send(x.server.NewUser(fmt.Sprint("P", n), ""), board, "file")
		}
		x.run.out.posts.mu.Lock()
		defer x.run.out.posts.mu.Unlock()
		if n := len(x.run.out.posts.waiting); n != maxFiles {
			t.Errorf("%d wait", n)
		}
	})
}
