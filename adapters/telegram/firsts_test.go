package telegram

import (
	"fmt"
	mrand "math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine/games"
)

// TestDealersKeepNobodyWaiting: two who deal at tables of their own and leave them, again and again, have what is promised there in their
// own share, and don't keep others from their game.
func TestDealersKeepNobodyWaiting(t *testing.T) {
	atLiveTables(t, func(t *testing.T, x *house, c *casino) {
		ann, bob, mel, friend := x.server.NewUser("Аня", "ru"), x.server.NewUser("Боря", "ru"), x.server.NewUser("Мэл", "ru"), x.server.NewUser("Друг", "ru")
		group := x.server.NewGroup("Игры")
		for _, u := range []*telegramtest.User{bob, mel, friend} {
			group.Join(u)
		}
		group.Say(ann, "/zevaka limit=none")
		start := startIn(t, x.board(group, "1. Аня"))
		v := map[*telegramtest.User]door.Visit{}
		for _, u := range []*telegramtest.User{ann, bob, mel, friend} {
			v[u] = x.enter(u, start)
		}
		press := func(u *telegramtest.User, id string, epoch int, do string) chat.Response {
			return x.asks(v[u], chat.Press, fmt.Sprintf("1.%s.%d.%s", strings.Replace(id, "/", ".", 1), epoch, do))
		}
		own := v[ann].Table
		press(bob, own, 0, "!join")
		press(ann, own, 0, "!deal")
		press(ann, own, 1, "!no-cut")
		press(bob, own, 1, "!no-cut")
		rest(5 * time.Minute)
		id, _ := table.ParseID(own)
		cycles := 0
		cycle := func() {
			r := x.asks(v[mel], chat.Press, fmt.Sprintf("1.%s.0.0.!another zevaka", id.Community))
			if r.Opened == "" {
				t.Fatalf("%+v", r)
			}
			press(friend, r.Opened, 0, "!join")
			press(mel, r.Opened, 0, "!deal")
			press(mel, r.Opened, 1, "!leave")
			press(friend, r.Opened, 1, "!leave")
			cycles++
			rest(2 * time.Second)
		}
		for range 30 {
			cycle()
		}
		worst := time.Duration(0)
		rules, _ := games.ByName("zevaka")
		chance := mrand.New(mrand.NewPCG(1, 1))
		for range 10 {
			one, err := bottest.Shelf(c.store).LookAt(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			state, err := table.Replay(t.Context(), c.store, rules, one)
			if err != nil {
				t.Fatal(err)
			}
			seat := state.Turn()[0]
			text := boardOf(group, "Боря")
			for _, u := range []*telegramtest.User{ann, bob} {
				if u.ID == one.Chairs[seat].User {
					press(u, own, one.Epoch(state), rules.Text(state.Auto(seat, 1, chance)))
				}
			}
			at := time.Now()
			for boardOf(group, "Боря") == text && time.Since(at) < 5*time.Minute {
				cycle()
			}
			worst = max(worst, time.Since(at))
		}
		if worst > longWait+10*time.Second {
			t.Errorf("beside %d deals the board was up to %v late", cycles, worst)
		}
		c.close()
	})
}

// boardOf is the text of the board at which somebody sits with Аня.
func boardOf(c *telegramtest.Chat, name string) (text string) {
	for _, m := range c.Messages() {
		if strings.Contains(m.Text, name) && strings.Contains(m.Text, "Аня") && len(m.Buttons) > 0 {
			text = m.Text
		}
	}
	return text
}
