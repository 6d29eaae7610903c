package telegram

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/picture"
)

// TestSlowMode: in a group's slow mode the messages that have to wait keep no table from being changed where it stands. One comes when it
// may, and all come soon after the mode has ended.
func TestSlowMode(t *testing.T) {
	for name, ends := range map[string]bool{"goes on": false, "ends": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, secrets(), telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c, board := x.table()
				c.Slow(time.Hour)
				rest(time.Minute)
				c.Say(ann, "/zevaka")
				x.send(x.server.NewUser("Bob", "en"), board, "long")
				rest(10 * time.Second)
				for range 5 {
					x.send(ann, board, "turn")
					rest(10 * time.Second)
				}
				if m := c.Messages(); len(m) != 1 || m[0].ID != board.ID || !strings.Contains(m[0].Text, "level 7") {
					t.Errorf("a minute later there are %+v", m)
				}
				rest(30 * time.Minute)
				late, want := 30*time.Minute, 1
				if ends {
					c.Slow(0)
					late, want = longSlow, 2
				}
				rest(late)
				answers := 0 // To Ann. Bob's press may have been answered by a link, or he is called to one.
				for _, m := range c.Messages() {
					if strings.Contains(m.Text, "you /zevaka") {
						answers++
					}
				}
				if answers != want {
					t.Errorf("at last there are %d answers", answers)
				}
				if n := x.server.Report().Counts["sendMessage"]; n > 15 {
					t.Errorf("%d tries", n)
				}
			})
		})
	}
}

// TestFailsAlone: a table whose message can't be changed, as Telegram's servers fail at it, keeps no other one waiting.
func TestFailsAlone(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		_, c := x.group()
		show := func(table string, level int) {
			message := chat.Message{Text: []chat.Span{{Text: fmt.Sprint(table, " ", level)}}, Buttons: [][]chat.Button{{{Label: "Flip", Token: fmt.Sprint(level)}}}}
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: placeOf(c.ID), Table: table, Level: uint64(level), Shared: true, Message: message}}})
		}
		for _, table := range []string{"t-5/one", "t-5/two"} {
			show(table, 1)
			rest(time.Minute)
		}
		broken := c.Messages()[0]
		x.server.SetFault(func(_ string, params map[string]string) (f telegramtest.Fault) {
			if params["message_id"] == fmt.Sprint(broken.ID) {
				f.Status = http.StatusInternalServerError
			}
			return f
		})
		show("t-5/one", 2)
		for level := 2; level < 60; level++ {
			show("t-5/two", level)
			time.Sleep(8 * time.Second)
			if now := c.Messages()[1].Text; now != fmt.Sprint("t-5/two ", level) {
				t.Errorf("eight seconds after its change to %d it is %q", level, now)
			}
		}
		x.server.SetFault(nil)
		rest(time.Minute)
		if now, _ := c.Board(); now.Text != "t-5/one 2" {
			t.Errorf("the other one is %q", now.Text)
		}
	})
}

// TestChangesFail: a table whose message can't be changed goes into a new one, and the old one is taken away: at once where nobody knows the words by
// which a change is refused, else after a while. Where it can have no new one it stays, and has none later if it can be changed by then.
func TestChangesFail(t *testing.T) {
	fails, odd := telegramtest.Fault{Status: http.StatusBadGateway}, telegramtest.Fault{Status: http.StatusBadRequest, Text: "Bad Request: MSG_WAIT_FAILED"}
	hangs := telegramtest.Fault{Delay: callTime + time.Second, Status: http.StatusBadGateway}
	for _, test := range []struct {
		name         string
		edits, sends telegramtest.Fault
		lasts        time.Duration // 0: one change alone.
		slow         time.Duration
		what         string
		within       time.Duration
		anew         bool
		most         int
	}{
		{"fails", fails, telegramtest.Fault{}, time.Hour, 0, "", 20 * time.Second, true, 1},
		{"hangs", hangs, telegramtest.Fault{}, time.Hour, 0, "", 40 * time.Second, true, 1},
		{"hangs once", hangs, telegramtest.Fault{}, 0, 0, "", 20 * time.Second, false, 0},
		{"is cut", telegramtest.Fault{Reset: true}, telegramtest.Fault{}, time.Hour, 0, "", 20 * time.Second, true, 1},
		{"fails at the end", fails, telegramtest.Fault{}, time.Hour, 0, "end", 20 * time.Second, true, 1},
		{"is refused", odd, telegramtest.Fault{}, time.Hour, 0, "", 3 * time.Second, true, 1},
		{"is refused at the end", odd, telegramtest.Fault{}, time.Hour, 0, "end", 10 * time.Second, true, 2},
		{"is refused once", odd, telegramtest.Fault{}, 0, 0, "", 3 * time.Second, true, 1},
		{"fails once", fails, telegramtest.Fault{}, 0, 0, "", 3 * time.Second, false, 0},
		{"fails for a moment", fails, telegramtest.Fault{}, 5 * time.Second, 0, "", 10 * time.Second, false, 0},
		{"fails as somebody is called", fails, telegramtest.Fault{}, 3 * time.Second, 5 * time.Minute, "call", 6 * time.Minute, true, 2},
		{"has to wait", telegramtest.Fault{Status: http.StatusTooManyRequests, RetryAfter: 40}, telegramtest.Fault{}, time.Minute, 0, "", 2 * time.Minute, false, 0},
		{"fails in slow mode", fails, telegramtest.Fault{}, 3 * time.Minute, time.Hour, "", 4 * time.Minute, false, 1},
		{"is refused in slow mode", odd, telegramtest.Fault{}, 0, time.Hour, "", 3 * time.Second, false, 1},
		{"fails as all does", fails, fails, 10 * time.Minute, 0, "", 12 * time.Minute, true, 13},
		{"hangs as all does", hangs, hangs, 10 * time.Minute, 0, "", 12 * time.Minute, false, 9},
		{"is refused as all is", odd, odd, time.Hour, 0, "", 72 * time.Minute, false, 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c, old := x.table()
				rest(time.Minute)
				c.Slow(test.slow)
				sent, began, tries := len(x.server.Calls("sendMessage")), time.Now(), 0
				x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
					if method != "editMessageText" && method != "sendMessage" {
						return f
					}
					if tries++; tries > 1 && time.Since(began) >= test.lasts {
						return f
					}
					return map[string]telegramtest.Fault{"editMessageText": test.edits, "sendMessage": test.sends}[method]
				})
				x.send(ann, old, "turn")
				rest(time.Second)
				if test.what != "" {
					x.send(ann, old, test.what)
				}
				for _, later := range []time.Duration{test.within, 3 * time.Hour} {
					rest(later)
					x.shows(c, fmt.Sprint("level ", d.levels[placeOf(c.ID)]), old.ID, test.anew)
				}
				if n := len(x.server.Calls("sendMessage")) - sent; n > test.most {
					t.Errorf("a new message is tried %d times", n)
				}
			})
		})
	}
}

// TestShortOutage: where nothing reaches Telegram for a while each table stays where it stands.
func TestShortOutage(t *testing.T) {
	for _, lasts := range []time.Duration{5 * time.Second, 20 * time.Second, 40 * time.Second, 2 * time.Minute} {
		d := newDealer()
		d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			_, c, old := x.table()
			rest(time.Minute)
			x.server.SetFault(func(string, map[string]string) telegramtest.Fault { return telegramtest.Fault{Delay: time.Hour} })
			d.mu.Lock()
			d.levels[placeOf(c.ID)]++
			next := d.picture(placeOf(c.ID), "turn")
			d.mu.Unlock()
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{next}})
			rest(lasts)
			x.server.SetFault(nil)
			for _, later := range []time.Duration{time.Minute, time.Hour} {
				rest(later)
				x.shows(c, fmt.Sprint("level ", d.levels[placeOf(c.ID)]), old.ID, false)
			}
		})
	}
}

// TestAnswersLost: where Telegram does all that is asked for, and no answer comes, no table is shown twice.
func TestAnswersLost(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, old := x.table()
		rest(time.Minute)
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			return telegramtest.Fault{Lost: method != "getUpdates"}
		})
		x.send(ann, old, "turn")
		rest(10 * time.Minute)
		x.server.SetFault(nil)
		rest(3 * time.Minute)
		x.shows(c, fmt.Sprint("level ", d.levels[placeOf(c.ID)]), old.ID, false)
		if n := len(c.Messages()); n != 1 {
			t.Errorf("%d messages stand there", n)
		}
	})
}

// shows fails the test unless one message bears a table, which shows that: the old one, or another.
func (x *house) shows(c *telegramtest.Chat, what string, old int64, anew bool) {
	x.t.Helper()
	all := slices.DeleteFunc(c.Messages(), func(m telegramtest.Message) bool { return len(m.Buttons) == 0 })
	if len(all) != 1 || !strings.Contains(all[0].Text, what) || (all[0].ID != old) != anew {
		x.t.Errorf("there are %+v, and the first one was %d", all, old)
	}
}

// TestNoNewMessage: as long as a table that somebody is called to, or that is asked for by /table, may have no new message, it goes on in its old
// one, also after a start. Once it may it has one, and the old one is taken away. One that is over by then stays where it is.
func TestNoNewMessage(t *testing.T) {
	painter, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	card := &picture.Picture{Painter: painter, Sheet: &picture.Card{Name: "Аня"}}
	for _, test := range []struct {
		name, what string
		shows      *picture.Picture
		slow       time.Duration // 0: the bot is muted, or said is what new messages are refused by.
		said       string
	}{
		{"a call, 5 min", "call", nil, 5 * time.Minute, ""}, {"/table, 5 min", "table", nil, 5 * time.Minute, ""},
		{"a call, 1 h", "call", card, time.Hour, ""}, {"/table, 1 h", "table", card, time.Hour, ""},
		{"a call, muted", "call", nil, 0, ""}, {"/table, muted", "table", nil, 0, ""},
		{"a call, unheard", "call", nil, 0, "MSG_WAIT_FAILED"}, {"/table, unheard", "table", card, 0, "ALLOW_PAYMENT_REQUIRED_10"},
		{"a call, unchanged", "call", nil, 0, "message is not modified"},
		{"a call, not found", "call", nil, 0, "chat not found"}, {"a call, 502", "call", nil, 0, "502"}, {"/table, 502", "table", nil, 0, "502"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, test.shows) }
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c := x.forum()
				last := []string{"", "turn", "end", "deleted"}
				for topic := range last {
					c.SayIn(int64(topic+1), ann, "/zevaka")
				}
				x.until("all tables", func() bool { return allStand(c, len(last)) })
				rest(time.Minute)
				c.Slow(test.slow)
				c.Mute(test.slow == 0 && test.said == "")
				x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
					switch sends := strings.HasPrefix(method, "send"); {
					case sends && test.said == "502":
						return telegramtest.Fault{Status: http.StatusBadGateway}
					case sends && test.said != "":
						return telegramtest.Fault{Status: 400, Text: "Bad Request: " + test.said}
					}
					return telegramtest.Fault{Status: map[bool]int{true: 502}[method == "getChat"]}
				})
				first, level := boards(c, len(last)), 1
				for _, what := range []string{"turn", test.what, "turn", test.what, "start", "turn", test.what} {
					if what == "start" {
						x.end()
						x.start(Options{})
						rest(30 * time.Second)
						continue
					}
					level++
					for _, m := range first {
						x.send(ann, m, what)
					}
					rest(20 * time.Second)
					for i, m := range boards(c, len(last)) {
						if n := len(c.Messages()); n != len(last) || m.ID != first[i].ID || !strings.Contains(m.Text, fmt.Sprintf("level %d ", level)) {
							t.Errorf("after %s to level %d one of %d messages is %d (%q), and was %d", what, level, n, m.ID, m.Text, first[i].ID)
						}
					}
				}
				c.Delete(first[3].ID)
				for _, m := range first[1:] {
					x.send(ann, m, last[m.Topic-1])
				}
				rest(3*test.slow + longSlow)
				c.Mute(false)
				x.server.SetFault(nil)
				rest(time.Minute)
				x.send(ann, first[2], "end")
				rest(time.Minute)
				stand := map[int64]string{}
				for _, m := range c.Messages() {
					stand[m.Topic] += fmt.Sprintf("new %v, loud %v, %d buttons, %s; ", m.ID != first[m.Topic-1].ID, !m.Silent, len(m.Buttons), strings.TrimPrefix(m.Text, "Аня "))
				}
				want := []string{
					fmt.Sprintf("new true, loud %v, 1 buttons, level 7 turn; ", test.what == "call"), "new true, loud false, 1 buttons, level 8 turn; ",
					"new false, loud false, 1 buttons, level 9 end; ", "new true, loud false, 1 buttons, level 8 turn; ",
				}
				if test.what == "table" {
					want[0] = "new false, loud false, 0 buttons, level 7 turn; " + want[0]
					want[1] = "new false, loud false, 0 buttons, level 8 turn; " + want[1]
				}
				for i, want := range want {
					if got := stand[int64(i+1)]; got != want {
						t.Errorf("where %q came last there stands %q, not %q", last[i], got, want)
					}
				}
				n, warned := x.server.Report().Counts, strings.Count(x.log.String(), "level=WARN")
				if edits := n["editMessageText"] + n["editMessageMedia"]; edits > 9*len(last) || warned > 2 { // Each board is changed eight times.
					t.Errorf("%d edits, and the operator is told %d times", edits, warned)
				}
			})
		})
	}
}

// TestCalledTwice: a table's message stands until another one does, however often the table is to have a new one meanwhile.
func TestCalledTwice(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c, board := x.table()
		rest(time.Minute)
		x.server.SetFault(func(method string, _ map[string]string) telegramtest.Fault {
			if method != "sendMessage" {
				return telegramtest.Fault{}
			}
			return telegramtest.Fault{Status: 429, RetryAfter: 30}
		})
		for _, what := range []string{"call", "call", "table", "call"} {
			x.send(ann, board, what)
			rest(5 * time.Second)
			if all := c.Messages(); len(all) != 1 || all[0].ID != board.ID || len(all[0].Buttons) != 1 {
				t.Errorf("after %s there stands %+v", what, all)
			}
		}
		x.server.SetFault(nil)
		rest(time.Minute)
		if all := c.Messages(); len(all) != 1 || all[0].ID == board.ID || !strings.HasSuffix(all[0].Text, "level 5 turn") {
			t.Errorf("at last there stands %+v", all)
		}
	})
}

// TestCalledMeanwhile: who is called while another new message of the table is on its way is called by one of their own, and the table stands in
// that one alone. Whoever asks for it meanwhile has it where it comes.
func TestCalledMeanwhile(t *testing.T) {
	for _, test := range []struct {
		first, then string
		loud        bool
		sent        int
	}{{"table", "call", true, 2}, {"call", "call", true, 2}, {"call", "table", true, 1}, {"table", "table", false, 1}} {
		t.Run(test.then+" during "+test.first, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c, board := x.table()
				rest(time.Minute)
				x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
					if method == "sendMessage" {
						f.Delay = 3 * time.Second
					}
					return f
				})
				sent := x.server.Report().Counts["sendMessage"]
				x.send(ann, board, test.first)
				rest(time.Second)
				x.send(ann, board, test.then)
				rest(time.Minute)
				all := slices.DeleteFunc(c.Messages(), func(m telegramtest.Message) bool { return len(m.Buttons) == 0 })
				if sent = x.server.Report().Counts["sendMessage"] - sent; sent != test.sent || len(all) != 1 || all[0].Silent == test.loud || !strings.HasSuffix(all[0].Text, "level 3 turn") {
					t.Errorf("in %d new messages there stands %+v", sent, all)
				}
			})
		})
	}
}

// TestSlowWords: what has to wait for the slow mode because a group that takes no pictures any more needs a new message for its words keeps no
// other table from being changed.
func TestSlowWords(t *testing.T) {
	painter, err := picture.New()
	if err != nil {
		t.Fatal(err)
	}
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		shows := &picture.Picture{Painter: painter, Sheet: &picture.Card{Name: "Аня"}}
		if r.In.Thread == 2 {
			shows = nil
		}
		return d.moving(r, shows)
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		c.SayIn(1, ann, "/zevaka")
		c.SayIn(2, ann, "/zevaka")
		x.until("both tables", func() bool { return allStand(c, 2) })
		rest(time.Minute)
		c.BarPhotos(true)
		c.Slow(time.Hour)
		for level := range 6 {
			for _, m := range boards(c, 2) {
				x.send(ann, m, "turn")
			}
			rest(20 * time.Second)
			if m := boards(c, 2)[1]; m.Text != fmt.Sprintf("level %d turn", level+2) {
				t.Errorf("at level %d it shows %q", level+2, m.Text)
			}
		}
		rest(time.Hour)
		if m := boards(c, 2)[0]; m.Photo != nil || !strings.HasSuffix(m.Text, "level 7 turn") {
			t.Errorf("the words of the picture are %q", m.Text)
		}
		if n := x.server.Report().Counts["sendMessage"]; n > 12 {
			t.Errorf("%d tries", n)
		}
	})
}

// moving is the table of a topic, which a call or /table moves into a new message.
func (d *dealer) moving(r chat.Request, shows *picture.Picture) (chat.Response, bool) {
	if r.Kind != chat.Press && r.Kind != chat.Command {
		return chat.Response{}, false
	}
	d.levels[r.In]++
	what := "turn"
	if r.Data == "end" {
		what = r.Data
	}
	p := d.picture(r.In, what)
	p.Table, p.Turn, p.Request, p.Shared = fmt.Sprint("T", r.In.Thread), int64(p.Level), r.ID, true
	p.Message = chat.Message{Text: []chat.Span{{Text: fmt.Sprint("level ", p.Level, " ", what)}}, Buttons: p.Buttons, Picture: shows}
	old := chat.Post{In: r.In, Edit: p.Edit, Request: r.ID}
	switch r.Data {
	case "call":
		old.Delete, p.Mention = true, []chat.User{r.Who}
	case "table":
		old.Text = p.Text
	default:
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	p.Edit = ""
	return chat.Response{Posts: []chat.Post{old, p}}, true
}

// TestSlowAnswersCount: what Telegram says of admins and members later than a press waits for it counts for the next one.
func TestSlowAnswersCount(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards", ann)
		x.start(Options{})
		x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if method != "getUpdates" {
				f.Delay = 2 * time.Second
			}
			return f
		})
		isIn := x.run.members.of(ann.ID)
		for n, want := range []bool{false, true} {
			c.Say(ann, "/zevaka")
			rest(10 * time.Second)
			if heard := d.heard.Of(chat.Command); len(heard) != n+1 || heard[n].Who.Admin != want {
				t.Errorf("at press %d: %+v, want an admin: %t", n, heard, want)
			}
			for range 2 * maxVain { // They are asked about once.
				if is, err := isIn(t.Context(), community(c.ID)); is != want || (err == nil) != want {
					t.Errorf("at question %d: %t, %v", n, is, err)
				}
			}
			rest(10 * time.Second)
		}
	})
}

// TestLateFailures: a question about a member that fails late doesn't take back what Telegram has said since.
func TestLateFailures(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewGroup("Cards", ann)
		x.start(Options{})
		asked := 0
		x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
			if method == "getChatMember" {
				if asked++; asked == 1 {
					f.Delay = time.Hour
				}
			}
			return f
		})
		isIn := x.run.members.of(ann.ID)
		for n, after := range []time.Duration{0, unsureFor + adminTime, callTime - unsureFor} {
			rest(after)
			if is, err := isIn(t.Context(), community(c.ID)); is != (n > 0) || (err != nil) != (n == 0) {
				t.Errorf("at question %d: %t, %v", n, is, err)
			}
		}
		if asked != 2 {
			t.Errorf("Telegram was asked %d times", asked)
		}
	})
}

// TestLateChange: a change that Telegram makes after it was given up, and after a newer one, doesn't stay.
func TestLateChange(t *testing.T) {
	for _, what := range []string{"turn", "end"} {
		d := newDealer()
		d.reply = func(r chat.Request) (chat.Response, bool) { return d.moving(r, nil) }
		bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
			ann, c, old := x.table()
			rest(time.Minute)
			edits := 0
			x.server.SetFault(func(method string, _ map[string]string) (f telegramtest.Fault) {
				if method == "editMessageText" {
					if edits++; edits == 1 {
						f.Delay, f.Late = callTime+10*time.Second, true
					}
				}
				return f
			})
			x.send(ann, old, "turn")
			rest(time.Second)
			x.send(ann, old, what)
			rest(2 * time.Minute)
			x.shows(c, fmt.Sprint("level ", d.levels[placeOf(c.ID)]), old.ID, false)
			made := edits
			rest(time.Hour)
			if edits != made || made > 4 {
				t.Errorf("it is changed %d times in two minutes, and then %d times", made, edits-made)
			}
		})
	}
}
