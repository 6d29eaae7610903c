package telegram

import (
	"math/rand/v2"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestPace lets a group want messages of all classes in all sorts of ways, through lives of the adapter that end at any moment: no
// minute holds more than 17 that a table needs, nor more than 20 in all. There is a second between two that a table needs, and before
// each of the others.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		name string
		die  int // How often, in a hundred, the adapter dies.
	}{
		{"one life", 0}, {"many lives", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			needed, most := 0, 0
			for seed := range uint64(300) {
				chance := rand.New(rand.NewPCG(seed, 1))
				often := func(percent int) bool { return chance.IntN(100) < percent }
				now := time.Unix(0, 0)
				p := newBudget(true, now)
				var sent, table []time.Time
				for end := now.Add(10 * time.Minute); now.Before(end); {
					c, playing := class(chance.IntN(int(redraws)+1)), often(50)
					d := p.wait(now, c, playing)
					if early := d - time.Millisecond; c == others && playing && early > 0 && p.wait(now.Add(early), c, playing) <= 0 {
						t.Fatalf("seed %d: %v is longer than needed", seed, d)
					}
					last := p.last[c]
					if d <= 0 {
						if now.Sub(last) < apart {
							t.Fatalf("seed %d: %v after another", seed, now.Sub(last))
						}
						p.use(now, c)
						sent = append(sent, now)
						if c != others {
							table = append(table, now)
						}
					}
					switch now = now.Add(max(d, 0)); {
					case often(2):
						now = now.Add(time.Duration(chance.IntN(60)) * time.Second)
					case often(test.die):
						now = now.Add(time.Duration(chance.IntN(3000)) * time.Millisecond)
						p = newBudget(true, now)
					}
				}
				needed, most = max(needed, telegramtest.Busiest(table)), max(most, telegramtest.Busiest(sent))
			}
			if needed > 17 || most != 20 {
				t.Errorf("a minute holds %d that a table needs, not 17, and %d in all, not 20", needed, most)
			}
		})
	}
}

// TestFirstBoard: a group that nothing was written to waits for its first board only if the bot began shortly before.
func TestFirstBoard(t *testing.T) {
	for _, test := range []struct {
		age         time.Duration
		least, most time.Duration
	}{
		{refill, 0, time.Second}, {0, refill - time.Second, refill + time.Second},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			x.age = test.age
			x.start(Options{})
			ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
			asked := time.Now()
			c.Say(ann, "/zevaka")
			x.board(c, "level 1")
			if took := time.Since(asked); took < test.least || took > test.most {
				t.Errorf("%v after the start the board comes after %v", test.age, took)
			}
		})
	}
}

// TestChatsAreForgotten: of chats in which nothing happens few are remembered beside those that are new.
func TestChatsAreForgotten(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		s := x.start(Options{}).out
		n := int64(0)
		for range 3 {
			for range 2 * maxChats {
				n++
				s.chats.get(s, n)
			}
			if kept := len(s.chats.all()); kept < 2*maxChats || kept > 2*maxChats+maxChats/2 {
				t.Errorf("of %d chats %d are remembered, of which %d are new", n, kept, 2*maxChats)
			}
			rest(idleChat + time.Second)
		}
	})
}

// TestManyAreTold: what many chats are told at one hour comes to all of them, and keeps no board from people who play elsewhere.
func TestManyAreTold(t *testing.T) {
	bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age = time.Hour
		ann, c := x.group()
		groups := make([]*telegramtest.Chat, 500)
		for i := range groups {
			groups[i] = x.server.NewGroup("Cards")
		}
		for _, one := range groups {
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: placeOf(one.ID), Message: chat.Message{Text: []chat.Span{{Text: "the patience of the day"}}}}}})
		}
		asked := time.Now()
		c.Say(ann, "/zevaka")
		x.board(c, "level 1")
		if late := time.Since(asked); late > apart {
			t.Errorf("beside what %d chats are told a board comes after %v", len(groups), late)
		}
		rest(2 * everywhere * time.Duration(len(groups)))
		for _, one := range groups {
			if len(one.Messages()) != 1 {
				t.Fatalf("a chat has %d messages", len(one.Messages()))
			}
		}
	})
}
