//go:build browser

package web

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
	"zevaka/storage/bolt"
	"zevaka/storage/storagetest/stores"
)

// commands is what the test room's command line offers.
func commands(lang string) []Completion {
	hint := func(ru, en, pl string) string { return map[string]string{"ru": ru, "en": en, "pl": pl}[lang] }
	all := []Completion{
		{Line: "/zevaka", Hint: hint("Зевака: не зевайте", "Zevaka: stay awake", "Zewaka: nie gap się"), Start: true},
		{Line: "/banchok", Hint: hint("Польский банчок: на фишки", "Polish banchok: for chips", "Banczok: na żetony"), Start: true},
		{Line: "/patience", Hint: hint("Пасьянс", "Patience", "Pasjans"), Start: true}, {Line: "/day", Hint: hint("Пасьянс дня", "Patience of the day", "Pasjans dnia")},
		{Line: "/help", Hint: hint("Помощь", "Help", "Pomoc")}, {Line: "/zevaka fast"},
	}
	for _, rules := range patience.All() {
		name := rules.Info().Name
		all = append(all, Completion{Line: "/patience " + name, Hint: strings.ToUpper(name[:1]) + name[1:]})
	}
	lesson := func(line, about string) Completion { return Completion{Line: line, Hint: about, Whole: true} }
	return append(all,
		lesson("/zevaka learn", hint("Зевака за три минуты", "Zevaka in three minutes", "Zewaka w trzy minuty")),
		lesson("/banchok learn", hint("Банчок: как ставить", "Polish banchok: how to stake", "Banczok: jak stawiać")),
		lesson("/patience zaba learn", hint("Пасьянс за две минуты", "A patience in two minutes", "Pasjans w dwie minuty")),
		Completion{Line: "/patience zaba rows=1"}, Completion{Line: "/patience zaba rows=2"}, Completion{Line: "/patience zaba number="})
}

// house is a server that can be stopped and started again at the same address.
type house struct {
	t    *testing.T
	addr string
	url  string
	// admin is the address that has the admins' secret.
	admin string
	open  bool
	stop  context.CancelFunc
	done  chan error
	room  *Room
}

func (h *house) start(b chat.Handler) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if h.addr == "" {
		h.addr = "127.0.0.1:0"
	}
	ready := make(chan string, 1)
	opts := Options{Listen: h.addr, Open: h.open, Log: quiet(), Commands: commands, Ready: func(url string) { ready <- url }}
	if real, ok := b.(*bot.Bot); ok {
		opts.Tables = tablesOf(real)
	}
	h.room = New(b, opts)
	h.stop, h.done = cancel, make(chan error, 1)
	go func() { h.done <- h.room.Run(ctx) }()
	select {
	case h.admin = <-ready:
		h.url, _, _ = strings.Cut(h.admin, adminMark)
	case err := <-h.done:
		h.t.Fatal(err)
	}
	h.addr = strings.TrimSuffix(strings.TrimPrefix(h.url, "http://"), "/")
}

func (h *house) end() {
	h.t.Helper()
	h.stop()
	if err := <-h.done; err != nil {
		h.t.Error(err)
	}
}

func open(t *testing.T, b chat.Handler) (*house, *chromium) {
	t.Helper()
	c := startChromium(t)
	h := &house{t: t}
	h.start(b)
	t.Cleanup(func() { h.end() })
	return h, c
}

// parlour is a room with all games, and a browser to go there.
func parlour(t *testing.T) (*house, *chromium) {
	t.Helper()
	return roomOf(t, allGames())
}

// roomOf is a room for the games, and a browser to go there.
func roomOf(t *testing.T, games []engine.Rules) (*house, *chromium) {
	t.Helper()
	c := startChromium(t)
	store := stores.Open(t, filepath.Join(t.TempDir(), "zevaka.db"), bolt.Options{})
	b, err := bot.New(t.Context(), bot.Options{Store: store, Games: games})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, open: true}
	h.start(b)
	t.Cleanup(func() {
		h.end()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, c
}

// screens are the sizes that the page is looked at in: the narrowest, the lowest and a desk's, and in a long test those between
// and beyond.
func screens() [][2]int64 {
	return [][2]int64{
		{320, 600}, {740, 360}, {desktopWidth, desktopHeight}, {768, 1024}, {360, 640}, {phoneWidth, phoneHeight}, {2560, 1440},
	}[:enginetest.Bound(3, 7)]
}

func TestRoomArrive(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.open(h.url)
	ann.until(`document.querySelectorAll("#solos button").length === 9 && document.querySelectorAll("#games button").length === 2 && document.querySelector("#none").innerText`)
	if asked := value[bool](ann, `Boolean(document.querySelector("dialog[open]"))`); asked {
		t.Error("somebody who only looks is asked something")
	}
	for _, size := range screens() {
		ann.look(size[0], size[1], "light")
		ann.fits("arriving")
		ann.shot("arrive-" + itoa(size[0]))
	}
	ann.look(phoneWidth, phoneHeight, "dark")
	ann.shot("arrive-dark")
	ann.look(phoneWidth, phoneHeight, "light")
	ann.press("Сыграть с компьютером")
	ann.until(`document.querySelector("#who").open`)
	ann.shot("arrive-name")
	ann.press("Аня")
	ann.press("Дальше")
	ann.until(`document.querySelector(".tbl")?.dataset.phase === "cutting" || document.querySelector(".tbl")?.dataset.phase === "playing"`)
	ann.shot("arrive-now")
	ann.look(desktopWidth, desktopHeight, "light")
	ann.shot("arrive-now-desktop")
	ann.calm()
}

// does presses what stands for an act of the table, as soon as it can be pressed.
func (s *seat) does(do string) {
	s.t.Helper()
	s.until(`(() => { const b = [...document.querySelectorAll(".act, .go")].find((b) => b.act?.do === ` + quote(do) + ` && b.getAttribute("aria-disabled") === "false" && b.checkVisibility()); b?.click(); return b; })()`)
}

// phase waits until the table has come so far.
func (s *seat) phase(name string) {
	s.t.Helper()
	s.untilIn(wholeGame, `document.querySelector(".tbl")?.dataset.phase === `+quote(name)+` && document.querySelector("#felt").checkVisibility()`)
}

// start begins a game from the page.
func (s *seat) start(name string) {
	s.t.Helper()
	s.eval(`{ const b = document.querySelector("#begin"); b.checkVisibility() && b.click(); }`)
	s.until(`(() => { const b = [...document.querySelectorAll(".start")].find((b) => b.querySelector("b").innerText === ` + quote(name) + `); b?.click(); return b; })()`)
}

// everywhere looks at the page on every screen.
func (s *seat) everywhere(name string) {
	s.t.Helper()
	for _, size := range screens() {
		s.look(size[0], size[1], "light")
		s.run(chromedp.Sleep(50 * time.Millisecond))
		s.fits(fmt.Sprint(name, " at ", size))
		s.shot(fmt.Sprint(name, "-", size[0], "x", size[1]))
	}
	if *shots != "" {
		s.look(desktopWidth, desktopHeight, "dark")
		s.shot(name + "-dark")
	}
	s.look(phoneWidth, phoneHeight, "light")
}

func TestRoomTalk(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.say("Привет, Боря <b>!</b>")
	bob.until(`document.querySelector("#news").innerText === "1"`)
	bob.eval(`document.querySelector("#talkopen").click()`)
	bob.reads("#log .said", "Привет, Боря <b>!</b>")
	bob.until(`document.querySelector("#news").hidden && document.activeElement.id === "log"`)

	// What is typed to the bot and what it answers nobody else reads.
	ann.say("/balance")
	ann.until(`[...document.querySelectorAll("#log li")].at(-2)?.matches(".echo") && document.querySelectorAll("#log .private").length === 2`)
	ann.shot("talk-phone")
	ann.say("/no-such-thing")
	ann.until(`document.querySelectorAll("#log .echo").length === 2 && [...document.querySelectorAll("#log li")].at(-1).matches(".bot.private")`)
	bob.say("всё?")
	ann.reads("#log", "всё?")
	if value[int](bob, `document.querySelectorAll("#log .echo, #log .private").length`) != 0 {
		t.Error("Боря reads what Аня typed to the bot")
	}
	bob.eval(`document.querySelector("#talkclose").click()`)
	bob.until(`document.querySelector("#talk").hidden && document.activeElement.id === "talkopen"`)

	// Long answers are shown from their beginning, and put away.
	ann.say("/help")
	ann.until(`document.querySelector("#log").lastElementChild.querySelector(".only")`)
	ann.until(`(() => { const log = document.querySelector("#log"), last = log.lastElementChild; return Math.abs(last.offsetTop - log.offsetTop - log.scrollTop) < 60 || last.offsetHeight < log.clientHeight; })()`)
	n := value[int](ann, `document.querySelectorAll("#log li").length`)
	ann.eval(`[...document.querySelectorAll("#log .fold")].at(-1).click()`)
	ann.until(fmt.Sprintf(`document.querySelectorAll("#log li").length === %d && !document.querySelector("#log li.private .only")`, n-1))

	// Who is away in another hall sees how much is said here.
	ann.press("У окна")
	bob.say("ау")
	ann.until(`[...document.querySelectorAll("#channels button")][0].innerText === "Зал (1)" && document.querySelector("#news").innerText === "1"`)
	ann.eval(`document.querySelector("#channels button").click()`)
	ann.reads("#log", "ау")

	twin := c.join(h.url, "аня")
	twin.say("кто из нас я?")
	ann.until(`/^аня #\w{3} кто/.test([...document.querySelectorAll("#log .said")].at(-1).innerText)`)
	ann.look(desktopWidth, desktopHeight, "light")
	ann.shot("talk-desktop")
	for _, s := range []*seat{ann, bob, twin} {
		s.calm()
	}
}

// TestRoomCompletes: a word goes on from the words before it, and what was chosen isn't offered again.
func TestRoomCompletes(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.eval(`document.activeElement.blur()`)
	ann.key("/")
	ann.until(`document.activeElement.id === "text" && document.querySelectorAll("#options li").length === 8`)
	ann.shot("commands")
	for typed, want := range map[string]string{
		"/patience zaba ":                "/patience zaba learn, /patience zaba rows=1, /patience zaba rows=2, /patience zaba number=",
		"/patience zaba n":               "/patience zaba number=",
		"/patience zaba rows=2 ":         "/patience zaba rows=2 number=",
		"/patience zaba learn ":          "",
		"/patience zaba number=7 r":      "/patience zaba number=7 rows=1, /patience zaba number=7 rows=2",
		"/patience zaba number=7 rows=1": "",
		"/zevaka fast fast":              "",
	} {
		ann.fill("#text", typed)
		shown := value[string](ann, `[...document.querySelectorAll("#options b")].map((b) => b.innerText).join(", ")`)
		if shown != want {
			t.Errorf("%q goes on as %q, want %q", typed, shown, want)
		}
	}
	ann.fill("#text", "/zevaka f")
	ann.key("ArrowDown")
	ann.until(`document.querySelector("#text").getAttribute("aria-activedescendant") === "option0"`)
	ann.key("Enter")
	ann.until(`document.querySelector("#text").value === "/zevaka fast"`)
	ann.key("Enter")
	ann.phase("lobby")
	ann.calm()
}

// TestRoomDresses: looks and language are each reader's own, at once, at the table too.
func TestRoomDresses(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, strings.Repeat("ОченьДлинноеИмя", 4))
	ann.start("Зевака")
	ann.phase("lobby")
	ann.everywhere("lobby")
	colour := `getComputedStyle(document.body).backgroundColor`
	light := value[string](ann, colour)
	ann.paint("dark")
	if dark := value[string](ann, colour); light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	ann.click("#me")
	ann.until(`document.querySelector("#more").checkVisibility() && !document.querySelector("#adminhint").checkVisibility()`)
	ann.press("Светлое")
	ann.until(colour + ` === ` + quote(light))
	ann.press("Polski")
	ann.until(`document.documentElement.lang === "pl" && document.title.includes("Zewaka") && document.querySelector(".tbl").lang === "pl"`)
	ann.shot("settings")
	ann.fits("settings")
	ann.press("Zamknij")
	ann.until(`!document.querySelector("dialog[open]") && document.activeElement.id === "me"`)
	ann.reload()
	ann.until(`document.documentElement.lang === "pl" && document.querySelector(".tbl")?.lang === "pl" && ` + colour + ` === ` + quote(light))
	ann.calm()
}

// TestRoomSurvivesARestart: whoever is here stays who they are, and what was typed meanwhile is sent.
func TestRoomSurvivesARestart(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.say("/secret")
	ann.reads("#log", "for Аня only")
	h.end()
	ann.until(`document.querySelector("#lost").textContent`)
	ann.shot("lost")
	h.start(d)
	for _, p := range []*seat{ann, bob} {
		p.until(`!document.querySelector("#lost").textContent`)
	}
	ann.say("снова здесь")
	bob.say("и я")
	bob.reads("#log", "снова здесь")
	ann.reads("#log", "и я")
	ann.say("/secret")
	who := map[int64]bool{}
	wait(t, func() bool { return len(d.heard.Of(chat.Command)) == 2 })
	for _, r := range d.heard.Of(chat.Command) {
		who[r.Who.ID] = true
	}
	if len(who) != 1 {
		t.Errorf("Аня is %d people", len(who))
	}
	ann.calm()
	bob.calm()
}

// TestRoomLoadsOneLanguage: the words of another language come when somebody wants them, and once.
func TestRoomLoadsOneLanguage(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	loaded := func(want ...string) {
		t.Helper()
		got := value[[]string](ann, `performance.getEntriesByType("resource").map((e) => e.name.match(/(\w+)\.json$/)?.[1]).filter(Boolean)`)
		if !slices.Equal(got, want) {
			t.Errorf("the page has loaded the words of %q, want %q", got, want)
		}
	}
	loaded("ru")
	for _, lang := range []string{"pl", "ru", "pl"} {
		ann.speaks(lang)
	}
	ann.reads("#begin", "Nowa gra")
	loaded("ru", "pl")
	ann.reload()
	ann.reads("#begin", "Nowa gra")
	loaded("pl")
	ann.calm()
}
