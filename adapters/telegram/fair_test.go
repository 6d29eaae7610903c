package telegram

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// evening is how two attentive players fare in a group while others press and type there.
type evening struct {
	// taken are their moves in fairTime. late is how long the boards took to show them.
	taken int
	late  []time.Duration
}

const fairTime = 80 * time.Second

// within is how late so many of a hundred boards came at most.
func (e evening) within(percent int) time.Duration {
	if len(e.late) == 0 {
		return fairTime // None came.
	}
	slices.Sort(e.late)
	return e.late[min(len(e.late)*percent/100, len(e.late)-1)]
}

// crowd are people who press and type in a group: each in turn, one every so often, something of what they may.
type crowd struct {
	people int
	every  time.Duration
	what   []string
}

// asks is all that is answered to the one who asks: lines that are typed, and what the buttons of a board say of its table.
func asks() []string {
	return []string{
		"!rules", "!check", "!hand", "!settings", "/help", "/rules", "/balance", "/top", "/scores", "/history", "/settings", "/table", "/privacy",
		"/mydata", "/fair", "/day", "/patience", "/daily", "/ledger", "/zevaka", "/banchok", "/stop", "/odd@" + telegramtest.Username,
	}
}

// play has two people play for a while, each of whom moves as soon as a board shows that they may, or after they have thought.
func (e *evening) play(t *testing.T, limit string, think func() time.Duration, others crowd) {
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age = time.Hour
		g := c.seat("21b limit=" + limit)
		var people []*telegramtest.User
		for n := range others.people {
			people = append(people, x.server.NewUser(fmt.Sprint("P", n), "en"))
		}
		end := time.Now().Add(fairTime)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for n := 0; others.people > 0 && time.Now().Before(end); n++ {
				u, what := people[n%len(people)], others.what[n%len(others.what)]
				if strings.HasPrefix(what, "/") {
					g.chat.Say(u, what)
				} else if board, ok := g.table1(); ok {
					u.Press(board, g.token(0, what))
				}
				time.Sleep(others.every)
			}
		}()
		for time.Now().Before(end) {
			before, _ := g.table1()
			time.Sleep(think())
			if !g.move() {
				break
			}
			pressed := time.Now()
			x.until("the board", func() bool {
				now, _ := g.table1()
				return now.Text != before.Text || now.ID != before.ID || time.Since(pressed) > fairTime
			})
			if now := time.Now(); now.Before(end) {
				e.taken++
				e.late = append(e.late, now.Sub(pressed))
			}
		}
		<-done
		rest(time.Minute)
		c.close()
	})
}

// table1 is the message of the game's table.
func (g *game) table1() (telegramtest.Message, bool) {
	for _, m := range slices.Backward(g.chat.Messages()) {
		if m.To == 0 && slices.ContainsFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.Data, "."+g.table+".") }) {
			m.Chat = g.chat.ID
			return m, true
		}
	}
	return telegramtest.Message{}, false
}

// TestWhatGoesOutFirst: however many others press and type in a group, whatever is answered to them and however fast, a game between
// people who pay attention goes on as in the quiet: they make as many moves but for one, and boards come as fast. They move at once, or
// think for up to the longest time.
func TestWhatGoesOutFirst(t *testing.T) {
	rules := []string{"!rules"}
	crowds := []struct {
		name string
		crowd
	}{
		{"rules each 3 s", crowd{1, 3 * time.Second, rules}},
		{"rules by five, each 3 s", crowd{5, 600 * time.Millisecond, rules}},
		{"rules ten a second", crowd{1, 100 * time.Millisecond, rules}},
		{"all each 10 s", crowd{1, 10 * time.Second, asks()}},
		{"all four a second", crowd{1, 250 * time.Millisecond, asks()}},
		{"all by five, four a second", crowd{5, 250 * time.Millisecond, asks()}},
		{"all by fifty, ten a second", crowd{50, 100 * time.Millisecond, asks()}},
	}
	for limit, thoughts := range map[string][]time.Duration{"15s": {0}, "60s": {8 * time.Second}, "none": {0, 8 * time.Second}} {
		for _, longest := range thoughts {
			play := func(t *testing.T, others crowd) (e evening) {
				chance := rand.New(rand.NewPCG(3, 4))
				e.play(t, limit, func() time.Duration { return time.Duration(chance.Int64N(int64(longest) + 1)) }, others)
				return e
			}
			var quiet evening
			t.Run(fmt.Sprint(limit, " quiet, they think ", longest), func(t *testing.T) { quiet = play(t, crowd{}) })
			for _, test := range crowds {
				t.Run(fmt.Sprint(limit, " ", test.name, ", they think ", longest), func(t *testing.T) {
					e := play(t, test.crowd)
					if e.taken < quiet.taken-1 || e.within(95) > max(quiet.within(95)*3/2, refill) || e.within(100) > quiet.within(100)+refill {
						t.Errorf("they made %d moves, not %d; the boards came after %v, in the quiet %v", e.taken, quiet.taken, e.late, quiet.late)
					}
				})
			}
		}
	}
}

// TestFastTablesBeside: people who play beside them in the group as fast as they can, and don't look at the boards, take no turn of 15 seconds from
// two who look and then think for two, nor more than half of their moves; nor do two who play so at three tables. That is so whenever the others
// begin.
func TestFastTablesBeside(t *testing.T) {
	most := 0
	for _, beside := range []struct {
		tables int
		limit  string
		same   bool
		begin  time.Duration
	}{
		{}, {1, "none", false, 0}, {1, "none", false, time.Second}, {2, "none", false, 0}, {2, "none", false, 520 * time.Millisecond},
		{2, "none", false, 3 * time.Second}, {3, "15s", true, 0}, {3, "15s", true, 520 * time.Millisecond}, {3, "15s", true, 2 * time.Second},
	} {
		c := &casino{}
		c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.age = time.Hour
			forum := x.server.NewForum("Игры")
			var people []*telegramtest.User
			seat := func(topic int, limit string) *game {
				if people == nil || !beside.same {
					people = []*telegramtest.User{x.server.NewUser(fmt.Sprint("A", topic), "ru"), x.server.NewUser(fmt.Sprint("B", topic), "ru")}
				}
				g := &game{casino: c, chat: forum, topic: int64(topic), users: people, rand: rand.New(rand.NewPCG(7, uint64(topic)))}
				g.deal("21b limit=" + limit)
				return g
			}
			ctx, over := context.WithCancel(t.Context())
			defer over()
			var fast sync.WaitGroup
			for n := range beside.tables {
				other := seat(3+n, beside.limit)
				fast.Go(func() {
					time.Sleep(beside.begin)
					for ctx.Err() == nil && other.tap() {
						time.Sleep(350 * time.Millisecond)
					}
				})
			}
			people = nil
			g, taken := seat(2, "15s"), 0
			end := time.Now().Add(fairTime)
			for ; time.Now().Before(end); taken++ {
				before, _ := g.table1()
				time.Sleep(2 * time.Second)
				g.tap()
				g.mu.Lock()
				late := g.responses["tg-q"+g.taps[len(g.taps)-1]].Alert
				g.mu.Unlock()
				if late {
					t.Errorf("beside %+v a turn ran out after %d moves", beside, taken)
					break
				}
				x.server.Wait(t.Context(), func() bool {
					now, _ := g.table1()
					return now.Text != before.Text || now.ID != before.ID || !time.Now().Before(end)
				})
			}
			if most = max(most, taken); taken < most/2 {
				t.Errorf("beside %+v they made %d moves, not %d", beside, taken, most)
			}
			over()
			fast.Wait()
			rest(time.Minute)
			c.close()
		})
	}
}
