package telegram

import (
	"fmt"
	mrand "math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine/games"
)

// TestTalkerAtTheLiveTable: what somebody has said in the group by the live table comes out of their own share. Who gives chips away there
// without a pause keeps nobody else from an answer.
func TestTalkerAtTheLiveTable(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, mallory, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{mallory, friend} {
			group.Join(u)
			group.Say(u, "/balance")
		}
		group.Say(ann, "/zevaka")
		v := x.enter(mallory, startIn(t, x.board(group, "1. Аня")))
		rest(5 * time.Minute)
		gifts := 0
		give := func() {
			for _, p := range x.asks(v, chat.Command, fmt.Sprintf("/give <@%d> 1", friend.ID)).Posts {
				if r := x.asks(v, chat.Press, p.Buttons[0][0].Token); !r.Alert {
					gifts++
				}
			}
			rest(time.Second)
		}
		for range 60 {
			give()
		}
		asked := time.Now()
		question := group.Say(ann, "/top")
		answered := func() bool {
			return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ReplyTo == question })
		}
		for time.Since(asked) < 5*time.Minute && !answered() {
			give()
		}
		if late := time.Since(asked); late > sentIn {
			t.Errorf("beside %d gifts an answer came after %v, or never", gifts, late)
		}
		if gifts < 60 {
			t.Errorf("only %d gifts were given", gifts)
		}
		c.close()
	})
}

// TestChannelsShare: who writes as several channels, one after the other, keeps nobody from an answer.
func TestChannelsShare(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru")
		group := x.server.NewGroup("Игры")
		group.Say(ann, "/zevaka limit=none")
		x.press(bob, x.board(group, "1. Аня"), "Сесть")
		rest(5 * time.Minute)
		n := 0
		write := func() {
			n++
			group.Write(map[string]any{
				"from": map[string]any{"id": 136817688, "is_bot": true, "first_name": "Channel"}, "text": "/help",
				"sender_chat": map[string]any{"id": -1000000000099 - n%3, "type": "channel", "title": "News"},
			}, 0)
			rest(time.Second)
		}
		for range 60 {
			write()
		}
		answered := 0
		for range 10 {
			asked := time.Now()
			question := group.Say(ann, "/top")
			said := func() bool {
				return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ReplyTo == question })
			}
			for time.Since(asked) < time.Minute && !said() {
				write()
			}
			if said() {
				answered++
			}
		}
		if answered < 9 {
			t.Errorf("%d of 10 are answered in the group", answered)
		}
		c.close()
	})
}

// TestGrantIsSeen: an admin can't hide a grant behind other things that they have said, before it and after it.
func TestGrantIsSeen(t *testing.T) {
	for _, test := range []struct {
		says   string
		before int
		all    int
	}{{"gifts", 0, 100}, {"gifts", 25, 100}, {"gifts", 50, 100}, {"questions where to play", 12, 72}} {
		t.Run(fmt.Sprintf("%s, %d before", test.says, test.before), func(t *testing.T) {
			atLiveTables(t, func(t *testing.T, x *house, c *casino) {
				ann, mallory, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
				group := x.server.NewGroup("Игры", mallory)
				for _, u := range []*telegramtest.User{mallory, friend} {
					group.Join(u)
					group.Say(u, "/balance")
				}
				group.Say(ann, "/zevaka limit=none")
				v := x.enter(mallory, startIn(t, x.board(group, "1. Аня")))
				rest(5 * time.Minute)
				line := map[bool]string{true: fmt.Sprintf("/give <@%d> 1", friend.ID), false: "/patience tecza"}[test.says == "gifts"]
				says := func(n int) {
					for range n {
						for _, p := range x.asks(v, chat.Command, line).Posts {
							x.asks(v, chat.Press, p.Buttons[0][0].Token)
						}
						rest(400 * time.Millisecond)
					}
				}
				says(test.before)
				x.asks(v, chat.Command, fmt.Sprintf("/grant <@%d> 777777", friend.ID))
				says(test.all - test.before)
				rest(time.Hour)
				gifts, seen := 0, false
				for _, m := range group.Messages() {
					gifts += strings.Count(m.Text, "Фишки: 1.")
					seen = seen || strings.Contains(m.Text, "777777")
				}
				if !seen || test.says == "gifts" && gifts != test.all {
					t.Errorf("the grant is seen %v, and %d of %d gifts", seen, gifts, test.all)
				}
				if n := len(group.Messages()); test.says == "gifts" && n > 30 {
					t.Errorf("it takes %d messages", n)
				}
				c.close()
			})
		})
	}
}

// announced reports whether a group has been told of a grant of 50,000 chips.
func announced(group *telegramtest.Chat) bool {
	return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return strings.Contains(m.Text, "from the house: 50000") })
}

// TestGrantOutlivesRemoval: nor can they by muting the bot, and removing it or making a supergroup of the group before it may write again.
func TestGrantOutlivesRemoval(t *testing.T) {
	back := func(group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
		rest(10 * time.Second)
		group.Mute(false)
		group.Add(boss)
		return group
	}
	for _, test := range []struct {
		how  string
		hide func(*house, *telegramtest.Chat, *telegramtest.User) *telegramtest.Chat
	}{
		{"removed", func(_ *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			group.Kick(true)
			return back(group, boss)
		}},
		{"removed, and not told", func(_ *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			group.Kick(false)
			rest(20 * time.Minute)
			return back(group, boss)
		}},
		{"restricted", func(_ *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			group.Restrict(true)
			return back(group, boss)
		}},
		{"upgraded", func(_ *house, group *telegramtest.Chat, _ *telegramtest.User) *telegramtest.Chat {
			return group.Upgrade(true)
		}},
		{"upgraded, and removed there", func(_ *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			next := group.Upgrade(true)
			next.Mute(true)
			rest(10 * time.Second)
			next.Kick(true)
			return back(next, boss)
		}},
		{"added by whom nobody sees", func(_ *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			group.Kick(true)
			unseen := *boss
			unseen.ID = anonymousAdmin
			return back(group, &unseen)
		}},
		{"upgraded unseen, and told later", func(x *house, group *telegramtest.Chat, boss *telegramtest.User) *telegramtest.Chat {
			group.Kick(true)
			next := back(group.Upgrade(false), boss)
			rest(time.Minute)
			x.run.out.moved(group.ID, next.ID)
			return next
		}},
	} {
		c := &casino{}
		c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
			boss := x.server.NewUser("Boss", "en")
			group := x.server.NewGroup("Cards", boss)
			group.Say(boss, "/balance")
			rest(time.Minute)
			group.Mute(true)
			rest(time.Minute)
			group.Say(boss, "/grant Boss 50000")
			rest(30 * time.Second)
			group = test.hide(x, group, boss)
			rest(2 * time.Minute)
			group.Say(boss, "/balance")
			rest(5 * time.Minute)
			if !announced(group) {
				t.Errorf("%s, the group reads %+v", test.how, group.Messages())
			}
			c.close()
		})
	}
}

// TestGrantAmongLines: a grant isn't crowded out by what else all are told.
func TestGrantAmongLines(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		boss := x.server.NewUser("Boss", "en")
		group := x.server.NewGroup("Cards", boss)
		group.Say(boss, "/balance")
		rest(2 * time.Minute)
		for i := range 100 {
			if group.Say(boss, fmt.Sprint("/day post ", i%22)); i == 40 {
				group.Say(boss, "/grant Boss 50000")
			}
			rest(250 * time.Millisecond)
		}
		rest(30 * time.Minute)
		if !announced(group) {
			t.Errorf("the group reads %+v", group.Messages())
		}
		c.close()
	})
}

// TestWaitingNotes: what waits for a chat goes along with what the same person has said there before, if both are mere text, and what lasts is kept
// for as long. Of too many notes one goes of whoever has most, what only tidies up first and mere text last; of too many that last the oldest.
func TestWaitingNotes(t *testing.T) {
	t.Parallel()
	text := func(who int64, text string) *note { return &note{who: who, content: rendering{html: text}} }
	in := func(n *note, thread int64) *note { n.in.Thread = thread; return n }
	answer := func(n *note) *note { n.replyTo = 1; return n }
	tried := func(n *note) *note { n.tries = 1; return n }
	lasts := func(n *note) *note { n.lasting = true; return n }
	minor := func(n *note) *note { n.minor = true; return n }
	button := func(n *note) *note { n.content.keyboard = "[]"; return n }
	long := strings.Repeat("x", maxText)
	many := func(n int, one func() *note) (all []*note) {
		for range n {
			all = append(all, one())
		}
		return all
	}
	full := many(maxLasting, func() *note { return lasts(text(1, long)) })
	answers := func(n int, who int64) []*note {
		return many(n, func() *note { return answer(text(who, fmt.Sprint("of ", who))) })
	}
	var topics []*note
	for n := range int64(maxNotes + 1) {
		topics = append(topics, in(text(1, "of 1"), n))
	}
	for _, test := range []struct {
		what        string
		notes, then []*note
		want        string
		more        int
	}{
		{"one person's", nil, []*note{text(1, "a"), text(1, "b")}, "a+b", 0},
		{"behind another's", nil, []*note{text(1, "a"), text(2, "b"), text(1, "c")}, "a+c b", 0},
		{"nobody's", nil, []*note{text(0, "a"), text(0, "b")}, "a b", 0},
		{"in two topics", nil, []*note{in(text(1, "a"), 5), text(1, "b"), in(text(1, "c"), 5)}, "a+c b", 0},
		{"an answer", nil, []*note{text(1, "a"), answer(text(1, "b"))}, "a b", 0},
		{"a question", nil, []*note{text(1, "a"), button(text(1, "b"))}, "a b", 0},
		{"what lasts", nil, []*note{text(1, "a"), answer(lasts(text(1, "b"))), text(1, "c")}, "a+b+c!", 0},
		{"what was tried", nil, []*note{tried(text(1, "a")), text(1, "b")}, "a b", 0},
		{"what was tried, and lasts", nil, []*note{tried(lasts(text(1, "a"))), text(1, "b")}, "a+b!", 0},
		{"too long", nil, []*note{text(1, long[:maxText-1]), text(1, "b"), text(1, "c")}, long[:maxText-1] + " b+c", 0},
		{"as long as can be", nil, []*note{text(1, long[:maxText-2]), text(1, "b")}, long[:maxText-2] + "+b", 0},
		{"the oldest goes", answers(maxNotes-1, 0), []*note{answer(text(1, "a")), answer(text(1, "b"))}, "a b", maxNotes - 2},
		{"of who has most", answers(maxNotes-2, 2), []*note{answer(text(1, "a")), answer(text(1, "b")), answer(text(3, "c"))}, "a b c", maxNotes - 3},
		{"of another who has most", nil, append([]*note{answer(text(1, "a"))}, answers(maxNotes, 2)...), "a", maxNotes - 1},
		{"though another's tidies up", answers(maxNotes-1, 1), []*note{minor(text(2, "a")), answer(text(1, "b"))}, "a b", maxNotes - 2},
		{"what tidies up first", answers(maxNotes-1, 1), []*note{minor(text(1, "a")), answer(text(1, "b"))}, "b", maxNotes - 1},
		{"mere text last", nil, slices.Concat([]*note{text(1, "a")}, answers(maxNotes, 1)), "a", maxNotes - 1},
		{"what lasts, though dearer goes", append([]*note{lasts(button(text(1, "a")))}, topics[1:]...), topics[:1], "a!", maxNotes},
		{"what lasts stands apart", full, slices.Concat([]*note{text(2, "a")}, answers(maxNotes-1, 3)), "a", maxLasting + maxNotes - 1},
		{"the oldest that lasts", slices.Concat([]*note{text(2, "a"), lasts(text(3, "b"))}, full[1:]), []*note{lasts(text(1, long)), lasts(text(2, "c"))}, "a+c!", maxLasting},
	} {
		c := &conversation{}
		c.notes = slices.Clone(test.notes)
		for _, n := range test.then {
			c.add(n)
		}
		left, more := []string(nil), 0
		for _, n := range c.notes {
			said := strings.ReplaceAll(n.content.html, "\n", "+")
			if n.lasting && said != long {
				said += "!"
			}
			if said == long || strings.HasPrefix(said, "of ") {
				more++
			} else {
				left = append(left, said)
			}
		}
		if got := strings.Join(left, " "); got != test.want || more != test.more {
			t.Errorf("%s: %.80q and %d more wait, and not %.80q and %d", test.what, got, more, test.want, test.more)
		}
	}
}

// TestGrantOutlivesTopic: grants that were asked for in a topic that is deleted are told beside it.
func TestGrantOutlivesTopic(t *testing.T) {
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		boss, other := x.server.NewUser("Boss", "en"), x.server.NewUser("Other", "en")
		group := x.server.NewForum("Cards", boss, other)
		group.SayIn(5, other, "/balance")
		group.SayIn(5, boss, "/balance")
		rest(time.Minute)
		group.Mute(true)
		rest(time.Minute)
		group.SayIn(5, other, "/grant Boss 40000")
		group.SayIn(5, boss, "/grant Boss 50000")
		rest(30 * time.Second)
		group.CloseTopic(5)
		group.Mute(false)
		for range 20 {
			rest(10 * time.Minute)
			group.SayIn(7, boss, "/balance")
		}
		first := func(m telegramtest.Message) bool { return strings.Contains(m.Text, "from the house: 40000") }
		if !announced(group) || !slices.ContainsFunc(group.Messages(), first) {
			t.Errorf("the group reads %+v", group.Messages())
		}
		c.close()
	})
}

// TestGrantWithoutATopic: where Telegram says of no topic that it is gone, what all have to hear waits as it does where Telegram refuses it
// in words that nobody knows.
func TestGrantWithoutATopic(t *testing.T) {
	for _, said := range []string{"message thread not found", "TOPIC_DELETED"} {
		c := &casino{}
		c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
			boss := x.server.NewUser("Boss", "en")
			group := x.server.NewForum("Cards", boss)
			group.Say(boss, "/balance")
			rest(time.Minute)
			before := len(x.server.Calls("sendMessage"))
			x.server.SetFault(func(method string, _ map[string]string) (wrong telegramtest.Fault) {
				if method == "sendMessage" {
					wrong = telegramtest.Fault{Status: http.StatusBadRequest, Text: "Bad Request: " + said}
				}
				return wrong
			})
			group.Say(boss, "/grant Boss 50000")
			rest(5 * time.Hour)
			tries := len(x.server.Calls("sendMessage")) - before
			x.server.SetFault(nil)
			rest(time.Hour)
			if tries < 20 || tries > 50 || !announced(group) {
				t.Errorf("%s: after %d tries the group reads %+v", said, tries, group.Messages())
			}
			c.close()
		})
	}
}

// TestDealersKeepNobodyWaiting: two who deal at tables of their own and leave them, again and again, have what is promised there in their
// own share, and don't keep others from their game.
func TestDealersKeepNobodyWaiting(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob, mel, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{bob, mel, friend} {
			group.Join(u)
		}
		group.Say(ann, "/zevaka limit=none")
		start := startIn(t, x.board(group, "1. Аня"))
		v := map[*telegramtest.User]door.Visit{}
		for _, u := range []*telegramtest.User{ann, bob, mel, friend} {
			v[u] = x.enter(u, start)
		}
		press := func(u *telegramtest.User, id string, epoch int, do string) chat.Response {
			return x.asks(v[u], chat.Press, fmt.Sprintf("1.%s.%d.%s", strings.Replace(id, "/", ".", 1), epoch, do))
		}
		own := v[ann].Table
		press(bob, own, 0, "!join")
		press(ann, own, 0, "!deal")
		press(ann, own, 1, "!no-cut")
		press(bob, own, 1, "!no-cut")
		rest(5 * time.Minute)
		id, _ := table.ParseID(own)
		cycles := 0
		cycle := func() {
			r := x.asks(v[mel], chat.Press, fmt.Sprintf("1.%s.0.0.!another zevaka", id.Community))
			if r.Opened == "" {
				t.Fatalf("%+v", r)
			}
			press(friend, r.Opened, 0, "!join")
			press(mel, r.Opened, 0, "!deal")
			press(mel, r.Opened, 1, "!leave")
			press(friend, r.Opened, 1, "!leave")
			cycles++
			rest(2 * time.Second)
		}
		for range 30 {
			cycle()
		}
		worst := time.Duration(0)
		rules, _ := games.ByName("zevaka")
		chance := mrand.New(mrand.NewPCG(1, 1))
		for range 10 {
			one, err := bottest.Shelf(c.store).LookAt(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			state, err := table.Replay(t.Context(), c.store, rules, one)
			if err != nil {
				t.Fatal(err)
			}
			seat := state.Turn()[0]
			text := boardOf(group, "Боря")
			for _, u := range []*telegramtest.User{ann, bob} {
				if u.ID == one.Chairs[seat].User {
					press(u, own, one.Epoch(state), rules.Text(state.Auto(seat, 1, chance)))
				}
			}
			at := time.Now()
			for boardOf(group, "Боря") == text && time.Since(at) < 5*time.Minute {
				cycle()
			}
			worst = max(worst, time.Since(at))
		}
		if worst > longWait+10*time.Second {
			t.Errorf("beside %d deals the board was up to %v late", cycles, worst)
		}
		c.close()
	})
}

// boardOf is the text of the board at which somebody sits with Аня.
func boardOf(c *telegramtest.Chat, name string) (text string) {
	for _, m := range c.Messages() {
		if strings.Contains(m.Text, name) && strings.Contains(m.Text, "Аня") && len(m.Buttons) > 0 {
			text = m.Text
		}
	}
	return text
}

// TestAnswerBehindQuestions: who asks at the live table without a pause has nobody else's answer given up.
func TestAnswerBehindQuestions(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob, mallory := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru"), x.server.NewUser("Мэл", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{mallory, bob} {
			group.Join(u)
		}
		group.Say(ann, "/zevaka limit=none")
		x.press(bob, x.board(group, "1. Аня"), "Сесть")
		v := x.enter(mallory, startIn(t, x.board(group, "1. Аня")))
		rest(5 * time.Minute)
		ask := func(n int) {
			for range n {
				x.asks(v, chat.Command, "/patience tecza")
				rest(250 * time.Millisecond)
			}
		}
		ask(40)
		lost := 0
		for range 4 {
			question := group.Say(ann, "/top")
			ask(60)
			rest(2 * time.Minute)
			if !slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool {
				return m.ReplyTo == question && !strings.Contains(m.Text, "Слишком")
			}) {
				lost++
			}
			ask(33)
		}
		if lost > 0 {
			t.Errorf("%d of 4 answers to Ann never came", lost)
		}
		c.close()
	})
}

// TestTwoWhoAsk: two who ask without a pause keep nobody from an answer in the group.
func TestTwoWhoAsk(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob, mel, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{bob, mel, friend} {
			group.Join(u)
		}
		group.Say(ann, "/zevaka limit=none")
		x.press(bob, x.board(group, "1. Аня"), "Сесть")
		x.press(ann, x.board(group, "Боря"), "Сдавать")
		rest(5 * time.Minute)
		lines := []string{"/rules zevaka", "/rules banchok", "/help", "/scores", "/history", "/rules tecza", "/rules pauk", "/rules zaba", "/rules sklep", "/privacy", "/balance", "/fair"}
		n := 0
		ask := func() {
			for _, u := range []*telegramtest.User{mel, friend} {
				n++
				group.Say(u, lines[n%len(lines)])
			}
			rest(time.Second)
		}
		for range 30 {
			ask()
		}
		got := 0
		for range 5 {
			question := group.Say(ann, "/top")
			for range 40 {
				ask()
			}
			for _, m := range group.Messages() {
				if m.ReplyTo == question && !strings.Contains(m.Text, "Слишком") {
					got++
				}
			}
			rest(time.Second)
		}
		if got < 5 {
			t.Errorf("of 5 questions %d are answered in the group", got)
		}
		c.close()
	})
}
