package telegram

import (
	"math/rand/v2"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestPace lets a group want messages in all sorts of ways, through lives of the adapter that end at any moment: no
// minute holds more than 15, nor with those that are for one person, or after a rest, more than 16, and there is a second
// between them.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		name      string
		debt, die int // How often, in a hundred, there is one for one person, and how often the adapter dies.
		rests     bool
		most      int
	}{
		{"one life", 0, 0, false, 15}, {"many lives", 0, 5, false, 15}, {"with debts", 20, 0, false, 16},
		{"after rests", 0, 5, true, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			most := 0
			for seed := range uint64(300) {
				chance := rand.New(rand.NewPCG(seed, 1))
				often := func(percent int) bool { return chance.IntN(100) < percent }
				now := time.Unix(0, 0)
				rested := now
				p := newBudget(true, now, test.rests)
				var sent []time.Time
				for end := now.Add(10 * time.Minute); now.Before(end); {
					keep := []time.Duration{keepNone, keepSome}[chance.IntN(2)]
					d := p.wait(now, keep)
					if often(test.debt) {
						d = p.short(now, keepDebt)
					} else if d <= 0 && now.Sub(p.last) < apart {
						t.Fatalf("%v after another", now.Sub(p.last))
					}
					if d <= 0 {
						p.use(now)
						sent = append(sent, now)
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
				most = max(most, telegramtest.Busiest(sent))
			}
			if most != test.most {
				t.Errorf("a minute holds %d, not %d", most, test.most)
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
