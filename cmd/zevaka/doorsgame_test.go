//go:build browser && unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"zevaka/bot/live"
	"zevaka/engine/enginetest"
)

// gathers has everybody sit down, each where they are, the first deal, and whoever must cut.
func (g *group) gathers() {
	g.t.Helper()
	sits := func(n int) {
		g.t.Helper()
		g.watcher.until(func() string { return fmt.Sprint(n, " sit there") }, func(s live.Scene) bool { return len(s.Seats) == n })
	}
	sits(1)
	_, tokens := g.board()
	g.all[1].chat(tokens["Сесть"] + tokens["Join"])
	sits(2)
	for i, one := range g.all[2:] {
		one.tab.until(`document.querySelector(".tbl")?.dataset.phase === "lobby"`)
		one.tab.act("join")
		sits(3 + i)
	}
	s := g.watcher.sees()
	g.all[0].chat(g.token(s, "!deal"))
	s = g.watcher.until(func() string { return "the cut, or the deal" }, func(s live.Scene) bool { return s.Phase == "cutting" || s.Phase == "playing" })
	if s.Phase == "cutting" {
		if cutter := g.mover(s); cutter.tab != nil {
			cutter.tab.act("cut")
		} else {
			cutter.chat(g.token(s, "!cut 13"))
		}
	}
	g.watcher.until(func() string { return "the deal" }, func(s live.Scene) bool { return s.Phase == "playing" })
}

// mover is whose turn it is.
func (g *group) mover(s live.Scene) *sitter {
	g.t.Helper()
	i := slices.IndexFunc(g.all, func(one *sitter) bool { return one.name == s.Seats[s.Turn].Name })
	if i < 0 {
		g.t.Fatalf("nobody is called %q", s.Seats[s.Turn].Name)
	}
	return g.all[i]
}

// step has the next move be made, if the game goes on.
func (g *group) step() (more bool) {
	g.t.Helper()
	s := g.watcher.until(func() string { return "somebody's turn, or the end" }, func(s live.Scene) bool { return s.Phase == "ended" || s.Phase == "playing" && s.Turn >= 0 })
	if s.Phase == "ended" {
		return false
	}
	if who := g.mover(s); who.tab != nil {
		who.tab.shows(true)
	}
	g.moves(s, best(s))
	return true
}

// shows hides the tab from its person, as a phone does that puts an app away, or brings it back.
func (c *tab) shows(on bool) {
	c.t.Helper()
	if c.hidden == !on {
		return
	}
	c.hidden = !on
	state := page.SetWebLifecycleStateStateFrozen
	if on {
		state = page.SetWebLifecycleStateStateActive
	}
	if _, err := chromedp.Call(c.ctx, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: state}); err != nil {
		c.t.Fatal(err)
	}
}

// reload has the page be loaded anew, in the frame if it is in one.
func (c *tab) reload() {
	c.t.Helper()
	c.until(`(window.before = true)`)
	_, _ = in[bool](c, `(setTimeout(() => location.reload()), true)`)
	c.until(`!window.before && document.readyState === "complete" && document.querySelector(".tbl h2")?.textContent`)
}

// native looks whether the page understands a client that shows no frame, which calls it by each of three names.
func (c *tab) native() {
	c.t.Helper()
	for _, what := range []string{"web_app_ready", "web_app_expand", "web_app_request_fullscreen", "web_app_setup_swipe_behavior", "web_app_trigger_haptic_feedback"} {
		c.until(fmt.Sprintf(`got.some((m) => m.eventType === %q)`, what))
	}
	for i, call := range []string{"Telegram.WebView.receiveEvent", "TelegramGameProxy.receiveEvent", "TelegramGameProxy_receiveEvent"} {
		c.until(fmt.Sprintf(`(%s("theme_changed", { theme_params: %s }), document.documentElement.dataset.theme === %q)`,
			call, []string{darkTheme, lightTheme}[i%2], shade(i%2 == 0)))
	}
	c.until(`(Telegram.WebView.receiveEvent("content_safe_area_changed", { top: 40 }), getComputedStyle(document.body).paddingTop === "40px")`)
	c.until(`(Telegram.WebView.receiveEvent("visibility_changed", { is_visible: true }), document.querySelector("#lost").textContent === "")`)
}

// TestGamesThroughDoors plays a game of Зевака to its end in a group on each platform, two by the chat's buttons and two at the live
// table, while what can go wrong does; and somebody plays in the room, which is a community of its own. All see the same end, and the
// database has each move once.
func TestGamesThroughDoors(t *testing.T) {
	enginetest.Long(t)
	t.Parallel()
	x := openDoors(t)
	groups := []*group{telegramGroup(x), discordGroup(x)}
	room := &guest{t: t, name: "Eve", secret: strings.Repeat("e", 32)}
	room.send(x.url, "say", map[string]any{"text": "/zevaka 21a computers=1 limit=none now"})
	for _, g := range groups {
		g.gathers()
	}
	groups[0].all[3].tab.native()
	tabs := func(each func(*tab)) {
		for _, g := range groups {
			for _, one := range g.all[2:] {
				each(one.tab)
			}
		}
	}
	inRoom := 0
	wrong := map[int]func(){
		4: func() { go func() { time.Sleep(10 * time.Millisecond); x.front.cut() }() },
		5: func() { go x.front.cut() },
		8: func() { tabs(func(c *tab) { c.shows(false) }) },
		9: x.front.cut,
		12: func() {
			tabs(func(c *tab) {
				c.shows(true)
				c.host(`typeof tell === "function" && tell("visibility_changed", { is_visible: true })`)
				c.reload()
			})
		},
		15: func() { groups[0].fault(true); groups[1].fault(true) },
		20: func() { groups[0].fault(false); groups[1].fault(false) },
		22: func() { x.again(syscall.SIGTERM) },
		26: func() { x.again(syscall.SIGKILL) },
	}
	for round, more := 0, true; more; round++ {
		if now := wrong[round]; now != nil {
			now()
		}
		more = false
		for _, g := range groups {
			more = g.step() || more
		}
		if round%6 == 1 {
			if who, label := room.look(x.url).next(t); who == room.name && room.press(x.url, room.look(x.url), label) {
				inRoom++
			}
		}
	}
	for _, g := range groups {
		g.ended()
	}
	tabs(func(c *tab) {
		if said := c.complaints(); said != "" {
			t.Errorf("a page of %s did wrong: %s", c.origin, said)
		}
	})
	if inRoom == 0 {
		t.Error("nobody could play in the room")
	}
	if len(x.front.foreign) > 0 {
		t.Errorf("pages asked for %q", x.front.foreign)
	}
	x.end(t, syscall.SIGTERM)
	x.recorded(groups)
	if r := x.telegram.Report(); len(r.Violations) > 0 || r.Unanswered > 0 {
		t.Errorf("Telegram: %+v", r)
	}
	if r := x.discord.Record(); len(r.Violations) > 0 || len(r.Unanswered) > 0 {
		t.Errorf("Discord: %+v", r)
	}
}

// ended looks at the end of the game as everybody sees it.
func (g *group) ended() {
	g.t.Helper()
	s := g.watcher.sees()
	var places []string
	for _, p := range s.Result.Places {
		places = append(places, p.Name)
	}
	if len(places) != len(g.all) {
		g.t.Fatalf("the places are %q", places)
	}
	for _, one := range g.all {
		if one.tab == nil {
			continue
		}
		one.tab.shows(true)
		one.tab.until(`document.querySelector(".stage")?.dataset.phase === "ended"`)
		list, err := in[[]string](one.tab, `[...document.querySelectorAll(".stage li")].map((li) => li.innerText)`)
		if err != nil || len(list) != len(places) {
			g.t.Errorf("%s sees %q, %v", one.name, list, err)
			continue
		}
		for i, name := range places {
			if !strings.Contains(list[i], name) {
				g.t.Errorf("%s sees %q; the places are %q", one.name, list, places)
			}
		}
	}
	inOrder := regexp.MustCompile(`(?s)` + strings.Join(places, ".*"))
	g.until(fmt.Sprintf("%q on the chat's board", places), func() bool {
		text, tokens := g.board()
		return inOrder.MatchString(text) && slices.ContainsFunc(slices.Collect(maps.Values(tokens)), func(token string) bool { return strings.HasSuffix(token, ".!again") })
	})
	g.t.Logf("%q: %d moves, %d of them by buttons that the chat's board had by then", places, len(g.played), g.shown)
}

// recorded compares the database with what was played.
func (x *doored) recorded(groups []*group) {
	x.t.Helper()
	x.t.Log(good(x.t, "", "audit", "--db", x.db))
	var all [][]string
	for line := range strings.Lines(good(x.t, "", "export", "--db", x.db)) {
		var record struct {
			Game  string
			Moves []string
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			x.t.Fatal(err)
		}
		if record.Game == "zevaka" {
			all = append(all, record.Moves)
		}
	}
	for _, g := range groups {
		if !slices.ContainsFunc(all, func(moves []string) bool { return slices.Equal(moves, g.played) }) {
			x.t.Errorf("played were %q; recorded are %q", g.played, all)
		}
	}
	if len(all) != len(groups) {
		x.t.Errorf("%d games are recorded", len(all))
	}
}
