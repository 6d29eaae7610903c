package telegram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/table"
)

// seat is a game of two in a new group.
func (c *casino) seat(options string) *game {
	c.t.Helper()
	g := &game{casino: c, rand: rand.New(rand.NewPCG(7, 2))}
	for _, name := range []string{"Аня", "Боря"} {
		g.users = append(g.users, c.server.NewUser(name, "ru"))
	}
	g.chat = c.server.NewGroup("Игры", g.users[0])
	g.deal(options)
	return g
}

func TestMigration(t *testing.T) {
	for _, told := range []bool{true, false} {
		inCasino(t, func(t *testing.T, _ *house, c *casino) {
			g := c.seat("21b")
			g.play(func(n int) {
				if n != 30 {
					return
				}
				g.chat = g.chat.Upgrade(told)
				g.follow()
			})
			c.close()
		})
	}
}

// TestMigrationTold: when Telegram says that a group goes on elsewhere, nobody has to press anything for its tables to
// follow; it says so twice.
func TestMigrationTold(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		return chat.Response{Posts: []chat.Post{d.picture(placeOf(-1000000005002), "there")}}, r.Kind == chat.Migrated
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		rest(time.Minute)
		next := c.Upgrade(true)
		x.board(next, "there")
		for _, r := range d.heard.Of(chat.Migrated) {
			if r.In != placeOf(c.ID) || r.Data != community(next.ID).String() || r.ID != d.heard.Of(chat.Migrated)[0].ID {
				t.Errorf("the bot was told %+v", r)
			}
		}
	})
}

// TestMigrationFails: where the bot can't take a group's tables and chips along at once, as its database is away, it is asked again.
func TestMigrationFails(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Kind == chat.Migrated && len(d.heard.Of(chat.Migrated)) < 8 {
			return chat.Response{Toast: "broken", Alert: true}, true
		}
		return chat.Response{Posts: []chat.Post{d.picture(placeOf(-1000000005002), "there")}}, r.Kind == chat.Migrated
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		rest(time.Minute)
		next := c.Upgrade(true)
		rest(3 * time.Minute)
		x.board(next, "there")
		told := len(d.heard.Of(chat.Migrated))
		rest(10 * time.Minute)
		if now := len(d.heard.Of(chat.Migrated)); now != told {
			t.Errorf("the bot is told %d times more", now-told)
		}
	})
}

// follow waits until the table is shown in the game's new chat, and presses there from now on.
func (g *game) follow() {
	g.t.Helper()
	board := g.board(g.chat, "Зевака")
	g.table = strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// TestAnonymousAdmin: an admin who hides their name opens a table for others to sit down at, and is told aloud what they
// ask for.
func TestAnonymousAdmin(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru")
		chat := x.server.NewGroup("Игры", ann)
		chat.Hide(ann)
		chat.Anonymous("/zevaka")
		board := x.board(chat, "At the table: 0")
		if a := x.press(bob, board, "Deal"); !strings.HasPrefix(a.Text, "Это может сделать только") {
			t.Errorf("nobody's host deals: %+v", a)
		}
		x.press(bob, board, "Join")
		board = x.board(chat, "За столом: 1", "1. Боря хозяин стола")
		for _, line := range []string{"/leave", "/back", "/cut 7"} {
			before := len(chat.Messages())
			chat.Anonymous(line)
			x.until("the answer to "+line, func() bool { return len(chat.Messages()) > before })
			if m := chat.Messages()[before]; !strings.HasPrefix(m.Text, "You're writing as the chat itself") {
				t.Errorf("%s is answered %q", line, m.Text)
			}
		}
		chat.Anonymous("/help")
		x.until("the help", func() bool {
			all := chat.Messages()
			return strings.HasPrefix(all[len(all)-1].Text, "Card games right")
		})
		x.press(ann, board, "Сесть")
		chat.Anonymous("/stop")
		question := x.board(chat, "Really stop")
		if a := x.press(ann, question, "Stop the game"); !strings.Contains(a.Text, "отключите анонимность") {
			t.Errorf("an admin presses of whom the bot isn't told: %+v", a)
		}
		chat.Promote()
		rest(adminsFor)
		x.press(ann, question, "Stop the game")
		x.until("the end", func() bool {
			return strings.Contains(chat.Messages()[0].Text, "Стол закрыт администратором")
		})
		c.close()
	})
}

// TestNoName: whoever has no name that shows can play like everybody.
func TestNoName(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		blank, none := x.server.NewUser("\u200b\u3164", "ru"), x.server.NewUser("", "")
		chat := x.server.NewGroup("Игры")
		chat.Say(blank, "/zevaka limit=15s")
		x.press(none, x.board(chat, "1. Гость"), "Сесть")
		x.press(blank, x.board(chat, "2. Гость 2"), "Сдавать")
		rest(5 * time.Minute)
		if called := calls(x); called == 0 {
			t.Error("nobody was called")
		}
		c.close()
	})
}

// calls is how often somebody was called by a new board.
func calls(x *house) (n int) {
	for _, call := range x.server.Calls("sendMessage") {
		if strings.Contains(call.Params["text"], "tg://user?id=") && call.Params["disable_notification"] == "" {
			n++
		}
	}
	return n
}

// TestClock lets time run out at a table at which nobody does anything: players are called, the table moves for them,
// computers play, and in the end everybody sleeps.
func TestClock(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("<Боря>", "ru")
		chat := x.server.NewGroup("Игры", ann)
		chat.Say(ann, "/zevaka limit=15s")
		board := x.board(chat, "1. Аня")
		x.press(bob, board, "Сесть")
		x.press(ann, x.board(chat, "2. <Боря>"), "+ 🤖")
		x.press(ann, x.board(chat, "3. 🤖"), "Сдавать")
		rest(time.Hour)
		board, _ = chat.Board()
		if called := calls(x); called != 5 || len(chat.Messages()) != 1 { // To cut the pack, and each of both to the first two turns that they sleep.
			t.Errorf("%d calls, and there stands %+v", called, chat.Messages())
		}
		edits := board.Edits
		rest(time.Hour)
		if board, _ = chat.Board(); board.Edits != edits {
			t.Errorf("a table that sleeps was drawn %d times", board.Edits-edits)
		}
		c.close()
	})
}

// TestCallStandsOnce: a call leaves one table to press on, whatever becomes of taking the old one away.
func TestCallStandsOnce(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault func(n int) telegramtest.Fault
		// crash says that the program dies before the old one is gone; left is how many messages stand in the end.
		crash bool
		left  int
	}{
		{"well", func(int) telegramtest.Fault { return telegramtest.Fault{} }, false, 1},
		{"lost on the way", func(n int) telegramtest.Fault { return telegramtest.Fault{Reset: n < 3} }, false, 1},
		{"refused", func(int) telegramtest.Fault {
			return telegramtest.Fault{Status: 400, Text: "Bad Request: message can't be deleted"}
		}, false, 2},
		{"dead before", nil, true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			inCasino(t, func(t *testing.T, x *house, c *casino) {
				ann, bob := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en")
				group := x.server.NewGroup("Games", ann)
				group.Say(ann, "/zevaka limit=60s")
				x.press(bob, x.board(group, "1. Ann"), "Join")
				var tried atomic.Int64
				var crashed atomic.Bool
				x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
					switch {
					case method == "deleteMessage" && test.crash:
						tried.Add(1)
						return telegramtest.Fault{Reset: !crashed.Load()}
					case method == "deleteMessage":
						return test.fault(int(tried.Add(1)))
					case method == "getMe" && test.crash: // The table is drawn again before the bot knows who it is.
						return telegramtest.Fault{Delay: 2 * time.Second}
					}
					return telegramtest.Fault{}
				})
				x.press(ann, x.board(group, "2. Bob"), "Deal")
				x.until("the old one is to go", func() bool { return tried.Load() > 0 })
				if test.crash {
					crashed.Store(true)
					c.crash()
				}
				rest(15 * time.Second)
				all := group.Messages()
				pressable := 0
				for _, m := range all {
					if len(m.Buttons) > 0 {
						pressable++
					}
				}
				if tried.Load() == 0 || len(all) != test.left || pressable != 1 {
					t.Errorf("after %d tries there stand %d messages, %d of them to press: %+v", tried.Load(), len(all), pressable, all)
				}
				c.close()
			})
		})
	}
}

func TestMuted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Mute(true)
		c.Say(ann, "/zevaka")
		rest(time.Hour)
		if r := x.server.Report(); r.Counts["sendMessage"] > 16 || len(c.Messages()) > 0 {
			t.Errorf("%d tries in an hour", r.Counts["sendMessage"])
		}
		c.Mute(false)
		said := time.Now()
		x.board(c, "level 1")
		if late := time.Since(said); late > 10*time.Second {
			t.Errorf("the board came %v after it could", late)
		}
	})
}

// TestComments: under a channel's post, where only replies are seen, a table stands as one, under whatever has asked for it; elsewhere as
// none.
func TestComments(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, group := x.server.NewUser("Аня", "ru"), x.server.NewGroup("Игры")
		asks := func(line string, thread int64) (message, under int64) {
			message = group.Write(map[string]any{
				"from": map[string]any{"id": ann.ID, "first_name": "Аня"}, "text": line, "message_thread_id": thread,
			}, 0)
			rest(time.Minute)
			board, _ := group.Board()
			return message, board.ReplyTo
		}
		for _, line := range []string{"/zevaka", "/table"} {
			if message, under := asks(line, 1); under != message {
				t.Errorf("asked by %d, the table stands under %d", message, under)
			}
		}
		if _, under := asks("/table", 0); under != 0 {
			t.Errorf("asked in the group itself, the table stands under %d", under)
		}
		c.close()
	})
}

// TestGoesOnInComments: a table under a channel's post stays there when its players are called, also after a restart; and so does the one that
// follows it, whoever brings that about.
func TestGoesOnInComments(t *testing.T) {
	const post = 77
	c := &casino{dir: t.TempDir()}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, bob := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en")
		group := x.server.NewGroup("Cards")
		group.Write(map[string]any{"from": map[string]any{"id": ann.ID, "first_name": "Ann"}, "text": "/zevaka 21a limit=60s", "message_thread_id": int64(post)}, 0)
		x.press(bob, x.board(group, "1. Ann"), "Join")
		x.press(ann, x.board(group, "2. Bob"), "Deal")
		there := func(when string) telegramtest.Message {
			t.Helper()
			board, ok := group.Board()
			if !ok || board.Root != post {
				t.Errorf("%s the table stands under %d: %+v", when, board.Root, board)
			}
			return board
		}
		first := there("at first")
		rest(50 * time.Second)
		if called := there("after a call"); called.ID == first.ID {
			t.Error("nobody is called")
		}
		c.close()
		c.open()
		board := there("after a start")
		x.press(ann, board, "Flip")
		rest(2 * time.Minute)
		if called := there("after a call"); called.ID == board.ID {
			t.Error("nobody is called after the start")
		}
		c.close()
	})
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, group := x.group()
		group.Write(map[string]any{"from": map[string]any{"id": ann.ID, "first_name": "Ann"}, "text": "/zevaka", "message_thread_id": int64(post)}, 0)
		table := x.board(group, "level 1")
		d.says("tells", func(r chat.Request) []chat.Post {
			return []chat.Post{{In: r.In, Request: r.ID, Message: chat.Message{Text: []chat.Span{{Text: "to all"}}}}}
		})
		x.send(ann, table, "tells")
		rest(time.Minute)
		if all := group.Messages(); all[len(all)-1].Root != post || all[len(all)-1].Text != "to all" {
			t.Errorf("what a press tells all: %+v", all[len(all)-1])
		}
		in := placeOf(group.ID)
		said := func(text string) chat.Message { return chat.Message{Text: []chat.Span{{Text: text}}} }
		last := chat.Post{In: in, Table: "T" + in.Community.String(), Level: 9, Final: true, Edit: refOf(group.ID, table.ID), Request: "tick", Message: said("level 9")}
		next := chat.Post{In: in, Table: "next", Level: 1, Request: "tick", Message: said("the next")}
		x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{last, next}})
		rest(time.Minute)
		if all := group.Messages(); all[len(all)-1].Root != post || all[len(all)-1].Text != "the next" {
			t.Errorf("the next table: %+v", all[len(all)-1])
		}
	})
}

// TestRepliesToNobody: a table that was asked for in reply to a member's message answers that once: who wrote it isn't told of each call.
func TestRepliesToNobody(t *testing.T) {
	inCasino(t, func(t *testing.T, x *house, c *casino) {
		ann, bob, group := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en"), x.server.NewGroup("Cards")
		theirs := group.Say(x.server.NewUser("Vika", "en"), "hello")
		asked := group.Write(map[string]any{
			"from": map[string]any{"id": ann.ID, "first_name": "Ann"}, "text": "/zevaka 21a limit=60s", "message_thread_id": theirs,
			"reply_to_message": map[string]any{"message_id": theirs, "chat": map[string]any{"id": group.ID, "type": "supergroup"}},
		}, 0)
		first := x.board(group, "1. Ann")
		x.press(bob, first, "Join")
		x.press(ann, x.board(group, "2. Bob"), "Deal")
		rest(50 * time.Second)
		if called, _ := group.Board(); first.ReplyTo != asked || called.ID == first.ID || called.ReplyTo != 0 {
			t.Errorf("%+v and %+v", first, called)
		}
		c.close()
	})
}

// TestUnmutedUnheard: where the bot may write again, and isn't told, as by the rights of all members, a press brings the table up to date.
// As long as it may not, presses have it tried now and then.
func TestUnmutedUnheard(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method != "editMessageText" {
				return telegramtest.Fault{}
			}
			return telegramtest.Fault{Status: 400, Text: "Bad Request: not enough rights to send text messages to the chat"}
		})
		for range 600 {
			x.send(ann, board, "turn")
			rest(3 * time.Second)
		}
		if n := x.server.Report().Counts["editMessageText"]; n > 62 {
			t.Errorf("%d tries in half an hour", n)
		}
		if n := strings.Count(x.log.String(), "level=WARN"); n != 1 {
			t.Errorf("%d lines of the log for it", n)
		}
		rest(time.Hour)
		x.server.SetFault(nil)
		x.send(ann, board, "turn")
		said := time.Now()
		x.board(c, "level 602")
		if late := time.Since(said); late > 10*time.Second {
			t.Errorf("the board came %v after it could", late)
		}
	})
}

func TestBoardDeleted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		c.Delete(board.ID)
		x.send(ann, board, "turn")
		next := x.board(c, "level 2")
		x.until("the bot to know", func() bool {
			rest(time.Second)
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.stands[placeOf(c.ID)] == refOf(c.ID, next.ID)
		})
		x.send(ann, next, "end")
		x.board(c, "level 3")
		rest(time.Second)
		shown := d.heard.Of(chat.Shown)
		if last := shown[len(shown)-1]; len(shown) != 3 || last.Data != "at 3" || last.On != refOf(c.ID, next.ID) {
			t.Errorf("the bot was told %+v", shown)
		}
	})
}

// TestLostAnswer: a board of which the bot isn't told that it was sent is sent again. The first press on the lost one
// counts, and takes its buttons off; what an ended game's board offers stays.
func TestLostAnswer(t *testing.T) {
	d := newDealer()
	flip := func(in chat.Place) table.Token {
		return table.Token{Table: table.ID{Community: in.Community, Name: "a"}, Do: "flip"}
	}
	d.reply = func(r chat.Request) (chat.Response, bool) {
		what := strings.TrimPrefix(r.Data, flip(r.In).String())
		switch {
		case r.Data == "again":
			p := d.picture(r.In, "next")
			p.Table, p.Edit = "another", d.stands[chat.Place{}]
			return chat.Response{Posts: []chat.Post{p}}, true
		case r.Kind == chat.Press && what != "end":
			what = "flip"
		case r.Kind != chat.Press && r.Kind != chat.Command:
			return chat.Response{}, false
		}
		d.levels[r.In]++
		p := d.picture(r.In, what)
		p.Table, p.Buttons[0][0].Token = flip(r.In).Table.String(), flip(r.In).String()
		if r.Kind == chat.Command {
			return chat.Response{Posts: []chat.Post{p}}, true
		}
		p.Request = r.ID
		return chat.Response{Toast: "you " + what, Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		sent := 0
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method == "sendMessage" {
				sent++
			}
			return telegramtest.Fault{Lost: method == "sendMessage" && sent == 1}
		})
		c.Say(ann, "/zevaka")
		x.until("two boards", func() bool { return len(c.Messages()) == 2 })
		rest(time.Minute)
		lost, board := c.Messages()[0], c.Messages()[1]
		for _, on := range []telegramtest.Message{lost, board, lost} {
			if a := x.send(ann, on, flip(chat.Place{Community: community(c.ID)}).String()); a.Text != "you flip" {
				t.Errorf("the answer is %+v", a)
			}
			rest(time.Minute)
			if all := c.Messages(); len(all) != 2 || len(all[0].Buttons) > 0 || len(all[1].Buttons) != 1 || all[0].Text != lost.Text {
				t.Fatalf("the boards are %+v", all)
			}
		}
		if all := c.Messages(); !strings.Contains(all[1].Text, "level 4") {
			t.Errorf("the board is %+v", all[1])
		}
		x.send(ann, board, "end")
		x.board(c, "end")
		for range 2 {
			x.send(ann, board, "again")
			rest(time.Minute)
		}
		if all := c.Messages(); len(all) != 3 || len(all[1].Buttons) != 1 || len(all[2].Buttons) != 1 {
			t.Errorf("after the next game the boards are %+v", all)
		}
	})
}

// TestTableAnew takes a table to the bottom of the chat: the old message loses its buttons, and a new one bears them.
func TestTableAnew(t *testing.T) {
	d := newDealer()
	d.says("table", func(r chat.Request) []chat.Post {
		p := d.picture(r.In, "anew")
		old := chat.Post{In: r.In, Edit: p.Edit, Message: chat.Message{Text: p.Text}}
		p.Edit = ""
		return []chat.Post{old, p}
	})
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.group()
		c.Say(ann, "/zevaka")
		first := x.board(c, "level 1")
		rest(time.Second) // The bot is told where it stands.
		for range 3 {
			c.Say(ann, "/table")
		}
		x.until("a new board", func() bool { b, _ := c.Board(); return b.ID != first.ID })
		rest(time.Minute)
		boards := 0
		for _, m := range c.Messages() {
			if len(m.Buttons) > 0 {
				boards++
			}
		}
		if next, _ := c.Board(); boards != 1 || d.stands[placeOf(c.ID)] != refOf(c.ID, next.ID) {
			t.Errorf("%d boards have buttons", boards)
		}
	})
}

func TestLimitIsObeyed(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c, other := x.server.NewGroup("Cards"), x.server.NewGroup("Other")
		c.Say(ann, "/zevaka")
		other.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		elsewhere := x.board(other, "level 1")
		till := time.Now().Add(30 * time.Second)
		x.server.SetFault(func(method string, p map[string]string) telegramtest.Fault {
			if method != "editMessageText" || p["chat_id"] != placeKey(c) || time.Now().After(till) {
				return telegramtest.Fault{}
			}
			return telegramtest.Fault{Status: 429, RetryAfter: 30}
		})
		x.send(ann, board, "turn")
		x.send(ann, elsewhere, "turn")
		x.board(other, "level 2")
		if time.Now().After(till) {
			t.Error("the other chat had to wait, too")
		}
		for range 5 {
			x.send(ann, board, "turn")
			rest(time.Second)
		}
		x.board(c, "level 7")
		if n := x.server.Report().Counts["editMessageText"]; n > 4 {
			t.Errorf("%d edits", n)
		}
	})
}

func placeKey(c *telegramtest.Chat) string {
	chat, _, _ := strings.Cut(string(refOf(c.ID, 1)), "/")
	return chat
}

func TestLateAnswer(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		x.start(Options{})
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method == "answerCallbackQuery" {
				return telegramtest.Fault{Delay: 11 * time.Second, Status: 500}
			}
			return telegramtest.Fault{}
		})
		ann.Press(board, "flip")
		rest(time.Minute)
		x.server.SetFault(nil)
		x.end()
		rest(time.Second)
		id := ann.Press(board, "flip") // Nobody is there to answer it, for too long.
		rest(5 * time.Minute)
		x.start(Options{})
		rest(time.Minute)
		if _, ok := x.server.Answer(id); ok || x.server.Report().Unanswered != 1 {
			t.Error("a press of before the pause was answered")
		}
		x.unanswered = 1
	})
}

// TestManyTopics has a chat with tables in many topics shown them all at once, as after a start: none is left out.
func TestManyTopics(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		r := x.start(Options{})
		c := x.server.NewForum("Cards")
		const tables = 2 * maxBoards
		for n := range tables {
			in := placeOf(c.ID)
			in.Thread = int64(n + 1)
			name := fmt.Sprint("table ", n)
			r.Show(t.Context(), chat.Response{Posts: []chat.Post{{
				In: in, Table: name, Level: 1, Message: chat.Message{Text: []chat.Span{{Text: name}}},
			}}})
		}
		x.until("all tables", func() bool { return len(c.Messages()) == tables })
	})
}

// TestMonth: who was best in a month is told in the group, in its language and once, and no name does anything there.
func TestMonth(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Zevaka: the best of December</b>\n🏆 <b>Аня</b> – 6 of 6 won\n2. <b>&lt;b&gt;＠everyone</b> – 0 of 6 won\n🥱 Zevaka of the month – <b>&lt;b&gt;＠everyone</b>, 6 times",
		"ru": "Зевака: лучшие за декабрь</b>\n🏆 <b>Аня</b> — побед 6 из 6\n", "pl": "Zewaka: najlepsi miesiąca (grudzień)</b>\n🏆 <b>Аня</b> – wygrane: 6 z 6\n",
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			_, c := x.group()
			rest(time.Minute)
			place := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: c.ID}, Channel: c.ID}
			posts := chatscript.Month(t, place, lang, "Аня", "<b>@everyone")
			x.run.Show(t.Context(), chat.Response{Posts: posts})
			rest(time.Minute)
			all := c.Messages()
			if len(posts) != 1 || len(all) != 1 {
				t.Fatalf("%d posts, %d messages", len(posts), len(all))
			}
			t.Logf("%s", all[0].HTML)
			if html := all[0].HTML; !strings.Contains(html, want) || strings.Contains(html, "<b>@") {
				t.Errorf("in %s it is told:\n%s", lang, html)
			}
		})
	}
}

// TestPressedMessageKeepsButtons: where a press opens a table and has an older one closed for it, that takes no buttons off the message that was
// pressed: the new table stands there now, or others are to press there, too.
func TestPressedMessageKeepsButtons(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		greets bool
		// opens are what Ann types, and bobs is what Bob does then.
		opens []string
		bobs  string
		// press is of which button Ann presses, and stays one that stands in the message then.
		press, stays string
	}{
		"a patience here":     {opens: []string{"/patience pauk", "/patience pauk", "/patience pauk", "/patience pauk"}, press: "!here", stays: "redeal"},
		"beside lobbies":      {opens: []string{"/zevaka limit=20", "/zevaka limit=60", "/banchok", "/patience pauk"}, press: "!here", stays: "redeal"},
		"the greeting":        {greets: true, opens: []string{"/zevaka limit=20", "/zevaka limit=60", "/zevaka limit=120"}, press: "!begin banchok", stays: "!begin banchok"},
		"what Bob is offered": {opens: []string{"/zevaka limit=20", "/zevaka limit=60", "/zevaka limit=120"}, bobs: "/patience pauk", press: "!here", stays: "!here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &casino{}
			c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
				x.age = time.Hour
				ann, bob := x.server.NewUser("Ann", "en"), x.server.NewUser("Bob", "en")
				group := x.server.NewGroup("Games", bob)
				if test.greets {
					group.Add(bob)
					rest(time.Minute)
				}
				press := func(what string) (pressed int64) {
					for _, m := range slices.Backward(group.Messages()) {
						m.Chat = group.ID
						for _, b := range m.Buttons {
							if strings.Contains(b.Data, what) {
								ann.Press(m, b.Data)
								rest(40 * time.Second)
								return m.ID
							}
						}
					}
					return 0
				}
				var pressed int64
				say := func(u *telegramtest.User, line string) {
					command, rules, _ := strings.Cut(line, " ")
					group.Say(u, command+"@"+telegramtest.Username+" "+rules)
					rest(40 * time.Second)
				}
				for _, line := range test.opens {
					say(ann, line)
					if strings.HasPrefix(line, "/patience") {
						pressed = press(test.press)
					}
				}
				if test.bobs != "" {
					say(bob, test.bobs)
				}
				if pressed == 0 {
					pressed = press(test.press)
				}
				if !slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool {
					return m.ID == pressed && slices.ContainsFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.Data, test.stays) })
				}) {
					t.Errorf("message %d has no button %q: %+v", pressed, test.stays, group.Messages())
				}
				if closed := slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return strings.Contains(m.Text, "opened instead") }); !closed {
					t.Error("no table was closed")
				}
			})
		})
	}
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		_, group := x.group()
		c := x.run.out.chats.get(x.run.out, group.ID)
		c.mu.Lock()
		defer c.mu.Unlock()
		at := refOf(group.ID, 7)
		c.add(&note{in: chat.Place{Channel: group.ID}, edit: at, minor: true})
		c.picture(chat.Post{In: chat.Place{Channel: group.ID}, Table: "t1/b", Level: 1, Edit: at}, 0)
		if len(c.notes) > 0 {
			t.Error("the buttons of a table go that stands in a message from which others were to go")
		}
		c.takeButtons(incoming{Request: chat.Request{On: at}})
		if len(c.notes) > 0 {
			t.Error("the buttons of a table go as those of a question that stood in its message")
		}
		c.notes, c.boards = nil, map[string]*board{}
	})
}

// TestMistakenlyUnchanged: where Telegram says once by mistake that a message shows already what it is to show, it shows it soon after: a table
// that takes the place of a question, its next picture, and a text that takes the place of another.
func TestMistakenlyUnchanged(t *testing.T) {
	t.Parallel()
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age = time.Hour
		ann := x.server.NewUser("Ann", "en")
		group := x.server.NewGroup("Games", ann)
		newest := func() telegramtest.Message {
			all := group.Messages()
			m := all[len(all)-1]
			m.Chat = group.ID
			return m
		}
		var refused atomic.Int64
		mistaken := func(what string, change func()) {
			refused.Store(0)
			x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
				if !strings.HasPrefix(method, "editMessage") || refused.Add(1) > 1 {
					return telegramtest.Fault{}
				}
				return telegramtest.Fault{Status: 400, Text: "Bad Request: message is not modified"}
			})
			before := newest()
			change()
			rest(20 * time.Second)
			if m := newest(); m.ID != before.ID || m.Text == before.Text && m.HTML == before.HTML {
				t.Errorf("%s: there stands still, or elsewhere: %+v", what, m)
			}
			if n := refused.Load(); n != 2 {
				t.Errorf("%s: %d calls", what, n)
			}
		}
		press := func(what string) func() {
			return func() {
				for _, b := range newest().Buttons {
					if strings.Contains(b.Data, what) {
						ann.Press(newest(), b.Data)
						return
					}
				}
				t.Errorf("no button %q in %+v", what, newest())
			}
		}
		ask := func() {
			group.Say(ann, "/patience@"+telegramtest.Username+" pauk")
			rest(40 * time.Second)
		}
		ask()
		mistaken("a table in a question's message", press("!here"))
		mistaken("its next picture", press("redeal"))
		ask()
		mistaken("another text", func() {
			x.run.out.chats.get(x.run.out, group.ID).post(chat.Post{
				In: chat.Place{Community: community(group.ID), Channel: group.ID}, Edit: refOf(group.ID, newest().ID),
				Message: chat.Message{Text: []chat.Span{{Text: "It is over."}}},
			}, 0)
		})
	})
}
