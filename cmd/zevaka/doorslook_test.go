//go:build browser && unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/engine/enginetest"
)

// The sizes in which the doors are looked at.
func sizes() [][2]int64 {
	return [][2]int64{{360, 740}, {740, 360}, {320, 568}, {768, 1024}, {1280, 800}}
}

// The colours that Telegram's clients in their light and dark themes tell.
const (
	lightTheme = `{ bg_color: "#ffffff", text_color: "#000000", secondary_bg_color: "#f4f4f5", button_color: "#3390ec", button_text_color: "#ffffff" }`
	darkTheme  = `{ bg_color: "#212121", text_color: "#ffffff", secondary_bg_color: "#0f0f0f", button_color: "#8774e1", button_text_color: "#ffffff" }`
)

// looks shows the page in all sizes, in both colours by turns, and looks whether all of it is to be seen. Where pictures are wanted
// that is in each language, else in one of them.
func (c *tab) looks(name string, paint func(dark bool)) {
	c.t.Helper()
	for i, size := range sizes() {
		for j, lang := range []string{"ru", "pl", "en"} {
			if *shots == "" && i%3 != j {
				continue
			}
			dark := (i+j)%2 == 1
			c.run(chromedp.EmulateViewport(size[0], size[1]))
			paint(dark)
			c.until(fmt.Sprintf(`((l) => { if (l.value !== %q) { l.value = %q; l.dispatchEvent(new Event("change")); } return true; })(document.querySelector("#langs"))`, lang, lang))
			c.until(fmt.Sprintf(`document.querySelector(".tbl").lang === %q && document.querySelector("#lost").textContent === ""`, lang))
			c.until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, size[0], size[1]))
			what := fmt.Sprintf("%s-%dx%d-%s-%s", name, size[0], size[1], lang, map[bool]string{true: "dark", false: "light"}[dark])
			c.shot(what)
			hidden, err := in[[]string](c, unseen)
			if err != nil || len(hidden) > 0 {
				c.t.Errorf("%s: not all is to be seen: %q, %v", what, hidden, err)
			}
		}
	}
}

// unseen are the buttons in use that lie outside of what is to be seen, or under something else.
const unseen = `[...document.querySelectorAll(".tbl .main .act, .tbl .bets .act, .tbl .stage > .bar:not(.sets) .act, #top button, #langs, #sound")].filter((b) => {
	const r = b.getBoundingClientRect();
	const at = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
	return r.width && (r.left < 0 || r.right > innerWidth + 0.5 || (r.bottom < innerHeight && !b.contains(at)));
}).map((b) => b.id + b.innerText).concat(document.documentElement.scrollWidth > innerWidth ? ["too wide"] : [])`

// TestDoorsLook looks at both doors in all sizes, and in all languages and colours. With -shots it leaves pictures there.
func TestDoorsLook(t *testing.T) {
	enginetest.Long(t)
	t.Parallel()
	x := openDoors(t)
	ann, bob := x.telegram.NewUser("Аня", "ru"), x.telegram.NewUser("Боря", "ru")
	for _, game := range []string{"zevaka", "banchok"} {
		chat := x.telegram.NewForum("Игры", ann, bob)
		chat.Say(ann, "/"+game+" limit=none")
		button := func(ends string) (telegramtest.Message, telegramtest.Button) {
			var m telegramtest.Message
			var b telegramtest.Button
			x.until("a button "+ends, func() bool {
				m, _ = chat.Board()
				i := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool {
					return strings.HasSuffix(b.Data, ends) && (ends != "" || b.Text == "▦")
				})
				if i >= 0 {
					b = m.Buttons[i]
				}
				return i >= 0
			})
			return m, b
		}
		_, link := button("")
		c := x.front.open("ru")
		c.origin = "https://" + publicHost
		c.navigate("https://" + telegramHost + "/host")
		c.host(fmt.Sprintf("show(%q)", ann.Open("https://"+publicHost+"/tg", link)))
		c.until(`document.querySelector(".tbl")?.dataset.phase === "lobby"`)
		board, join := button(".!join")
		bob.Press(board, join.Data)
		paint := func(dark bool) {
			c.host(`tell("theme_changed", { theme_params: ` + map[bool]string{true: darkTheme, false: lightTheme}[dark] + ` })`)
			c.until(fmt.Sprintf(`document.documentElement.dataset.theme === %q`, shade(dark)))
		}
		c.deals("tg-"+game, paint, func(do string) { bob.Press(board, strings.Replace(join.Data, ".0.!join", do, 1)) })
	}
	anna, bobby := discordtest.User{ID: "101", Name: "ann", Global: "Ann", Locale: "en-US"}, discordtest.User{ID: "102", Name: "bob", Global: "Bob", Locale: "en-US"}
	for i, game := range []string{"zevaka", "banchok"} {
		channel := fmt.Sprint(720 + i)
		x.discord.Place(channel, discordtest.Guild, 0)
		x.discord.Command(anna, channel, game, map[string]any{"limit": "none"}).Answer()
		var board discordtest.Message
		var join discordtest.Button
		x.until("a board", func() bool {
			for _, board = range x.discord.Messages(channel, "") {
				for _, join = range board.Buttons() {
					if strings.HasSuffix(join.CustomID, ".!join") {
						return true
					}
				}
			}
			return false
		})
		c := x.front.open("en")
		c.activity(x.discord, anna, x.discord.Launch(channel, anna))
		c.until(`document.querySelector(".tbl")?.dataset.phase === "lobby"`)
		x.discord.Press(bobby, board.ID, join.CustomID).Answer()
		paint := func(dark bool) {
			media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: shade(dark)}}}
			if _, err := chromedp.Call(c.ctx, emulation.SetEmulatedMedia, media); err != nil {
				t.Fatal(err)
			}
		}
		c.deals("dc-"+game, paint, func(do string) {
			x.discord.Press(bobby, board.ID, strings.Replace(join.CustomID, ".0.!join", do, 1)).Answer()
		})
	}
}

func shade(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

// deals looks at a table before and after its deal. The other one who sits there does what the end of a token says.
func (c *tab) deals(name string, paint func(dark bool), other func(do string)) {
	c.t.Helper()
	c.until(`[...document.querySelectorAll(".tbl .chair:not(.free)")].length === 2`)
	c.looks(name+"-lobby", paint)
	c.act("deal")
	c.until(`document.querySelector(".tbl").dataset.phase !== "lobby"`)
	c.until(`(() => { const cut = [...document.querySelectorAll(".tbl button")].find((b) => b.act?.do === "cut"); cut?.click(); return true; })()`)
	other(".1.!cut 13")
	c.until(`document.querySelector(".tbl").dataset.phase === "playing"`)
	c.looks(name, paint)
}
