package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestPutOutOfTheGroup: who was put out of a group, or has left it, writes nothing into it and does nothing in it by
// replies and presses in the private chat with the bot; nor does anybody if Telegram doesn't say who is in it. In the
// group's name only its members speak.
func TestPutOutOfTheGroup(t *testing.T) {
	for status, fault := range map[string]telegramtest.Fault{
		"kicked": {}, "left": {}, "restricted": {},
		"unknown": {Status: 400, Text: "Bad Request: CHAT_ADMIN_REQUIRED"}, "silent": {Delay: time.Hour},
	} {
		t.Run(status, func(t *testing.T) {
			c := &casino{}
			c.host(t, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
				ann, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru")
				mallory.Start("")
				group := x.server.NewGroup("Игры", ann)
				group.Say(mallory, "/zevaka")
				board := x.board(group, "1. Мэл")
				x.press(ann, board, "Сесть")
				rest(time.Minute)
				group.Say(mallory, "/mydata")
				rest(time.Minute)
				about, ok := last(mallory.Private())
				if !ok {
					t.Fatal("nothing came in private")
				}
				x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
					if method == "getChatMember" {
						return fault
					}
					return telegramtest.Fault{}
				})
				if fault == (telegramtest.Fault{}) {
					group.Out(mallory, status)
				}
				before, said := c.everything(), fmt.Sprint(group.Messages())
				table := strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
				for _, do := range []string{"!robot", "!deal", "!stop", "!join", "!show", "!panel", "!limit", "!remove #1", "!cut SPAM", "!again"} {
					if a := x.send(mallory, about, "1."+table+".0."+do); a.Text == "" {
						t.Errorf("%s is answered %+v", do, a)
					}
					rest(2 * time.Second)
				}
				for _, line := range []string{"/zevaka", "/banchok", "/tecza", "/patience pauk", "/cut SPAM buy at evil.example", "/top", "/scores",
					"/stop", "/remove 2", "/lang en", "/table", "/daily", "/give Аня 5"} {
					mallory.Private().Write(map[string]any{
						"from": map[string]any{"id": mallory.ID, "first_name": mallory.Name(), "language_code": "ru"}, "text": line,
						"reply_to_message": map[string]any{
							"message_id": about.ID, "chat": map[string]any{"id": mallory.ID, "type": "private"},
							"from": map[string]any{"id": x.run.me.Load().ID, "is_bot": true, "first_name": "Зевака"},
						},
					}, 0)
					rest(20 * time.Second)
				}
				c.untouched("somebody from outside", before)
				if now := fmt.Sprint(group.Messages()); now != said {
					t.Errorf("the group reads %s\nand before %s", now, said)
				}
				if n := x.server.Report().Counts["getChatMember"]; n == 0 || fault == (telegramtest.Fault{}) && n > 10 {
					t.Errorf("Telegram was asked %d times", n)
				}
				// They may still leave.
				if a := x.send(mallory, about, "1."+table+".0.!leave"); a.Alert || strings.Contains(a.Text, "групп") {
					t.Errorf("leaving is answered %+v", a)
				}
				x.until("the seat is free", func() bool { return strings.Contains(fmt.Sprint(group.Messages()), "1. Аня") })
				c.close()
			})
		})
	}
}

// TestMemberInPrivate: a member does by a message in private what they may do in the group, and Telegram is asked once a
// minute who they are.
func TestMemberInPrivate(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		ann := x.server.NewUser("Аня", "ru")
		ann.Start("")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka")
		board := x.board(group, "1. Аня")
		rest(time.Minute)
		group.Say(ann, "/privacy")
		rest(time.Minute)
		about, _ := last(ann.Private())
		table := strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
		for range 3 {
			x.send(ann, about, "1."+table+".0.!robot")
			rest(5 * time.Second)
		}
		x.board(group, "4. 🤖")
		if n := x.server.Report().Counts["getChatMember"]; n != 1 {
			t.Errorf("Telegram was asked %d times", n)
		}
		group.Out(ann, "left")
		rest(memberFor)
		if a := x.send(ann, about, "1."+table+".0.!robot"); !strings.Contains(a.Text, "групп") {
			t.Errorf("after leaving: %+v", a)
		}
		c.close()
	})
}

// TestSilenceIsRemembered: where Telegram doesn't say who is in a group, it isn't asked again for each press, but soon.
func TestSilenceIsRemembered(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, group := x.group()
		group.Join(ann)
		rest(time.Second)
		fault := telegramtest.Fault{Status: 400, Text: "Bad Request: CHAT_ADMIN_REQUIRED"}
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method == "getChatMember" {
				return fault
			}
			return telegramtest.Fault{}
		})
		member := x.run.members.of(ann.ID)
		for i := range 20 {
			if in, err := member(t.Context(), community(group.ID)); in || err == nil {
				t.Errorf("press %d: %v, %v", i, in, err)
			}
			time.Sleep(unsureFor / 10)
		}
		fault = telegramtest.Fault{}
		time.Sleep(unsureFor)
		if in, err := member(t.Context(), community(group.ID)); !in || err != nil {
			t.Errorf("then: %v, %v", in, err)
		}
		if n := x.server.Report().Counts["getChatMember"]; n != 3 {
			t.Errorf("Telegram was asked %d times", n)
		}
	})
}

// TestAskedInVain: nobody has Telegram asked again and again about groups that they aren't in; about theirs it still is. Who was put out of a
// group isn't in it, however many such questions they have used up; where Telegram was silent a moment ago it is still taken for silent.
func TestAskedInVain(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, group := x.group()
		group.Join(ann)
		rest(time.Second)
		member := x.run.members.of(ann.ID)
		for n := range 3 * maxVain {
			own := x.server.NewGroup("Own")
			own.Join(ann)
			if in, err := member(t.Context(), community(own.ID)); !in || err != nil {
				t.Errorf("of group %d: %v, %v", n, in, err)
			}
		}
		if in, err := member(t.Context(), community(group.ID)); !in || err != nil {
			t.Errorf("before being put out: %v, %v", in, err)
		}
		group.Out(ann, "kicked")
		rest(memberFor)
		asked := x.server.Report().Counts["getChatMember"]
		for n := range int64(3 * maxVain) {
			silent := n < maxVain
			if in, err := member(t.Context(), community(-1000-n)); in || silent != (err != nil) {
				t.Errorf("group %d, which isn't there: %v, %v", n, in, err)
			}
		}
		if n := x.server.Report().Counts["getChatMember"] - asked; n != maxVain {
			t.Errorf("Telegram was asked %d times in vain", n)
		}
		if in, err := member(t.Context(), community(group.ID)); in || err != nil {
			t.Errorf("after being put out: %v, %v", in, err)
		}
		rest(2 * unsureFor)
		for n := range int64(4) {
			if _, err := member(t.Context(), community(-1000-n)); err == nil {
				t.Errorf("group %d, of which Telegram said nothing a moment ago", n)
			}
		}
	})
}

// TestAdminNoMore: who is no admin any more is believed one for a minute at most, however long nobody has pressed; and
// Telegram is asked no more than once a minute.
func TestAdminNoMore(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru")
		group := x.server.NewGroup("Игры", ann, mallory)
		group.Say(mallory, "/balance")
		rest(20 * time.Second)
		grant := func() string {
			t.Helper()
			before := len(group.Messages())
			group.Say(mallory, "/grant Мэл 5000")
			x.until("the answer", func() bool { return len(group.Messages()) > before })
			said, _ := last(group)
			rest(20 * time.Second)
			return said.Text
		}
		if said := grant(); !strings.Contains(said, "5000") {
			t.Fatalf("an admin reads %q", said)
		}
		group.Demote(mallory)
		rest(9 * time.Minute)
		if said := grant(); strings.Contains(said, "5000") {
			t.Errorf("after nine minutes: %q", said)
		}
		for range 5 {
			grant()
		}
		if n := x.server.Report().Counts["getChatAdministrators"]; n > 5 {
			t.Errorf("Telegram was asked %d times", n)
		}
		c.close()
	})
}

// TestMembersAreForgotten: what is remembered of members has an end.
func TestMembersAreForgotten(t *testing.T) {
	m := newMembers(nil)
	for user := range int64(2 * maxMembers) {
		m.known.Set(seat{-1, user}, membership{in: true, at: time.Now()})
	}
	if n := len(m.known.All()); n > maxMembers {
		t.Errorf("%d are remembered", n)
	}
	if _, ok := m.known.Get(seat{-1, 2*maxMembers - 1}); !ok {
		t.Error("the last one is forgotten")
	}
}

// last is the newest message in a chat.
func last(c *telegramtest.Chat) (telegramtest.Message, bool) {
	all := c.Messages()
	if len(all) == 0 {
		return telegramtest.Message{}, false
	}
	return all[len(all)-1], true
}
