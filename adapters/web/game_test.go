//go:build browser

package web

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters/browsertest"
	"zevaka/bot"
	"zevaka/bot/day"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// casino is all of it: the database, the bot, its clock and the room, to be stopped and started again.
type casino struct {
	house
	db    string
	store *bolt.Store
	stop  context.CancelFunc
	rang  chan struct{}
	// time is the bot's running time. It stands still while frozen, and runs like a real one while that is wanted.
	time   atomic.Int64
	frozen atomic.Bool
	real   atomic.Bool
	// ago is how long ago its day's time is.
	ago atomic.Int64
	// days are the patiences of its days.
	days day.Deals
}

// haste is how much faster than a real one the casino's clock runs.
const haste = 25

func (c *casino) start() {
	c.t.Helper()
	store, err := bolt.Open(c.db, bolt.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	running := func() time.Duration { return time.Duration(c.time.Load()) }
	b, err := bot.New(c.t.Context(), bot.Options{
		Store: store, Games: games.All(), Running: running, Deals: c.days, Pictures: true,
		Now: func() time.Time { return time.Now().Add(-time.Duration(c.ago.Load())) },
	})
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	c.store, c.stop, c.rang = store, stop, make(chan struct{})
	c.house.start(b)
	go func() {
		defer close(c.rang)
		c.time.Add(int64(time.Second)) // Time for every open table to be drawn, and none for a move.
		for ctx.Err() == nil {
			b.Ring(ctx, c.room.Show)
			time.Sleep(5 * time.Millisecond)
			switch {
			case c.frozen.Load():
			case c.real.Load():
				c.time.Add(int64(5 * time.Millisecond))
			default:
				c.time.Add(int64(haste * 5 * time.Millisecond))
			}
		}
	}()
}

func (c *casino) end() {
	c.t.Helper()
	c.stop()
	<-c.rang
	c.house.end()
	if err := c.store.Close(); err != nil {
		c.t.Error(err)
	}
}

// TestGamesInTheBrowser plays whole games of three people and a computer, each in a language of their own, with a restart in
// their midst.
func TestGamesInTheBrowser(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db")}
	c.start()
	t.Cleanup(func() { c.end() })
	people := []*seat{browser.join(c.url, "Аня"), browser.join(c.url, "Boris"), browser.join(c.url, "Wiktoria")}
	people[1].speaks("en")
	people[2].speaks("pl")
	for _, game := range []struct{ name, line string }{
		{"21a", "/zevaka 21а end=first limit=10m"}, {"21b", "/zevaka 21б penalty end=first limit=10m"},
	}[:enginetest.Bound(1, 2)] {
		people[0].say(game.line)
		deal(people, game.name)
		people[0].until(`document.querySelector(".log").childElementCount > 3 || (document.querySelector(".log").hidden && document.querySelector(".foot > .act").click())`)
		hold(people, true)
		for i, lang := range []string{"ru", "en", "pl"} {
			people[i].until(`document.querySelector(".tbl").lang === ` + quote(lang))
		}
		people[0].everywhere("zevaka-" + game.name)
		c.interrupt(people)
		hold(people, false)
		for _, p := range people {
			p.phase("ended")
		}
		people[0].until(`document.querySelectorAll(".placed").length === 4 && document.querySelector(".stage .gold").act.do === "again"`)
		people[0].everywhere("zevaka-end-" + game.name)
	}
	again(people)
	for _, p := range people {
		p.calm()
	}
}

// speaks has the page speak a language.
func (s *seat) speaks(lang string) {
	s.t.Helper()
	s.until(`(() => { const b = document.querySelector("#tongues [value=" + ` + quote(lang) + ` + "]"); b?.click(); return b; })()`)
	s.until(`document.documentElement.lang === ` + quote(lang))
}

// deal takes a lobby to the first moves: everybody sits down, and a computer player too.
func deal(people []*seat, name string) {
	ann := people[0]
	ann.phase("lobby")
	for i, p := range people[1:] {
		p.eval(`document.querySelector("#home").click()`)
		p.until(`(() => { const b = document.querySelector(".tables .primary"); b?.click(); return b; })()`)
		p.phase("lobby")
		ann.until(fmt.Sprintf(`document.querySelectorAll(".chair:not(.free)").length === %d`, i+2))
	}
	ann.does("robot")
	ann.until(`document.querySelectorAll(".chair:not(.free)").length === 4`)
	ann.shot("lobby-" + name)
	ann.does("deal")
	for _, p := range people {
		p.until(`document.querySelector(".tbl").dataset.phase !== "lobby"`)
		p.eval("window.hold = false")
		p.eval(browsertest.Player)
	}
	ann.phase("playing")
}

// hold has everybody stop, or go on.
func hold(people []*seat, still bool) {
	for _, p := range people {
		p.eval(fmt.Sprint("window.hold = ", still))
	}
}

// interrupt stops everything in mid-game and starts it again: the board must be as it was left.
func (c *casino) interrupt(people []*seat) {
	c.t.Helper()
	c.frozen.Store(true)
	defer c.frozen.Store(false)
	var boards []string
	for _, p := range people {
		same := "?"
		for board := boardOf(p); board != same; board = boardOf(p) {
			same = board
			time.Sleep(300 * time.Millisecond) // What happened last is still on its way to the pages.
		}
		boards = append(boards, same)
	}
	c.end()
	people[0].until(`document.querySelector("#lost").textContent`)
	people[0].shot("lost")
	c.start()
	for i, p := range people {
		p.until(`!document.querySelector("#lost").textContent`)
		p.until(boardText + " === " + quote(boards[i]))
	}
}

// boardText is what lies on the table.
const boardText = `[...document.querySelectorAll(".heap")].map((h) => [...h.querySelectorAll(".card")].map((c) => c.dataset.card || "-").join(" ") + h.querySelector(".count").textContent).join("/")`

func boardOf(s *seat) string {
	s.t.Helper()
	return value[string](s, boardText)
}

// again has two of them want another game: the end stays on every felt until its owner wants so, too.
func again(people []*seat) {
	ann, bob := people[0], people[1]
	bob.does("again")
	bob.phase("lobby")
	if ended := value[string](ann, `document.querySelector(".tbl").dataset.phase`); ended != "ended" {
		ann.t.Errorf("another one's game takes the end from the felt: %s", ended)
	}
	ann.does("again")
	ann.phase("lobby")
	bob.until(`document.querySelectorAll(".chair:not(.free)").length === 3`)
}

// TestRoomByKeyboard plays a game against the computer by keys alone, from the room to its end, and begins another one.
func TestRoomByKeyboard(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	browser := startChromium(t)
	c := &casino{house: house{t: t}, db: filepath.Join(t.TempDir(), "zevaka.db")}
	c.start()
	t.Cleanup(func() { c.end() })
	ann := browser.open(c.url)
	ann.until(`document.querySelector("#none").innerText && document.querySelectorAll("#games button").length`)
	for range 12 {
		if !value[bool](ann, `document.activeElement.id === "now"`) {
			ann.key("Tab")
		}
	}
	ann.until(`document.activeElement.id === "now"`)
	ann.key("Enter")
	ann.until(`document.querySelector("#who").open && document.activeElement.id === "name"`)
	ann.fill("#name", "Аня")
	ann.key("Enter")
	ann.until(`/cutting|playing/.test(document.querySelector(".tbl")?.dataset.phase) && document.querySelector(".tbl").contains(document.activeElement)`)
	for end := time.Now().Add(wholeGame); value[string](ann, `document.querySelector(".tbl").dataset.phase`) != "ended"; {
		if time.Now().After(end) {
			ann.shot("keyboard")
			t.Fatal("the game never ends")
		}
		key := value[int](ann, `(() => { const can = document.querySelector(".tbl").matches(".yours") ? [...document.querySelectorAll(".act:not([aria-disabled=true])")].filter((b) => b.act && b.checkVisibility() && !b.closest(".foot")) : [];
			return 1 + can.findIndex(({ act }) => act.do === "flip" && !document.querySelector(".place.turned .card") || act.kind === "self" || act.kind === "cut"); })()`)
		if key == 0 {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		ann.key(fmt.Sprint(key))
		if value[bool](ann, `document.activeElement === document.body`) {
			t.Fatal("the focus is nowhere")
		}
	}
	ann.until(`document.querySelector(".stage h3").checkVisibility()`)
	ann.until(`(() => { document.querySelector("#begin").focus(); return document.activeElement.id === "begin"; })()`)
	ann.key("Enter")
	ann.until(`document.querySelector("#newgame").open && document.activeElement.id === "now"`)
	ann.look(desktopWidth, desktopHeight, "light")
	ann.shot("newgame")
	ann.fits("a new game")
	ann.key("Escape")
	ann.until(`!document.querySelector("dialog[open]") && document.activeElement.id === "begin" && !document.querySelector("#hall").checkVisibility()`)
	ann.start("Зевака")
	ann.phase("lobby")
	ann.calm()
}
