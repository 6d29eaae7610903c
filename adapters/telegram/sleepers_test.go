package telegram

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestPlayedBeforeSleepers: after a start the move of two who play doesn't stand behind the pictures of the tables that sleep there, or that
// lie where nobody's time runs out.
func TestPlayedBeforeSleepers(t *testing.T) {
	c := &casino{dir: t.TempDir()}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age = time.Hour
		forum := x.server.NewForum("Игры")
		deal := func(topic int, limit string) *game {
			people := []*telegramtest.User{x.server.NewUser(fmt.Sprint("A", topic), "ru"), x.server.NewUser(fmt.Sprint("B", topic), "ru")}
			g := &game{casino: c, chat: forum, topic: int64(topic), users: people, rand: rand.New(rand.NewPCG(7, 2))}
			g.deal("21b limit=" + limit)
			return g
		}
		for n := range 10 {
			deal(30+n, []string{"60s", "none", "3600s"}[n%3])
			rest(30 * time.Second)
		}
		rest(20 * time.Minute)
		g := deal(2, "60s")
		x.age = 0
		c.crash()
		for range 5 {
			before, _ := g.table1()
			time.Sleep(2 * time.Second)
			g.tap()
			at := time.Now()
			x.server.Wait(t.Context(), func() bool {
				now, _ := g.table1()
				return now.Text != before.Text || now.ID != before.ID || time.Since(at) > time.Minute
			})
			if late := time.Since(at); late > 15*time.Second {
				t.Errorf("a move is shown after %v", late)
			}
		}
		rest(time.Minute)
		c.close()
	})
}
