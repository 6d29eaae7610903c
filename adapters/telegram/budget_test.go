package telegram

import (
	"math/rand/v2"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestPace lets a group want messages of all classes in all sorts of ways, through lives of the adapter that end at any moment: no
// minute holds more than 15 that a table needs, nor more than 19 in all. After a rest there is one more of both. There is a second between two that
// a table needs, and before each of the others.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		name         string
		die          int // How often, in a hundred, the adapter dies.
		rests        bool
		needed, most int
	}{
		{"one life", 0, false, 15, 19}, {"many lives", 5, false, 15, 19}, {"after rests", 5, true, 16, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			needed, most := 0, 0
			for seed := range uint64(300) {
				chance := rand.New(rand.NewPCG(seed, 1))
				often := func(percent int) bool { return chance.IntN(100) < percent }
				now := time.Unix(0, 0)
				rested := now
				p := newBudget(true, now, test.rests)
				var sent, table []time.Time
				for end := now.Add(10 * time.Minute); now.Before(end); {
					c, playing := class(chance.IntN(int(redraws)+1)), often(50)
					d := p.wait(now, c, playing)
					last := p.last
					if c <= turns {
						last = p.lastNeeded
					}
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
						rests := test.rests && now.Sub(rested) >= time.Minute
						if rests {
							rested = now
						}
						p = newBudget(true, now, rests)
					}
				}
				needed, most = max(needed, telegramtest.Busiest(table)), max(most, telegramtest.Busiest(sent))
			}
			if needed != test.needed || most != test.most {
				t.Errorf("a minute holds %d that a table needs, not %d, and %d in all, not %d", needed, test.needed, most, test.most)
			}
		})
	}
}

// TestFirstBoard: a group that nothing was written to waits for its first board only if the bot began shortly before.
func TestFirstBoard(t *testing.T) {
	for _, test := range []struct {
		rested      bool
		least, most time.Duration
	}{
		{true, 0, time.Second}, {false, 4 * time.Second, 5 * time.Second},
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			x.start(Options{Rested: test.rested})
			ann, c := x.server.NewUser("Аня", ""), x.server.NewGroup("Cards")
			asked := time.Now()
			c.Say(ann, "/zevaka")
			x.board(c, "level 1")
			if took := time.Since(asked); took < test.least || took > test.most {
				t.Errorf("rested %t: the board comes after %v", test.rested, took)
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
