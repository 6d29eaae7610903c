package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestMentions passes on whom people mention: by a user name that was met, or where they have none, by Telegram's word.
func TestMentions(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		c := x.server.NewGroup("Cards")
		ann := map[string]any{"id": 71, "first_name": "Аня", "username": "Ann_K"}
		said := func(text string, entities ...map[string]any) string {
			t.Helper()
			before := len(d.heard.Of(chat.Command))
			c.Write(map[string]any{"from": ann, "text": text, "entities": entities}, 0)
			x.until("the command", func() bool { return len(d.heard.Of(chat.Command)) > before })
			return d.heard.Of(chat.Command)[before].Data
		}
		part := func(kind string, offset, length int, more ...any) map[string]any {
			e := map[string]any{"type": kind, "offset": offset, "length": length}
			if len(more) > 0 {
				e["user"] = more[0]
			}
			return e
		}
		bob := map[string]any{"id": 72, "first_name": "Боря 🎲"}
		for _, test := range []struct {
			text     string
			entities []map[string]any
			want     string
		}{
			{"/give @ann_k 5", []map[string]any{part("bot_command", 0, 5), part("mention", 6, 6)}, "/give <@71> 5"},
			{"/give 🎲 @ANN_K 5", []map[string]any{part("mention", 9, 6)}, "/give 🎲 <@71> 5"},
			{"/give Боря 🎲 5", []map[string]any{part("text_mention", 6, 7, bob)}, "/give <@72> 5"},
			{"/give Боря 🎲 @ann_k", []map[string]any{part("text_mention", 6, 7, bob), part("mention", 14, 6)}, "/give <@72> <@71>"},
			{"/give @nobody 5", []map[string]any{part("mention", 6, 7)}, "/give @nobody 5"},
			{"/give Боря 5", []map[string]any{part("text_mention", 6, 4)}, "/give Боря 5"},
			{"/give Боря 5", []map[string]any{part("text_mention", -1, 4, bob), part("text_mention", 11, 2, bob), part("mention", 3, 1<<40)}, "/give Боря 5"},
		} {
			if got := said(test.text, test.entities...); got != test.want {
				t.Errorf("%s is passed on as %s", test.text, got)
			}
		}
	})
}

func TestPeopleAreForgotten(t *testing.T) {
	var p people
	p.init()
	for i := range 3 * maxPeople {
		p.meet(&user{ID: int64(i + 1), Username: fmt.Sprint("user", i)})
		p.meet(&user{ID: int64(i + 1), Username: fmt.Sprint("USER", i)})
		p.meet(&user{ID: int64(i + 1), IsBot: true, Username: fmt.Sprint("bot", i)})
	}
	if last := p.id(fmt.Sprint("User", 3*maxPeople-1)); last != 3*maxPeople || len(p.ids) > maxPeople || len(p.names) > maxPeople+1 || p.id("user0") != 0 {
		t.Errorf("of %d people the last is %d", len(p.ids), last)
	}
}

// TestAccountAfterRestart: who has called himself by another's user name is not given what is meant for that one, before
// a start of the bot and after it; and the question says whose account it is about.
func TestAccountAfterRestart(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann := x.server.NewUser("Ann", "en")
		group := x.server.NewGroup("Cards", ann)
		group.Promote()
		robert := map[string]any{"id": 72, "first_name": "Robert", "username": "Bob"}
		mallory := map[string]any{"id": 73, "first_name": "bob"}
		last := 0
		says := func(who map[string]any, more map[string]any) (m telegramtest.Message) {
			t.Helper()
			rest(time.Minute)
			more["from"] = who
			group.Write(more, 0)
			x.until(fmt.Sprint("the answer to ", more["text"]), func() bool {
				all := group.Messages()
				if len(all) > last {
					last, m = len(all), all[len(all)-1]
					return true
				}
				return false
			})
			return m
		}
		me := map[string]any{"id": ann.ID, "first_name": "Ann", "language_code": "en"}
		give := map[string]any{"text": "/give @bob 50", "entities": []any{map[string]any{"type": "mention", "offset": 6, "length": 4}}}
		for _, who := range []map[string]any{me, robert, mallory} {
			says(who, map[string]any{"text": "/daily"})
		}
		if m := says(me, give); m.Text != "Chips: 50. Give them to Robert (@Bob)?" || !strings.Contains(m.HTML, "<code>@Bob</code>") {
			t.Errorf("at first it asks %q, %q", m.Text, m.HTML)
		}
		c.close()
		c.open()
		if m := says(me, give); len(m.Buttons) != 0 || !strings.Contains(m.Text, "whose account") {
			t.Errorf("after a start it says %q with %v", m.Text, m.Buttons)
		}
		if m := says(me, map[string]any{"text": "/give bob 50"}); m.Text != "Chips: 50. Give them to bob (73)?" {
			t.Errorf("of somebody without a user name it asks %q", m.Text)
		}
		answer := map[string]any{"text": "/give 50", "reply_to_message": map[string]any{
			"message_id": 901, "from": robert, "chat": map[string]any{"id": group.ID, "type": "group"},
		}}
		for _, what := range []map[string]any{answer, give} {
			if m := says(me, what); m.Text != "Chips: 50. Give them to Robert (@Bob)?" {
				t.Errorf("once he was answered it asks %q", m.Text)
			}
		}
		c.close()
	})
}

// TestUserNamesChangeHands: a user name is that of whoever was met by it last, and nobody is known by one of before.
func TestUserNamesChangeHands(t *testing.T) {
	var p people
	p.init()
	for _, test := range []struct {
		u         user
		bob, anna int64
		first     string
	}{
		{user{ID: 1, Username: "Bob"}, 1, 0, "@Bob"},
		{user{ID: 1, Username: "Bob"}, 1, 0, "@Bob"},
		{user{ID: 1, Username: "Anna"}, 0, 1, "@Anna"},
		{user{ID: 2, Username: "bob"}, 2, 1, "@Anna"},
		{user{ID: 2, Username: "ANNA"}, 0, 2, "1"},
		{user{ID: 1}, 0, 2, "1"},
		{user{ID: 2}, 0, 0, "1"},
		{user{ID: 1, Username: "bob"}, 1, 0, "@bob"},
	} {
		p.meet(&test.u)
		first := p.accounts([]chat.Span{{Text: "1", User: 1}})[0].Text
		if p.id("bob") != test.bob || p.id("anna") != test.anna || first != test.first {
			t.Errorf("after %+v bob is %d, anna %d, and the first %s", test.u, p.id("bob"), p.id("anna"), first)
		}
	}
}
