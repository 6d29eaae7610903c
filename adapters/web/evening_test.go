//go:build browser

package web

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/browsertest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/engine/patience/deals"
)

// lasting is a calendar in which every day is that of one deal.
type lasting deals.Deal

// OfDay implements day.Deals.
func (l lasting) OfDay(string, int) (deals.Deal, bool) { return deals.Deal(l), true }

// Featured implements day.Deals.
func (lasting) Featured(int) string { return lastingGame }

const lastingGame = "zaba"

// theDay is the deal of every day.
func theDay() lasting { return lasting{Number: 14, Level: deals.Easy} }

// evening is a house in which two play through an evening, each on a phone and in one language.
type evening struct {
	*casino
	browser  *chromium
	words    *words.Lang
	ann, bob *seat
	at       int
}

// TestEveningInTheRoom plays through an evening by what two people see and press on their phones: a first game that teaches, three
// games of Зевака by one press after the other, a bank, the patience of the day and its card told to the other, scores, the chart of a
// purse, a game watched again, and its shuffle checked against what stood on the table before the cut. With -shots it does
// so in each language, and leaves pictures.
func TestEveningInTheRoom(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	langs := []string{"ru", "en", "pl"}
	if *shots == "" {
		langs = langs[:1]
	}
	for _, lang := range langs {
		t.Run(lang, func(t *testing.T) {
			e := newEvening(t, lang)
			e.learns()
			e.sits()
			promised := e.plays(true)
			for n := range 2 {
				e.again(n == 0)
				promised = e.plays(false)
			}
			e.watches(promised)
			e.banks()
			e.daily()
			e.reckons()
			for _, one := range []*seat{e.ann, e.bob} {
				one.calm()
			}
		})
	}
}

func newEvening(t *testing.T, lang string) *evening {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	e := &evening{browser: startChromium(t), words: all.Lang(lang)}
	e.casino = &casino{house: house{t: t, open: true}, db: filepath.Join(t.TempDir(), "zevaka.db"), days: theDay()}
	e.ago.Store(int64(10 * time.Minute))
	e.start()
	t.Cleanup(e.end)
	e.ann = e.arrives()
	return e
}

// arrives has somebody come to the room.
func (e *evening) arrives() *seat {
	e.t.Helper()
	s := e.browser.open(e.url)
	s.look(390, 844, "light")
	s.until(`document.querySelectorAll("#games button").length === 2`)
	s.speaks(e.words.Tag)
	s.until(`document.querySelector("#lost").textContent === ""`)
	return s
}

// station looks at what somebody sees now: nothing may be cut off, and a picture is left.
func (e *evening) station(s *seat, name string) {
	e.t.Helper()
	e.at++
	s.frames()
	s.fits(name)
	if value[bool](s, `Boolean(document.querySelector("#felt").checkVisibility() && !document.querySelector("dialog[open]") && !document.querySelector("#talk").checkVisibility())`) {
		wrong := value[[]string](s, amiss)
		wrong = slices.DeleteFunc(wrong, func(what string) bool { return what == "no cards" }) // Of one's own: from a pack on the table nobody has any.
		if len(wrong) > 0 {
			e.t.Errorf("%s: %s", name, strings.Join(wrong, "; "))
		}
	}
	if *shots == "" {
		return
	}
	for _, scheme := range []string{"dark", "light"} {
		s.paint(scheme)
		s.frames()
		s.shot(fmt.Sprintf("%s-%02d-%s-%s", e.words.Tag, e.at, name, scheme))
	}
}

// taps presses what a selector finds, as soon as it can be seen and pressed.
func (e *evening) taps(s *seat, selector string) {
	e.t.Helper()
	s.until(`(() => { const b = [...document.querySelectorAll(` + quote(selector) + `)].find((b) => b.checkVisibility() && b.getAttribute("aria-disabled") !== "true"); b?.click(); return b; })()`)
}

// called is a button as it is called in the evening's language; how is the name of its words.
func (e *evening) called(how string) string { return tidied(e.words.Say(how)) }

// tidied is a text as the room shows it, without little pictures.
func tidied(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r >= 0x1F000 && r <= 0x1FAFF || r == '⚡' {
			return -1
		}
		return r
	}, text))
}

// learns takes the first lesson, by what the table says, and lets it lead on to a table for others.
func (e *evening) learns() {
	e.t.Helper()
	e.station(e.ann, "arrive")
	e.taps(e.ann, "#lessons button")
	e.ann.until(`document.querySelector("#who").open`)
	e.station(e.ann, "name")
	e.ann.fill("#name", "Ann")
	e.ann.key("Enter")
	e.ann.phase("playing")
	e.ann.until(`document.querySelector(".tip:not([hidden])")`)
	e.station(e.ann, "lesson")
	e.ann.eval("window.hold = false")
	e.ann.eval(browsertest.Player)
	e.ann.phase("ended")
	e.ann.until(`document.querySelector(".stage .gold")?.act.do === "begin"`)
	e.station(e.ann, "lesson-end")
	e.ann.does("begin")
	e.ann.phase("lobby")
}

// sits has the other one come in and sit down, and the host choose a shorter game.
func (e *evening) sits() {
	e.t.Helper()
	e.real.Store(true) // From now on nobody waits for a computer.
	e.station(e.ann, "lobby-alone")
	e.bob = e.arrives()
	e.bob.until(`document.querySelector("#waiting .primary")`)
	e.station(e.bob, "joinable")
	e.taps(e.bob, "#waiting .primary")
	e.bob.until(`document.querySelector("#who").open`)
	e.bob.fill("#name", "Bob")
	e.bob.key("Enter")
	e.ann.until(`document.querySelectorAll(".chair:not(.free)").length === 2`)
	e.bob.phase("lobby")
	e.station(e.bob, "lobby-guest")
	e.sets("set 21b", `b.getAttribute("aria-pressed") === "true"`)
	e.taps(e.ann, ".stage summary")
	e.ann.until(`document.querySelector(".stage details").open`)
	e.station(e.ann, "lobby-rules")
	e.sets("opt end", `b.innerText.includes(`+quote(e.words.Say("value.zevaka.end.first"))+`)`)
	e.sets("fast", `b.innerText === `+quote(e.called("button.fast-on")))
	e.sets("limit", `b.innerText.startsWith("5 ")`)
	e.taps(e.ann, ".stage summary")
	e.station(e.ann, "lobby-host")
}

// sets presses a switch of the lobby until something is true of its button b.
func (e *evening) sets(do, so string) {
	e.t.Helper()
	e.ann.until(`[...document.querySelectorAll(".stage .sets .act")].filter((b) => b.act?.token.endsWith(".!" + ` + quote(do) + `)).some((b) => ` + so + ` || (window.pressed !== b.innerText && ((window.pressed = b.innerText), b.click()), false))`)
}

// plays goes from a lobby that deals to the end of the game, and returns what stood on the table before the cut. Slowly is with a
// look at everything on the way.
func (e *evening) plays(slowly bool) (promised string) {
	e.t.Helper()
	if slowly {
		e.ann.does("deal")
	}
	for _, one := range []*seat{e.ann, e.bob} {
		one.phase("cutting")
	}
	if slowly {
		e.station(e.ann, "cut")
		e.station(e.bob, "cut")
	}
	promised = e.checks(e.ann, "check-before", slowly)
	if len(promised) != 64 {
		e.t.Fatalf("before the cut it is promised %q", promised)
	}
	e.cuts()
	for _, one := range []*seat{e.ann, e.bob} {
		one.eval(fmt.Sprintf("window.hold = %t; window.anySuit = true", slowly))
		one.eval(browsertest.Player)
	}
	if slowly {
		e.station(e.ann, "zevaka")
		e.station(e.bob, "zevaka")
		e.ann.eval("window.hold = false")
		e.bob.eval("window.hold = false")
	}
	for _, one := range []*seat{e.ann, e.bob} {
		one.phase("ended")
		one.until(`document.querySelector(".stage .gold")?.act.do === "again" && document.querySelectorAll(".placed").length === 2`)
	}
	if slowly {
		e.station(e.ann, "zevaka-end")
		e.station(e.bob, "zevaka-end")
	}
	return promised
}

// cuts has both name a number for the cut, and waits for the deal.
func (e *evening) cuts() {
	e.t.Helper()
	e.ann.phase("cutting")
	e.bob.phase("cutting")
	cutter, other := e.ann, e.bob
	if value[bool](e.bob, `document.querySelector(".tbl").matches(".yours")`) {
		cutter, other = e.bob, e.ann
	}
	e.taps(other, ".stage .bar .act:nth-child(1)")
	other.until(`!document.querySelector(".stage .bar .act")?.busy`)
	e.taps(cutter, ".stage .bar .act:nth-child(2)")
	for _, one := range []*seat{e.ann, e.bob} {
		one.phase("playing")
	}
}

// checks presses what checks the shuffle, and returns the first 64 digits that are told.
func (e *evening) checks(s *seat, name string, slowly bool) string {
	e.t.Helper()
	s.does("check")
	s.until(`document.querySelector("#told").open && /[0-9a-f]{64}/.test(document.querySelector("#toldtext").innerText)`)
	if slowly {
		e.station(s, name)
	}
	digits := value[string](s, `document.querySelector("#toldtext").innerText.match(/[0-9a-f]{64}/)[0]`)
	e.taps(s, "#toldgo")
	s.until(`!document.querySelector("#told").open`)
	return digits
}

// again seats the same two for the next game, by one press of each.
func (e *evening) again(slowly bool) {
	e.t.Helper()
	e.ago.Add(-int64(table.KeepSeats)) // Whoever plays faster is called to the next game only then.
	e.ann.does("again")
	e.ann.phase("lobby")
	e.ann.until(`document.querySelectorAll(".chair").length === 4 && document.querySelectorAll(".chair.free").length === 2`)
	e.bob.until(`document.querySelector("#kept")?.checkVisibility()`)
	if slowly {
		e.station(e.ann, "again-host")
		e.station(e.bob, "again-called")
	}
	e.bob.does("again")
}

// watches has one watch the last game again, and the other by a link; and proves its record.
func (e *evening) watches(promised string) {
	e.t.Helper()
	e.ann.does("replay")
	e.ann.until(`document.querySelector(".replay input")?.max > 0`)
	last := value[int](e.ann, `Number(document.querySelector(".replay input").max)`)
	at := func(s *seat, n int) {
		e.t.Helper()
		s.until(fmt.Sprintf(`document.querySelector(".replay input")?.value === "%d"`, n))
	}
	button := func(n int) string { return fmt.Sprintf(".replay .bar .act:nth-child(%d)", n) }
	at(e.ann, 0)
	e.station(e.ann, "replay")
	e.taps(e.ann, button(4))
	at(e.ann, 1)
	e.taps(e.ann, button(3))
	e.ann.until(`Number(document.querySelector(".replay input").value) > 1`)
	e.taps(e.ann, button(3))
	e.taps(e.ann, button(5))
	at(e.ann, last)
	e.taps(e.ann, ".replay summary")
	e.taps(e.ann, ".replay .log li:nth-child(3) button")
	at(e.ann, 3)
	e.station(e.ann, "replay-moves")
	e.taps(e.ann, ".replay summary")
	e.ann.eval(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	e.taps(e.ann, ".replay .row .act:nth-child(1)")
	e.ann.until(`window.copied?.includes("#replay=")`)
	e.bob.eval(`location.href = ` + quote(value[string](e.ann, "window.copied")))
	at(e.bob, 3)
	e.station(e.bob, "replay-by-link")
	e.taps(e.ann, ".replay .row .act:nth-child(3)")
	e.ann.until(`document.querySelector("#told").open && document.querySelector("#told a.file")`)
	e.station(e.ann, "record")
	e.proves(value[string](e.ann, `document.querySelector("#told a.file").href`), promised)
	e.taps(e.ann, "#toldgo")
	for _, s := range []*seat{e.ann, e.bob} {
		e.taps(s, ".replay .away")
		s.phase("ended")
		e.taps(s, "#home")
	}
}

// proves works a record out again, as whoever keeps the file can.
func (e *evening) proves(url, promised string) {
	e.t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		e.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	record, err := engine.ParseRecord(text)
	if err != nil {
		e.t.Fatalf("the record %q: %v", text, err)
	}
	rules, _ := games.ByName(record.Game)
	proof, err := engine.Prove(rules, record)
	if err != nil || proof.Commitment != promised || proof.Moves != len(record.Moves) || len(proof.Packs) == 0 {
		e.t.Errorf("promised was %s; the record proves %+v, %v", promised, proof, err)
	}
}

// banks plays a session of Польский банчок, in which each holds the bank.
func (e *evening) banks() {
	e.t.Helper()
	e.ann.say("/banchok 20 min=20 banks=2 limit=none")
	e.ann.phase("lobby")
	e.station(e.ann, "bank-lobby")
	e.taps(e.bob, "#waiting .primary")
	e.ann.until(`document.querySelectorAll(".chair:not(.free)").length === 2`)
	e.ann.does("deal")
	e.cuts()
	for _, s := range []*seat{e.ann, e.bob} {
		e.station(s, "bank")
	}
	for _, s := range []*seat{e.ann, e.bob} {
		s.eval(browsertest.Punter)
	}
	for _, s := range []*seat{e.ann, e.bob} {
		s.until(`document.querySelector(".tbl").dataset.phase === "ended" && document.querySelector(".stage .gold")?.act.do === "again" && document.querySelectorAll(".placed").length === 2`)
	}
	e.station(e.ann, "bank-end")
	for _, s := range []*seat{e.ann, e.bob} {
		e.taps(s, "#home")
	}
}

// daily lays the patience of the day: one of them brings it out and tells the other, who tries it, too, and gives it up.
func (e *evening) daily() {
	e.t.Helper()
	e.ago.Store(0)
	day := e.called("button.day")
	e.ann.until(`document.querySelector("#hall").checkVisibility()`)
	e.station(e.ann, "hall")
	e.ann.until(`(() => { const b = [...document.querySelectorAll("#solos button")].find((b) => b.innerText.includes(` + quote(day) + `)); b?.click(); return b; })()`)
	e.ann.until(`document.querySelector("#told").open`)
	e.station(e.ann, "day")
	e.taps(e.ann, "#toldrows .primary")
	e.ann.phase("playing")
	e.ann.until(`document.querySelector(".heap.deal")`)
	e.station(e.ann, "day-playing")
	for _, line := range e.winning() {
		e.ann.say("/m " + line)
		e.ann.until(`document.querySelector("#text").value === ""`)
	}
	e.ann.untilIn(longest, `document.querySelector(".tbl").dataset.phase === "ended"`)
	e.ann.until(`document.querySelector("#told").open && document.querySelector("#toldtext").innerText.includes("✓")`)
	e.station(e.ann, "day-told")
	e.taps(e.ann, "#toldrows button")
	e.ann.phase("ended")
	e.station(e.ann, "day-end")
	e.bob.until(`!document.querySelector("#news").hidden`)
	e.taps(e.bob, "#talkopen")
	e.bob.reads("#log .bot", "Ann: ")
	e.station(e.bob, "day-shared")
	e.bob.until(`(() => { const b = [...document.querySelectorAll("#log .bot .row button")].at(-1); b?.click(); return b; })()`)
	e.bob.until(`document.querySelector(".tbl")?.dataset.phase === "playing"`)
	e.bob.eval(`document.querySelector("#talk").hidden || document.querySelector("#talkclose").click()`)
	e.taps(e.bob, ".bar.main .act")
	e.bob.does("giveup")
	e.bob.until(`document.querySelector("#told").open`)
	e.station(e.bob, "day-giveup")
	e.taps(e.bob, "#told .danger")
	e.bob.phase("ended")
	e.bob.until(`document.querySelector("#told").open && !document.querySelector("#told .danger")`)
	e.station(e.bob, "day-given-up")
	e.taps(e.bob, "#toldgo")
}

// winning are the moves that bring the patience of the day out, as lines that can be typed.
func (e *evening) winning() (lines []string) {
	e.t.Helper()
	rules := deals.Rules(lastingGame)
	var moves []engine.Move
	for attempt := 0; moves == nil && attempt < patience.Attempts(rules); attempt++ {
		moves = patience.Win(rules, theDay().Number, attempt)
	}
	for part := range slices.Chunk(moves, 100) {
		var typed []string
		for _, m := range part {
			typed = append(typed, rules.Text(m))
		}
		lines = append(lines, strings.Join(typed, ","))
	}
	return lines
}

// reckons looks at what is left of an evening: who has won how often, which games there were, of which one is watched again, and how a
// purse has changed.
func (e *evening) reckons() {
	e.t.Helper()
	n := value[int](e.ann, `document.querySelectorAll("#log .bot").length`)
	e.ann.say("/scores")
	e.ann.until(fmt.Sprintf(`document.querySelectorAll("#log .bot").length > %d`, n))
	e.station(e.ann, "scores")
	e.ann.say("/ledger")
	e.ann.until(`document.querySelector("#told").open`)
	e.station(e.ann, "ledger")
	e.taps(e.ann, "#toldrows button")
	e.ann.until(`document.querySelector("#told").open && document.querySelector("#told img")?.naturalWidth > 100`)
	e.station(e.ann, "purse")
	e.taps(e.ann, "#toldgo")
	e.ann.say("/history")
	e.ann.until(`document.querySelector("#told").open`)
	e.station(e.ann, "history")
	e.taps(e.ann, "#toldrows .row:nth-child(1) button:nth-child(2)")
	e.ann.until(`document.querySelector(".replay input")?.max > 0 && !document.querySelector("#talk").checkVisibility()`)
	e.station(e.ann, "history-replay")
}
