package telegram

import (
	"math/rand/v2"
	"testing"
	"time"
)

// busiest is the most of the times that lie within one minute.
func busiest(times []time.Time) int {
	most := 0
	for i := range times {
		j := i
		for j < len(times) && times[j].Sub(times[i]) < time.Minute {
			j++
		}
		most = max(most, j-i)
	}
	return most
}

// TestPace lets a group want messages in all sorts of ways, through lives of the adapter that end at any moment: no
// minute holds more than 15, nor with those that are for one person more than 16, and there is a second between them.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		name      string
		debt, die int // How often, in a hundred, there is one for one person, and how often the adapter dies.
		most      int
	}{
		{"one life", 0, 0, 15}, {"many lives", 0, 5, 15}, {"with debts", 20, 0, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			most := 0
			for seed := range uint64(300) {
				chance := rand.New(rand.NewPCG(seed, 1))
				often := func(percent int) bool { return chance.IntN(100) < percent }
				now := time.Unix(0, 0)
				p := newPace(true, now)
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
						p = newPace(true, now)
					}
				}
				most = max(most, busiest(sent))
			}
			if most != test.most {
				t.Errorf("a minute holds %d, not %d", most, test.most)
			}
		})
	}
}
