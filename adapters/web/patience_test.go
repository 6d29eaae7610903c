//go:build browser

package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"zevaka/bot/live"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

// solitaire is a patience as somebody lays it on the page, and beside it the same game in the test: what is on the page
// must always be what lies here.
type solitaire struct {
	*seat
	house *house
	rules engine.Rules
	state engine.State
	made  int
}

// lay opens a numbered deal on the page.
func (h *house) lay(s *seat, rules engine.Rules, number int) *solitaire {
	h.t.Helper()
	g := &solitaire{seat: s, house: h, rules: rules, state: numbered(h.t, rules, number)}
	s.say("/patience " + rules.Info().Name + " deal=" + strconv.Itoa(number))
	s.phase("playing")
	s.eval(`document.querySelector("#talk").checkVisibility() && getComputedStyle(document.querySelector("#talk")).position === "fixed" && document.querySelector("#talkclose").click()`)
	g.agree()
	return g
}

func numbered(t *testing.T, rules engine.Rules, number int) engine.State {
	t.Helper()
	info := rules.Info()
	options, err := info.Complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	setup := engine.Setup{Seats: 1, Options: options}
	state, err := rules.Deal(setup, engine.NewShuffler(engine.NumberedSeed(info.Name, int64(number)), ""))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// moved waits until a patience has come so far.
func (h *house) moved(s *seat, moves int) live.Scene {
	h.t.Helper()
	return h.until(s, fmt.Sprint("move ", moves), func(sc live.Scene) bool { return sc.Solitaire != nil && sc.Solitaire.Moves == moves })
}

// agree waits until the page shows what lies here.
func (g *solitaire) agree() {
	g.t.Helper()
	piles := g.state.View(0).Piles
	counts := make([]int, len(piles))
	for i, p := range piles {
		counts[i] = len(p.Cards)
	}
	epoch := strconv.Itoa(g.made)
	sc := g.house.moved(g.seat, g.made)
	var tops []string
	for i, p := range sc.Piles {
		if n := p.Down + len(strings.Fields(p.Cards)); n != counts[i] {
			g.t.Errorf("pile %s has %d cards, here %d", p.Name, n, counts[i])
		}
		cards := strings.Fields(p.Cards)
		if len(cards) == 0 {
			cards = []string{""}
		}
		tops = append(tops, cards[len(cards)-1])
	}
	g.until(`[...document.querySelectorAll("#felt .heap")].map((h) => [...h.querySelectorAll(".card")].at(-1)?.dataset.card ?? "").join() === ` + quote(strings.Join(tops, ",")) +
		` && !document.querySelector(".aloft, .picked") && document.querySelector(".turning").innerText.match(/: (\d+)/)?.[1] === ` + quote(epoch))
}

// act is a move as the page offers it.
func (g *solitaire) act(m engine.Move) (live.Act, live.Scene) {
	g.t.Helper()
	sc := g.house.sees(g.seat)
	i := slices.IndexFunc(sc.Acts, func(a live.Act) bool { return does(a.Token) == g.rules.Text(m) })
	if i < 0 {
		g.t.Fatalf("%s is not offered", g.rules.Text(m))
	}
	return sc.Acts[i], sc
}

// point is where to take hold of a pile's card, or of the place for its first one; at below 0 is the uppermost.
func (g *solitaire) point(sc live.Scene, pile, at int) (x, y float64) {
	g.t.Helper()
	p := sc.Piles[pile]
	n := p.Down + len(strings.Fields(p.Cards))
	if at < 0 {
		at = n
	}
	xy := value[[]float64](g.seat, fmt.Sprintf(`(() => { const h = document.querySelectorAll("#felt .heap")[%d], all = [...h.querySelectorAll(".card")];
		const e = all[Math.max(0, %d - (%d - all.length))] || all.at(-1) || h; e.scrollIntoView({ block: "nearest" }); const r = e.getBoundingClientRect(); return [r.left + Math.min(12, r.width / 2), r.top + Math.min(10, r.height / 2)]; })()`, pile, at, n))
	return xy[0], xy[1]
}

// mouse does something with the mouse: with its button down where it is held.
func (s *seat) mouse(kind input.DispatchMouseEventType, x, y float64, held bool) {
	s.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		p.Button, p.ClickCount = input.MouseButtonLeft, 1
	}
	if held {
		p.Button, p.Buttons = input.MouseButtonLeft, 1
	}
	if _, err := chromedp.Call(s.ctx, input.DispatchMouseEvent, p); err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
}

func (g *solitaire) tap(sc live.Scene, pile, at int) {
	g.t.Helper()
	x, y := g.point(sc, pile, at)
	g.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
	g.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, false)
}

// finger does something with a finger: nowhere is the finger lifted.
func (s *seat) finger(kind input.DispatchTouchEventType, at ...float64) {
	s.t.Helper()
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	if len(at) == 2 {
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: at[0], Y: at[1]})
	}
	if _, err := chromedp.Call(s.ctx, input.DispatchTouchEvent, p); err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
}

// The ways to make a move.
const (
	byTaps = iota
	byMouse
	byFinger
	ways
)

// make makes a move by hand.
func (g *solitaire) make(m engine.Move, way int) {
	g.t.Helper()
	a, sc := g.act(m)
	stock := slices.IndexFunc(sc.Piles, func(p live.Pile) bool { return p.Role == "stock" })
	x, y := g.point(sc, a.From, a.At)
	toX, toY := g.point(sc, a.To, -1)
	switch {
	case a.Kind == "solo":
		g.does(a.Do)
	case a.Kind == "deal":
		g.tap(sc, stock, -1)
	case way == byTaps:
		g.tap(sc, a.From, a.At)
		g.until(`document.querySelector(".picked")`)
		g.tap(sc, a.To, -1)
	case way == byMouse:
		g.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
		for _, part := range []float64{0.1, 0.6, 1} {
			g.mouse(input.DispatchMouseEventTypeMouseMoved, x+part*(toX-x), y+part*(toY-y), true)
		}
		g.mouse(input.DispatchMouseEventTypeMouseReleased, toX, toY, false)
	default:
		g.finger(input.DispatchTouchEventTypeTouchStart, x, y)
		for _, part := range []float64{0.2, 0.6, 1} {
			g.finger(input.DispatchTouchEventTypeTouchMove, x+part*(toX-x), y+part*(toY-y))
		}
		g.finger(input.DispatchTouchEventTypeTouchEnd)
	}
	g.follow(m)
}

// follow makes a move here, and waits for the page.
func (g *solitaire) follow(moves ...engine.Move) {
	g.t.Helper()
	for _, m := range moves {
		if _, err := g.state.Apply(engine.Step{Seat: 0, Move: m}); err != nil {
			g.t.Fatal(err)
		}
		g.made++
	}
	if _, over := g.state.Result(); !over {
		g.agree()
	}
}

// line is the computer player's line from a numbered deal that it solves, the first one from that number on.
func line(t *testing.T, rules engine.Rules, number int) (int, []engine.Move) {
	t.Helper()
	for ; number < 3000; number++ {
		state := numbered(t, rules, number)
		var moves []engine.Move
		for len(state.Turn()) > 0 && len(moves) < 1000 {
			m := state.Auto(0, 1, rand.New(rand.NewPCG(1, uint64(len(moves)))))
			if _, err := state.Apply(engine.Step{Seat: 0, Move: m}); err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
		}
		if result, _ := state.Result(); result.Patience != nil && result.Patience.Solved {
			return number, moves
		}
	}
	t.Fatal("no deal is solved")
	return 0, nil
}

// play makes some moves by hand, and the others by typing some at a time.
func (g *solitaire) play(moves []engine.Move, byHand int) {
	g.t.Helper()
	for i, m := range moves[:byHand] {
		g.make(m, i%ways)
	}
	for part := range slices.Chunk(moves[byHand:], 12) {
		var typed []string
		for _, m := range part {
			typed = append(typed, g.rules.Text(m))
		}
		g.say("/m " + strings.Join(typed, ", "))
		g.follow(part...)
	}
}

// held is a script to be run before those of a page: what the room puts is kept from the page while held.over is false.
const held = `{
	window.held = Object.assign([], { over: true });
	const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	Object.defineProperty(WebSocket.prototype, "onmessage", { set(f) {
		set.call(this, f && ((e) => held.over ? f(e) : held.push(() => f(e))));
	} });
}`

// tablet is a screen between a phone's and a desk's.
const tabletWidth, tabletHeight = 768, 1024

// TestPatience lays one patience by hand until it comes out, gives one up and watches it again, and plays one by keys alone, while
// somebody looks on.
func TestPatience(t *testing.T) {
	rules := engine.Rules(patience.Pauk)
	number, moves := line(t, rules, 0)
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.look(tabletWidth, tabletHeight, "light")
	g := h.lay(ann, rules, number)
	h.watched(ann, bob)
	g.play(moves, 4*ways)
	ended := func() {
		t.Helper()
		ann.phase("ended")
		ann.reads(".stage h3", "сошёлся")
	}
	ended()
	bob.eval(`document.querySelector("#home").click()`)
	bob.start("Зевака")
	bob.phase("lobby")
	ann.eval(`document.querySelector("#talkclose").checkVisibility() && document.querySelector("#talkclose").click()`)
	ann.everywhere("solved")
	ended()
	ann.script(held)
	ann.reload()
	ended()
	if n := value[int](ann, `document.querySelectorAll("#felt .can").length`); n > 0 {
		t.Errorf("%d cards of a game that is over can be taken", n)
	}
	ann.does("again")
	ann.phase("playing")
	h.replays(ann, bob)
	h.byKeys(c)
	ann.calm()
	bob.calm()
}

// TestStuck plays a patience until no move is left: with the same cards again, with the next deal; and takes moves back by keys and by a
// swipe, left-handed.
func TestStuck(t *testing.T) {
	rules := engine.Rules(patience.Sklep)
	const number = 5
	state := numbered(t, rules, number)
	var moves []engine.Move
	for {
		if _, over := state.Result(); over {
			break
		}
		m := state.Idle(0)
		if _, err := state.Apply(engine.Step{Move: m}); err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.look(phoneWidth, phoneHeight, "light")
	g := h.lay(ann, rules, number)
	const some = 4
	g.play(moves[:some], 0)
	ann.eval(`document.querySelector("#talkclose").click()`)
	stands := func(moves int) {
		t.Helper()
		ann.until(fmt.Sprintf(`document.querySelector(".turning").innerText.match(/: (\d+)/)[1] === "%d"`, moves))
	}
	ann.eval(`document.querySelector(".tbl").focus()`)
	for _, step := range []struct {
		key   string
		moves int
	}{{"u", some - 1}, {"r", some}} {
		ann.key(step.key)
		stands(step.moves)
	}
	for _, step := range []struct {
		event string
		moves int
	}{
		{`key: "z", ctrlKey: true`, some - 1},
		{`key: "н", code: "KeyY", ctrlKey: true`, some}, {`key: "г", code: "KeyU"`, some - 1}, // A Russian keyboard's.
		{`key: "p", code: "KeyR"`, some - 1}, {`key: "r", code: "KeyO"`, some}, {`key: "u", code: "KeyF"`, some - 1}, // Dvorak's.
		{`key: "u", repeat: true`, some - 1}, {`key: "r"`, some}, {`key: "u"`, some - 1}, // One that is held down counts once.
	} {
		ann.eval(`document.querySelector(".tbl").dispatchEvent(new KeyboardEvent("keydown", { ` + step.event + `, bubbles: true }))`)
		stands(step.moves)
	}
	swiped := func(from, to float64, moves int) {
		t.Helper()
		y := value[float64](ann, `document.querySelector(".field").getBoundingClientRect().bottom - 6`)
		ann.finger(input.DispatchTouchEventTypeTouchStart, from, y)
		ann.finger(input.DispatchTouchEventTypeTouchMove, (from+to)/2, y)
		ann.finger(input.DispatchTouchEventTypeTouchMove, to, y)
		ann.finger(input.DispatchTouchEventTypeTouchEnd)
		stands(moves)
	}
	swiped(60, 180, some)
	swiped(180, 60, some-1)
	swiped(60, 180, some)
	zoomed := func(by float64) {
		t.Helper()
		if _, err := chromedp.Call(ann.ctx, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{PageScaleFactor: by}); err != nil {
			t.Fatal(err)
		}
		ann.until(fmt.Sprintf(`visualViewport.scale === %v`, by))
	}
	for _, by := range []float64{1, 2} { // Where the page is zoomed in a finger moves it.
		zoomed(by)
		ann.eval(`for (const [kind, clientX] of [["pointerdown", 300], ["pointerup", 100]])
			document.querySelector(".field").dispatchEvent(new PointerEvent(kind, { clientX, clientY: 300, pointerType: "touch", isPrimary: true, pointerId: 77, bubbles: true }))`)
		if by == 1 {
			stands(some - 1)
			ann.key("r")
		}
		stands(some)
	}
	zoomed(1)
	ann.key("u")
	stands(some - 1)
	ann.key("r")
	stands(some)
	g.play(moves[some:], 0)
	ann.reads(".stage h3", "Ходов больше нет")
	ann.everywhere("stuck")
	ann.press("⟲ Те же карты")
	stands(0)
	ann.until(`document.querySelector(".stage").hidden`)
	ann.eval(`document.querySelector("#me").click(); document.querySelector("#left").click(); document.querySelector("#whocancel").click()`)
	ann.until(`document.querySelector("#felt .heap.deal").getBoundingClientRect().right < innerWidth / 2`)
	before := value[string](ann, shown)
	g.state, g.made = numbered(t, rules, number), 0
	g.play(moves, 0)
	ann.reads(".stage h3", "Ходов больше нет")
	ann.press("Следующий расклад")
	ann.until(`!["", ` + quote(before) + `].includes(` + shown + `) && document.querySelector(".tbl").dataset.phase === "playing"`)
	stands(0)
	h.finishes(ann)
	ann.calm()
}

// finishes plays until nothing can go wrong any more: the rest is done by itself for who wants that, and no clock runs until the end for who wants
// none.
func (h *house) finishes(ann *seat) {
	h.t.Helper()
	rules := engine.Rules(patience.Zaba)
	number := int(enginetest.Variant{Rules: rules}.Easy(h.t))
	state := numbered(h.t, rules, number)
	var moves []engine.Move
	for state.(engine.Finisher).Finish() == nil {
		m := state.Idle(0)
		if _, err := state.Apply(engine.Step{Move: m}); err != nil {
			h.t.Fatal(err)
		}
		moves = append(moves, m)
	}
	ann.eval(`document.querySelector("#me").click(); document.querySelector("#auto").click(); document.querySelector("#timeless").click(); document.querySelector("#whocancel").click(); document.querySelector("#home").click()`)
	ann.until(`document.querySelector("#felt").hidden`)
	last := len(moves) - 1
	h.lay(ann, rules, number).play(moves[:last], 0)
	ann.until(`document.querySelector(".turning time").textContent === ""`)
	ann.say("/m " + rules.Text(moves[last]))
	ann.phase("ended")
	ann.until(`/^\d+:\d\d$/.test(document.querySelector(".turning time").textContent)`)
	ann.reads(".stage h3", "сошёлся")
}

// watched has Bob look on at Ann's patience: he can take nothing on it.
func (h *house) watched(ann, bob *seat) {
	if listed := value[int](bob, `document.querySelectorAll("#hall .tables li").length`); listed > 0 {
		h.t.Errorf("Боря is shown %d tables of others alone", listed)
	}
	bob.eval(`location.hash = "#table=` + value[string](ann, shown) + `"`)
	bob.phase("playing")
	bob.reads("#bar", "Вы смотрите")
	if n := value[int](bob, `document.querySelectorAll("#felt .can, .desk .main .act").length`); n > 0 {
		h.t.Errorf("Боря can take %d things of Аня's", n)
	}
	sc := h.sees(ann)
	his := &tab{t: h.t, url: strings.TrimSuffix(h.url, "/"), client: http.DefaultClient, secret: value[string](bob, secret), name: "Боря"}
	if a := his.press(sc.Acts[0].Token, ""); !a.Alert || h.sees(ann).Solitaire.Moves != 0 {
		h.t.Errorf("Боря's press on Аня's patience: %+v", a)
	}
}

// deals deals by the button, which stays in its place; nor does a turn elsewhere move a card.
func (s *seat) deals() {
	at := func(selector string) float64 {
		s.t.Helper()
		return value[float64](s, `((r) => r.top * 1000 + r.left)(document.querySelector(`+quote(selector)+`).getBoundingClientRect())`)
	}
	s.until(`(() => { const b = [...document.querySelectorAll(".main .act")].find((b) => b.act?.kind === "deal"); b?.classList.add("dealer"); return b; })()`)
	s.frames() // What has just been drawn is fitted with the next one.
	before := at(".dealer")
	s.eval(`document.querySelector(".dealer").click()`)
	s.reads(".turning", "Ходов: 1")
	if after := at(".dealer"); after != before || !value[bool](s, `document.querySelector(".dealer").ariaDisabled === "true"`) {
		s.t.Errorf("the button that deals went from %v to %v", before, after)
	}
	s.banner()
}

// replays gives a patience up, and watches it again: step by step, played, from the log and from the slider; by an address that leads to
// a move; and puts it away again. What shows it is loaded only then.
func (h *house) replays(ann, bob *seat) {
	ann.say("/patience tecza deal=7")
	ann.reads(".tbl h2", "Радуга")
	ann.eval(`document.querySelector("#talkclose").checkVisibility() && document.querySelector("#talkclose").click()`)
	ann.deals()
	moves := func(n int) {
		h.t.Helper()
		ann.until(`document.querySelector(".tbl > .desk > .log").childElementCount === ` + strconv.Itoa(n))
	}
	ann.look(tabletWidth, tabletHeight, "light")
	ann.until(`(() => { const b = document.querySelector(".foot > .act[aria-expanded]"); return b.checkVisibility() && (b.click(), true); })()`)
	moves(1)
	ann.does("undo")
	moves(0)
	ann.does("redo")
	moves(1)
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && document.activeElement.closest("#told")`)
	ann.press("Отмена")
	ann.until(`!document.querySelector("#told").open`)
	ann.eval(`held.over = false`)
	ann.does("giveup")
	ann.until(`held.length && document.querySelector("#told").open && (document.querySelector("#told .danger").click(), true)`)
	ann.eval(`for (const later of held.splice(0)) later(); held.over = true`)
	ann.phase("ended")
	ann.until(`!document.querySelector("dialog[open]") && document.activeElement !== document.body && !window.Replay`)
	ann.until(`(() => { const b = [...document.querySelectorAll(".act")].find((b) => b.act?.do === "replay" && b.checkVisibility()); b?.click(); setTimeout(() => b?.click()); return b; })()`) // A double click.
	ann.until(`window.Replay && document.querySelector(".replay output")?.innerText.startsWith("Ход 0")`)
	last := value[int](ann, `Number(document.querySelector(".replay input").max)`)
	if last < 1 {
		h.t.Fatalf("the game has %d moves", last)
	}
	at := func(s *seat, n int) {
		h.t.Helper()
		s.reads(".replay output", fmt.Sprintf("Ход %d из %d", n, last))
	}
	for _, step := range []struct {
		label string
		at    int
	}{{"На ход вперёд", 1}, {"К концу", last}, {"На ход назад", last - 1}, {"К раздаче", 0}} {
		ann.press(step.label)
		at(ann, step.at)
	}
	named := func(n string) {
		h.t.Helper()
		ann.until(`location.hash === "#replay=" + (` + shown + `) + ".` + n + `"`)
	}
	named("0")
	ann.everywhere("replay")
	ann.eval(`document.querySelector(".replay details").open = true`)
	ann.until(`(() => { const b = document.querySelector(".replay .log button"); b?.click(); return b; })()`)
	at(ann, 1)
	named("1")
	ann.say("/history")
	ann.until(`document.querySelector("#told").open`)
	ann.eval(`[...document.querySelectorAll("#toldrows .knob")].find((b) => b.innerText === "▶ " + document.querySelector("#toldtext").innerText.match(/(\d+)\. Радуга/)[1]).click()`)
	at(ann, 0)
	ann.press("На ход вперёд")
	at(ann, 1)
	ann.press("К раздаче")
	ann.until(`[...document.querySelectorAll(".replay button")].some((b) => b.ariaLabel === "Смотреть" && (b.click(), true))`)
	at(ann, last)
	ann.eval(`{ const s = document.querySelector(".replay input"); s.value = 0; s.dispatchEvent(new Event("input")); }`)
	at(ann, 0)
	link := value[string](ann, `location.origin + "/#replay=" + (`+shown+`) + ".1"`)
	bob.eval(`location.href = ` + quote(link))
	at(bob, 1)
	ann.press("Закрыть повтор")
	ann.until(`!document.querySelector(".replay") && document.querySelector(".tbl").dataset.phase === "ended"`)
}

// byKeys plays with keys alone: from the room to a card that lies elsewhere, and back; and a game against the computer.
func (h *house) byKeys(c *chromium) {
	vik := c.open(h.url + "#new")
	vik.until(`document.querySelector("#none") && document.querySelectorAll("#games button").length`)
	vik.eval(`document.querySelector("#now").focus()`)
	for range 13 {
		if value[string](vik, `document.activeElement.querySelector(":scope > b")?.innerText || ""`) != "Polusharia" { // Its picture has words, too.
			vik.key("Tab")
		}
	}
	vik.key("Enter")
	vik.phase("playing")
	vik.until(`document.activeElement !== document.body && document.querySelector("main").contains(document.activeElement)`)
	for range 20 {
		if !value[bool](vik, `document.activeElement.matches(".heap")`) {
			vik.key("Tab")
		}
	}
	stock := slices.IndexFunc(h.sees(vik).Piles, func(p live.Pile) bool { return p.Role == "stock" })
	vik.until(fmt.Sprintf(`(() => { const heaps = [...document.querySelectorAll("#felt .heap")]; const at = heaps.indexOf(document.activeElement); if (at === %[1]d) return true;
		const s = heaps[%[1]d].getBoundingClientRect(), r = heaps[at].getBoundingClientRect(); window.wish = Math.abs(s.top - r.top) > 4 ? (s.top < r.top ? "ArrowUp" : "ArrowDown") : s.left < r.left ? "ArrowLeft" : "ArrowRight";
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: window.wish, bubbles: true })); return false; })()`, stock))
	vik.key("Enter")
	h.moved(vik, 1)
	vik.until(`/: 1/.test(document.querySelector(".turning").innerText) && document.activeElement.matches(".heap")`)
	vik.key("u")
	h.moved(vik, 0)
	vik.until(`(() => { document.querySelector("#begin").focus(); return document.activeElement.id === "begin"; })()`)
	vik.key("Enter")
	vik.until(`document.querySelector("#newgame").open && document.activeElement.matches("#solos .this")`)
	vik.fits("a new game")
	vik.key("Escape")
	vik.until(`!document.querySelector("dialog[open]") && document.activeElement.id === "begin" && !document.querySelector("#hall").checkVisibility()`)
	vik.key("Enter")
	vik.until(`document.querySelector("#newgame").open && document.activeElement.matches("#solos .this")`)
	vik.until(`(() => { document.querySelector("#now").focus(); return document.activeElement.id === "now"; })()`)
	vik.key("Enter")
	vik.until(`/cutting|playing/.test(document.querySelector(".tbl")?.dataset.phase) && !document.querySelector("#felt .tbl.solo")`)
	for made := 0; made < 6; {
		if !h.sees(vik).Yours {
			h.rings(3 * time.Second)
			continue
		}
		before := h.sees(vik)
		vik.until(`document.querySelector(".tbl.yours")`)
		key := value[int](vik, `(() => { const can = [...document.querySelectorAll(".act")].filter((b) => b.act && b.checkVisibility() && !b.closest(".foot"));
			return 1 + can.findIndex((b) => b.ariaDisabled !== "true" && (({ act }) => act.do === "flip" && !document.querySelector(".place.turned .card") || act.kind === "self" || act.kind === "cut")(b)); })()`)
		if key == 0 {
			h.t.Fatal("no key makes a move")
		}
		vik.key(fmt.Sprint(key))
		h.until(vik, "what the key does", func(s live.Scene) bool { return s.Version > before.Version })
		h.rests()
		vik.frames()
		if value[bool](vik, `document.activeElement === document.body`) {
			h.t.Fatal("the focus is nowhere")
		}
		made++
		h.rings(3 * time.Second)
	}
	vik.calm()
}
