package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestTablesShareTheBudget has a group play at several tables at once. "solo" changes the buttons with each press, but
// never the turn; "turn" changes the turn; "flip" only the text.
func TestTablesShareTheBudget(t *testing.T) {
	for _, test := range []struct {
		name   string
		tables []string
		every  time.Duration // How often somebody presses at each.
		// latest is how long what a table shows may be old, for each.
		latest []time.Duration
	}{
		{"alike", []string{"turn", "turn", "turn"}, time.Second, []time.Duration{16 * time.Second, 16 * time.Second, 16 * time.Second}},
		{"solos", []string{"solo", "solo", "solo", "solo"}, time.Second, []time.Duration{21 * time.Second, 21 * time.Second, 21 * time.Second, 21 * time.Second}},
		{"one of many", []string{"solo", "solo", "turn"}, 7 * time.Second, []time.Duration{28 * time.Second, 28 * time.Second, 5 * time.Second}},
		{"the least", []string{"turn", "turn", "flip"}, time.Second, []time.Duration{10 * time.Second, 10 * time.Second, 30 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r chat.Request) (chat.Response, bool) {
				if r.Kind != chat.Press && r.Kind != chat.Command {
					return chat.Response{}, false
				}
				return d.inTopic(r), true
			}
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				ann, c := x.forum()
				n := len(test.tables)
				oldest, edits := make([]time.Duration, n), make([]int, n)
				pressed := make([]map[int]time.Time, n)
				for i := range test.tables {
					c.SayIn(int64(i+1), ann, "/zevaka")
					pressed[i] = map[int]time.Time{}
				}
				x.until("all tables", func() bool { return allStand(c, n) })
				rest(time.Minute)
				levels := make([]int, n)
				shown := slices.Repeat([]int{1}, n)
				for second := range 300 {
					for i, m := range boards(c, n) {
						if second%int(test.every/time.Second) == i%int(test.every/time.Second) {
							x.send(ann, m, fmt.Sprint(test.tables[i], " ", second))
							levels[i]++
							pressed[i][levels[i]+1] = time.Now()
						}
					}
					for range 4 {
						rest(250 * time.Millisecond)
						for i, m := range boards(c, n) {
							level, _ := strconv.Atoi(strings.Fields(m.Text)[1])
							for ; shown[i] < level; shown[i]++ {
								oldest[i] = max(oldest[i], time.Since(pressed[i][shown[i]+1]))
							}
							edits[i] = m.Edits
						}
					}
				}
				for i, most := range test.latest {
					if oldest[i] > most {
						t.Errorf("table %d (%s) was %v behind", i, test.tables[i], oldest[i])
					}
				}
				if test.tables[0] == test.tables[n-1] && slices.Max(edits)-slices.Min(edits) > 3 {
					t.Errorf("the tables got %v edits", edits)
				}
				if slices.Min(edits) < 8 {
					t.Errorf("the tables got only %v edits", edits)
				}
				t.Logf("%v edits, at most %v behind", edits, oldest)
			})
		})
	}
}

// inTopic is the table of a topic, one of several in a group.
func (d *dealer) inTopic(r chat.Request) chat.Response {
	what, _, _ := strings.Cut(r.Data, " ")
	d.levels[r.In]++
	drawn := "turn"
	if what == "flip" || what == "/zevaka" {
		drawn = "flip"
	}
	p := d.picture(r.In, drawn)
	p.Table, p.Turn = fmt.Sprint("T", r.In.Thread), r.In.Thread
	if what == "turn" {
		p.Turn += 10 * int64(d.levels[r.In])
		p.Shared = true
	}
	return chat.Response{Toast: "you", Posts: []chat.Post{p}}
}

// boards are the tables' messages, in the order of their topics.
func boards(c *telegramtest.Chat, n int) []telegramtest.Message {
	all := make([]telegramtest.Message, n)
	for _, m := range c.Messages() {
		if len(m.Buttons) > 0 && m.Topic >= 1 && int(m.Topic) <= n {
			all[m.Topic-1] = m
		}
	}
	return all
}

// allStand reports whether each topic has its board.
func allStand(c *telegramtest.Chat, n int) bool {
	return !slices.ContainsFunc(boards(c, n), func(m telegramtest.Message) bool { return m.ID == 0 })
}

// TestNotesBetweenPictures: what is no picture comes through, however many want to show theirs.
func TestNotesBetweenPictures(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data != "/help" {
			return d.inTopic(r), r.Kind == chat.Press || r.Kind == chat.Command
		}
		return chat.Response{Posts: []chat.Post{{In: r.In, Message: chat.Message{Text: []chat.Span{{Text: "help"}}}}}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		for i := range 4 {
			c.SayIn(int64(i+1), ann, "/zevaka")
		}
		x.until("all tables", func() bool { return allStand(c, 4) })
		rest(time.Minute)
		asked := time.Time{}
		for second := range 100 {
			for _, m := range boards(c, 4) {
				x.send(ann, m, fmt.Sprint("turn ", second))
			}
			if second == 40 {
				c.Say(ann, "/help")
				asked = time.Now()
			}
			rest(time.Second)
			if !asked.IsZero() && slices.ContainsFunc(c.Messages(), func(m telegramtest.Message) bool { return m.Text == "help" }) {
				if late := time.Since(asked); late > 35*time.Second {
					t.Errorf("it came after %v", late)
				}
				return
			}
		}
		t.Error("it never came")
	})
}

// TestAnswersComeAsTurns: who asks something while others play reads the answer next, before pictures that nobody waits for as
// much; who asks all the time doesn't keep the others from playing.
func TestAnswersComeAsTurns(t *testing.T) {
	for _, test := range []struct {
		name, press string
		asks        int // How often, a second apart.
		first       time.Duration
		edits       int // Of each table, in the minute from then on, at least.
	}{{"between moves", "solo", 1, 5 * time.Second, 2}, {"between looks", "flip", 1, 5 * time.Second, 2}, {"without end", "solo", 60, 5 * time.Second, 2}} {
		t.Run(test.name, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r chat.Request) (chat.Response, bool) {
				if r.Data != "/stop" {
					response := d.inTopic(r)
					for i := range response.Posts {
						response.Posts[i].Turn = r.Who.ID
					}
					return response, r.Kind == chat.Press || r.Kind == chat.Command
				}
				ask := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{Text: []chat.Span{{Text: "stop?"}}}}
				return chat.Response{Posts: []chat.Post{ask}}, true
			}
			bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
				ann, c := x.forum()
				bob := x.server.NewUser("Боря", "ru")
				for i := range 4 {
					c.SayIn(int64(i+1), bob, "/zevaka")
				}
				x.until("all tables", func() bool { return allStand(c, 4) })
				rest(time.Minute)
				asked := func(m telegramtest.Message) bool { return m.Text == "stop?" }
				late, before := time.Duration(0), []telegramtest.Message(nil)
				for second := range 100 {
					for _, m := range boards(c, 4) {
						x.send(bob, m, fmt.Sprint(test.press, " ", second))
					}
					if second == 40 {
						before = boards(c, 4)
					}
					if second >= 40 && second < 40+test.asks {
						c.Say(ann, "/stop")
					}
					rest(time.Second)
					if late == 0 && slices.ContainsFunc(c.Messages(), asked) {
						late = time.Duration(second-39) * time.Second
					}
				}
				if late == 0 || late > test.first {
					t.Errorf("the answer came after %v", late)
				}
				for i, m := range boards(c, 4) {
					if n := m.Edits - before[i].Edits; n < test.edits {
						t.Errorf("table %d got %d edits in a minute", i, n)
					}
				}
			})
		})
	}
}

// TestFirstPicture: the first picture of a table comes before what others have asked for, be it one at which people wait for each other, or a lobby.
func TestFirstPicture(t *testing.T) {
	for _, shared := range []bool{true, false} {
		d := newDealer()
		d.reply = func(r chat.Request) (chat.Response, bool) {
			said := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Request: r.ID, Message: chat.Message{Text: []chat.Span{{Text: "asked"}}}}
			return chat.Response{Posts: []chat.Post{said}}, r.Kind == chat.Command
		}
		bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
			_, c := x.group()
			rest(time.Minute)
			for n := range 4 * refill / time.Second {
				c.Say(x.server.NewUser(fmt.Sprint("P", n), "en"), "/mine")
				rest(time.Second)
			}
			p := d.picture(placeOf(c.ID), "turn")
			p.Level, p.Shared = 1, shared
			if !shared {
				p.Turn = 0
			}
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
			shown := time.Now()
			x.board(c, p.Text[0].Text)
			if late := time.Since(shown); late > 2*refill {
				t.Errorf("shared %t: it comes after %v", shared, late)
			}
			rest(5 * time.Minute)
		})
	}
}

// TestLobbyBesideTalk: in a group where some play and others ask for something without waiting for their answers, a new table is found within a minute.
func TestLobbyBesideTalk(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		said := chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Request: r.ID, Message: chat.Message{Text: []chat.Span{{Text: "asked"}}}}
		return chat.Response{Posts: []chat.Post{said}}, r.Kind == chat.Command
	}
	bubble(t, d, telegramtest.Options{Old: true}, func(t *testing.T, x *house) {
		var talkers []*telegramtest.User
		for n := range 6 {
			talkers = append(talkers, x.server.NewUser(fmt.Sprint("P", n), "en"))
		}
		c := x.server.NewGroup("Cards", talkers...)
		x.start(Options{})
		rest(time.Minute)
		show := func(p chat.Post, text string) {
			p.In, p.Message = placeOf(c.ID), chat.Message{Text: []chat.Span{{Text: text}}, Buttons: [][]chat.Button{{{Label: text, Token: text}}}}
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
		}
		lobby, opened := "", time.Time{}
		for second := range 1800 {
			if second%4 == 0 {
				show(chat.Post{Table: "t-5/game", Level: uint64(second + 1), Turn: int64(second%8 + 1), Left: time.Minute, Shared: true}, fmt.Sprint("game ", second))
			}
			if second%10 == 0 {
				c.Say(talkers[second/10%6], "/mine")
			}
			if second%120 == 0 {
				lobby, opened = fmt.Sprint("lobby ", second), time.Now()
				show(chat.Post{Table: "t-5/" + lobby, Level: 1}, lobby)
			}
			time.Sleep(time.Second)
			stands := slices.ContainsFunc(c.Messages(), func(m telegramtest.Message) bool { return m.Text == lobby })
			if time.Since(opened) == time.Minute && !stands {
				t.Errorf("%q isn't there after a minute", lobby)
			}
		}
		rest(5 * time.Minute)
	})
}

// TestTidiedBehindThePicture: what only tidies up after a request waits as long as the picture does that the request has made; what
// tidies up after another one doesn't.
func TestTidiedBehindThePicture(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		_, group := x.group()
		rest(time.Minute)
		c := x.run.out.chats.get(x.run.out, group.ID)
		c.mu.Lock()
		defer c.mu.Unlock()
		p := d.picture(placeOf(group.ID), "turn")
		p.Request = "one"
		c.picture(p, 0)
		for _, request := range []string{"one", "another", ""} {
			c.add(&note{in: p.In, edit: refOf(group.ID, 7), minor: true, request: request})
			all := c.waiters(time.Now())
			notes := slices.ContainsFunc(all, func(w waiter) bool { return w.note != nil })
			if boards := slices.ContainsFunc(all, func(w waiter) bool { return w.board != nil }); !boards || notes != (request != "one") {
				t.Errorf("after the request %q, the picture waits to be sent: %v, and what tidies up: %v", request, boards, notes)
			}
			c.notes = nil
		}
		clear(c.boards)
	})
}

// TestOnePersonsTables: who plays at many tables against the computer has one share of what a group gets, as those have who play at one.
func TestOnePersonsTables(t *testing.T) {
	const many = 8
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Kind != chat.Press && r.Kind != chat.Command {
			return chat.Response{}, false
		}
		d.levels[r.In]++
		p := d.picture(r.In, "turn")
		p.Table, p.Turn = fmt.Sprint("T", r.In.Thread), 100+int64(d.levels[r.In]%2)
		if r.In.Thread > 1 {
			p.Turn = 7 * int64(d.levels[r.In]%2) // Or the computer's.
		}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		ann, c := x.forum()
		for topic := range int64(1 + many) {
			c.SayIn(topic+1, ann, "/zevaka")
		}
		x.until("all tables", func() bool { return allStand(c, 1+many) })
		rest(time.Minute)
		worst := time.Duration(0)
		for second := range 200 {
			before := boards(c, 1+many)
			for _, m := range before[1:] {
				x.send(ann, m, "turn")
			}
			if second%10 == 0 {
				x.send(ann, before[0], "turn")
				pressed := time.Now()
				x.until("the board of two", func() bool { return boards(c, 1)[0].Text != before[0].Text })
				worst = max(worst, time.Since(pressed))
			}
			rest(time.Second)
		}
		if worst > 2*refill {
			t.Errorf("the board of two who play together came after %v", worst)
		}
	})
}

// TestShownAnew: quiet tables that are shown in new messages again and again don't keep those waiting who play, least of all where people ask for it,
// at tables of theirs, too.
func TestShownAnew(t *testing.T) {
	const quiet, player = 8, -1
	for _, test := range []struct {
		by         int64
		left, most time.Duration
		joins      bool // Somebody else joins where a table is about to be shown.
		asleep     bool
		alone      bool // At each plays one with a computer.
	}{
		{by: 0, most: 45 * time.Second}, {by: 99, most: 2 * time.Second}, {by: player, most: 2 * time.Second},
		{by: 99, left: 24 * time.Hour, most: 2 * time.Second}, {by: player, left: 24 * time.Hour, most: 2 * time.Second},
		{by: 99, left: 24 * time.Hour, most: 6 * time.Second, joins: true}, {by: 99, most: 2 * time.Second, asleep: true},
		{by: 99, most: 10 * time.Second, alone: true}, {by: 99, left: 24 * time.Hour, most: 10 * time.Second, alone: true},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			_, c := x.group()
			began := time.Now()
			show := func(n, level int, by int64, more ...chat.Post) {
				said := fmt.Sprintf("table %d, level %d", n, level)
				p := chat.Post{In: placeOf(c.ID), Table: fmt.Sprint("t-5/", n), Level: uint64(level), Turn: int64(10*n + 1), Shared: !test.alone}
				if n > 0 && test.asleep && level > 1 {
					p.Turn = 0
				}
				if n > 0 && test.left > 0 {
					p.Left = time.Until(began.Add(test.left))
				}
				p.Message = chat.Message{Text: []chat.Span{{Text: said}}, Buttons: [][]chat.Button{{{Label: said, Token: said}}}}
				x.run.out.show(chat.Response{Posts: append(more, p)}, by)
			}
			board := func(n int) telegramtest.Message {
				all := c.Messages()
				return all[slices.IndexFunc(all, func(m telegramtest.Message) bool { return strings.HasPrefix(m.Text, fmt.Sprintf("table %d,", n)) })]
			}
			for n := range 1 + quiet {
				show(n, 1, int64(10*n+1))
				rest(time.Minute)
			}
			late, worst := time.Duration(0), time.Duration(0)
			for second := range 300 {
				if second%6 == 0 {
					show(0, second/6+2, 1)
				}
				if n := second/5*2%quiet + second%5 - 1; test.joins && n > 0 && second%5 > 1 && second%5 < 4 {
					show(n, int(board(n).ID)+2, 98)
				}
				if second%5 < 2 { // Each in 20 seconds.
					n := second/5*2%quiet + second%5 + 1
					by := test.by
					if by == player {
						by = int64(10*n + 1)
					}
					on := board(n).ID
					show(n, int(on)+1, by, chat.Post{In: placeOf(c.ID), Edit: refOf(c.ID, on), Delete: true})
				}
				time.Sleep(time.Second)
				if late += time.Second; board(0).Text == fmt.Sprintf("table 0, level %d", second/6+2) {
					late = 0
				}
				worst = max(worst, late)
			}
			if worst > test.most {
				t.Errorf("%+v: the board is up to %v old", test, worst)
			}
			rest(10 * time.Minute)
		})
	}
}

// TestOpenedBeside: games that people open don't keep those waiting who play, however many do so: games of one with computers, and games of several
// that end before any message could show them.
func TestOpenedBeside(t *testing.T) {
	for _, test := range []struct {
		people       int64
		shared, over bool
		most         time.Duration
	}{
		{1, false, false, 2 * time.Second}, {9, false, false, 2 * time.Second}, {1, false, true, 2 * time.Second},
		{1, true, true, 2 * time.Second}, {9, true, true, 2 * time.Second}, {9, true, false, 45 * time.Second},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			_, c := x.group()
			picture := func(table string, level int, turn, by int64, over bool) chat.Post {
				said := fmt.Sprintf("table %s, level %d", table, level)
				p := chat.Post{In: placeOf(c.ID), Table: "t-5/" + table, Level: uint64(level), Turn: turn, Shared: (test.shared || by == 1) && !over, Final: over}
				p.Message = chat.Message{Text: []chat.Span{{Text: said}}, Buttons: [][]chat.Button{{{Label: said, Token: said}}}}
				return p
			}
			show := func(by int64, all ...chat.Post) { // At once.
				defer x.run.out.together(all)()
				x.run.out.show(chat.Response{Posts: all}, by)
			}
			show(1, picture("played", 1, 1, 1, false))
			rest(time.Minute)
			late, worst := time.Duration(0), time.Duration(0)
			for second := range 150 {
				if second%6 == 0 {
					show(1, picture("played", second/6+2, 1, 1, false))
				}
				by := int64(second)%test.people + 100
				one := fmt.Sprint(second)
				show(by, picture(one, 1, by, by, false), picture(one, 2, 0, by, false), picture(one, 3, by, by, test.over))
				time.Sleep(time.Second)
				at := slices.IndexFunc(c.Messages(), func(m telegramtest.Message) bool { return strings.HasPrefix(m.Text, "table played,") })
				if late += time.Second; c.Messages()[at].Text == fmt.Sprintf("table played, level %d", second/6+2) {
					late = 0
				}
				worst = max(worst, late)
			}
			if worst > test.most {
				t.Errorf("%+v: the board is up to %v old", test, worst)
			}
			rest(10 * time.Minute)
		})
	}
}

// TestOpenedAtOnce: a game against computers that is opened just after a start stands as soon as a lobby would, whatever they have done meanwhile.
func TestOpenedAtOnce(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		_, c := x.group()
		for level, turn := range []int64{1, 0, 1} {
			p := chat.Post{In: placeOf(c.ID), Table: "t-5/a", Level: uint64(level + 1), Turn: turn}
			p.Message = chat.Message{Text: []chat.Span{{Text: "table"}}, Buttons: [][]chat.Button{{{Label: "Flip", Token: "flip"}}}}
			x.run.out.show(chat.Response{Posts: []chat.Post{p}}, 1)
		}
		rest(burst * refill)
		if len(c.Messages()) != 1 {
			t.Errorf("there stand %d messages", len(c.Messages()))
		}
	})
}

// TestSharesOfWhoPlays: a table's pictures are a share of those who have had a turn in its last round, and of nobody who has left.
func TestSharesOfWhoPlays(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		_, group := x.group()
		in := placeOf(group.ID)
		c := x.run.out.chats.get(x.run.out, group.ID)
		for i, turn := range []int64{1, 2, 2, 3, 4, 0, 1, 2, 1, 2} {
			c.mu.Lock()
			c.picture(chat.Post{In: in, Table: "t", Level: uint64(i + 1), Turn: turn}, turn)
			who := slices.Sorted(slices.Values(c.boards["t"].who))
			c.mu.Unlock()
			if want := map[int][]int64{4: {1, 2, 3, 4}, 7: {1, 2, 3, 4}, 9: {1, 2}}[i]; want != nil && !slices.Equal(who, want) {
				t.Errorf("after turn %d it is a share of %v, not %v", i, who, want)
			}
		}
	})
}
