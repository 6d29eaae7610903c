//go:build browser && unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/live"
	"zevaka/engine/enginetest"
)

// TestPressesThroughABrokenLine presses behind each door while the line is cut: what got through counts once, however often it was
// sent, and of what didn't the one who pressed is told.
func TestPressesThroughABrokenLine(t *testing.T) {
	enginetest.Long(t)
	t.Parallel()
	x := openDoors(t)
	ann, onlooker := x.telegram.NewUser("Аня", "ru"), x.telegram.NewUser("Дина", "en")
	chat := x.telegram.NewForum("Игры", ann, onlooker)
	chat.Say(ann, "/zevaka 21a computers=1 limit=none now")
	var link telegramtest.Button
	x.until("a board", func() bool {
		m, _ := chat.Board()
		i := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return b.Text == "▦" })
		if i >= 0 {
			link = m.Buttons[i]
		}
		return i >= 0
	})
	tg := x.front.open("ru")
	tg.origin = "https://" + publicHost
	tg.navigate("https://" + telegramHost + "/host")
	tg.host(fmt.Sprintf("show(%q)", ann.Open("https://"+publicHost+"/tg", link)))
	x.breaks(tg, newWatcher(t, x.door("/tg"), door.Hello{Login: onlooker.Login(link.Start()), Start: link.Start()}), "Аня")

	anna, dan := discordtest.User{ID: "101", Name: "ann", Global: "Ann", Locale: "en-US"}, discordtest.User{ID: "105", Name: "dan", Locale: "en-US"}
	x.discord.Command(anna, discordtest.Channel, "zevaka", map[string]any{"set": "21a", "limit": "none"}).Answer()
	dc := x.front.open("en")
	instance := x.discord.Launch(discordtest.Channel, anna, dan)
	dc.activity(x.discord, anna, instance)
	dc.act("robot")
	dc.act("deal")
	dc.until(`document.querySelector(".tbl").dataset.phase === "playing" || ([...document.querySelectorAll(".tbl button")].find((b) => b.act?.do === "no-cut")?.click(), false)`)
	x.breaks(dc, newWatcher(t, x.door("/dc"), door.Hello{Login: x.discord.Authorize(dan), Instance: instance}), "Ann")
	x.end(t, syscall.SIGTERM)
}

// breaks presses while the line is broken in each way, at a table whose other player is the computer.
func (x *doored) breaks(c *tab, w *watcher, name string) {
	x.t.Helper()
	turn := func() live.Scene {
		x.t.Helper()
		return w.until(func() string { return "her turn: " + c.text() }, func(s live.Scene) bool {
			return s.Phase == "playing" && s.Turn >= 0 && s.Seats[s.Turn].Name == name
		})
	}
	after := func(s live.Scene) live.Scene {
		x.t.Helper()
		return w.until(func() string { return "the move: " + c.text() }, func(now live.Scene) bool { return now.Version > s.Version })
	}
	turned := func(s live.Scene) string {
		i := slices.IndexFunc(s.Piles, func(p live.Pile) bool { return p.Role == "turned" })
		return s.Piles[i].Cards
	}
	flip := func() live.Scene { // to a position in which she flips
		x.t.Helper()
		for {
			s := turn()
			if turned(s) == "" {
				c.offers("flip")
				return s
			}
			c.act("keep")
			after(s)
		}
	}
	calm := func() { x.t.Helper(); c.until(`document.querySelector("#lost").textContent === ""`) }

	// The answer is lost on its way, twice.
	s := flip()
	x.front.mu.Lock()
	x.front.deaf = 2
	x.front.mu.Unlock()
	c.act("flip")
	s = after(s)
	card := turned(s)
	x.until("all are sent", func() bool { x.front.mu.Lock(); defer x.front.mu.Unlock(); return x.front.deaf == 0 })
	c.until(fmt.Sprintf(`document.querySelector(".tbl .place.turned [data-card]")?.dataset.card === %q && !document.querySelector("#alerts").innerText`, card))

	// The line is cut, and stands again soon: nothing is lost, and nothing doubled.
	c.offers("keep")
	x.front.goes(false)
	c.until(`document.querySelector("#lost").textContent`)
	c.act("keep")
	x.front.goes(true)
	after(s)
	calm()
	if now := turn(); len(strings.Fields(turned(now))) > 0 {
		x.t.Errorf("more was done than she did: %+v", now.Last)
	}

	// The line is away for so long that the page gives the press up, and says so; nothing happens behind her back.
	s = flip()
	x.front.goes(false)
	c.act("flip")
	c.until(`document.querySelector("#alerts").innerText`)
	x.front.goes(true)
	calm()
	if now := w.sees(); turned(now) != "" || now.Turn != s.Turn {
		x.t.Errorf("a press that was given up was made: %+v", now.Last)
	}
	c.act("flip")
	after(s)
}
