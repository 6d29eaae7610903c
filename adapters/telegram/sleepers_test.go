package telegram

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestPlayedBeforeSleepers: where all tables of a group are shown anew, after a start, in another language or in the supergroup that it becomes, the
// move of two who play doesn't stand behind the pictures of those that sleep there, or that lie where nobody's time runs out.
func TestPlayedBeforeSleepers(t *testing.T) {
	for name, anew := range map[string]func(*game, *telegramtest.User){
		"a start":    func(g *game, _ *telegramtest.User) { g.age = 0; g.crash() },
		"a language": func(g *game, boss *telegramtest.User) { g.chat.SayIn(0, boss, "/lang pl") },
		"an upgrade": func(g *game, _ *telegramtest.User) {
			g.chat = g.chat.Upgrade(true)
			g.table = community(g.chat.ID).String() + g.table[strings.IndexByte(g.table, '.'):]
		},
	} {
		c := &casino{dir: t.TempDir()}
		c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
			x.age = time.Hour
			boss := x.server.NewUser("Boss", "ru")
			group := x.server.NewGroup("Игры", boss)
			deal := func(n int, limit string) *game {
				people := []*telegramtest.User{x.server.NewUser(fmt.Sprint("A", n), "ru"), x.server.NewUser(fmt.Sprint("B", n), "ru")}
				g := &game{casino: c, chat: group, users: people, rand: rand.New(rand.NewPCG(7, 2))}
				g.deal("21b limit=" + limit)
				return g
			}
			for n := range 10 {
				deal(30+n, []string{"60s", "none", "3600s"}[n%3])
				rest(30 * time.Second)
			}
			rest(20 * time.Minute)
			g := deal(2, "60s")
			anew(g, boss)
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
					t.Errorf("after %s a move is shown after %v", name, late)
				}
			}
			rest(time.Minute)
			c.close()
		})
	}
}
