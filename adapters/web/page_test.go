package web

import (
	"context"
	"strings"
	"testing"

	"zevaka/bot/chat"
)

// commands is what the test room's command line offers.
func commands(lang string) []Completion {
	hints := map[string][]string{"ru": {"Новый стол 21а", "Новый стол 21б", "Помощь"}, "en": {"New table 21a", "New table 21b", "Help"}}[lang]
	if hints == nil {
		hints = []string{"Nowy stół 21a", "Nowy stół 21b", "Pomoc"}
	}
	return []Completion{
		{"/zevaka", hints[0], true}, {"/zevaka 21б", hints[1], true}, {"/help", hints[2], false}, {"/zevaka fast", "", false},
		{"/patience zaba", "", false}, {"/patience zaba rows=1", "", false}, {"/patience zaba rows=2", "", false},
		{"/patience zaba number=", "", false},
	}
}

// house is a server that can be stopped and started again at the same address.
type house struct {
	t    *testing.T
	addr string
	url  string
	// admin is the address that has the admins' secret.
	admin string
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
	h.room = New(b, Options{Listen: h.addr, Log: quiet(), Commands: commands, Ready: func(url string) { ready <- url }})
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

func TestPageTalkAndTable(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	first := c.open(h.url)
	first.until(`document.querySelector("#me").open`)
	first.shots("join")
	first.fill("#name", "Аня")
	first.key("Enter")
	first.until(`!document.querySelector("#me").open`)
	bob := c.join(h.url, "Боря")
	first.reads("#people", "Боря")
	first.shots("empty")

	first.say("Привет, Боря <b>!</b>")
	bob.reads("#log .said", "Привет, Боря <b>!</b>")
	first.say("/zevaka")
	bob.reads("#log .echo", "/zevaka")
	bob.reads("#felt .table", "Центр")
	bob.press("Вскрыть")
	bob.reads("#status p", "flipped")
	first.reads("#felt .table", "🂠 2")
	bob.press("Центр")
	bob.reads(".private", "for Боря only")
	bob.press("Аня")
	bob.reads("#alerts p", "no such thing")
	first.say("all there")
	bob.reads("#log", "all there")
	if strings.Contains(first.text("body"), "only") {
		t.Error("Аня reads what is for Боря")
	}
	bob.shots("table")
	bob.click(".private .away")
	bob.until(`!document.querySelector(".private")`)

	mine := value[string](first, `sessionStorage.getItem("zevaka.tab")`)
	if strings.Contains(value[string](bob, `document.documentElement.outerHTML`), mine) {
		t.Error("Аня's secret is on Боря's page")
	}
	before := d.heard.Of(chat.Command)[0].Who.ID
	first.reload()
	first.reads("#felt .table", "Центр")
	first.press("Вскрыть")
	first.reads("#felt .table", "🂠 3")
	pressed := d.heard.Of(chat.Press)
	if after := pressed[len(pressed)-1].Who; after.ID != before || after.Name != "Аня" {
		t.Errorf("after a reload: %v, not %d", after, before)
	}
	first.calm()
	bob.calm()
}

func TestPageSurvivesARestart(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.say("/zevaka")
	bob.reads("#felt .table", "Центр")
	h.end()
	ann.until(`document.querySelector("#lost").textContent`)
	ann.shot("lost")
	h.start(d)
	ann.until(`!document.querySelector("#lost").textContent`)
	bob.until(`!document.querySelector("#lost").textContent`)
	ann.say("снова здесь")
	bob.reads("#log", "снова здесь")
	ann.until(`document.querySelectorAll(".msg").length === 1`)
	// Who is in the room is the same: what Аня said before and says now is by one person.
	who := map[int64]bool{}
	ann.say("/zevaka")
	ann.reads("#felt .table", "Центр")
	for _, r := range d.heard.Of(chat.Command) {
		who[r.Who.ID] = true
	}
	if len(who) != 1 {
		t.Errorf("Аня is %d people", len(who))
	}
	ann.calm()
}

func TestPageByKeyboard(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	ann := c.join(h.url, "Аня")
	ann.eval(`document.activeElement.blur()`)
	ann.key("/")
	ann.until(`document.activeElement.id === "text" && document.querySelectorAll("#options li").length === 8`)
	ann.shots("commands")
	ann.key("z")
	ann.until(`document.querySelectorAll("#options li").length === 3`)
	ann.key("ArrowDown")
	ann.until(`document.querySelector("#text").getAttribute("aria-activedescendant") === "option0"`)
	ann.key("ArrowDown")
	ann.key("Enter")
	ann.until(`document.querySelector("#text").value === "/zevaka 21б"`)
	for _, key := range []string{" ", "f", "Tab"} {
		ann.key(key)
	}
	ann.until(`document.querySelector("#text").value === "/zevaka 21б fast"`)
	ann.key("Enter")
	ann.reads("#felt .table", "Центр")
	ann.eval(`document.activeElement.blur()`)
	ann.key("1")
	ann.reads("#felt .table", "🂠 2")
	ann.until(`document.querySelector("#felt .buttons button").getAttribute("aria-disabled") === "false"`)
	ann.eval(`document.querySelector("#felt .buttons button").focus()`)
	for i := 3; i < 6; i++ {
		ann.key("Enter")
		ann.reads("#felt .table", "🂠 "+string(rune('0'+i)))
		ann.until(`document.activeElement === document.querySelector("#felt .buttons button[aria-disabled=false]")`)
	}
	ann.key("Tab")
	ann.until(`document.activeElement.innerText === "Центр"`)
	ann.key("Enter")
	ann.reads(".private", "for Аня only")
	ann.eval(`document.querySelector(".private .away").focus()`)
	ann.key("Enter")
	ann.until(`!document.querySelector(".private")`)
	ann.calm()
}

// TestPageCompletes: a word goes on from the words before it, and what was chosen isn't offered again.
func TestPageCompletes(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, &dealer{})
	ann := c.join(h.url, "Аня")
	for typed, want := range map[string]string{
		"/patience ":                     "/patience zaba, /patience zaba rows=1, /patience zaba rows=2, /patience zaba number=",
		"/patience zaba ":                "/patience zaba rows=1, /patience zaba rows=2, /patience zaba number=",
		"/patience zaba n":               "/patience zaba number=",
		"/patience zaba rows=2 ":         "/patience zaba rows=2 number=",
		"/patience zaba number=7 r":      "/patience zaba number=7 rows=1, /patience zaba number=7 rows=2",
		"/patience zaba number=7 rows=1": "",
		"/zevaka 21б f":                  "/zevaka 21б fast",
		"/zevaka fast fast":              "",
	} {
		ann.fill("#text", typed)
		shown := value[string](ann, `[...document.querySelectorAll("#options b")].map((b) => b.innerText).join(", ")`)
		if shown != want {
			t.Errorf("%q goes on as %q, want %q", typed, shown, want)
		}
	}
}

func TestPageFitsAndDresses(t *testing.T) {
	t.Parallel() // It waits most of the time.
	d := &dealer{}
	h, c := open(t, d)
	ann := c.join(h.url, strings.Repeat("ОченьДлинноеИмя", 4))
	ann.look(320, 600, "light")
	ann.fits("empty")
	ann.say("/zevaka")
	ann.reads("#felt .table", "Центр")
	ann.say(strings.Repeat("слово", 60))
	ann.reads("#log", "словослово")
	ann.fits("with a table")
	small := `[...document.querySelectorAll("#felt .buttons button, #channels button, #send, #settings")].filter((b) => b.offsetHeight < 40).length`
	if n := value[int](ann, small); n > 0 {
		t.Errorf("%d buttons are too small for a thumb", n)
	}
	colour := `getComputedStyle(document.body).backgroundColor`
	light := value[string](ann, colour)
	ann.look(phoneWidth, phoneHeight, "dark")
	dark := value[string](ann, colour)
	if light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	ann.click("#settings")
	ann.eval(`document.querySelector('#themes input[value="light"]').click()`)
	ann.eval(`document.querySelector('#langs input[value="pl"]').click()`)
	ann.shot("settings")
	ann.click("#mego")
	ann.until(colour + ` === ` + quote(light))
	ann.until(`document.documentElement.lang === "pl" && document.title.startsWith("Zewaka")`)
	ann.say("/zevaka")
	wait(t, func() bool { return len(d.heard.Of(chat.Command)) == 2 })
	if got := d.heard.Of(chat.Command); got[len(got)-1].Who.Lang != "pl" {
		t.Errorf("the bot is told %q", got[len(got)-1].Who.Lang)
	}
	ann.calm()
}

func TestCopiedTabIsSomebodyNew(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, &dealer{})
	ann := c.join(h.url, "Аня")
	secret := value[string](ann, `sessionStorage.getItem("zevaka.tab")`)
	copied := c.open("http://" + h.addr + "/healthz")
	copied.eval(`sessionStorage.setItem("zevaka.tab", ` + quote(secret) + `); sessionStorage.setItem("zevaka.name", "Аня"); location.href = "/"`)
	copied.until(`document.querySelector("#me")?.open`)
	if value[string](copied, `sessionStorage.getItem("zevaka.tab")`) == secret {
		t.Error("two tabs are one person")
	}
	ann.say("это я")
	ann.reads("#log", "это я")
}

// TestManyTabs: a browser allows six connections to one host, and must not run out of them.
func TestManyTabs(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, &dealer{})
	var tabs []*seat
	for _, name := range []string{"Аня", "Боря", "Вика", "Гриша", "Даша", "Егор", "Жанна", "Зоя"} {
		tabs = append(tabs, c.join(h.url, name))
	}
	for _, tab := range tabs {
		tab.say("здесь")
	}
	tabs[0].until(`document.querySelectorAll("#log .said").length === 8`)
}

// TestPageKeepsToItsTable: another table in the channel doesn't push away the one we play at.
func TestPageKeepsToItsTable(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, &dealer{})
	ann := c.join(h.url, "Аня")
	table := func(name string, level uint64, last bool) {
		p := chat.Post{In: place(1), Table: name, Level: level, Final: last, Message: text("table " + name)}
		p.Buttons = [][]chat.Button{{{Label: "press " + name, Token: "x"}}}
		h.room.Show(t.Context(), chat.Response{Posts: []chat.Post{p}})
	}
	table("one", 1, false)
	ann.reads("#felt", "table one")
	table("two", 1, false)
	ann.reads("#felt", "table two")
	ann.reads("#log", "table one")
	ann.eval(`[...document.querySelectorAll("#log button")].find((b) => b.innerText === "press one").click()`)
	ann.reads("#felt", "table one")
	table("three", 1, false)
	ann.reads("#log", "table three")
	ann.reads("#felt", "table one")
	ann.say("/zevaka")
	ann.reads("#felt", "Центр")
	table("four", 9, true)
	ann.reads("#log", "table four")
	ann.press("Закончить")
	ann.reads("#felt", "table three")
	ann.calm()
}

func TestPageTellsTwinsApart(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, &dealer{})
	ann := c.join(h.url, "Аня")
	twin := c.join(h.url, "аня")
	twin.say("кто из нас я?")
	ann.until(`/^аня #\w{3} кто/.test(document.querySelector("#log .said")?.innerText)`)
	twin.eval(`document.querySelector("#channel2").click()`)
	twin.say("здесь тише")
	ann.until(`document.querySelector("#channel2 .news")?.innerText === "1"`)
	ann.eval(`document.querySelector("#channel2").click()`)
	ann.reads("#log", "здесь тише")
	ann.until(`!document.querySelector(".news") && document.title.endsWith("У окна")`)
	ann.calm()
}
