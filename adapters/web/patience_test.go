//go:build browser

package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/enginetest/tommy"
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

// sees is the table as the page's reader sees it.
func (h *house) sees(s *seat) live.Scene {
	h.t.Helper()
	id, ok := table.ParseID(value[string](s, `sessionStorage.getItem("zevaka.at")`))
	who, err := person(value[string](s, secret), note{Name: "x"})
	if err != nil || !ok {
		h.t.Fatal(id, err)
	}
	look, err := h.room.opts.Tables(community()).Look(h.t.Context(), chat.Request{Who: who, In: place(1)}, id, func() {})
	if err != nil {
		h.t.Fatal(err)
	}
	defer look.Close()
	sc, err := look.Next(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return sc
}

// moved waits until a patience has come so far.
func (h *house) moved(s *seat, moves int) live.Scene {
	h.t.Helper()
	for end := time.Now().Add(longest); ; time.Sleep(10 * time.Millisecond) {
		sc := h.sees(s)
		if sc.Solitaire != nil && int(sc.Solitaire.Moves) == moves {
			return sc
		}
		if time.Now().After(end) {
			s.shot("not-moved")
			h.t.Fatalf("%s is not at move %d but at %+v\n%s", sc.Title, moves, sc.Solitaire, s.text("body"))
		}
	}
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
	g.until(`[...document.querySelectorAll(".field .heap")].map((h) => [...h.querySelectorAll(".card")].at(-1)?.dataset.card ?? "").join() === ` + quote(strings.Join(tops, ",")) +
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
	xy := value[[]float64](g.seat, fmt.Sprintf(`(() => { const h = document.querySelectorAll(".field .heap")[%d], all = [...h.querySelectorAll(".card")];
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
		p.Buttons = 1
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

// TestPatienceSolved plays a patience on the page until it comes out, and its end stays whatever others do.
func TestPatienceSolved(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	rules := engine.Rules(patience.Pauk)
	number, moves := line(t, rules, 0)
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.look(tabletWidth, tabletHeight, "light")
	g := h.lay(ann, rules, number)
	g.play(moves, enginetest.Bound(4*ways, len(moves)))
	ended := func() {
		ann.phase("ended")
		ann.reads(".stage h3", "сошёлся")
	}
	ended()
	bob.start("Зевака")
	bob.phase("lobby")
	ann.eval(`document.querySelector("#talkclose").click()`)
	ann.everywhere("solved")
	ended()
	ann.reload()
	ended()
	if n := value[int](ann, `document.querySelectorAll("#felt .can").length`); n > 0 {
		t.Errorf("%d cards of a game that is over can be taken", n)
	}
	ann.does("again")
	ann.phase("playing")
	ann.calm()
}

// TestPatiencesFit looks at every patience on every screen, and gives it up.
func TestPatiencesFit(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	for _, rules := range patience.All() {
		name := rules.Info().Name
		g := h.lay(ann, rules, 7)
		for _, size := range screens() {
			ann.look(size[0], size[1], "light")
			what := fmt.Sprint(name, " at ", size)
			ann.until(`document.querySelector(".field").getBoundingClientRect().right <= innerWidth + 1`)
			ann.fits(what)
			if wrong := value[[]string](ann, misplaced); len(wrong) > 0 {
				ann.shot("misplaced-" + what)
				t.Errorf("%s: %s", what, strings.Join(wrong, "; "))
			}
			ann.shot(fmt.Sprint("patience-", name, "-", size[0], "x", size[1]))
		}
		ann.look(phoneWidth, phoneHeight, "dark")
		ann.shot("patience-" + name + "-dark")
		moves := slices.DeleteFunc(g.state.Moves(0, nil), func(m engine.Move) bool { return rules.Text(m) == "quit" })
		g.make(moves[len(moves)*2/3], byTaps)

		// To give up is asked for, in a dialog, which is gone with its answer.
		ann.does("giveup")
		ann.until(`document.querySelector("#told").open && document.activeElement.closest("#told")`)
		ann.shot("giveup")
		ann.eval(`document.querySelector("#told .danger").click()`)
		ann.phase("ended")
		ann.until(`!document.querySelector("dialog[open]") && !document.querySelector("#log .danger") && document.activeElement !== document.body`)
		ann.reads(".stage h3", "е сошёлся")
		ann.fits(name + " at its end")
	}
	ann.calm()
}

// misplaced are the cards that are too small, and what lies outside of the screen.
const misplaced = `(() => {
  const all = [...document.querySelectorAll(".field .heap, .field .card, .desk .main .act")].map((e) => [e, e.getBoundingClientRect()]);
  const tbl = document.querySelector(".tbl");
  const small = Math.min(...all.filter(([e]) => e.matches(".card")).map(([, r]) => r.width));
  return [innerWidth >= 360 && small < 40 ? "cards are " + small + " wide" : "",
    ...all.filter(([, r]) => r.width && (r.right > innerWidth + 1 || r.left < -1)).map(([e]) => e.getAttribute("class") + " lies outside"),
    ...all.filter(([, r]) => r.width && r.bottom > tbl.scrollHeight - tbl.scrollTop + tbl.getBoundingClientRect().top + 1).map(([e]) => e.getAttribute("class") + " lies below all")].filter(Boolean);
})()`

// TestStrangePatience plays a patience of seven piles, which the page has never heard of, until it comes out.
func TestStrangePatience(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	rules := engine.Rules(tommy.Rules{})
	number, moves := line(t, rules, 0)
	h, c := roomOf(t, []engine.Rules{tommy.Rules{}})
	ann := c.join(h.url, "Аня")
	ann.look(tabletWidth, tabletHeight, "light")
	g := h.lay(ann, rules, number)
	g.play(moves, 16)
	ann.reads(".stage h3", "сошёлся")
	ann.calm()
}

// TestPatienceByKeyboard plays with keys alone: from the room to a card that lies elsewhere, and back.
func TestPatienceByKeyboard(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.eval(`document.querySelector("#now").focus()`)
	for range 13 {
		if value[string](ann, `document.activeElement.innerText`) != "Polusharia" {
			ann.key("Tab")
		}
	}
	ann.key("Enter")
	ann.phase("playing")
	ann.until(`document.activeElement !== document.body && document.querySelector("main").contains(document.activeElement)`)
	for range 20 {
		if !value[bool](ann, `document.activeElement.matches(".heap")`) {
			ann.key("Tab")
		}
	}
	sc := h.sees(ann)
	i := slices.IndexFunc(sc.Acts, func(a live.Act) bool { return a.Kind == "deal" })
	stock := slices.IndexFunc(sc.Piles, func(p live.Pile) bool { return p.Role == "stock" })
	if i < 0 {
		t.Fatal("nothing to deal")
	}
	ann.until(fmt.Sprintf(`(() => { const heaps = [...document.querySelectorAll(".heap")]; const at = heaps.indexOf(document.activeElement); if (at === %[1]d) return true;
		const s = heaps[%[1]d].getBoundingClientRect(), r = heaps[at].getBoundingClientRect(); window.wish = Math.abs(s.top - r.top) > 4 ? (s.top < r.top ? "ArrowUp" : "ArrowDown") : s.left < r.left ? "ArrowLeft" : "ArrowRight";
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: window.wish, bubbles: true })); return false; })()`, stock))
	ann.key("Enter")
	h.moved(ann, 1)
	ann.until(`/: 1/.test(document.querySelector(".turning").innerText) && document.activeElement.matches(".heap")`)
	ann.key("u")
	h.moved(ann, 0)
	ann.calm()
}

// tablet is a screen between a phone's and a desk's.
const tabletWidth, tabletHeight = 768, 1024

// TestPatienceOfAnother: others watch a patience, can take nothing on it, and what they press all the same is refused.
func TestPatienceOfAnother(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	h.lay(ann, patience.Polusharia, 2)
	bob.press("Смотреть")
	bob.phase("playing")
	bob.reads("#bar", "Вы смотрите")
	if n := value[int](bob, `document.querySelectorAll("#felt .can, .desk .main .act").length`); n > 0 {
		t.Errorf("Боря can take %d things of Аня's", n)
	}
	sc := h.sees(ann)
	his := &tab{t: t, url: strings.TrimSuffix(h.url, "/"), secret: value[string](bob, secret), name: "Боря"}
	if a := his.press(sc.Acts[0].Token, ""); !a.Alert || h.sees(ann).Solitaire.Moves != 0 {
		t.Errorf("Боря's press on Аня's patience: %+v", a)
	}
	bob.calm()
}
