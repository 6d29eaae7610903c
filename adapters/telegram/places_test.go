package telegram

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
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
		c := &casino{}
		bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
			c.house = x
			c.open()
			g := c.seat("21a")
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

// follow waits until the table is shown in the game's new chat, and presses there from now on.
func (g *game) follow() {
	g.t.Helper()
	board := g.board(g.chat, "Зевака")
	g.table = strings.Join(strings.SplitN(board.Buttons[0].Data, ".", 4)[1:3], ".")
}

// TestClock lets time run out at a table at which nobody does anything: players are warned, the table moves for them,
// computers play, and in the end everybody sleeps.
func TestClock(t *testing.T) {
	c := &casino{}
	bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
		c.house = x
		c.open()
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("<Боря>", "ru")
		chat := x.server.NewGroup("Игры", ann)
		chat.Say(ann, "/zevaka limit=15s")
		board := x.board(chat, "1. Аня")
		x.press(bob, board, "Сесть")
		x.press(ann, x.board(chat, "2. <Боря>"), "+ 🤖")
		x.press(ann, x.board(chat, "3. 🤖"), "Сдавать")
		rest(time.Hour)
		warned := 0
		for _, m := range chat.Messages() {
			if strings.Contains(m.HTML, "tg://user?id=") && !m.Silent {
				warned++
			}
		}
		board, _ = chat.Board()
		if warned < 2 || board.Edits < 10 {
			t.Errorf("%d warnings, %d edits\n%s", warned, board.Edits, board.Text)
		}
		edits := board.Edits
		rest(time.Hour)
		if board, _ = chat.Board(); board.Edits != edits {
			t.Errorf("a table that sleeps was drawn %d times", board.Edits-edits)
		}
		c.close()
	})
}

func TestRemoved(t *testing.T) {
	for _, told := range []bool{true, false} {
		d := newDealer()
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.start(Options{})
			ann := x.server.NewUser("Аня", "")
			c := x.server.NewForum("Cards")
			c.SayIn(3, ann, "/zevaka")
			c.SayIn(5, ann, "/zevaka")
			board := x.board(c, "level 1")
			c.Kick(told)
			x.send(ann, board, "turn")
			x.until("the end of it", func() bool { rest(time.Second); return len(d.asked(bot.Gone)) >= 3 })
			threads := map[int64]bool{}
			for _, r := range d.asked(bot.Gone) {
				threads[r.In.Thread] = true
			}
			if !threads[0] || !threads[3] || !threads[5] {
				t.Errorf("what is gone are topics %v", threads)
			}
			rest(time.Minute)
			n := x.server.Report().Counts["sendMessage"] + x.server.Report().Counts["editMessageText"]
			rest(time.Hour)
			if now := x.server.Report().Counts["sendMessage"] + x.server.Report().Counts["editMessageText"]; now > n {
				t.Errorf("%d more messages were sent", now-n)
			}
		})
	}
}

func TestBlocked(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := ann.Private()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		ann.Block()
		x.until("it is gone", func() bool { return len(d.asked(bot.Gone)) == 1 })
		c.Say(ann, "/zevaka")
		x.board(c, "level 2")
	})
}

func TestTopicDeleted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewForum("Cards")
		c.SayIn(3, ann, "/zevaka")
		board := x.board(c, "level 1")
		c.CloseTopic(3)
		c.Delete(board.ID)
		x.send(ann, board, "turn")
		x.until("it is gone", func() bool { return len(d.asked(bot.Gone)) == 1 })
		if in := d.asked(bot.Gone)[0].In; in.Thread != 3 {
			t.Errorf("what is gone is %+v", in)
		}
		c.Say(ann, "/zevaka")
		x.until("a board", func() bool { all := c.Messages(); return len(all) > 0 && all[len(all)-1].Topic == 0 })
	})
}

func TestMuted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
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

func TestBoardDeleted(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
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
		shown := d.asked(bot.Shown)
		if last := shown[len(shown)-1]; len(shown) != 3 || last.Data != "at 3" || last.On != refOf(c.ID, next.ID) {
			t.Errorf("the bot was told %+v", shown)
		}
	})
}

// TestTableAnew takes a table to the bottom of the chat: the old message loses its buttons, and a new one bears them.
func TestTableAnew(t *testing.T) {
	d := newDealer()
	d.reply = func(r bot.Request) (bot.Response, bool) {
		if r.Data != "/table" {
			return bot.Response{}, false
		}
		p := d.picture(r.In, "anew")
		old := bot.Post{In: r.In, Edit: p.Edit, Message: bot.Message{Text: p.Text}}
		p.Edit = ""
		return bot.Response{Posts: []bot.Post{old, p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards")
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

// gated is a bot that handles what is said in one chat only when it is let.
type gated struct {
	*dealer
	chat    int64
	let     chan struct{}
	once    sync.Once
	entered chan struct{}
}

// Handle waits, if it is that chat.
func (g *gated) Handle(ctx context.Context, r bot.Request) bot.Response {
	if r.In.Channel == g.chat && r.Kind == bot.Command {
		g.once.Do(func() { close(g.entered) })
		<-g.let
	}
	return g.dealer.Handle(ctx, r)
}

// TestConfirmed checks that nothing is confirmed before it is durable, nor anything after it; and that nobody else has to
// wait for it.
func TestConfirmed(t *testing.T) {
	g := &gated{dealer: newDealer(), let: make(chan struct{})}
	bubble(t, g, telegramtest.Options{}, func(t *testing.T, x *house) {
		g.let, g.entered = make(chan struct{}), make(chan struct{})
		ann := x.server.NewUser("Аня", "")
		slow, quick := x.server.NewGroup("Slow"), x.server.NewGroup("Quick")
		g.chat = slow.ID
		x.start(Options{})
		slow.Say(ann, "/zevaka")
		<-g.entered
		slow.Say(ann, "/second")
		for i := range 120 { // More than one poll brings.
			quick.Say(ann, "/zevaka")
			if i%30 == 0 {
				rest(2 * time.Second)
			}
		}
		rest(time.Minute)
		if n := x.server.Waiting(); n != 122 {
			t.Errorf("%d updates wait, of 122", n)
		}
		before := len(g.asked(bot.Command))
		if before < 48 {
			t.Errorf("only %d others were handled", before)
		}
		close(g.let)
		x.until("all to be confirmed", func() bool { return x.server.Waiting() == 0 })
		var slowly []string
		for _, r := range g.asked(bot.Command) {
			if r.In.Channel == slow.ID {
				slowly = append(slowly, r.Data)
			}
		}
		if n := len(g.asked(bot.Command)); n != 122 || strings.Join(slowly, "") != "/zevaka/second" {
			t.Errorf("%d commands were handled, in the slow chat %v", n, slowly)
		}
	})
}
