package telegram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/engine"
)

// paces are people who tap at tables of one group at an even pace, whatever the boards show: they see what they do by toasts.
type paces struct {
	people, tables int
	// each is how long a table waits for its next tap.
	each time.Duration
	// asked is how often somebody else asks for something in the group; 0: never.
	asked time.Duration
}

// lateness is how late boards showed what was tapped, and answers what was asked for.
type lateness struct {
	boards, answers []time.Duration
	// busiest is how many messages and edits a minute held at most.
	busiest int
}

// within is how late so many of a hundred were at most.
func within(late []time.Duration, percent int) time.Duration {
	if len(late) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(late))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)].Round(100 * time.Millisecond)
}

// tap is move for who plays beside others.
func (g *game) tap() bool {
	if len(g.state.Turn()) == 0 {
		return false
	}
	seat := g.state.Turn()[0]
	move := g.state.Auto(seat, 0.9, g.rand)
	data := g.token(2+g.state.Epoch(), g.rules.Text(move))
	for _, u := range g.users {
		if known := g.seats[seat]; known != nil && known != u {
			continue
		}
		board, _ := g.table1()
		id := u.Press(board, data)
		g.taps = append(g.taps, id)
		<-g.server.Answered(id)
		g.mu.Lock()
		made := !g.responses["tg-q"+id].Alert
		g.mu.Unlock()
		if made {
			g.seats[seat] = u
			break
		}
	}
	_, err := g.state.Apply(engine.Step{Seat: seat, Move: move})
	return err == nil
}

// measure has the people tap for so long.
func (p paces) measure(t *testing.T, long time.Duration) (found lateness) {
	c := &casino{}
	bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age, c.house = time.Hour, x
		c.open()
		group := x.server.NewForum("Games")
		var all []*game
		for n := range p.tables {
			g := &game{casino: c, chat: group, topic: int64(10 + n), rand: rand.New(rand.NewPCG(7, uint64(n)))}
			for i := range p.people {
				g.users = append(g.users, x.server.NewUser(fmt.Sprintf("P%d%d", n, i), "en"))
			}
			g.deal("21b limit=none")
			all = append(all, g)
		}
		rest(time.Minute)
		end := time.Now().Add(long)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if p.asked > 0 {
				found.answers = p.asks(x, group, end)
			}
		}()
		taps := make([][]time.Time, len(all))
		var tapping sync.WaitGroup
		for n, g := range all {
			tapping.Go(func() {
				chance := rand.New(rand.NewPCG(5, uint64(n)))
				for next := time.Now(); time.Now().Before(end); {
					time.Sleep(time.Until(next))
					next = time.Now().Add(p.each*4/5 + time.Duration(chance.Int64N(int64(p.each)*2/5)))
					if !g.tap() {
						return
					}
					taps[n] = append(taps[n], time.Now())
				}
			})
		}
		tapping.Wait()
		<-done
		rest(time.Minute)
		var sent []time.Time
		for _, method := range []string{"sendMessage", "editMessageText", "editMessageReplyMarkup"} {
			for _, call := range x.server.Calls(method) {
				sent = append(sent, call.At)
			}
		}
		slices.SortFunc(sent, time.Time.Compare)
		found.busiest = telegramtest.Busiest(sent)
		for n, g := range all {
			for _, tapped := range taps[n] {
				for _, call := range x.server.Calls("editMessageText") { // A board is drawn when it is sent.
					if !call.At.Before(tapped) && strings.Contains(call.Params["reply_markup"], "."+g.table+".") {
						found.boards = append(found.boards, call.At.Sub(tapped))
						break
					}
				}
			}
		}
		c.close()
	})
	return found
}

// asks has people who don't play ask for something, one after the other, and returns how late they were answered.
func (p paces) asks(x *house, group *telegramtest.Chat, end time.Time) (late []time.Duration) {
	var people []*telegramtest.User
	for n := range 4 {
		people = append(people, x.server.NewUser(fmt.Sprint("A", n), "en"))
	}
	what := []string{"/balance", "/settings", "/give P00 5"}
	for n := 0; ; n++ {
		time.Sleep(p.asked)
		if !time.Now().Before(end) {
			return late
		}
		begun, topic := time.Now(), int64(10)
		said := group.SayIn(topic, people[n%len(people)], what[n%len(what)])
		answered := func() bool {
			return slices.ContainsFunc(group.Messages(), func(m telegramtest.Message) bool { return m.ReplyTo == said })
		}
		for !answered() && time.Since(begun) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		late = append(late, time.Since(begun))
	}
}

// TestPaces: boards keep up with people who tap, and others are answered between, as well as 20 messages in a minute allow. Of what was tried
// right after a deal, these are the seconds after which half of the boards are there, and 95 in a hundred, where two people tap each 2.5 s,
// and six: 3 at once and one more each 4.7 s 2.0 and 3.7, 2.3 and 5.7; 3 and 4.15 s 1.9 and 4.1, 2.0 and 4.1; 2 and 3.9 s 1.7 and 4.4, 2.0 and
// 3.8, but a game begins 3 s later; 1 and 3.75 s 2.3 and 11.3, 7.4 and 19.6, as a picture with the same buttons leaves one for others. What is
// beside a table had 2 at once and one more each 40 s, and who asked each 15 s waited 25 s; where it gets all that the table can't need, 2 s.
func TestPaces(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		paces
		half, most, answers time.Duration // How late half of the boards may be, 95 in a hundred, and as many answers.
	}{
		{paces{2, 1, 1000 * ms, 0}, 2200 * ms, 5500 * ms, 0},
		{paces{2, 1, 2500 * ms, 0}, 2000 * ms, 4500 * ms, 0},
		{paces{2, 1, 2500 * ms, 45 * time.Second}, 2000 * ms, 4500 * ms, 2500 * ms},
		{paces{6, 1, 2500 * ms, 0}, 2000 * ms, 4500 * ms, 0},
		{paces{2, 1, 2500 * ms, 15 * time.Second}, 2000 * ms, 4500 * ms, 2500 * ms},
		{paces{2, 1, 4000 * ms, 40 * time.Second}, 1500 * ms, 4500 * ms, 2500 * ms},
		{paces{2, 1, 10000 * ms, 20 * time.Second}, 500 * ms, 4500 * ms, 2500 * ms},
		{paces{2, 2, 10000 * ms, 40 * time.Second}, 500 * ms, 5000 * ms, 2500 * ms},
		{paces{2, 2, 2500 * ms, 15 * time.Second}, 5 * time.Second, 13 * time.Second, 2500 * ms},
		{paces{2, 3, 2500 * ms, 15 * time.Second}, 7000 * ms, 20 * time.Second, 2500 * ms},
	} {
		t.Run(fmt.Sprintf("%+v", test.paces), func(t *testing.T) {
			f := test.measure(t, 3*time.Minute)
			half, most, answers := within(f.boards, 50), within(f.boards, 95), within(f.answers, 95)
			t.Logf("%d boards after %v and %v, %d answers after %v, %d in a minute", len(f.boards), half, most, len(f.answers), answers, f.busiest)
			if half > test.half || most > test.most || answers > test.answers || f.busiest > 20 {
				t.Errorf("at most %v, %v, %v, 20", test.half, test.most, test.answers)
			}
		})
	}
}

// TestNothingMute: in 200 groups where people play, each tap is answered within a second by a line or a place to go to, and each command by
// something to see.
func TestNothingMute(t *testing.T) {
	const groups, each, soon = 200, 15 * time.Second, time.Second
	c := &casino{}
	bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age, c.house = time.Hour, x
		c.open()
		var all []*game
		for n := range groups {
			g := &game{casino: c, chat: x.server.NewGroup("Games"), rand: rand.New(rand.NewPCG(7, uint64(n)))}
			for i := range 2 {
				g.users = append(g.users, x.server.NewUser(fmt.Sprintf("P%d%d", n, i), "en"))
			}
			g.deal("21b")
			all = append(all, g)
		}
		rest(time.Minute)
		commands, given := c.bot.Commands("en"), atomic.Int64{}
		var tapping sync.WaitGroup
		for n, g := range all {
			tapping.Go(func() {
				time.Sleep(each * time.Duration(n) / groups)
				for range 4 {
					if !g.tap() {
						return
					}
					if next := int(given.Add(1)) - 1; next < len(commands) {
						g.isHeard("/"+commands[next].Name, soon)
					}
					time.Sleep(each)
				}
			})
		}
		tapping.Wait()
		if given := int(given.Load()); given < len(commands) {
			t.Errorf("%d of %d commands were given", given, len(commands))
		}
		for n, g := range all {
			if len(g.taps) < 4 {
				t.Errorf("group %d tapped %d times", n, len(g.taps))
			}
			for _, id := range g.taps {
				if a, _ := x.server.Answer(id); a.Text == "" && a.URL == "" || a.After > soon {
					t.Errorf("a tap is answered %+v", a)
				}
			}
		}
		c.close()
	})
}

// isHeard has somebody who doesn't play give a command, to which something has to be seen in time.
func (g *game) isHeard(line string, soon time.Duration) {
	u := g.server.NewUser("A", "en")
	seen := func() int { return len(g.chat.Messages()) + len(u.Private().Messages()) }
	before, said := seen(), time.Now()
	g.chat.Say(u, line)
	for seen() == before {
		if time.Sleep(50 * time.Millisecond); time.Since(said) > soon {
			g.t.Errorf("%s is heard after more than %v", line, soon)
			return
		}
	}
}

// TestSettingsBesideAGame: beside a game that uses what it may, each tap in the settings is told at once what is chosen now, and the last of
// three is shown within five seconds.
func TestSettingsBesideAGame(t *testing.T) {
	c := &casino{}
	bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age, c.house = time.Hour, x
		c.open()
		g := &game{casino: c, chat: x.server.NewGroup("Games"), rand: rand.New(rand.NewPCG(7, 1))}
		for i := range 2 {
			g.users = append(g.users, x.server.NewUser(fmt.Sprint("P", i), "en"))
		}
		g.deal("21b")
		rest(time.Minute)
		var tapping sync.WaitGroup
		tapping.Go(func() {
			for range 60 {
				if !g.tap() {
					return
				}
				time.Sleep(2500 * time.Millisecond)
			}
		})
		time.Sleep(time.Minute)
		ann := x.server.NewUser("Ann", "en")
		said := g.chat.Say(ann, "/settings")
		panel := func() (m telegramtest.Message) {
			for _, m = range g.chat.Messages() {
				if m.ReplyTo == said {
					break
				}
			}
			return m
		}
		time.Sleep(5 * time.Second)
		last := ""
		for _, begins := range []string{"🔊", "♦", "🔊"} {
			m := panel()
			i := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.HasPrefix(b.Text, begins) })
			a := x.send(ann, m, m.Buttons[i].Data)
			if last = a.Text; !strings.HasPrefix(last, begins) || a.After > 500*time.Millisecond {
				t.Errorf("%s is told %+v", begins, a)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(4 * time.Second)
		if !slices.ContainsFunc(panel().Buttons, func(b telegramtest.Button) bool { return b.Text == last }) {
			t.Errorf("%q isn't shown: %+v", last, panel().Buttons)
		}
		tapping.Wait()
		c.close()
	})
}
