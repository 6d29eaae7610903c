//go:build browser

package web

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestRoomPage goes through the room's page by its first screen, its talk, its command line and its settings.
func TestRoomPage(t *testing.T) {
	h, c := parlour(t)
	ann := c.open(h.url)
	ann.until(`document.querySelectorAll("#solos .mini").length === 8 && document.querySelector("#today button") && document.querySelectorAll("#games button").length === 2 && document.querySelector("#none").innerText`)
	if asked := value[bool](ann, `Boolean(document.querySelector("dialog[open]"))`); asked {
		t.Error("somebody who only looks is asked something")
	}
	ann.everywhere("arrive")
	ann.press("Сыграть с компьютером")
	ann.until(`/cutting|playing/.test(document.querySelector(".tbl")?.dataset.phase) && /^Гость \d+$/.test(document.querySelector("#myname").textContent)`)
	ann.say("кто я?")
	ann.until(`document.querySelector("#who").open`)
	ann.press("Аня")
	ann.press("Дальше")
	ann.reads("#log", "кто я?")
	bob := c.join(h.url, "Боря")
	h.talks(c, ann, bob)
	ann.completes()
	h.asks(ann, bob)
	ann.dresses()
	for _, s := range []*seat{ann, bob} {
		s.calm()
	}
}

// TestNamesWithPictures: at a table one sees who is called by a picture alone, and who is called like somebody else but for one, also
// where it is one of the bot's own.
func TestNamesWithPictures(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	h.sits("/zevaka", ann, c.join(h.url, "🌹"), c.join(h.url, "🔥Аня"))
	for _, name := range []string{"Аня (вы) · хозяин", "🌹", "🔥Аня"} {
		ann.until(`document.querySelector(".tbl").innerText.split("\n").includes(` + quote(name) + `)`)
	}
	ann.calm()
}

// sleeper counts the connections of a page, and knows by its clock when the last was opened. Once the page is asleep the first hears nothing any
// more, and stands as it is said to.
const sleeper = `var opened = 0, since = 0, asleep = null;
WebSocket = class extends WebSocket {
  constructor(at) { super(at); this.n = ++opened; since = window.clock?.now(); }
  get readyState() { return asleep !== null && this.n === 1 ? asleep : super.readyState; }
  set onmessage(hear) { super.onmessage = (e) => (asleep !== null && this.n === 1) || hear?.(e); }
};`

// TestWakes: a connection that has slept is given up soon when the page wakes and hears nothing, whether it was being opened, stood, or has
// closed without a word, and not only when nothing has come for as long as a good one may be silent.
func TestWakes(t *testing.T) {
	h, c := parlour(t)
	for _, state := range []string{"CONNECTING", "OPEN", "CLOSING", "CLOSED"} {
		ann := c.tab(h.url, stranger, sleeper)
		ann.until(`opened === 1 && document.querySelector("#today button")`)
		ann.eval(`asleep = WebSocket.` + state + `; var woke = clock.now(); document.dispatchEvent(new Event("visibilitychange"))`)
		ann.until(`opened === 2`)
		if took := value[float64](ann, `since - woke`); took > 6000 {
			t.Errorf("%s: it is given up after %v ms", state, took)
		}
		ann.press("Сыграть с компьютером")
		ann.until(`document.querySelector("#felt .tbl")`)
	}
}

// waker stands for what keeps a screen on, which a browser without one refuses.
const waker = `var locks = []; WakeLock.prototype.request = async () => {
  const lock = { released: false, async release() { this.released = true; this.onrelease?.(); } };
  locks.push(lock);
  return lock;
}`

// TestPhone: what is pressed in the talk is answered where one looks; and the screen stays on as long as one's time may run.
func TestPhone(t *testing.T) {
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.script(waker)
	ann.reload()
	ann.until(`document.querySelector("#people").textContent.includes("Аня")`)
	ann.say("/patience tecza")
	ann.phase("playing")
	ann.say("/day")
	day := `[...document.querySelectorAll("#log .knob")].filter((b) => b.innerText.startsWith("▶"))`
	ann.until(day + `.length && document.querySelector("#told").open`)
	ann.eval(`document.querySelector("#toldgo").click()`)
	ann.frames()
	ann.eval(`document.querySelector("#talk").hidden && document.querySelector("#talkopen").click()`)
	before := value[string](ann, shown)
	ann.eval(day + `.at(-1).click()`)
	ann.until(`(` + shown + `) !== ` + quote(before) + ` && document.querySelector("#talk").hidden`)
	if n := value[int](ann, `locks.length`); n > 0 {
		t.Errorf("where nobody waits the screen is kept on: %d", n)
	}
	ann.say("/which")
	ann.until(`document.querySelector("#told").open`)
	ann.press("No")
	ann.reads("#alerts", "Эта кнопка не отсюда")
	ann.shot("refused")
	bob.say("/banchok")
	bob.phase("lobby")
	ann.eval(`document.querySelector("#home").click()`)
	ann.say("/banchok")
	ann.until(`document.querySelector("#told").open`)
	ann.press("Сесть за этот")
	ann.phase("lobby")
	h.sits("/zevaka limit=15s", bob, ann)
	bob.does("deal")
	bob.press("Не снимать")
	ann.until(`locks.some((l) => !l.released)`)
	ann.eval(`document.querySelector("#home").click()`)
	ann.until(`locks.every((l) => l.released)`)
	ann.eval(`history.back()`)
	ann.until(`locks.some((l) => !l.released)`)
	ann.eval(`locks.at(-1).release(); document.dispatchEvent(new Event("visibilitychange"))`) // As after the page wasn't seen.
	ann.until(`locks.filter((l) => !l.released).length === 1`)
	h.end()
	ann.until(`locks.every((l) => l.released)`)
	h.start()
	ann.until(`locks.filter((l) => !l.released).length === 1`)
	moves := bob
	if value[bool](ann, `document.title.startsWith("▶")`) {
		moves = ann
	}
	moves.eval(`document.querySelector("#home").click()`)
	moves.until(`document.querySelector("#elsewhere").checkVisibility()
		&& document.title.startsWith(document.querySelector("#elsewhere").textContent + " ·")`) // It isn't another table than theirs.
	ann.calm()
	bob.calm()
}

// talks has people talk: what is typed to the bot and what it answers nobody else reads.
func (h *house) talks(c *chromium, ann, bob *seat) {
	ann.say("Привет, Боря <b>!</b>")
	bob.until(`document.querySelector("#news").innerText === "1"`)
	bob.eval(`document.querySelector("#talkopen").click()`)
	bob.reads("#log .said", "Привет, Боря <b>!</b>")
	bob.until(`document.querySelector("#news").hidden && document.activeElement.id === "log"`)
	before := value[int](ann, `document.querySelectorAll("#log .private").length`)
	ann.say("/balance")
	ann.until(fmt.Sprintf(`[...document.querySelectorAll("#log li")].at(-2)?.matches(".echo") && document.querySelectorAll("#log .private").length === %d`, before+2))
	ann.say("/no-such-thing")
	ann.until(`[...document.querySelectorAll("#log li")].at(-2).matches(".echo") && [...document.querySelectorAll("#log li")].at(-1).matches(".bot.private")`)
	bob.say("всё?")
	ann.reads("#log", "всё?")
	if value[int](bob, `document.querySelectorAll("#log .echo, #log .private").length`) != 0 {
		h.t.Error("Боря reads what Аня typed to the bot")
	}
	bob.eval(`document.querySelector("#talkclose").click()`)
	bob.until(`document.querySelector("#talk").hidden && document.activeElement.id === "talkopen"`)

	// Long answers are shown from their beginning, and put away.
	ann.say("/help")
	ann.until(`document.querySelector("#log").lastElementChild.querySelector(".only")`)
	ann.until(`(() => { const log = document.querySelector("#log"), last = log.lastElementChild; return Math.abs(last.offsetTop - log.offsetTop - log.scrollTop) < 60 || last.offsetHeight < log.clientHeight; })()`)
	n := value[int](ann, `document.querySelectorAll("#log li").length`)
	ann.eval(`[...document.querySelectorAll("#log .fold")].at(-1).click()`)
	ann.until(fmt.Sprintf(`document.querySelectorAll("#log li").length === %d`, n-1))

	// Who is away in another hall sees how much is said here.
	ann.eval(`document.querySelector("#home").click()`)
	ann.press("У окна")
	bob.say("ау")
	ann.until(`[...document.querySelectorAll("#channels button")][0].innerText === "Зал (1)"`)
	ann.eval(`document.querySelector("#channels button").click()`)
	ann.reads("#log", "ау")
	twin := c.join(h.url, "аня")
	twin.say("кто из нас я?")
	ann.until(`/^аня #\w{3} кто/.test([...document.querySelectorAll("#log .said")].at(-1).innerText)`)
	twin.calm()

	// Who is too fast is told so, and keeps what they typed.
	h.fast.Store(true)
	bob.say("раз")
	bob.reads("#alerts", "Не так быстро")
	if typed := value[string](bob, `document.querySelector("#text").value`); typed != "раз" {
		h.t.Errorf("%q is left of what was typed", typed)
	}
	h.fast.Store(false)
}

// completes: a word goes on from the words before it, and what was chosen isn't offered again.
func (s *seat) completes() {
	s.eval(`document.querySelector("#talkclose").checkVisibility() && document.querySelector("#talkclose").click(); document.activeElement.blur()`)
	s.key("/")
	s.until(`document.activeElement.id === "text" && document.querySelectorAll("#options li").length === 8`)
	for typed, want := range map[string]string{
		"/patience zaba ":                "/patience zaba learn, /patience zaba rows=1, /patience zaba rows=2, /patience zaba number=",
		"/patience zaba n":               "/patience zaba number=",
		"/patience zaba rows=2 ":         "/patience zaba rows=2 number=",
		"/patience zaba learn ":          "",
		"/patience zaba number=7 r":      "/patience zaba number=7 rows=1, /patience zaba number=7 rows=2",
		"/patience zaba number=7 rows=1": "",
		"/zevaka fast fast":              "",
	} {
		s.fill("#text", typed)
		if shown := value[string](s, `[...document.querySelectorAll("#options b")].map((b) => b.innerText).join(", ")`); shown != want {
			s.t.Errorf("%q goes on as %q, want %q", typed, shown, want)
		}
	}
	s.fill("#text", "/zevaka f")
	s.key("ArrowDown")
	s.until(`document.querySelector("#text").getAttribute("aria-activedescendant") === "option0"`)
	s.key("Enter")
	s.until(`document.querySelector("#text").value === "/zevaka fast"`)
	s.key("Enter")
	s.phase("lobby")
}

// asks: a question is a dialog, once, and after its answer nothing is left to press; a file is a link that reads what it should.
func (h *house) asks(ann, bob *seat) {
	ann.say("/which")
	ann.until(`document.querySelector("#told").open && document.activeElement.closest("#told")`)
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.click("#askcancel")
	ann.until(`!document.querySelector("#ask").open && document.querySelector("#told").open`)
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.fill("#answer", "за тех, кто в море")
	ann.key("Enter")
	ann.reads("#status", "cut: за тех, кто в море")
	ann.until(`!document.querySelector("dialog[open]") && document.activeElement !== document.body`)
	ann.reads("#log", "Done.")
	if n := value[int](ann, `[...document.querySelectorAll("#log li")].find((l) => l.innerText.includes("Done.")).querySelectorAll("button:not(.fold)").length`); n > 0 {
		h.t.Errorf("%d buttons of an answered question can still be pressed", n)
	}
	ann.say("/file")
	const link = `document.querySelector("#log .private a.file")`
	ann.until(link + `?.download === "mine.json" && ` + link + `.getBoundingClientRect().height > 10`)
	resp, err := http.Get(value[string](ann, link+".href"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "Аня" {
		h.t.Errorf("it reads %q, %v", text, err)
	}
	ann.say("всё тут")
	bob.reads("#log", "всё тут")
	if value[bool](bob, `Boolean(document.querySelector("a.file")) || document.querySelector("#log").innerText.includes("Done.")`) {
		h.t.Error("Боря reads what Аня was told")
	}
}

// dresses: looks and language are each reader's own, at once, at the table too. The words of a language come when somebody wants
// them, and once.
func (s *seat) dresses() {
	loaded := func(want ...string) {
		s.t.Helper()
		got := value[[]string](s, `performance.getEntriesByType("resource").map((e) => e.name.match(/\b(\w\w)\.json$/)?.[1]).filter(Boolean)`)
		if !slices.Equal(got, want) {
			s.t.Errorf("the page has loaded the words of %q, want %q", got, want)
		}
	}
	loaded("ru")
	colour := `getComputedStyle(document.body).backgroundColor`
	light := value[string](s, colour)
	s.eval(`document.querySelector("#talkclose").checkVisibility() && document.querySelector("#talkclose").click()`)
	s.paint("dark")
	if dark := value[string](s, colour); light == dark {
		s.t.Errorf("light and dark are both %s", light)
	}
	s.click("#me")
	s.until(`document.querySelector("#more").checkVisibility() && !document.querySelector("#adminhint").checkVisibility()`)
	s.press("Светлое")
	s.until(colour + ` === ` + quote(light))
	s.press("Polski")
	s.until(`document.documentElement.lang === "pl" && document.title.includes("Zewaka") && document.querySelector(".tbl").lang === "pl"`)
	s.fits("settings")
	s.shot("settings")
	s.press("Русский")
	s.until(`document.documentElement.lang === "ru"`)
	s.press("Polski")
	s.until(`document.documentElement.lang === "pl"`)
	loaded("ru", "pl")
	s.eval(`document.querySelector("#whocancel").click()`)
	s.until(`!document.querySelector("dialog[open]") && document.activeElement.id === "me"`)
	s.reload()
	s.until(`document.documentElement.lang === "pl" && document.querySelector(".tbl")?.lang === "pl" && ` + colour + ` === ` + quote(light))
	loaded("pl")
}

// TestRoomPeople: who reloads, closes a tab, is cut off by a restart or whose browser throws away what pages keep stays who they are, and
// nobody else is them; the link invites to a table; who has the secret is the admin.
func TestRoomPeople(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1), "Аня")
	ann.start("Зевака")
	ann.phase("lobby")
	hers := value[string](ann, secret)
	ann.reload()
	ann.phase("lobby")
	if value[string](ann, secret) != hers {
		t.Error("a reload makes Аня somebody else")
	}
	second := c.tab(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1))
	second.until(`document.querySelector("#running .start")?.innerText.includes("Аня") && ` + secret + ` === ` + quote(hers))
	second.eval(`localStorage.clear(); sessionStorage.clear()`) // As Safari does after a week.
	second.reload()
	second.until(`document.querySelector("#running .start")?.innerText.includes("Аня") && ` + secret + ` === ` + quote(hers))
	bob := h.invited(c, ann)

	// While her tab stands nobody else is offered to be her; another tab of hers is hers.
	if value[string](bob, secret) == hers || strings.Contains(value[string](bob, `document.documentElement.outerHTML + location.href`), hers) {
		t.Error("Боря has Аня's secret")
	}
	another := c.open(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1) + "#new")
	another.until(`document.querySelector("#none")?.innerText === "" || document.querySelector(".tables li")`)
	if value[bool](another, `Boolean(document.querySelector("#goon button"))`) || !value[bool](another, `location.hash === ""`) {
		t.Error("somebody new is offered to be who is here")
	}
	if err := chromedp.Cancel(ann.ctx); err != nil {
		t.Fatal(err)
	}
	back := c.tab(strings.Replace(h.url, "127.0.0.1", "room.localhost", 1), `sessionStorage["zevaka.tab"] ||= `+quote(hers)+`; sessionStorage["zevaka.name"] ||= "Аня"`)
	back.until(`(() => { const b = document.querySelector("#running .start"); b?.click(); return b; })()`)
	back.phase("lobby")
	back.until(`document.querySelector("#myname").textContent === "Аня" && document.querySelector(".chair").innerText.includes("(вы)")`)
	if value[string](back, secret) != hers {
		t.Error("whoever goes on as Аня is somebody else")
	}

	// A browser allows six connections to one host, and must not run out of them.
	many := []*seat{back, bob, another, second}
	for i := range 4 {
		many = append(many, c.join(h.url, fmt.Sprint("Гость", i)))
	}
	for _, s := range many[4:] {
		s.say("здесь")
	}
	back.until(`document.querySelector("#news").innerText === "4"`)
	another.eval(`document.querySelector(".tables .knob").focus()`)
	second.eval(`document.querySelector("#running .start").focus()`)
	many[4].say("/banchok")
	another.until(`document.querySelectorAll(".tables li").length > 1`)
	second.until(`document.querySelectorAll(".tables li").length > 0`)
	for s, button := range map[*seat]string{another: ".tables .knob", second: "#running .start"} {
		if !value[bool](s, `document.activeElement.matches("`+button+`")`) {
			t.Errorf("where another table is opened what somebody is about to press goes: %s", button)
		}
	}
	h.closes(c, back, bob)
	h.rules(c)
	for _, s := range append(many, back) {
		s.calm()
	}
}

// invited has somebody come by the link that Ann's page shows, and sit down.
func (h *house) invited(c *chromium, ann *seat) *seat {
	ann.eval(`document.querySelector("#call").click()`)
	ann.until(`document.querySelector("#qr").naturalWidth > 0 && document.querySelector("#link").value.includes("#table=")`)
	ann.fits("invitation")
	// Where a page may not use the clipboard it copies as pages did before.
	ann.eval(`var copied; navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"));
		document.execCommand = (what) => { copied = what + " " + document.activeElement.value; return true; }; document.querySelector("#copy").click()`)
	ann.until(`copied === "copy " + document.querySelector("#link").value && document.querySelector("#copy").textContent === "Скопировано"`)
	bob := c.open(value[string](ann, `document.querySelector("#link").value`))
	bob.phase("lobby")
	bob.reads("#bar", "Вы смотрите")
	bob.everywhere("watching")
	if value[bool](bob, `[...document.querySelectorAll(".act")].some((b) => b.checkVisibility() && b.act?.do === "stop")`) {
		h.t.Error("who watches can close the table")
	}
	bob.does("join")
	bob.until(`document.querySelector("#who").open`)
	bob.press("Боря")
	bob.key("Enter")
	ann.until(`document.querySelectorAll(".chair:not(.free)").length === 2`)
	bob.until(`document.querySelector("#bar").innerText === ""`)
	ann.press("Закрыть")
	return bob
}

// closes has the room be full, and then begin again: what was typed meanwhile is sent.
func (h *house) closes(c *chromium, back, bob *seat) {
	before := value[string](bob, secret)
	h.room.mu.Lock()
	h.room.doors = doors{} // Nobody fits in.
	for s := range h.room.streams {
		s.end()
	}
	h.room.mu.Unlock()
	back.reads("#lost", "Комната полна")
	h.end()
	back.say("снова здесь")
	h.start()
	for _, s := range []*seat{back, bob} {
		s.until(`!document.querySelector("#lost").textContent`)
	}
	bob.eval(`document.querySelector("#talkopen").click()`)
	bob.reads("#log", "снова здесь")
	bob.eval(`document.querySelector("#talkclose").click()`)
	back.phase("lobby")
	if value[string](bob, secret) != before {
		h.t.Error("a restart makes Боря somebody else")
	}
}

// rules has an admin come, whose secret the address bar has no longer, who follows an address with another secret and stays the admin, and who is
// none any more after a restart; and a room that is alone say so.
func (h *house) rules(c *chromium) {
	boss := c.join(h.admin, "Вика")
	boss.until(`document.body.classList.contains("admin")`)
	if at := value[string](boss, `location.href + document.referrer`); strings.Contains(at, strings.TrimPrefix(h.admin, h.url+adminMark)) {
		h.t.Errorf("the address is %s", at)
	}
	boss.eval(`document.querySelector("#me").click()`)
	boss.reads("#adminhint", "администратор")
	boss.fits("an admin's settings")
	boss.press("Закрыть")
	boss.reload()
	boss.until(`document.body.classList.contains("admin")`)
	boss.eval(`location.href = ` + quote(h.url+adminMark+"forged"))
	boss.until(`document.body.classList.contains("admin") && sessionStorage["zevaka.admin"] === ` + quote(strings.TrimPrefix(h.admin, h.url+adminMark)))
	h.end()
	h.alone = true
	h.start()
	boss.until(`!document.body.classList.contains("admin")`)
	boss.reads("#alerts", "больше не администратор")
	boss.eval(`document.querySelector("#invite").click()`)
	boss.reads("#invitetext", "этом компьютере")
	if value[bool](boss, `document.querySelector("#invitetext").textContent.includes("--room-open")`) {
		h.t.Error("who runs nothing is told how to run it")
	}
	if value[bool](boss, `document.querySelector("#invitation").checkVisibility()`) {
		h.t.Error("a room that is alone invites")
	}
	boss.press("Закрыть")
	boss.eval(`location.href = ` + quote(h.admin))
	boss.until(`document.body.classList.contains("admin")`)
	boss.eval(`document.querySelector("#invite").click()`)
	boss.reads("#invitetext", "--room-open")
	boss.calm()
}

// TestWay: Back and Forward lead through tables, dialogs and the talk, and past what was closed; an address leads to each of them; a reload
// stays; the list of the tables names one's own first.
func TestWay(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	home := `document.querySelector("#hall").checkVisibility() && location.hash === ""`
	at := func(table string) string {
		return `location.hash === "#table=` + table + `" && document.querySelector("#felt").checkVisibility()`
	}
	back := func(want string) { ann.t.Helper(); ann.eval(`history.back()`); ann.until(want) }
	forward := func(want string) { ann.t.Helper(); ann.eval(`history.forward()`); ann.until(want) }
	ann.start("Tecza")
	ann.phase("playing")
	tecza := value[string](ann, shown)
	ann.eval(`document.querySelector("#home").click()`)
	ann.until(home + ` && document.querySelectorAll("#running .start").length === 1`)
	ann.fits("home")
	ann.shot("home")
	ann.start("Зевака")
	ann.phase("lobby")
	lobby := value[string](ann, shown)
	back(home)
	back(at(tecza))
	forward(home)
	forward(at(lobby))
	ann.reload()
	ann.until(at(lobby))

	// A dialog has an address, is closed by Back, and opened by Forward and by its address.
	ann.eval(`document.querySelector("#me").click()`)
	ann.until(`location.hash.endsWith("&settings") && document.querySelector("#who").open`)
	back(at(lobby) + ` && !document.querySelector("#who").open`)
	forward(`document.querySelector("#who").open`)
	ann.key("Escape")
	ann.until(at(lobby) + ` && !document.querySelector("#who").open`)
	back(home) // Past what was closed.
	ann.eval(`location.hash = "#games"`)
	ann.until(`document.querySelector("#newgame").open`)
	back(home + ` && !document.querySelector("dialog[open]")`)

	// What one looks up has an address, too.
	ann.click("#today button")
	ann.until(`document.querySelector("#told").open && location.hash === "#day"`)
	back(home + ` && !document.querySelector("#told").open`)
	forward(`document.querySelector("#told").open && location.hash === "#day"`)
	ann.reload()
	ann.until(`document.querySelector("#told")?.open && location.hash === "#day"`)
	back(home + ` && !document.querySelector("#told").open`)
	ann.eval(`location.hash = "#history"`)
	ann.until(`document.querySelector("#told").open`)
	ann.key("Escape")
	ann.until(home + ` && !document.querySelector("#told").open`)

	// So does somebody's card, as others see it: it is opened by their name at a seat or in a list. An address that nobody has, or that was
	// altered, is answered in a sentence.
	ann.eval(`location.hash = "#table=` + tecza + `"`)
	ann.phase("playing")
	ann.until(`[...document.querySelectorAll(".act")].some((b) => b.act?.kind === "deal" && (b.click(), true))`)
	ann.until(`/: 1/.test(document.querySelector(".turning").innerText)`)
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && [...document.querySelectorAll("#toldrows .danger")].some((b) => (b.click(), true))`)
	ann.phase("ended")
	ann.eval(`document.querySelector("#home").click()`)
	ann.until(home)
	open := func() int {
		items, err := h.store.Scan(t.Context(), "o/", "", 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(items)
	}
	before := open()
	ann.eval(`document.querySelector("#now").click(); document.querySelector("#now").click()`)
	ann.until(`document.querySelector(".mine .person")?.checkVisibility()`)
	if n := open(); n != before+1 {
		t.Errorf("a double click begins %d games", n-before)
	}
	card := `document.querySelector("#told").open && /#table=.*&person=\w+$/.test(location.hash) && document.querySelector("#toldtext").innerText.startsWith("Аня")`
	ann.eval(`document.querySelector(".mine .person").click()`)
	ann.until(card)
	back(`!document.querySelector("#told").open && !location.hash.includes("person")`)
	forward(card)
	ann.reload()
	ann.until(card)
	ann.eval(`location.hash = "#history"`)
	ann.until(`document.querySelector("#told").open && document.querySelector("#toldtext .person")`)
	ann.shot("history")
	ann.eval(`document.querySelector("#toldtext .person").click()`)
	ann.until(`/^#person=\w+$/.test(location.hash) && document.querySelector("#told").open && document.querySelector("#toldtext").innerText.startsWith("Аня")`)
	ann.shot("card-of-another")
	back(`document.querySelector("#told").open && location.hash === "#history" && document.querySelector("#toldtext .person")`)
	ann.key("Escape")

	// From Home a game of before is two taps away, one's own that goes on one.
	ann.eval(`location.hash = ""`)
	ann.until(home)
	ann.click(`#looked [value="/history"]`)
	ann.until(`document.querySelector("#told").open`)
	ann.click(`#toldrows .knob`)
	ann.until(`location.hash.startsWith("#replay=` + tecza + `.") && !document.querySelector("#told").open`)
	ann.eval(`location.hash = ""`)
	ann.until(home)
	ann.click(`#running .start`)
	ann.until(`location.hash.startsWith("#table=") && document.querySelector("#felt").checkVisibility()`)
	for _, nobody := range []string{"#person=7", "#person=%00", "#person="} {
		ann.eval(`document.querySelector("#alerts").replaceChildren(); location.hash = ` + quote(nobody))
		ann.until(`document.querySelector("#alerts").innerText.startsWith("У этого игрока здесь нет результатов") && !document.querySelector("#told").open`)
	}
	ann.eval(`location.hash = ""`)
	ann.until(home)

	// What can't be opened again is closed by Back, and passed by.
	ann.say("/which")
	ann.until(`document.querySelector("#told").open`)
	back(`!document.querySelector("#told").open && location.hash === ""`)
	back(`document.querySelector("#talk").hidden && location.hash === ""`)

	// A link leads to a table; what is gone, or was made up, leads to the list.
	ann.eval(`location.hash = "#table=` + tecza + `"`)
	ann.until(at(tecza))
	ann.eval(`location.hash = "#table=w1/nosuchtable1"`)
	ann.until(home + ` && document.querySelector("#alerts").innerText`)
	for _, junk := range []string{"#table=", "#table=../x", "#replay=x.99999999999999999999", "#settings&settings", "#%00", "#nothing"} {
		ann.eval(`location.hash = ` + quote(junk))
		ann.until(`document.querySelector("#hall").checkVisibility()`)
		ann.eval(`document.querySelector("dialog[open]")?.close("")`)
	}
	ann.calm()
}

// through is a proxy before the house.
func (h *house) through() *httputil.ReverseProxy {
	h.t.Helper()
	at, err := url.Parse(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	return httputil.NewSingleHostReverseProxy(at)
}

// TestNoWebSocket: where WebSockets are left pending for ever, as some Safaris do over plain HTTP, the page goes on by requests: it shows the tables,
// what others do at them, and games again that are over. Once a WebSocket comes to stand it is that which it goes on by.
func TestNoWebSocket(t *testing.T) {
	h, c := parlour(t)
	through := h.through()
	through.FlushInterval = -1
	stands := make(chan struct{})
	var dialed, posted atomic.Int64
	front := outside(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Upgrade") != "" {
			select {
			case <-req.Context().Done():
				return
			case <-stands:
				dialed.Add(1)
			}
		}
		if req.Method == http.MethodPost && req.URL.Path == "/live" {
			posted.Add(1)
		}
		req.Header.Del("Origin") // Its own is the front's.
		through.ServeHTTP(w, req)
	}))
	ann, bob := c.open(front.URL), c.join(h.url, "Боря")
	ann.until(`document.querySelector("#today button") && document.querySelector("#lost").innerText === "" && clock.now() > 8000`)
	ann.named("Аня")
	ann.say("/zevaka limit=none")
	ann.phase("lobby")
	bob.press("Сесть за стол")
	ann.until(`document.querySelector(".tbl").innerText.includes("Боря")`)
	ann.does("deal")
	bob.phase("cutting")
	ann.say("/patience tecza deal=7")
	ann.until(`document.querySelector(".tbl h2")?.innerText.includes("Тенча") || document.querySelector(".tbl").dataset.phase === "playing"`)
	ann.deals()
	ann.look(tabletWidth, tabletHeight, "light")
	ann.until(`(() => { const list = document.querySelector(".foot > .act[aria-expanded]"); return list.checkVisibility() && (list.click(), true); })()`)
	for range 2 { // What was played is asked for on a connection that has asked for it, too.
		ann.until(`(window.lines = document.querySelectorAll(".tbl .log > li").length) > 0`)
		ann.does("undo")
		ann.until(`document.querySelectorAll(".tbl .log > li").length < lines`)
		ann.until(`(() => { const b = [...document.querySelectorAll(".act")].find((b) => b.act?.kind === "deal" && b.checkVisibility()); b?.click(); return b; })()`)
	}
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && (document.querySelector("#told .danger").click(), true)`)
	ann.phase("ended")
	ann.does("replay")
	ann.until(`document.querySelector(".replay input").max > 0`)
	ann.eval(`document.querySelector("#home").click()`)
	ann.until(`document.querySelector("#hall").checkVisibility() && document.querySelector("#hall").innerText.includes("Боря")`)
	before := posted.Load()
	close(stands)
	ann.eval(`window.left = clock.now()`)
	ann.until(`clock.now() - left > 25000`)
	bob.say("/zevaka limit=none")
	ann.until(`document.querySelector("#hall").innerText.match(/Боря/g).length > 1`)
	// One that the page was about to close may have come to stand just then.
	if n, all := posted.Load()-before, dialed.Load(); all < 1 || all > 2 || n > 1 {
		t.Errorf("once WebSockets stand it opens %d, and goes on by %d requests", all, n)
	}
	for _, s := range []*seat{ann, bob} {
		s.calm()
	}
}

// TestRefusedWebSocket: where the network refuses WebSockets alone the page soon goes on by requests, and by a WebSocket when the room comes back that was
// away.
func TestRefusedWebSocket(t *testing.T) {
	h, c := parlour(t)
	through := h.through()
	through.FlushInterval = -1
	for name, refuse := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) },
		"stripped": func(w http.ResponseWriter, req *http.Request) {
			req.Header.Del("Upgrade")
			req.Header.Del("Connection")
			through.ServeHTTP(w, req)
		},
	} {
		var away, back atomic.Bool
		var failed, posted atomic.Int64
		front := outside(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			req.Header.Del("Origin") // Its own is the front's.
			upgrade := req.Header.Get("Upgrade") != ""
			switch {
			case upgrade && back.Load():
				away.Store(false)
			case away.Load():
				failed.Add(1)
				w.WriteHeader(http.StatusBadGateway)
				return
			case upgrade:
				refuse(w, req)
				return
			case req.Method == http.MethodPost && req.URL.Path == "/live":
				posted.Add(1)
			}
			through.ServeHTTP(w, req)
		}))
		ann := c.open(front.URL)
		ann.until(`document.querySelector("#today button") && document.querySelector("#lost").innerText === ""`)
		if took := value[float64](ann, `clock.now()`); took > 5000 {
			t.Errorf("%s: the room comes after %v ms", name, took)
		}
		ann.press("Сыграть с компьютером")
		ann.until(`document.querySelector("#felt .tbl")`)
		away.Store(true)
		ann.eval(`window.left = clock.now(); document.querySelector("#home").click()`)
		ann.until(`document.querySelector("#lost").innerText !== "" && clock.now() - left > 10000`)
		before := posted.Load()
		back.Store(true)
		ann.until(`document.querySelector("#lost").innerText === ""`)
		if n := posted.Load() - before; n > 0 || failed.Load() < 5 {
			t.Errorf("%s: after %d tries while the room is away the page goes on by %d requests", name, failed.Load(), n)
		}
		ann.calm()
	}
}

// popless is a browser of before 2024 without popovers.
const popless = `(() => {
	const { matches } = Element.prototype;
	Element.prototype.matches = function (s) {
		if (s.includes(":popover-open")) throw new DOMException("no such selector", "SyntaxError");
		return matches.call(this, s);
	};
	for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete HTMLElement.prototype[name];
	delete HTMLButtonElement.prototype.popoverTargetElement;
})()`

// TestNoPopovers: a browser without popovers shows tables, and what may be said at them.
func TestNoPopovers(t *testing.T) {
	h, c := parlour(t)
	ann, bob := c.tab(h.url, stranger, popless), c.join(h.url, "Боря")
	ann.named("Аня")
	ann.say("/patience tecza deal=7")
	ann.phase("playing")
	ann.deals()
	h.sits("/zevaka limit=none", ann, bob)
	const shown = `document.querySelector(".says").checkVisibility()`
	const opens = `[...document.querySelectorAll(".foot .act")].find((b) => b.querySelector(".gesture") && b.checkVisibility())`
	ann.until(opens + ` && !` + shown)
	ann.eval(opens + `.click()`)
	ann.until(shown)
	ann.eval(`document.querySelector(".says .sign").click()`)
	ann.until(`!` + shown)
	bob.until(`document.querySelector(".bubble")`)
	for _, s := range []*seat{ann, bob} {
		s.calm()
	}
}

// TestPutIn: a script and a stylesheet of somebody else's in the page, which its policy refuses, do it no harm: proxies and extensions put them in.
func TestPutIn(t *testing.T) {
	h, c := parlour(t)
	through := h.through()
	var documents atomic.Int64
	through.ModifyResponse = func(resp *http.Response) error {
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			return nil
		}
		documents.Add(1)
		b, err := io.ReadAll(resp.Body)
		b = bytes.Replace(b, []byte("</head>"), []byte(`<script src="http://elsewhere.example/x.js"></script><link rel="stylesheet" href="http://elsewhere.example/x.css"></head>`), 1)
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		resp.Header.Set("Content-Length", strconv.Itoa(len(b)))
		return err
	}
	front := outside(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Del("Accept-Encoding")
		through.ServeHTTP(w, req)
	}))
	ann := c.open(front.URL)
	ann.until(`document.querySelector("#today button") && document.querySelector("script[src*=elsewhere]") && clock.now() >= 3000`)
	if n := documents.Load(); n != 1 {
		t.Errorf("%d documents were asked for", n)
	}
	ann.calm()
}

// TestOldPage: a page of which a part isn't there, as where another process of a cluster that is being updated answers, or the only one has
// been updated since, is asked for anew until all are of one version.
func TestOldPage(t *testing.T) {
	h, c := parlour(t)
	through := h.through()
	var ann *seat
	for _, name := range []string{"page.js", "page.css", "replay-ru.json"} {
		var gone atomic.Int64
		front := outside(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if path.Base(req.URL.Path) == name && gone.Add(1) < 3 {
				http.NotFound(w, req)
				return
			}
			through.ServeHTTP(w, req)
		}))
		ann = c.open(front.URL)
		ann.until(`document.querySelector("#today button") && getComputedStyle(document.querySelector("#top")).display !== "block"`)
	}
	ann.named("Аня")
	ann.say("/patience tecza deal=7")
	ann.phase("playing")
	ann.deals()
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && (document.querySelector("#told .danger").click(), true)`)
	ann.phase("ended")
	ann.eval(`window.fromBefore = true`)
	ann.does("replay")
	ann.until(`!window.fromBefore`)
	ann.phase("ended")
}

// TestDarkened: where a browser darkens pages by itself, and asks none, cards are as light as ever under their black suits.
func TestDarkened(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	yes := true
	if _, err := chromedp.Call(ann.ctx, emulation.SetAutoDarkModeOverride, emulation.SetAutoDarkModeOverrideParams{Enabled: &yes}); err != nil {
		t.Fatal(err)
	}
	ann.say("/patience pauk deal=7")
	ann.phase("playing")
	ann.until(`document.querySelector("#felt .card.S .full")`)
	ann.eval(`document.querySelector("meta[name=color-scheme]").remove(); var sheet = new CSSStyleSheet(); sheet.replaceSync(":root { color-scheme: light !important }");
		document.adoptedStyleSheets.push(sheet)`)
	ann.frames()
	shot, err := chromedp.Run(ann.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	seen, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	at := value[[]float64](ann, `(({ left, top, width }) => [left + width / 2, top + 3].map((n) => n / innerWidth))(document.querySelector("#felt .card.S").getBoundingClientRect())`)
	wide := float64(seen.Bounds().Dx())
	if grey := color.GrayModel.Convert(seen.At(int(at[0]*wide), int(at[1]*wide))).(color.Gray).Y; grey < 200 { //nolint:forcetypeassert // It is what the model makes.
		t.Errorf("the ground under spades is darkened to %d of 255", grey)
	}
	ann.shot("darkened")
}

// TestForcedColors: in a system's own colours, in which nothing else has a shadow, cards, what can be pressed, and where cards may lie still have an edge.
func TestForcedColors(t *testing.T) {
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}
	if _, err := chromedp.Call(ann.ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	ann.say("/patience tecza deal=1")
	ann.until(`((all) => all.length && all.every((e) => getComputedStyle(e).forcedColorAdjust === "none"))([...document.querySelectorAll("#felt .card")])`)
	for _, what := range []string{".none", ".deal"} {
		ann.until(`[...document.querySelectorAll("#felt .heap` + what + `")].some((e) => getComputedStyle(e).outlineStyle === "solid")`)
	}
}
