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
)

func TestCommands(t *testing.T) {
	d := newDealer()
	commands := func(string) []bot.CommandInfo {
		return []bot.CommandInfo{{Name: "zevaka", Local: "Зевака", Help: "deal"}, {Name: "stop", Usage: "/stop"}, {Name: "no-such"}}
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{Commands: commands})
		ann := x.server.NewUser("", "")
		c := x.server.NewForum("Игры & Co", ann)
		for _, line := range []string{
			"/zevaka", "/zevaka@" + strings.ToUpper(telegramtest.Username) + "\n21б  fast ", "/Зевака", "/help", "/zevaka\u00a021b\u202f52",
			"/stop@another_bot", "/ban", "zevaka", " /zevaka", "/", "/@" + telegramtest.Username, "/ban@" + telegramtest.Username,
			"/zevaka " + strings.Repeat("x", 5000),
		} {
			c.SayIn(3, ann, line)
		}
		c.Anonymous("/stop")
		forwarded := map[string]any{"text": "/stop", "from": map[string]any{"id": 5, "first_name": "F"}}
		for _, mark := range []string{"is_automatic_forward", "forward_origin", "via_bot", "sender_chat"} {
			message := map[string]any{mark: map[string]any{"id": -5}}
			if mark == "is_automatic_forward" {
				message[mark] = true
			}
			for name, value := range forwarded {
				message[name] = value
			}
			c.Write(message, 0)
		}
		c.Write(map[string]any{"text": "/stop", "from": map[string]any{"id": 6, "is_bot": true, "first_name": "Bot"}}, 0)
		c.Write(map[string]any{"text": "/stop"}, 0)
		// In a group without topics the number is of a thread of replies.
		c.Write(map[string]any{"text": "/stop", "from": map[string]any{"id": 7, "first_name": "R", "last_name": "L"}, "message_thread_id": 9}, 0)
		x.until("all commands", func() bool { return x.server.Waiting() == 0 })
		rest(time.Minute)
		var got []string
		for _, r := range d.heard.Of(chat.Command) {
			got = append(got, fmt.Sprintf("%s|%s|%d|%v", r.Data, r.Who.Name, r.In.Thread, r.Who.Admin))
		}
		want := []string{
			"/zevaka||3|true", "/zevaka 21б fast||3|true", "/Зевака||3|true", "/help||3|true", "/zevaka 21b 52||3|true", "/ban||3|true",
			"/stop|Игры & Co|0|true", "/stop|R L|0|false",
		}
		if !slices.Equal(got, want) {
			t.Errorf("the bot heard\n%q, not\n%q", got, want)
		}
		for _, m := range c.Messages() {
			if m.Topic != 3 && m.Topic != 0 {
				t.Errorf("an answer stands in topic %d", m.Topic)
			}
		}
	})
}

// TestRenamed gives the bot another name: the first command that has it makes the bot ask for its name, and the next one is heard. Who
// calls other bots has it ask no more.
func TestRenamed(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("", "")
		c := x.server.NewGroup("", ann)
		x.until("the bot knows its name", func() bool { return len(x.server.Calls("getMe")) == 1 })
		x.server.Rename("new_bot")
		for range 2 {
			c.Say(ann, "/zevaka@new_bot")
			x.until("it is heard", func() bool { return x.server.Waiting() == 0 })
			rest(time.Minute)
		}
		for range 5 {
			c.Say(ann, "/zevaka@another_bot")
		}
		x.until("all are heard", func() bool { return x.server.Waiting() == 0 })
		rest(time.Minute)
		if heard, more := d.heard.Of(chat.Command), len(x.server.Calls("getMe"))-1; len(heard) != 1 || more != 1 {
			t.Errorf("%d commands are heard, and the name is asked for %d times", len(heard), more)
		}
	})
}

func TestMenus(t *testing.T) {
	help := "deal"
	commands := func(lang string) []bot.CommandInfo {
		return []bot.CommandInfo{{Name: "zevaka", Help: help + lang}, {Name: "bad name"}, {Name: "stop", Usage: "/stop"}}
	}
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		for i, want := range []int{12, 12, 24} {
			if i == 2 {
				help = "give"
			}
			x.start(Options{Commands: commands})
			rest(time.Minute)
			x.end()
			if n := len(x.server.Calls("setMyCommands")); n != want {
				t.Errorf("after start %d there were %d calls", i, n)
			}
		}
		set := map[string]string{}
		for _, call := range x.server.Calls("setMyCommands") {
			set[call.Params["scope"]+call.Params["language_code"]] = call.Params["commands"]
		}
		for _, scope := range []string{"default", "all_private_chats", "all_group_chats", "all_chat_administrators"} {
			for _, lang := range []string{"", "ru", "pl"} {
				want := `[{"command":"zevaka","description":"give` + lang + `"},{"command":"stop","description":"/stop"}]`
				if got := set[`{"type":"`+scope+`"}`+lang]; got != want {
					t.Errorf("the menu for %s in %q is %s", scope, lang, got)
				}
			}
		}
	})
}

func TestStrangeUpdates(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(4, ann, "/zevaka")
		board := x.board(c, "level 1")
		from := map[string]any{"id": ann.ID, "first_name": "Аня"}
		where := map[string]any{"id": c.ID, "type": "supergroup"}
		x.server.Push("edited_message", map[string]any{"message_id": 1, "chat": where, "from": from, "text": "/zevaka"})
		x.server.Push("poll", map[string]any{"id": "1"})
		x.server.Push("something_new", []int{1, 2})
		x.server.Push("message", "no object at all")
		x.server.Push("message", map[string]any{"message_id": "one"})
		x.server.Push("message", map[string]any{})
		x.server.Push("my_chat_member", map[string]any{})
		x.server.Push("callback_query", map[string]any{})
		x.server.Push("callback_query", map[string]any{"id": "5", "from": from, "inline_message_id": "x", "data": "flip"})
		x.server.Push("callback_query", map[string]any{"id": "6", "from": from, "message": board.ID, "game_short_name": "x"})
		x.server.Push("callback_query", map[string]any{"id": "7", "from": map[string]any{"id": 8, "is_bot": true, "first_name": "Bot"}, "data": "flip", "message": map[string]any{"message_id": board.ID, "chat": where, "date": 1}})
		x.server.Push("callback_query", map[string]any{"id": "8", "from": from, "data": "flip", "message": map[string]any{"message_id": 3, "chat": map[string]any{"id": -9, "type": "channel"}, "date": 1}})
		x.server.Push("message", map[string]any{"message_id": 3, "chat": map[string]any{"id": -9, "type": "channel"}, "from": from, "text": "/zevaka"})
		x.server.Push("channel_post", map[string]any{"message_id": 1, "chat": where, "text": "/zevaka"})
		asked := len(d.heard.Of(chat.Press)) + len(d.heard.Of(chat.Command))
		for _, data := range []string{"", strings.Repeat("я", 33)} {
			x.send(ann, board, data)
		}
		if n := len(d.heard.Of(chat.Press)) + len(d.heard.Of(chat.Command)); n != asked {
			t.Errorf("%d of these reached the bot", n-asked)
		}
		board.Inaccessible = true
		rest(2 * time.Minute) // A quiet week, as far as a poll knows.
		x.server.Jump(3)
		x.send(ann, board, "flip")
		if r := d.heard.Of(chat.Press)[0]; r.In.Thread != 4 || r.On != refOf(c.ID, board.ID) {
			t.Errorf("a press on an inaccessible message came from %+v", r)
		}
		x.send(ann, telegramtest.Message{Chat: c.ID, ID: 999999}, "flip")
		x.server.Jump(2_000_000_000)
		x.send(ann, board, "flip")
		x.until("all updates", func() bool { return x.server.Waiting() == 0 })
	})
}

func TestLongTexts(t *testing.T) {
	d := newDealer()
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "line %d <of> the rules & 🂠\n", i)
	}
	d.reply = func(r chat.Request) (chat.Response, bool) {
		p := chat.Post{In: r.In}
		switch r.Data {
		case "/rules":
			p.Text = []chat.Span{{Text: "Rules\n", Style: chat.Strong}, {Text: long.String()}, {Text: strings.Repeat("ж", 9000), Style: chat.Code}}
			p.Buttons = [][]chat.Button{{{Label: " ", Token: "x"}, {Label: strings.Repeat("ы", 80), Token: "y"}}}
		case "/empty":
			p.Text = []chat.Span{{Text: "\n \u200b"}}
		case "/odd":
			p.Text = []chat.Span{{Text: "a\x00b\xff<b>&amp;", Style: chat.Red}}
			for range 7 {
				p.Buttons = append(p.Buttons, []chat.Button{{}, {Label: "1", Token: strings.Repeat("z", 65)}})
			}
			for i := range 12 {
				p.Buttons[3] = append(p.Buttons[3], chat.Button{Label: "2", Token: fmt.Sprint(i)})
			}
		}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/rules")
		c.Say(ann, "/empty")
		c.Say(ann, "/odd")
		x.until("the last", func() bool {
			all := c.Messages()
			return len(all) > 0 && all[len(all)-1].Text == "ab�<b>&amp;" && len(all[len(all)-1].Buttons) == 12
		})
		var text strings.Builder
		for _, m := range c.Messages() {
			text.WriteString(m.Text + "\n")
		}
		if !strings.HasPrefix(text.String(), "Rules\n"+long.String()) || strings.Count(text.String(), "ж") != 9000 {
			t.Errorf("it reads %.300s", text.String())
		}
	})
}

// TestLists shows lists to choose from as rows of buttons, for everybody and for one person, and loses none that
// Telegram could carry.
func TestLists(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		var n, own int
		if _, err := fmt.Sscanf(r.Data, "/lists %d %d", &n, &own); err != nil {
			return chat.Response{}, true
		}
		items := make([]chat.Button, n)
		for i := range items {
			items[i] = chat.Button{Label: fmt.Sprint("item ", i), Token: fmt.Sprint("item", i)}
		}
		m := chat.Message{Text: []chat.Span{{Text: "choose"}}, Choices: chat.Menus("?", items)}
		for i := range own {
			m.Buttons = append(m.Buttons, []chat.Button{{Label: "own", Token: fmt.Sprint("own", i)}, {Label: "say", Token: "x", Ask: "?"}})
		}
		who := r.Who
		return chat.Response{Posts: []chat.Post{{In: r.In, Message: m}, {In: r.In, To: &who, Message: m}}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		ann.Start("")
		c := x.server.NewGroup("Cards")
		for _, test := range []struct{ items, own, shown int }{{1, 0, 1}, {7, 2, 9}, {26, 5, 31}, {80, 20, 100}, {100, 5, 100}} {
			before, direct := len(c.Messages()), len(ann.Private().Messages())
			c.Say(ann, fmt.Sprintf("/lists %d %d", test.items, test.own))
			x.until("both", func() bool { return len(c.Messages()) > before && len(ann.Private().Messages()) > direct })
			rest(time.Minute)
			for _, m := range []telegramtest.Message{c.Messages()[before], ann.Private().Messages()[direct]} {
				last := m.Buttons[len(m.Buttons)-1].Data
				if len(m.Buttons) != test.shown || test.own > 0 && last != fmt.Sprint("own", test.own-1) || m.Text != "choose" {
					t.Errorf("of %d items and %d buttons there are %d, the last %q", test.items, test.own, len(m.Buttons), last)
				}
			}
		}
	})
}

func TestMention(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		who := chat.User{ID: 77, Name: "<Боря>"}
		p := chat.Post{In: r.In, Mention: []chat.User{who}, Message: chat.Message{Text: []chat.Span{{Text: "hurry "}, {Text: "<Боря>", Style: chat.Strong}}}}
		switch r.Data {
		case "/other":
			p.Text = p.Text[:1]
		case "/quiet":
			p.Quiet = true
		case "/part":
			p.Mention, p.Text = []chat.User{{ID: 78, Name: "Ola"}}, []chat.Span{{Text: "Olaf, Viola, Olaf"}}
		case "/both":
			p.Mention = append(p.Mention, chat.User{ID: 78, Name: "Ola"}, chat.User{ID: 79, Name: "Вика"})
			p.Text = append(p.Text, chat.Span{Text: ", Ola (soon)"})
		}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/one")
		c.Say(ann, "/other")
		c.Say(ann, "/both")
		c.Say(ann, "/quiet")
		c.Say(ann, "/part")
		x.until("all", func() bool { return len(c.Messages()) == 5 })
		link := `<a href="tg://user?id=77">&lt;Боря&gt;</a>`
		for i, want := range []string{"hurry <b>" + link + "</b>", link + " hurry",
			`<a href="tg://user?id=79">Вика</a> hurry <b>` + link + `</b>, <a href="tg://user?id=78">Ola</a> (soon)`, "hurry <b>" + link + "</b>", `<a href="tg://user?id=78">Ola</a> Olaf, Viola, Olaf`} {
			if m := c.Messages()[i]; m.HTML != want || m.Silent != (i == 3) {
				t.Errorf("the mention is %q, silent %v", m.HTML, m.Silent)
			}
		}
	})
}

// TestAnsweredBefore: a question that was answered before loses its buttons when it is pressed again, and keeps its words.
func TestAnsweredBefore(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		switch r.Data {
		case "/ask":
			return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: chat.Offer("Really?", []chat.Button{{Label: "Yes", Token: "yes"}})}}}, true
		case "yes":
			return chat.Response{Toast: "You have answered.", Alert: true, Over: true}, true
		}
		return chat.Response{}, false
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		own := ann.Private()
		own.Say(ann, "/ask")
		question := x.board(own, "Really?")
		x.press(ann, question, "Yes")
		x.until("the buttons are gone", func() bool { _, ok := own.Board(); return !ok })
		if all := own.Messages(); !strings.HasPrefix(all[len(all)-1].Text, "Really?") {
			t.Errorf("the question says %q", all[len(all)-1].Text)
		}
	})
}
