//go:build browser

package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// drawn is a page that has a table on it, in what the room wears, and nothing else: what the viewer does is kept in window.pressed.
type drawn struct {
	*seat
	scenes map[string][]json.RawMessage
}

const drawnPage = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Table</title>
<link rel="stylesheet" href="place.css"><link rel="stylesheet" href="style.css"><link rel="stylesheet" href="table.css"><link rel="stylesheet" href="drawn.css">
<script type="module" src="drawn.js"></script><main id="felt"></main></html>`

const drawnScript = `import { Table } from "./table.js";
import { languages, learn, speak } from "./words.js";
window.pressed = [];
for (const lang of Object.keys(languages)) await learn(lang);
const keep = (...what) => { window.pressed.push(what.filter((w) => w !== undefined).join(" ")); return Promise.resolve(true); };
const table = new Table(document.querySelector("#felt"), {
  press: keep, log: async () => ["first", "second"], setting() {}, feel() {}, toast() {}, go: (id) => keep("go", id),
});
window.show = (scene, lang) => table.show(scene, speak(lang || scene.lang));
window.table = table;
`

// drawTable opens the page with the table.
func drawTable(t *testing.T, motion bool) *drawn {
	t.Helper()
	c := startChromium(t)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(pageFiles()))
	for path, body := range map[string]string{"/drawn.html": drawnPage, "/drawn.js": drawnScript, "/drawn.css": `body { margin: 0; font: 16px/1.4 system-ui, "Liberation Sans", sans-serif; } #felt { display: block; position: fixed; inset: 0; padding: 0; width: auto; margin: 0; }`} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}[filepath.Ext(path)])
			_, _ = w.Write([]byte(body))
		})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", contentPolicy("'none'"))
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d := &drawn{seat: c.open(server.URL + "/drawn.html"), scenes: map[string][]json.RawMessage{}}
	paths, err := filepath.Glob("testdata/scenes/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenes: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var all []json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		d.scenes[strings.TrimSuffix(filepath.Base(path), ".json")] = all
	}
	d.media("light", motion)
	d.until("window.show")
	return d
}

// media sets the system's colours, and whether things may move.
func (d *drawn) media(scheme string, motion bool) {
	d.t.Helper()
	reduced := map[bool]string{true: "no-preference", false: "reduce"}[motion]
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: reduced},
	}}
	if _, err := chromedp.Call(d.ctx, emulation.SetEmulatedMedia, media); err != nil {
		d.t.Fatal(err)
	}
}

func (d *drawn) size(width, height int64) {
	d.t.Helper()
	d.run(chromedp.EmulateViewport(width, height))
	d.until(fmt.Sprintf("innerWidth === %d && innerHeight === %d", width, height))
	d.frames()
}

// show shows a scene as if there had been none before.
func (d *drawn) show(name string, n int) {
	d.t.Helper()
	d.place(name, n)
	d.frames()
}

// place is the same without waiting for the page to be painted.
func (d *drawn) place(name string, n int) {
	d.t.Helper()
	d.eval(fmt.Sprintf(`{ const s = %s; s.table += Math.random(); show(s); }`, d.scenes[name][n]))
}

func (d *drawn) names() []string {
	var all []string
	for name := range d.scenes {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (d *drawn) solos() []string {
	return slices.DeleteFunc(d.names(), func(name string) bool {
		return !strings.Contains(string(d.scenes[name][0]), `"solo":true`) || strings.HasSuffix(name, "-over")
	})
}

// pressedLast is what was pressed last.
func (d *drawn) pressedLast() string {
	d.t.Helper()
	return value[string](d.seat, `window.pressed.at(-1) ?? ""`)
}

func (d *drawn) pointer(kind input.DispatchMouseEventType, x, y float64, held int64) {
	d.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Buttons: held}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		p.Button, p.ClickCount = input.MouseButtonLeft, 1
	}
	if _, err := chromedp.Call(d.ctx, input.DispatchMouseEvent, p); err != nil {
		d.t.Fatal(err)
	}
}

// middle is the middle of what an expression is on the page.
func (d *drawn) middle(element string) (x, y float64) {
	d.t.Helper()
	at := value[[]float64](d.seat, `(() => { const r = (`+element+`).getBoundingClientRect(); return [r.left + r.width / 2, r.top + Math.min(12, r.height / 2)]; })()`)
	return at[0], at[1]
}

func (d *drawn) tap(element string) {
	d.t.Helper()
	x, y := d.middle(element)
	d.pointer(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	d.pointer(input.DispatchMouseEventTypeMouseReleased, x, y, 0)
}

// each lists what an expression finds wrong with the scenes of that name, each shown as if there had been none before.
func (d *drawn) each(names []string, wrong string) []string {
	d.t.Helper()
	all := map[string]json.RawMessage{}
	for _, name := range names {
		all[name] = d.scenes[name][0]
	}
	scenes, err := json.Marshal(all)
	if err != nil {
		d.t.Fatal(err)
	}
	return value[[]string](d.seat, fmt.Sprintf(`Object.entries(%s).flatMap(([name, scene]) => {
		show({ ...scene, table: name + Math.random() });
		return (%s).map((what) => name + ": " + what);
	})`, scenes, wrong))
}

// TestTable looks at a table in scenes of all games, and does at it what a viewer can.
func TestTable(t *testing.T) {
	d := drawTable(t, false)
	for _, looks := range []func(){d.fitsAll, d.wideNames, d.layouts, d.spoken, d.readable, d.isTheScene, d.catchesUp, d.yawns, d.takesBack, d.byHand, d.acts, d.slides, d.rounds, d.mutes} {
		looks()
	}
	d.calm()
}

func (d *drawn) fitsAll() {
	d.t.Helper()
	d.media("light", false)
	for _, size := range [][2]int64{{320, 568}, {640, 360}, {1280, 800}, {360, 640}, {768, 1024}, {2560, 1440}} {
		d.size(size[0], size[1])
		wrong := d.each(d.names(), `[...document.querySelectorAll(".tbl, .field, .stage, .desk, .seat, .heap, .card, .act, .go, .fold, summary, .turning, .bets input")]
			.filter((e) => e.tagName === "svg" || e.offsetParent).flatMap((e) => {
				const r = e.getBoundingClientRect();
				const what = e.getAttribute("class") + " " + e.textContent.slice(0, 20);
				const press = e.matches(".act, .go, .fold, summary, input");
				return [r.width && !e.closest(".foot") && (r.right > innerWidth + 1 || r.left < -1) ? what + " is wider than the screen" : "",
					press && (r.width < 43.5 || r.height < 43.5) ? what + " is too small to press" : ""].filter(Boolean);
			})`)
		if len(wrong) > 0 {
			d.t.Errorf("%v: %s", size, strings.Join(wrong, "\n"))
		}
	}
}

// Whatever people are called, nothing is wider than a narrow phone, also while somebody stakes on another's hand.
func (d *drawn) wideNames() {
	d.t.Helper()
	d.media("light", false)
	d.size(320, 568)
	wrong := d.each(d.names(), `(() => {
		const wide = scene.seats.reduce((text, s) => text.replaceAll(s.name, "W".repeat(20)), JSON.stringify(scene));
		const bet = { kind: "bet", do: "bet", label: "Bet", token: "bet", least: 1, most: 300 };
		return [{}, { phase: "playing", bank: { ...scene.bank, backed: scene.seats.length - 1 }, acts: [bet] }].flatMap((more) => {
			show({ ...JSON.parse(wide), ...(scene.banked ? more : {}), table: name + Math.random() });
			const over = document.querySelector(".tbl").scrollWidth - innerWidth;
			return over > 0 ? ["the table is " + over + " pixels too wide"] : [];
		});
	})()`)
	if len(wrong) > 0 {
		d.t.Error(strings.Join(wrong, "\n"))
	}
}

// The cards of a patience can be read on any phone.
func (d *drawn) layouts() {
	d.t.Helper()
	d.media("light", false)
	for _, size := range [][2]int64{{360, 560}, {844, 390}, {1280, 800}, {360, 640}, {390, 844}} {
		d.size(size[0], size[1])
		wrong := d.each(d.solos(), `(() => {
			const cards = [...document.querySelectorAll(".field .card")].map((e) => e.getBoundingClientRect().width);
			const f = table.field.getBoundingClientRect();
			const outside = (r) => r.bottom > f.bottom + 1 || r.top < f.top - 1;
			return [Math.min(...cards) < 40 ? "cards are only " + Math.min(...cards) + " wide" : "",
				...table.piles.map((p, i) => (table.spots[p.name] ? "" : "no place for " + p.name)),
				...table.heaps.map((h, i) => ([...h.el.querySelectorAll(".card"), h.el].some((e) => outside(e.getBoundingClientRect())) ? table.piles[i].name + " lies outside" : ""))].filter(Boolean);
		})()`)
		// A game that has no layout of its own gets one by what its piles are for.
		wrong = append(wrong, d.each([]string{"polusharia", "paganini"}, `show({ ...scene, game: "new", table: name + Math.random() }) ??
			table.piles.filter((p) => !(table.spots[p.name]?.x > -0.01)).map((p) => "an unknown game has no place for " + p.name)`)...)
		if len(wrong) > 0 {
			d.t.Errorf("%v: %s", size, strings.Join(wrong, "\n"))
		}
	}
}

// lying compares what lies in the page with what the scene has, and is empty when that is the same.
const lying = `((scene) => scene.piles.flatMap((p, i) => {
  const want = [...Array(p.down || 0).fill("--"), ...(p.cards ? p.cards.split(" ") : [])];
  const heap = table.heaps[i];
  const got = [...heap.el.querySelectorAll(".card")].map((e) => e.dataset.card || (e.matches(".back") && !e.textContent ? "--" : "?"));
  const tail = heap.spot.fan ? want : want.slice(-2);
  return got.join() === tail.join() ? [] : [p.name + ": " + got + " and not " + tail];
}))`

func (d *drawn) isTheScene() {
	d.t.Helper()
	for _, motion := range []bool{true, false} {
		d.media("light", motion)
		for _, name := range []string{"tecza", "zevaka6", "banchok12", "paganini", "grobnitsa"} {
			for n, scene := range d.scenes[name] {
				d.eval(fmt.Sprintf(`window.scene = %s; scene.table = %q; show(scene)`, scene, fmt.Sprint(name, motion)))
				d.until(`!table.playing && table.scene.version === scene.version && table.scene.table === scene.table`)
				if wrong := value[[]string](d.seat, lying+`({ ...scene, piles: scene.piles || [] })`); len(wrong) > 0 {
					d.t.Errorf("%s %d (motion %t): %q", name, n, motion, wrong)
				}
				if text := value[string](d.seat, `document.body.innerText + [...document.querySelectorAll("[aria-label]")].map((e) => e.ariaLabel).join()`); strings.Contains(text, "undefined") || strings.Contains(text, "NaN") || strings.Contains(text, "{") {
					d.t.Errorf("%s %d: %s", name, n, text)
				}
			}
		}
	}
}

// Moves that come while others still fly are shown in order, and many at once are not shown one by one.
func (d *drawn) catchesUp() {
	d.t.Helper()
	d.media("light", true)
	all := d.scenes["zevaka6"]
	for _, scene := range all {
		d.eval(fmt.Sprintf(`window.scene = %s; show(scene)`, scene))
	}
	d.until(`table.playing && table.field.getAnimations({ subtree: true }).length`)
	d.until(`!table.playing && table.scene.version === scene.version`)
	if wrong := value[[]string](d.seat, lying+"(scene)"); len(wrong) > 0 {
		d.t.Errorf("after all: %q", wrong)
	}
	d.eval(fmt.Sprintf(`window.late = %s; late.version += 20; late.steps = Array.from({ length: 12 }, (_, i) => ({ ...late.steps[0], n: 900 + i })); show(late)`, all[len(all)-1]))
	if value[bool](d.seat, `Boolean(table.playing)`) {
		d.t.Error("twelve moves are shown one by one")
	}
	d.eval(`scene.version = 1; show({ ...scene, title: "old" })`)
	if value[string](d.seat, `document.querySelector(".tbl h2").textContent`) == "old" {
		d.t.Error("an older scene is shown")
	}
}

func (d *drawn) yawns() {
	d.t.Helper()
	d.media("light", true)
	for _, scene := range d.scenes["zevaka-yawn"] {
		d.eval(fmt.Sprintf(`window.scene = %s; scene.table = "yawn"; show(scene)`, scene))
		d.until(`!table.playing`)
	}
	d.until(`document.querySelectorAll(".missed").length === 2`)
	d.reads(".tale", "можно было положить на")
	if said := value[string](d.seat, `document.querySelector(".tbl [aria-live]").textContent`); !strings.Contains(said, "можно было") {
		d.t.Errorf("what was overlooked is not said: %q", said)
	}
}

// What somebody has chosen to bet on a hand stays while others bet on it, and the focus stays at the table when nothing is to be bet any more.
func (d *drawn) slides() {
	d.t.Helper()
	d.eval(fmt.Sprintf(`window.slides = (most, backed) => {
		window.scene = { ...(window.scene?.table === "slides" ? scene : %s), table: "slides", phase: "playing" };
		scene.version++;
		scene.bank = { ...scene.bank, backed };
		scene.acts = [{ kind: "play", do: "rules", label: "Rules", token: "rules" }, ...(most ? [{ kind: "bet", do: "bet", label: "Bet", token: "bet", least: 1, most }] : [])];
		show(scene);
	}`, d.scenes["banchok12"][0]))
	for _, step := range []struct {
		most, backed int
		want         string
	}{{295, 2, "1"}, {294, 2, "145"}, {101, 2, "101"}, {101, 3, "1"}, {0, 3, ""}, {101, 3, "1"}} {
		d.eval(fmt.Sprintf(`slides(%d, %d)`, step.most, step.backed))
		if step.most == 0 {
			d.frames()
			if !value[bool](d.seat, `table.el.contains(document.activeElement) && document.activeElement.checkVisibility()`) {
				d.t.Error("where nothing is to be bet any more the focus is nowhere")
			}
			continue
		}
		if got := value[string](d.seat, staked); got != step.want {
			d.t.Errorf("%+v: what is to be bet is %s", step, got)
		}
		d.eval(`{ const i = document.querySelector(".bets input"); i.value = 146; i.dispatchEvent(new Event("input")); i.focus(); }`)
	}
}

// staked is what the button under the slider bets.
const staked = `document.querySelector(".bets label .act").act.token.slice(3)`

// What can be bet by the slider are round sums, the least and the most.
func (d *drawn) rounds() {
	d.t.Helper()
	for _, most := range []string{"417", "99"} {
		d.eval(`slides(` + most + `, ` + most + `)`)
		for _, want := range []string{"1", "5", "50", most} {
			d.eval(`{ const i = document.querySelector(".bets input"); i.value = ` + want + ` < ` + most + ` ? ` + want + ` : i.max; i.dispatchEvent(new Event("input")); }`)
			if got := value[string](d.seat, staked); got != want {
				d.t.Errorf("at most %s: by the slider at %s one bets %s", most, want, got)
			}
		}
	}
}

// What is taken back goes the way that it came.
func (d *drawn) takesBack() {
	d.t.Helper()
	d.media("light", true)
	all := d.scenes["polusharia"]
	for _, n := range []int{0, 1} {
		d.eval(fmt.Sprintf(`window.scene = %s; scene.table = "back"; show(scene)`, all[n]))
		d.until(`!table.playing && table.scene.version === scene.version`)
		d.eval(`window.spoke = 0; new MutationObserver(() => spoke++).observe(table.el, { attributeFilter: ["lang"] })`)
	}
	d.eval(fmt.Sprintf(`window.back = { ...%s, table: "back", version: scene.version + 1 }; show(back)`, all[0]))
	if value[int](d.seat, `table.field.getAnimations({ subtree: true }).length`) == 0 {
		d.t.Error("the card doesn't fly back")
	}
	d.until(`!table.playing && table.scene.version === back.version`)
	if wrong := value[[]string](d.seat, lying+"(back)"); len(wrong) > 0 {
		d.t.Errorf("after taking back: %q", wrong)
	}
	if n := value[int](d.seat, `spoke`); n > 0 { // Every card is styled anew, even for the same language.
		d.t.Errorf("the table's language is set %d times", n)
	}
}

// movable finds a move of a card in the scene that is shown.
const movable = `(() => { const a = table.scene.acts.find((a) => a.kind === "move" && (a.to || 0) !== (a.from || 0)); return { ...a, from: a.from || 0, to: a.to || 0 }; })()`

func (d *drawn) byHand() {
	d.t.Helper()
	d.media("light", true)
	d.size(phoneWidth, 640)
	d.show("polusharia", 0)
	d.eval(`window.move = ` + movable)
	source, goal := `table.heaps[move.from].card(move.at)`, `(table.heaps[move.to].cards.at(-1)?.el || table.heaps[move.to].el)`
	want := value[string](d.seat, `move.token`)
	settle := func() {
		d.eval(`table.mover.fallBack(); window.pressed = []`)
		d.until(`!table.field.getAnimations({ subtree: true }).length && !document.querySelector(".aloft")`)
	}

	x, y := d.middle(source)
	toX, toY := d.middle(goal)
	d.pointer(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	for _, part := range []float64{0.1, 0.6, 1} {
		d.pointer(input.DispatchMouseEventTypeMouseMoved, x+part*(toX-x), y+part*(toY-y), 1)
	}
	d.until(`document.querySelector(".goal.over") && document.querySelector(".aloft")`)
	d.shot("table-drag")
	d.pointer(input.DispatchMouseEventTypeMouseReleased, toX, toY, 0)
	d.until(`window.pressed.length === 1`)
	if got := d.pressedLast(); got != want {
		d.t.Errorf("a drag made %q, not %q", got, want)
	}
	settle()

	d.tap(source)
	d.until(`document.querySelectorAll(".picked").length === 1 && document.querySelector(".goal")`)
	d.tap(goal)
	d.until(`window.pressed.length === 1`)
	if got := d.pressedLast(); got != want {
		d.t.Errorf("two taps made %q, not %q", got, want)
	}
	settle()

	d.tap(source)
	d.key("Escape")
	d.until(`!document.querySelector(".picked, .goal")`)

	d.eval(`table.heaps[move.from].el.focus()`)
	d.key("Enter")
	d.until(`document.querySelector(".picked")`)
	d.eval(`table.heaps[move.to].el.focus()`)
	d.key("Enter")
	d.until(`window.pressed.length === 1`)
	if got := d.pressedLast(); got != want {
		d.t.Errorf("the keyboard made %q, not %q", got, want)
	}
	settle()

	d.eval(`table.hint(move.token, "Try it: K♥ → Q♥")`)
	d.until(`document.querySelectorAll(".hinted").length === 1 && document.querySelectorAll(".aim").length === 1`)
	d.until(`document.querySelector(".tale").innerText.includes("Try it: K♥ → Q♥")`)
	d.key("u")
	d.until(`window.pressed.at(-1) === "x:undo"`)
}

func (d *drawn) acts() {
	d.t.Helper()
	d.media("light", false)
	d.show("zevaka2", 0)
	if n := value[int](d.seat, `[...document.querySelectorAll("button.gold")].filter((e) => e.checkVisibility()).length`); n > 1 {
		d.t.Errorf("%d buttons are golden", n)
	}
	d.tap(`document.querySelector(".seat .go")`)
	d.until(`/put|keep|flip/.test(window.pressed.at(-1))`)
	d.eval(`document.querySelector(".foot > .act[aria-expanded]").click()`)
	d.reads(".log", "second")

	// The focus stays where it was when the table moves on.
	d.eval(`document.querySelector(".main .act").focus(); window.focused = document.activeElement; const s = structuredClone(table.scene); s.version++; s.steps = []; show(s)`)
	d.until(`document.activeElement === window.focused`)

	// Suits have two colours, or four.
	d.eval(`show({ ...table.scene, version: table.scene.version + 1, four: true })`)
	d.until(`document.querySelector(".tbl").matches(".four")`)

	d.show("zevaka-cut", 0)
	d.reads(".stage", "SHA-256: 4842 8bdb 7ddd 8294")
	d.eval(`[...document.querySelectorAll(".stage .act")].find((b) => b.act.ask).click()`)
	d.until(`document.querySelector(".question").open`)
	d.eval(`document.querySelector(".question input").value = "42"; document.querySelector(".question [type=submit]").click()`)
	d.until(`window.pressed.at(-1)?.endsWith(" 42")`)

	d.show("zevaka-lobby", 0)
	d.reads(".stage", "SHA-256: 96de 8fc8 c256 fa1e")
	d.eval(`window.pressed = []; document.querySelector(".danger").click()`)
	d.until(`document.querySelector(".question").open`)
	d.key("1")
	d.key("Escape")
	d.until(`!document.querySelector(".question").open && window.pressed.length === 0`)
	d.eval(`document.querySelector(".main .gold").click()`)
	d.until(`window.pressed.at(-1)?.includes("!deal")`)

	// How it ended stands on the table as it was, whole.
	d.show("polusharia", 0)
	d.eval(`show({ ...table.scene, version: 999, phase: "ended", turn: -1, acts: [], steps: [], result: { said: "Solved.", solved: true } })`)
	d.until(`document.querySelector(".stage h3").offsetParent`)
	if cut := value[bool](d.seat, `(() => { const s = document.querySelector(".stage"); return s.clientHeight < s.scrollHeight || s.clientHeight < 80; })()`); cut {
		d.t.Error("how a patience ended cannot be read")
	}

	d.show("zevaka-over", 0)
	d.reads(".stage h3", "gapa")
	d.eval(`document.querySelector(".stage .gold").click()`)
	d.until(`window.pressed.at(-1) === "again"`)
	d.show("banchok-over", 0)
	d.eval(`document.querySelector(".stage .gold").click()`)
	d.until(`window.pressed.at(-1)?.startsWith("go ")`)
}

// Everything can be read: as pale as it is on what it lies on, in light and dark.
func (d *drawn) readable() {
	d.t.Helper()
	d.media("light", false)
	for _, scheme := range []string{"light", "dark"} {
		d.media(scheme, false)
		for _, cloth := range []string{"green", "blue", "wine", "slate"} {
			names := []string{"zevaka6", "zevaka-lobby", "zevaka-over", "banchok12", "zevaka-cut", "tecza", "polusharia"}
			if pale := d.each(names, fmt.Sprintf(`show({ ...scene, cloth: %q, table: name + Math.random() }) ?? %s`, cloth, contrast)); len(pale) > 0 {
				d.t.Errorf("%s, %s: %s", scheme, cloth, strings.Join(pale, "\n"))
			}
		}
	}
}

// contrast lists the texts that are too pale.
const contrast = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (colours) => { canvas.clearRect(0, 0, 1, 1); for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); } return canvas.getImageData(0, 0, 1, 1).data; };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
  const tbl = document.querySelector(".tbl");
  const probe = document.createElement("i"); tbl.append(probe); probe.style.setProperty("color", "var(--cloth)");
  const cloth = getComputedStyle(probe).color; probe.remove();
  const pale = [];
  for (const e of tbl.querySelectorAll("h2, h3, p, b, small, span, time, li, button, label, i, text")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || (!e.offsetParent && e.tagName !== "text") || e.closest("[hidden], .unseen, [aria-disabled=true], dialog:not([open])") || e.matches(".heap.none .count")) continue;
    const ground = [];
    for (let at = e; at && at !== tbl; at = at.parentElement) { const c = getComputedStyle(at).backgroundColor; ground.unshift(c); }
    const below = over([cloth, ...ground]);
    const style = getComputedStyle(e);
    const text = over([cloth, ...ground, e.tagName === "text" ? style.fill : style.color]);
    const [a, b] = [light(below), light(text)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) pale.push(e.className + " " + e.textContent.slice(0, 20) + " " + ratio.toFixed(2));
  }
  return [...new Set(pale)];
})()`

// Whoever hears the table instead of seeing it hears where everything is, in their language.
func (d *drawn) spoken() {
	d.t.Helper()
	d.media("light", false)
	for lang, ace := range map[string]string{"ru": "туз", "pl": "as ", "en": "ace of"} {
		for _, name := range []string{"zevaka6", "polusharia", "banchok12"} {
			d.eval(fmt.Sprintf(`{ const s = %s; s.table += Math.random(); s.lang = %q; show(s) }`, d.scenes[name][0], lang))
			if bare := value[[]string](d.seat, `[...document.querySelectorAll(".heap, .seat, .go, .act")].filter((e) => e.checkVisibility() && !e.getAttribute("aria-label") && !e.innerText.trim()).map((e) => e.className)`); len(bare) > 0 {
				d.t.Errorf("%s in %s: without a name: %q", name, lang, bare)
			}
			said := value[string](d.seat, `[...document.querySelectorAll(".heap")].map((e) => e.ariaLabel).join("\n")`)
			if name == "polusharia" && !strings.Contains(said, ace) {
				d.t.Errorf("%s in %s: no %q in %s", name, lang, ace, said)
			}
		}
	}
	d.eval(fmt.Sprintf(`{ const s = %s; s.lang = "en"; show(s) }`, d.scenes["zaba"][0]))
	all := "9 of spades; cards: 11; 2 of hearts, 3 of hearts, 6 of spades, 4 of hearts, 7 of spades, 2 of spades, 10 of diamonds, 3 of hearts, 6 of spades, 4 of hearts, 9 of spades"
	if said := value[string](d.seat, `table.heaps.map((h) => h.el.ariaLabel).find((s) => s.includes("11"))`); !strings.HasSuffix(said, all) {
		d.t.Errorf("of cards that can all be seen is heard %q", said)
	}
	d.eval(fmt.Sprintf(`show(%s); window.heard = ["one", "one", "one", "two"].map((text) => { table.speak(text); return table.spoken.textContent })`, d.scenes["polusharia"][0]))
	for i, text := range value[[]string](d.seat, `heard`) {
		if before := value[string](d.seat, fmt.Sprintf(`heard[%d] ?? ""`, i-1)); text == before || !strings.HasPrefix(text, "one") && text != "two" {
			d.t.Errorf("what is to be heard changes from %q to %q", before, text)
		}
	}
}

// Whom somebody is about to mute stays under the finger while others move, and the button says what it does then.
func (d *drawn) mutes() {
	d.t.Helper()
	d.media("light", false)
	d.eval(fmt.Sprintf(`window.scenes = [%s, %s]; for (const s of scenes) { s.seats.forEach((x) => { x.computer = false; }); s.says = "1.x."; } show(scenes[0])`,
		d.scenes["zevaka6"][0], d.scenes["zevaka6"][1]))
	d.until(`!table.playing && table.scene.version === scenes[0].version`)
	d.eval(`table.signs.panel.showPopover(); window.held = table.signs.people.children[0]; window.label = held.textContent; show(scenes[1])`)
	d.until(`!table.playing && table.scene.version === scenes[1].version`)
	if !value[bool](d.seat, `held.isConnected && held.textContent === label && table.signs.open`) {
		d.t.Error("a button that mutes somebody is made anew with each move")
	}
	for range 2 {
		d.eval(`held.focus(); window.before = held.textContent; held.click()`)
		if !value[bool](d.seat, `held.isConnected && document.activeElement === held && held.textContent !== before`) {
			d.t.Errorf("after a press at %q it says %q", value[string](d.seat, `before`), value[string](d.seat, `held.textContent`))
		}
	}
	if !value[bool](d.seat, `held.textContent === label`) {
		d.t.Error("who was muted and is heard again can't be muted")
	}
}
