package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
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
		{"one of many", []string{"solo", "solo", "turn"}, 7 * time.Second, []time.Duration{26 * time.Second, 26 * time.Second, 10 * time.Second}},
		{"the least", []string{"turn", "turn", "flip"}, time.Second, []time.Duration{15 * time.Second, 15 * time.Second, 25 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDealer()
			d.reply = func(r bot.Request) (bot.Response, bool) {
				if r.Kind != bot.Press && r.Kind != bot.Command {
					return bot.Response{}, false
				}
				return d.inTopic(r), true
			}
			bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
				x.start(Options{})
				ann := x.server.NewUser("Аня", "")
				c := x.server.NewForum("Cards")
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
				for second := range 600 {
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
				if slices.Min(edits) < 10 {
					t.Errorf("the tables got only %v edits", edits)
				}
				t.Logf("%v edits, at most %v behind", edits, oldest)
			})
		})
	}
}

// inTopic is the table of a topic, one of several in a group.
func (d *dealer) inTopic(r bot.Request) bot.Response {
	what, _, _ := strings.Cut(r.Data, " ")
	d.levels[r.In]++
	drawn := "turn"
	if what == "flip" || what == "/zevaka" {
		drawn = "flip"
	}
	p := d.picture(r.In, drawn)
	p.Table, p.Turn = fmt.Sprint("T", r.In.Thread), 1
	if what == "turn" {
		p.Turn += int64(d.levels[r.In])
	}
	return bot.Response{Toast: "you", Posts: []bot.Post{p}}
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
	d.reply = func(r bot.Request) (bot.Response, bool) {
		if r.Data != "/help" {
			return d.inTopic(r), r.Kind == bot.Press || r.Kind == bot.Command
		}
		return bot.Response{Posts: []bot.Post{{In: r.In, Message: bot.Message{Text: []bot.Span{{Text: "help"}}}}}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann := x.server.NewUser("Аня", "")
		c := x.server.NewForum("Cards")
		for i := range 4 {
			c.SayIn(int64(i+1), ann, "/zevaka")
		}
		x.until("all tables", func() bool { return allStand(c, 4) })
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
