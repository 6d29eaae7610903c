package discord

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/storage/mem"
)

// What Discord allows in a channel.
const (
	fairWindow = 5 * time.Second
	fairBurst  = 5
)

// watched is a board that changes again and again by nobody's press, as the clock has it, and how late its pictures are seen.
type watched struct {
	*house
	// level is its newest picture, since are when those were due that aren't seen yet, and worst is how late one was seen.
	level int
	since []time.Time
	worst time.Duration
}

// enterFair is a house behind the gate, on a Discord that allows no more than the real one.
func enterFair(t *testing.T) *watched {
	h := build(t, mem.New(), fake(t, discordtest.Options{Window: fairWindow, Burst: fairBurst}))
	h.dealer.bot = h.lone()
	h.serve(pace.NewGate(h.dealer, pace.Rates{User: 5, Community: 60}, h.words, nil), h.dealer.bot.Commands)
	h.connected()
	return &watched{house: h}
}

// draw has a table's next picture shown.
func (w *watched) draw(table string, level int) {
	text := []chat.Span{{Text: fmt.Sprint(table, " ", level)}}
	w.Show(w.t.Context(), chat.Response{Posts: []chat.Post{{In: here, Table: table, Level: uint64(level), Message: chat.Message{Text: text}}}})
}

// play lets a minute go by, in which the board changes each two seconds, and others do something each step.
func (w *watched) play(step time.Duration, others func()) {
	next := time.Now()
	for end := next.Add(time.Minute); time.Now().Before(end); time.Sleep(step) {
		if !time.Now().Before(next) {
			w.level++
			w.since = append(w.since, time.Now())
			w.draw("d1/watched", w.level)
			next = next.Add(2 * time.Second)
		}
		others()
		synctest.Wait()
		w.look()
	}
}

// look notes which pictures are seen by now.
func (w *watched) look() {
	shown := 0
	for _, m := range w.server.Messages(discordtest.Channel, "") {
		_, _ = fmt.Sscanf(m.Content, "d1/watched %d", &shown)
	}
	for n := w.level - len(w.since); n < shown; n++ {
		w.worst = max(w.worst, time.Since(w.since[0]))
		w.since = w.since[1:]
	}
}

// TestBoardsAreNotLate has people press and type whatever answers, at all rates: the board of a table comes as if nobody did.
func TestBoardsAreNotLate(t *testing.T) {
	t.Parallel()
	lines := []string{
		"zevaka", "table", "rules", "top", "help", "balance", "leave", "stop", "settings", "history", "patience", "lang", "day", "mydata", "again",
		"!Правила", "!Проверить", "!Сесть", "!Встать", "!⚙ Настройки", "!🎓 Урок", "!+ 🤖",
	}
	// Commands at a table change its board by no answer, and so take their part of what the channel allows.
	most := map[string]time.Duration{"everything": fairWindow}
	for name, lines := range map[string][]string{"everything": lines, "the table again and again": {"table"}, "rules": {"!📖 Правила"}} {
		for _, people := range []int{1, 5, 50} {
			for _, apart := range []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second} {
				t.Run(fmt.Sprintf("%s by %d, %v apart", name, people, apart), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						w := enterFair(t)
						w.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
						n, next := 0, time.Now()
						w.play(min(apart, time.Second), func() {
							if time.Now().Before(next) {
								return
							}
							who := discordtest.User{ID: fmt.Sprint(500 + n%people), Name: "p", Locale: "ru"}
							line := lines[n/people%len(lines)]
							n, next = n+1, next.Add(apart)
							label, isButton := strings.CutPrefix(line, "!")
							if !isButton {
								w.server.Command(who, discordtest.Channel, line, nil)
								return
							}
							m := w.board(discordtest.Channel)
							if b, ok := m.Button(label); ok {
								w.server.Press(who, m.ID, b.CustomID)
							}
						})
						if w.worst > most[name] || len(w.since) > 1+int(most[name]/(2*time.Second)) {
							t.Errorf("the board is up to %v late, and %d pictures aren't seen", w.worst, len(w.since))
						}
						if calls := w.quietly().Calls; calls["limited"] > 0 {
							t.Errorf("Discord refuses what is too fast: %v", calls)
						}
					})
				})
			}
		}
	}
}

// settled forgets how late pictures were as long as nobody knew what Discord allows: first ones wait in their calls, and older ones become
// seen.
func (w *watched) settled() { w.worst = 0 }

// TestBoardsShare has other tables of the channel change with each press at a live table, which no answer takes along: the board waits for
// its part of what Discord allows, and no longer.
func TestBoardsShare(t *testing.T) {
	t.Parallel()
	for _, others := range []int{0, 1, 2, 4, 20} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := enterFair(t)
				n := 0
				for range 2 {
					w.settled()
					w.play(100*time.Millisecond, func() {
						n++
						for other := range others {
							w.draw(fmt.Sprint("d1/other", other), n)
						}
					})
				}
				most := time.Duration((others+fairBurst)/fairBurst) * fairWindow
				if others == 0 {
					most = 0
				}
				if w.worst > most || len(w.since) > 1+int(most/(2*time.Second)) {
					t.Errorf("the board is up to %v late, and %d pictures aren't seen", w.worst, len(w.since))
				}
				w.quietly()
			})
		})
	}
}

// TestMovedTableIsPlayed has one person ask for a table again and again, while others press there: each press is answered at once by the
// new board, however many older ones are to lose their buttons.
func TestMovedTableIsPlayed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		w.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
		n, labels := 0, []string{"Сесть", "Встать"}
		w.play(250*time.Millisecond, func() {
			n++
			w.server.Command(vika, discordtest.Channel, "table", nil)
			if n%8 > 0 {
				return
			}
			w.settle()
			m := w.board(discordtest.Channel)
			b, _ := m.Button(labels[(n/8+1)%2])
			at := time.Now()
			if answer := w.server.Press(bob, m.ID, b.CustomID).Answer(); answer != answerUpdate || time.Since(at) > 0 {
				t.Errorf("press %d is answered with %d after %v", n/8, answer, time.Since(at))
			}
		})
		w.quietly()
	})
}

// TestGiverKeepsNobodyWaiting: who gives chips away without a pause has what is said of it wait, and no table: a deal comes as soon as the
// channel takes it.
func TestGiverKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		for _, u := range []discordtest.User{vika, bob, ann} {
			w.server.Command(u, discordtest.Channel, "balance", nil).Answer()
		}
		given := 0
		give := func(d time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
				i := w.server.Command(vika, discordtest.Channel, "give", map[string]any{"who": bob, "amount": 1})
				if m, ok := i.Message(); ok && len(m.Rows) > 0 {
					w.server.Press(vika, m.ID, m.Rows[0][0].CustomID).Answer()
					given++
				}
			}
		}
		give(2 * time.Minute)
		w.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
		give(2 * time.Second)
		w.press(bob, "Сесть")
		w.press(ann, "Сдавать")
		dealt := func() bool {
			return strings.Contains(w.board(discordtest.Channel).Content, "снимите колоду")
		}
		pressed := time.Now()
		for time.Since(pressed) < 10*time.Minute && !dealt() {
			give(time.Second)
		}
		if late := time.Since(pressed); late > 2*fairWindow || given < 200 {
			t.Errorf("beside %d gifts the deal came after %v", given, late)
		}
	})
}

// TestToldApart: who has themselves written to in private again and again keeps nobody else waiting who is told something there.
func TestToldApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		const vikas, bobs = "900", "901"
		w.server.Chat(vikas, vika)
		w.server.Chat(bobs, bob)
		choose := func(u discordtest.User) {
			m, _ := w.server.Command(u, discordtest.Channel, "settings", map[string]any{"what": "me"}).Message()
			for _, row := range m.Rows {
				for _, b := range row {
					if place, _, ok := strings.Cut(b.CustomID, "!own notice"); ok {
						w.server.Press(u, m.ID, place+"!own notice private").Answer()
						return
					}
				}
			}
			t.Fatalf("nothing can be chosen: %+v", m)
		}
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
			choose(vika)
		}
		asked := time.Now()
		choose(bob)
		for len(w.server.Messages(bobs, "")) == 0 && time.Since(asked) < 10*time.Minute {
			choose(vika)
			time.Sleep(time.Second)
		}
		if late := time.Since(asked); late > time.Second {
			t.Errorf("beside %d messages to somebody else one came after %v", len(w.server.Messages(vikas, "")), late)
		}
	})
}

// TestSaidInFewMessages: who gives chips away without a pause has all of it said, a grant among it too, in few messages; and nobody else's
// waits for long.
func TestSaidInFewMessages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		boss := vika
		boss.Rights = 1 << 3
		for _, u := range []discordtest.User{boss, bob, ann} {
			w.server.Command(u, discordtest.Channel, "balance", nil).Answer()
		}
		given := 0
		give := func(u, to discordtest.User) {
			i := w.server.Command(u, discordtest.Channel, "give", map[string]any{"who": to, "amount": 1})
			if m, ok := i.Message(); ok && len(m.Rows) > 0 {
				w.server.Press(u, m.ID, m.Rows[0][0].CustomID).Answer()
				given++
			}
		}
		said := func() string {
			var all strings.Builder
			for _, m := range w.server.Messages(discordtest.Channel, "") {
				fmt.Fprintln(&all, m.Content)
			}
			return all.String()
		}
		for n := range 240 {
			give(boss, bob)
			if n == 100 {
				w.server.Command(boss, discordtest.Channel, "grant", map[string]any{"who": bob, "amount": 777777})
			}
			time.Sleep(500 * time.Millisecond)
		}
		asked := time.Now()
		give(ann, boss)
		for time.Since(asked) < time.Minute && !strings.Contains(said(), "Аня") {
			give(boss, bob)
			time.Sleep(500 * time.Millisecond)
		}
		if late := time.Since(asked); late > 3*fairWindow {
			t.Errorf("what somebody else says comes after %v", late)
		}
		time.Sleep(time.Minute)
		if n := strings.Count(said(), "Фишки\\: 1."); n != given || !strings.Contains(said(), "777777") {
			t.Errorf("of %d gifts %d are said, and the grant %v", given, n, strings.Contains(said(), "777777"))
		}
		if n := len(w.server.Messages(discordtest.Channel, "")); n > 200 {
			t.Errorf("it takes %d messages", n)
		}
	})
}

// TestNewTablesShare has new tables appear in the channel again and again, by no answer: the board waits for its part of what Discord
// allows among those that have changed lately, and no longer.
func TestNewTablesShare(t *testing.T) {
	t.Parallel()
	for _, apart := range []time.Duration{5 * time.Second, time.Second, 500 * time.Millisecond, 250 * time.Millisecond} {
		t.Run(fmt.Sprint(apart), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := enterFair(t)
				n, next := 0, time.Now()
				for minute := range 4 {
					if minute == 1 {
						w.settled()
					}
					w.play(50*time.Millisecond, func() {
						if time.Now().Before(next) {
							return
						}
						next = next.Add(apart)
						n++
						w.draw(fmt.Sprint("d1/new", n), 1)
						for back := range 6 {
							w.draw(fmt.Sprint("d1/new", n-4-back), 2+n)
						}
					})
				}
				tables := 7 + int(2*fairWindow/apart) // Those that have changed lately. For some is kept in a window what they don't want any more.
				if most := time.Duration((tables+fairBurst)/fairBurst+1) * fairWindow; w.worst > most || len(w.since) > 1+int(most/(2*time.Second)) {
					t.Errorf("the board is up to %v late, and %d pictures aren't seen", w.worst, len(w.since))
				}
				w.quietly()
			})
		})
	}
}

// TestAskerKeepsNobodyWaiting: who asks for what everybody reads without a pause has their own answers wait: somebody else's comes when it
// would have come without them.
func TestAskerKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	for name, delay := range map[string]time.Duration{"near": 50 * time.Millisecond, "usual": 250 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := enterFair(t)
				mallory, friend := vika, bob
				for _, u := range []discordtest.User{mallory, friend, ann} {
					w.server.Command(u, discordtest.Channel, "balance", nil).Answer()
				}
				w.server.SetFaults(discordtest.Faults{Slow: 1, Delay: delay})
				flood := func(d time.Duration) {
					for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
						w.server.Command(mallory, discordtest.Channel, "top", nil)
						w.server.Command(friend, discordtest.Channel, "top", nil)
					}
				}
				flood(3 * time.Minute)
				asked := time.Now()
				i := w.server.Command(ann, discordtest.Channel, "top", nil)
				said := false
				for time.Since(asked) < 10*time.Minute && !said {
					flood(time.Second)
					select {
					case <-i.Answered:
						said = i.Answer() == int(discordgo.InteractionResponseChannelMessageWithSource) || i.Calls() > 1
					default:
					}
				}
				if late := time.Since(asked); late > 5*time.Second {
					t.Errorf("with %v for each call the answer comes after %v, or never", delay, late)
				}
			})
		})
	}
}

// TestRefusedCallsAreFew: whoever has the bot in channels where it may not write, and asks it for something there without a pause, has it make
// few calls that are refused: none, where Discord tells with each command what the bot may do.
func TestRefusedCallsAreFew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		channels int
		rights   int64
		told     bool
		most     int
	}{{10, -1, false, 50}, {60, 0, true, 0}, {60, discordgo.PermissionViewChannel, true, 0}, {60, discordgo.PermissionSendMessages, true, 0}} {
		synctest.Test(t, func(t *testing.T) {
			w := enterFair(t)
			for n := range c.channels {
				id := fmt.Sprint(700000000000001000 + n)
				w.server.Place(id, discordtest.Guild, 0)
				w.server.Allow(id, c.rights)
			}
			if !c.told {
				w.server.SetFaults(discordtest.Faults{Only: "post edit delete", Refused: 1, Status: http.StatusForbidden, Code: codeNoAccess})
			}
			ask := func(n int, command string) {
				who := discordtest.User{ID: fmt.Sprint(600 + n%12), Name: "p", Locale: "ru"}
				w.server.Command(who, fmt.Sprint(700000000000001000+n%c.channels), command, nil)
			}
			for n := range c.channels {
				ask(n, "zevaka")
				time.Sleep(50 * time.Millisecond)
			}
			n := 0
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
				for range 4 {
					ask(n, "table")
					n++
				}
			}
			time.Sleep(time.Minute)
			made := w.server.Record().Calls["forbidden"]
			if !c.told {
				made = w.server.Record().Faults
			}
			if made > c.most {
				t.Errorf("with rights %d, told %v, %d calls are refused of what %d requests ask for", c.rights, c.told, made, n)
			}
		})
	}
}

// TestAfterAnOutage: a board that couldn't be sent while Discord answered nothing stands within a minute of its end, though nobody presses anything.
func TestAfterAnOutage(t *testing.T) {
	t.Parallel()
	for _, lasts := range []time.Duration{70 * time.Second, 6 * time.Minute, 20 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			w := enterFair(t)
			w.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
			time.Sleep(time.Second)
			board := w.server.Messages(discordtest.Channel, "")[0]
			at := slices.IndexFunc(board.Buttons(), func(b discordtest.Button) bool { return strings.HasSuffix(b.CustomID, "!join") })
			w.server.SetFaults(discordtest.Faults{Broken: 1})
			w.server.Press(bob, board.ID, board.Buttons()[at].CustomID)
			time.Sleep(lasts)
			w.server.SetFaults(discordtest.Faults{})
			time.Sleep(time.Minute + 10*time.Second)
			if now := w.server.Messages(discordtest.Channel, "")[0]; !strings.Contains(now.Content, "Боря") {
				t.Errorf("a minute after %v the board is still\n%s", lasts, now.Content)
			}
		})
	}
}

// TestClosedChatIsTriedSeldom: who has blocked the bot, and chooses again and again to be told in private, has it make few calls that are
// refused; and is told there once they let the bot write.
func TestClosedChatIsTriedSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		w.server.Chat("900", ann)
		w.server.Allow("900", 0)
		m, _ := w.server.Command(ann, discordtest.Channel, "settings", map[string]any{"what": "me"}).Message()
		at := slices.IndexFunc(m.Buttons(), func(b discordtest.Button) bool { return strings.HasSuffix(b.CustomID, "!own notice private") })
		choose := func() { w.server.Press(ann, m.ID, m.Buttons()[at].CustomID).Answer() }
		for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
			choose()
		}
		if calls := w.server.Record().Calls; calls["forbidden"] > 10 {
			t.Errorf("in ten minutes %d calls are refused", calls["forbidden"])
		}
		w.server.Allow("900", -1)
		time.Sleep(longBar)
		choose()
		time.Sleep(time.Second)
		if len(w.server.Messages("900", "")) != 1 {
			t.Error("nothing is told where the bot may write again")
		}
	})
}

// TestLockedThreadIsTriedSeldom: who asks for something again and again in a thread that is locked has few calls refused; and once it is open
// all comes at once.
func TestLockedThreadIsTriedSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		const thread = "720"
		w.server.Thread(thread, discordtest.Channel)
		w.server.Command(ann, thread, "zevaka", nil).Answer()
		w.server.Archive(thread, true)
		for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(4 * time.Second) {
			w.server.Command(ann, thread, "patience", map[string]any{"what": "tecza"})
		}
		if calls := w.server.Record().Calls; calls["forbidden"] > 20 {
			t.Errorf("in ten minutes %d calls are refused: %v", calls["forbidden"], calls)
		}
		w.server.Open(thread)
		time.Sleep(time.Second)
		before := len(w.server.Messages(thread, ""))
		w.server.Command(ann, thread, "zevaka", nil).Answer()
		time.Sleep(time.Second)
		if len(w.server.Messages(thread, "")) == before {
			t.Error("nothing comes once it is open")
		}
	})
}

// TestChangedThreadIsTriedSeldom: who changes a thread again and again in which the bot may not write has few calls refused; and once it may
// all comes.
func TestChangedThreadIsTriedSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		const thread, tables = "720", 3
		w.server.Thread(thread, discordtest.Channel)
		w.server.Allow(thread, discordgo.PermissionViewChannel)
		in := here
		in.Channel = number(thread)
		for n := range tables {
			text := []chat.Span{{Text: fmt.Sprint("table ", n)}}
			w.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: fmt.Sprint("d1/", n), Level: 1, Message: chat.Message{Text: text}}}})
		}
		for end := time.Now().Add(2 * longBar); time.Now().Before(end); time.Sleep(2 * time.Second) {
			w.server.Open(thread)
		}
		if calls := w.server.Record().Calls; calls["forbidden"] > 2*(maxRefused+tables) {
			t.Errorf("in ten minutes %d calls are refused", calls["forbidden"])
		}
		w.server.Allow(thread, -1)
		time.Sleep(longBar)
		w.server.Open(thread)
		time.Sleep(time.Second)
		if shown := len(w.server.Messages(thread, "")); shown != tables {
			t.Errorf("%d tables are shown once the bot may write", shown)
		}
	})
}

// TestChangedThreadComesBack: where a thread was changed again and again its tables are shown once calls are made there again, whether or not
// anybody does something there.
func TestChangedThreadComesBack(t *testing.T) {
	t.Parallel()
	for _, changes := range []int{0, 1, 10, 30, 100} {
		synctest.Test(t, func(t *testing.T) {
			w := enterFair(t)
			const thread, tables = "720", 3
			w.server.Thread(thread, discordtest.Channel)
			w.server.Archive(thread, true)
			in := here
			in.Channel = number(thread)
			for n := range tables {
				text := []chat.Span{{Text: fmt.Sprint("table ", n)}}
				w.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: fmt.Sprint("d1/", n), Level: 1, Message: chat.Message{Text: text}}}})
			}
			for range changes {
				time.Sleep(2 * time.Second)
				w.server.Open(thread)
				w.server.Archive(thread, true)
			}
			w.server.Open(thread)
			time.Sleep(longBar + time.Minute)
			if shown := len(w.server.Messages(thread, "")); shown != tables {
				t.Errorf("after %d changes %d tables are shown", changes, shown)
			}
		})
	}
}

// TestWhoseRights: only what Discord says of the bot's own rights in a server's channel is believed to be so.
func TestWhoseRights(t *testing.T) {
	const told = `{"id":"1","token":"t","channel_id":"707","guild_id":"800","context":0,"type":2,"data":{"name":"top"},"user":{"id":"101"}`
	for also, barred := range map[string]bool{
		`,"app_permissions":"0","authorizing_integration_owners":{"0":"800"}}`:              true,
		`,"app_permissions":"1024","authorizing_integration_owners":{"0":"800","1":"101"}}`: true,
		`,"app_permissions":"3072","authorizing_integration_owners":{"0":"800"}}`:           false,
		`,"app_permissions":"8","authorizing_integration_owners":{"0":"800"}}`:              false,
		`,"app_permissions":"64","authorizing_integration_owners":{"1":"101"}}`:             false,
		`,"authorizing_integration_owners":{"0":"800"}}`:                                    false,
	} {
		a := New(silent{}, Options{Log: slog.New(slog.DiscardHandler), Commands: func(string) []bot.CommandInfo { return nil }})
		var i discordgo.Interaction
		if err := json.Unmarshal([]byte(told+also), &i); err != nil {
			t.Fatal(err)
		}
		d, ok := a.read(arrival{Interaction: &i, raw: []byte(told + also), at: time.Now()})
		if !ok || strings.Contains(also, `{"1":`) && d.ans.rights != 0 {
			t.Fatalf("%s is read as %+v", also, d)
		}
		if err := a.rest.bars.before(call{route: routePost, major: "707"}, time.Now()); (err != nil) != barred {
			t.Errorf("after %s a message is refused by %v", also, err)
		}
		a.rest.bars.lift("707")
		if err := a.rest.bars.before(call{route: routePost, major: "707"}, time.Now()); err != nil {
			t.Errorf("after %s, and a change of the channel, a message is refused by %v", also, err)
		}
	}
}

// TestOneHour tells many channels at one hour of what nobody has asked for, in a process that has a third of what Discord lets through, while pictures are
// shown in another: those stay quick, and each channel is told.
func TestOneHour(t *testing.T) {
	t.Parallel()
	const channels, boards = 500, 3
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.serve(herald{true, false}, h.lone().Commands)
		h.connected()
		h.rest.limits.rate = func() float64 { return globalRate / 3 }
		show := func(channel int, p chat.Post) {
			h.server.Place(strconv.Itoa(channel), discordtest.Guild, 0)
			p.In = chat.Place{Community: home(), Channel: int64(channel)}
			h.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
		}
		said := func(channel int) string {
			for _, m := range h.server.Messages(strconv.Itoa(channel), "") {
				return m.Content
			}
			return ""
		}
		var worst time.Duration
		level, given := [boards]int{}, [boards]time.Time{}
		for n, tick := 0, 0; tick < 900; tick++ {
			for range 4 {
				if n < channels {
					show(10_000+n, chat.Post{Receipt: "day 7", Message: chat.Message{Text: []chat.Span{{Text: "the patience of the day"}}}})
					n++
				}
			}
			for i := range boards {
				stands := said(700+i) == fmt.Sprint("level ", level[i])
				if !stands && level[i] > 0 {
					worst = max(worst, time.Since(given[i]))
				}
				if level[i] == 0 || stands && time.Since(given[i]) > 2*time.Second {
					level[i]++
					given[i] = time.Now()
					show(700+i, chat.Post{Table: fmt.Sprint("d1/", i), Level: uint64(level[i]), Message: chat.Message{Text: []chat.Span{{Text: fmt.Sprint("level ", level[i])}}}})
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
		if worst > time.Second {
			t.Errorf("a picture comes after %v", worst)
		}
		for n := range channels {
			if said(10_000+n) == "" {
				t.Fatalf("channel %d is told nothing", n)
			}
		}
		h.end()
	})
}
