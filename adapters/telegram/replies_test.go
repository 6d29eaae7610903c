package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestReplies: what people write in reply to the bot, or to each other, and what the bot is asked then.
func TestReplies(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		c := x.server.NewForum("Cards")
		me := map[string]any{"is_bot": true, "first_name": "Зевака"}
		x.until("it knows itself", func() bool { rest(time.Second); return x.run.me.Load() != nil })
		me["id"] = x.run.me.Load().ID
		ann := map[string]any{"id": 71, "first_name": "Аня"}
		bob := map[string]any{"id": 72, "first_name": "Боря"}
		robot := map[string]any{"id": 73, "is_bot": true, "first_name": "Other"}
		board := map[string]any{"message_id": 900, "from": me, "chat": map[string]any{"id": c.ID, "type": "supergroup"}}
		bobs := map[string]any{"message_id": 901, "from": bob, "chat": board["chat"]}
		for _, test := range []struct {
			text string
			to   map[string]any
			want string
		}{
			{"75", board, "/bet 75"},
			{" 12,50\n", board, "/bet 12,50"},
			{"-5", board, "/bet -5"},
			{"/bet 75", board, "/bet 75"},
			{"75", bobs, ""},
			{"75", nil, ""},
			{"75 rolls", board, ""},
			{"thanks!", board, ""},
			{"...", board, ""},
			{strings.Repeat("7", 21), board, ""},
			{"/give 50", bobs, "/give <@72> 50"},
			{"/give@" + telegramtest.Username + " 50", bobs, "/give <@72> 50"},
			{"/grant 50", bobs, "/grant <@72> 50"},
			{"/give Вика 50", bobs, "/give Вика 50"},
			{"/give 50", nil, "/give 50"},
			{"/give 50", board, "/give 50"},
			{"/give 50", map[string]any{"message_id": 902, "from": robot, "chat": board["chat"]}, "/give 50"},
			{"/give 50", map[string]any{"message_id": 903, "from": bob, "sender_chat": board["chat"], "chat": board["chat"]}, "/give 50"},
			{"/balance", bobs, "/balance <@72>"},
			{"/balance Вика", bobs, "/balance Вика"},
			{"/balance", map[string]any{"message_id": 7, "from": bob, "chat": board["chat"]}, "/balance"}, // The topic itself.
			{"/scores", bobs, "/scores <@72>"},
			{"/scores zevaka", bobs, "/scores zevaka"},
			{"/remove", bobs, "/remove <@72>"},
			{"/remove 2", bobs, "/remove 2"},
			{"/daily", bobs, "/daily"},
		} {
			before := len(d.heard.Of(chat.Command))
			what := map[string]any{"from": ann, "text": test.text}
			if test.to != nil {
				what["reply_to_message"] = test.to
			}
			c.Write(what, 7)
			rest(time.Second)
			got := ""
			for _, r := range d.heard.Of(chat.Command)[before:] {
				got += r.Data
			}
			if got != test.want {
				t.Errorf("%q in reply to %v asks for %q, not %q", test.text, test.to, got, test.want)
			}
		}
	})
}

// TestOwnNames: a command means the same in a reply, in whichever language it is called.
func TestOwnNames(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	known := namesOf(b.Commands)
	for called, want := range map[string]string{
		"give": "give", "GIVE": "give", b.Words().Lang("ru").Say("name.give"): "give", b.Words().Lang("pl").Say("name.remove"): "remove", "nothing": "",
	} {
		if got := known.own(called); got != want || known.has(called) != (want != "") {
			t.Errorf("%s is %q", called, got)
		}
	}
}

// TestRepliesInPrivate: a reply to what was sent to a person alone is about the place that it came from.
func TestRepliesInPrivate(t *testing.T) {
	d := secrets()
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		ann.Start("")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		x.send(ann, x.board(c, "level 1"), "asks")
		question := x.board(ann.Private(), "secret?")
		ann.Private().Write(map[string]any{
			"from": map[string]any{"id": ann.ID, "first_name": "Аня"}, "text": "75",
			"reply_to_message": map[string]any{
				"message_id": question.ID, "chat": map[string]any{"id": ann.ID, "type": "private"},
				"from": map[string]any{"id": x.run.me.Load().ID, "is_bot": true, "first_name": "Зевака"},
			},
		}, 0)
		x.until("the bet", func() bool {
			all := d.heard.Of(chat.Command)
			last := all[len(all)-1]
			return last.Data == "/bet 75" && last.In.Channel == c.ID && last.Who.ID == ann.ID
		})
	})
}

// TestWhispered: each line that somebody writes in reply to what they alone see is heard once, and answered to them alone. Telegram has
// one number for all such messages, and numbers them for each person besides.
func TestWhispered(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, k *casino) {
		var heard []string
		k.heard = func(r chat.Request, _ chat.Response) {
			if r.Kind == chat.Command {
				heard = append(heard, r.Who.Name+" "+r.Data)
			}
		}
		people := []*telegramtest.User{x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en"), x.server.NewUser("Vika", "en")}
		c := x.server.NewGroup("Cards", people[0])
		for _, line := range []string{"/balance", "/top", "/give Nobody 10", "5"} {
			for _, u := range people {
				before := len(c.Messages())
				c.Whisper(u, line)
				rest(20 * time.Second)
				said := c.Messages()[before:]
				if len(said) == 0 {
					t.Errorf("%q of %s isn't answered", line, u.Name())
				}
				for _, m := range said {
					if m.To != u.ID {
						t.Errorf("%q of %s is answered %+v", line, u.Name(), m)
					}
				}
			}
		}
		c.Whisper(people[1], "/zevaka")
		x.board(c, "1. Bob")
		want := []string{
			"Ann /balance", "Bob /balance", "Vika /balance", "Ann /top", "Bob /top", "Vika /top", "Ann /give Nobody 10", "Bob /give Nobody 10",
			"Vika /give Nobody 10", "Ann /bet 5", "Bob /bet 5", "Vika /bet 5", "Bob /zevaka",
		}
		if !slices.Equal(heard, want) {
			t.Errorf("heard are %q", heard)
		}
		k.close()
	})
}

// TestDecidedBeforeAll: what an admin decides is read by all, whether they say it aloud, whisper it, have used up what they may ask, or take from
// the bot the right to write for a while.
func TestDecidedBeforeAll(t *testing.T) {
	for line, said := range map[string]string{
		"/grant Ann 5000": "Chips from the house: 5000.", "/season off": "I won't say who was best", "/lang pl": "Od teraz mówimy", "/day post 9": "The patience of the day comes",
	} {
		for _, how := range []string{"aloud", "whispered", "used up", "muted", "refused"} {
			t.Run(line+" "+how, func(t *testing.T) {
				k := &casino{}
				k.host(t, telegramtest.Options{Old: how == "used up"}, func(t *testing.T, x *house) {
					ann := x.server.NewUser("Ann", "en")
					c := x.server.NewGroup("Cards", ann)
					c.Say(ann, "/balance")
					rest(time.Minute)
					if how == "used up" {
						limited := true
						x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
							if method != "sendMessage" || !limited {
								return telegramtest.Fault{}
							}
							limited = false
							return telegramtest.Fault{Status: 429, RetryAfter: 20}
						})
						for _, other := range []string{"/top", "/games", "/help", "/me", "/rules banchok"} {
							c.Say(ann, other)
						}
						rest(time.Second)
					}
					before := len(c.Messages())
					c.Mute(how == "muted")
					refusing := how == "refused"
					if refusing {
						x.server.SetFault(func(method string, p map[string]string) (f telegramtest.Fault) {
							if strings.HasPrefix(method, "send") && strings.HasPrefix(p["chat_id"], "-") {
								f = telegramtest.Fault{Status: 400, Text: "Bad Request: ALLOW_PAYMENT_REQUIRED_10"}
							}
							return f
						})
					}
					if how == "whispered" {
						c.Whisper(ann, line)
					} else {
						c.Say(ann, line)
					}
					rest(time.Minute)
					if refusing {
						rest(3 * time.Minute)
						x.server.SetFault(nil)
						rest(longMuted)
					}
					if how == "muted" {
						for n := range 40 {
							c.Say(ann, fmt.Sprint("/rules zevaka ", n))
							rest(2 * time.Minute)
						}
						c.Mute(false)
						rest(time.Minute)
					}
					read := func(m telegramtest.Message) bool { return m.To == 0 && strings.HasPrefix(m.Text, said) }
					if all := c.Messages()[before:]; !slices.ContainsFunc(all, read) {
						t.Errorf("the group reads %+v", all)
					}
					k.close()
				})
			})
		}
	}
}

// TestGifts gives chips to somebody by a reply, by a mention of a name that was met, and by what they are called.
func TestGifts(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Аня", "ru")
		group := x.server.NewGroup("Игры", ann)
		group.Promote()
		bob := map[string]any{"id": 72, "first_name": "Боря", "username": "bob_the_best"}
		group.Say(ann, "/daily")
		group.Write(map[string]any{"from": bob, "text": "/daily"}, 0)
		say := func(text string, more map[string]any) {
			more["from"], more["text"] = map[string]any{"id": ann.ID, "first_name": "Аня", "language_code": "ru"}, text
			rest(time.Minute)
			group.Write(more, 0)
		}
		chat := map[string]any{"id": group.ID, "type": "group"}
		reply := map[string]any{"message_id": 901, "from": bob, "chat": chat}
		last := int64(0)
		for i, ask := range []func(){
			func() { say("/give 50", map[string]any{"reply_to_message": reply}) },
			func() {
				say("/give @bob_the_best 50", map[string]any{"entities": []any{map[string]any{"type": "mention", "offset": 6, "length": 13}}})
			},
			func() { say("/give Боря 50", map[string]any{}) },
		} {
			ask()
			x.until("the question", func() bool {
				for _, m := range group.Messages() {
					if m.To == ann.ID && len(m.Buttons) == 1 && m.Ephemeral > last {
						last = m.Ephemeral
						x.send(ann, m, m.Buttons[0].Data)
						return true
					}
				}
				return false
			})
			say("/balance", map[string]any{"reply_to_message": reply})
			rest(time.Minute)
			messages := group.Messages()
			told, want := messages[len(messages)-1].Text, fmt.Sprint("Боря: фишек в кошельке ", 3350+50*i)
			if !strings.HasPrefix(told, want) {
				t.Errorf("after the gift it says %q, not %s", told, want)
			}
		}
		c.close()
	})
}
