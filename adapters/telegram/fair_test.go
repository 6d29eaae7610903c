package telegram

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
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
// begin, at whatever pace they play, and however long a turn may last. Those who play alone, however many, take no
// more than three of ten.
func TestFastTablesBeside(t *testing.T) {
	const quick = 350 * time.Millisecond
	quiet := 0
	for _, beside := range []struct {
		tables int
		limit  string
		same   bool
		begin  time.Duration
		every  time.Duration // 0 is quick.
		own    string        // The limit of those who think; empty is 15 s.
		alone  string        // What somebody types to play alone.
		many   int           // How many do so.
	}{
		{}, {tables: 1, limit: "none", every: 2 * time.Second, own: "60s"},
		{own: "60s", every: 6 * time.Second, alone: "/banchok practice computers=3 now", many: 1}, {own: "60s", alone: "/zevaka computers=1 now", many: 1},
		{own: "60s", every: 6 * time.Second, alone: "/banchok practice computers=3 limit=15s now", many: 1},
		{every: 2 * time.Second, alone: "/zevaka computers=1 limit=15s now", many: 6}, {every: 3 * time.Second, alone: "/patience zaba", many: 10},
		{tables: 1, limit: "none"}, {tables: 1, limit: "none", begin: time.Second}, {tables: 2, limit: "none"}, {tables: 2, limit: "none", begin: 520 * time.Millisecond},
		{tables: 2, limit: "none", begin: 3 * time.Second}, {tables: 3, limit: "15s", same: true}, {tables: 3, limit: "15s", same: true, begin: 520 * time.Millisecond}, {tables: 3, limit: "15s", same: true, begin: 2 * time.Second},
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
						time.Sleep(cmp.Or(beside.every, quick))
					}
				})
			}
			people = nil
			for n := range beside.many {
				u, chance, topic := x.server.NewUser(fmt.Sprint("C", n), "en"), rand.New(rand.NewPCG(7, 9)), int64(9+n)
				playAlone(u, forum, topic, beside.alone)
				fast.Go(func() {
					for ctx.Err() == nil {
						pressAny(u, forum, topic, chance)
						time.Sleep(cmp.Or(beside.every, quick))
					}
				})
			}
			g, taken := seat(2, cmp.Or(beside.own, "15s")), 0
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
			if beside.tables == 0 && beside.alone == "" {
				quiet = taken
			}
			if taken < quiet/2 || beside.alone != "" && taken < quiet*7/10 || quiet < 10 {
				t.Errorf("beside %+v they made %d moves, of %d", beside, taken, quiet)
			}
			over()
			fast.Wait()
			rest(time.Minute)
			c.close()
		})
	}
}

// TestAloneBeside: who plays with a computer, and looks, loses no turn of 15 seconds beside others who play, and makes seven of ten moves beside
// others who only ask for something, and all where two have left their table lying. Of two who play alone neither waits for the other.
func TestAloneBeside(t *testing.T) {
	quiet, all := 0, []string{"/help", "/balance", "/scores", "/history"}
	for _, beside := range []struct {
		every  time.Duration
		asks   []string // What they type; none is that two play.
		asleep bool
		solo   bool // They lay a patience.
		shown  bool // One of them has the table shown now and then that two have left.
	}{
		{}, {every: 3 * time.Second, asks: []string{"/rules"}}, {every: 3 * time.Second, asks: all}, {every: 3 * time.Second, asks: all, asleep: true}, {every: 3 * time.Second, asks: all, asleep: true, shown: true},
		{every: 2 * time.Second}, {every: 3 * time.Second}, {every: 2 * time.Second, solo: true},
	} {
		c := &casino{}
		c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.age = time.Hour
			forum := x.server.NewForum("Игры")
			ctx, over := context.WithCancel(t.Context())
			defer over()
			var others sync.WaitGroup
			var people []*telegramtest.User
			for n := range 5 {
				people = append(people, x.server.NewUser(fmt.Sprint("P", n), "en"))
			}
			if beside.every > 0 {
				g := &game{casino: c, chat: forum, topic: 3, users: people[:2], rand: rand.New(rand.NewPCG(7, 3))}
				switch {
				case beside.solo:
					playAlone(g.users[0], forum, 3, "/patience zaba")
				case len(beside.asks) == 0 || beside.asleep:
					g.deal("21b limit=none")
				}
				if beside.asleep {
					rest(15 * time.Minute)
				}
				others.Go(func() {
					shown, said := time.Now(), ""
					for n := 0; ctx.Err() == nil; n++ {
						switch {
						case beside.solo:
							now, _ := newestIn(forum, 3)
							if late := time.Since(shown); late > 15*time.Second {
								t.Errorf("a patience is shown after %v", late)
							}
							if now.Text != said {
								shown, said = time.Now(), now.Text
							}
							pressAny(g.users[0], forum, 3, g.rand)
						case beside.shown && n%10 == 0:
							forum.SayIn(3, people[2*(n%20/10)], "/table")
						case len(beside.asks) > 0:
							forum.SayIn(0, people[n%len(people)], beside.asks[n%len(beside.asks)])
						default:
							g.tap()
						}
						time.Sleep(beside.every)
					}
				})
			}
			u, taken := x.server.NewUser("C", "en"), 0
			playAlone(u, forum, 9, fmt.Sprintf("/zevaka 21b computers=1 limit=%ds now", map[bool]int{false: 15, true: 60}[beside.asleep]))
			for end := time.Now().Add(2 * fairTime); time.Now().Before(end); {
				tables, err := bottest.Shelf(c.store).Look(ctx, chat.Place{Community: community(forum.ID), Channel: forum.ID, Thread: 9})
				for _, table := range tables {
					if chair := table.Chairs[0]; err != nil || chair.Missed > 0 || chair.Away {
						t.Fatalf("beside %+v a turn ran out after %d moves (%v)", beside, taken, err)
					}
				}
				before, moves := newestIn(forum, 9)
				time.Sleep(2 * time.Second)
				for _, move := range moves { // The one that counts.
					id := u.Press(before, move.Data)
					<-x.server.Answered(id)
					c.mu.Lock()
					counts := !c.responses["tg-q"+id].Alert
					c.mu.Unlock()
					if counts {
						taken++
						break
					}
				}
				late := time.Now().Add(15 * time.Second)
				x.server.Wait(t.Context(), func() bool {
					now, _ := newestIn(forum, 9)
					return now.Text != before.Text || now.ID != before.ID || !time.Now().Before(late)
				})
			}
			if beside.every == 0 {
				quiet = taken
			}
			if quiet < 30 || len(beside.asks) > 0 && taken < quiet*7/10 {
				t.Errorf("beside %+v they made %d moves, not %d", beside, taken, quiet)
			}
			over()
			others.Wait()
			rest(time.Minute)
			c.close()
		})
	}
}

// playAlone has somebody begin to play alone in a topic.
func playAlone(u *telegramtest.User, forum *telegramtest.Chat, topic int64, line string) {
	forum.SayIn(topic, u, line)
	rest(5 * time.Second)
	for _, m := range slices.Backward(forum.Messages()) {
		if at := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.Data, "!here") }); at >= 0 && m.Topic == topic {
			m.Chat = forum.ID
			u.Press(m, m.Buttons[at].Data)
			return
		}
	}
}

// pressAny has somebody press a move of the newest table in a topic, if there is one.
func pressAny(u *telegramtest.User, forum *telegramtest.Chat, topic int64, chance *rand.Rand) {
	if m, moves := newestIn(forum, topic); len(moves) > 0 {
		u.Press(m, moves[chance.IntN(len(moves))].Data)
	}
}

// newestIn is the newest message in a topic that offers moves, and which.
func newestIn(forum *telegramtest.Chat, topic int64) (m telegramtest.Message, moves []telegramtest.Button) {
	for _, m := range slices.Backward(forum.Messages()) {
		moves := slices.DeleteFunc(slices.Clone(m.Buttons), func(b telegramtest.Button) bool {
			do := b.Data[strings.LastIndexByte(b.Data, '.')+1:]
			return do == "" || strings.HasPrefix(do, "!")
		})
		if m.Topic == topic && m.To == 0 && len(moves) > 0 {
			m.Chat = forum.ID
			return m, moves
		}
	}
	return m, nil
}
