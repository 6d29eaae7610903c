package web

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

// handy is a deal of «Полушарія» in which a card can go to another column, and a card can go home.
func handy(t *testing.T) (number int, along, home engine.Move) {
	t.Helper()
	for number = 1; number < 1000; number++ {
		state := numbered(t, patience.Polusharia, number)
		along, home = engine.Move{}, engine.Move{}
		piles := state.View(engine.Nobody).Piles
		for _, m := range state.Moves(0, nil) {
			switch {
			case m.Verb != patience.Put:
			case piles[m.To].Kind == "f":
				home = m
			default:
				along = m
			}
		}
		if along != (engine.Move{}) && home != (engine.Move{}) && along.From != home.From {
			return number, along, home
		}
	}
	t.Fatal("no deal is handy")
	return 0, along, home
}

// back takes the last move back, here too.
func (g *solitaire) back(number int, moves ...engine.Move) {
	g.t.Helper()
	g.rest() // A button that changed under the finger isn't pressed by it.
	g.press("↶ Назад")
	g.undos++
	g.state = numbered(g.t, g.rules, number)
	for _, m := range moves {
		if _, err := g.state.Apply(engine.Step{Seat: 0, Move: m}); err != nil {
			g.t.Fatal(err)
		}
	}
	g.agree()
}

// lit waits until so many places are lit up.
func (s *seat) lit(n int) {
	s.t.Helper()
	s.until(fmt.Sprintf(`document.querySelectorAll("#felt .goal").length === %d`, n))
}

func TestPatienceByHand(t *testing.T) {
	number, along, home := handy(t)
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	ann.look(desktopWidth, desktopHeight, "light")
	g := h.lay(ann, patience.Polusharia, number)
	at := g.gesture(along)
	goals := g.goals(along)

	g.drag(at.From, *at.To, func() {
		g.lit(goals)
		g.until(`document.querySelectorAll("#felt .goal.over").length === 1 && document.querySelectorAll(".ghost").length === 1`)
		g.shot("patience-drag")
	})
	g.made(along)
	g.lit(0)
	g.back(number)

	g.clickBox(at.From)
	g.lit(goals)
	g.shot("patience-picked")
	g.clickBox(*g.gesture(along).To)
	g.made(along)
	g.back(number)

	// What comes to nothing.
	_, before := pictured(h.room)
	nowhere := [4]int{before.W / 2, before.H - 40, 2, 2}
	g.drag(at.From, nowhere, func() { g.lit(goals) })
	g.until(`!document.querySelector(".ghost, .lifted, .goal")`)
	for _, putDown := range []func(){
		func() { g.key("Escape") }, func() { g.clickBox(nowhere) }, func() { g.clickBox(at.From) },
	} {
		g.lit(0)
		g.clickBox(at.From)
		g.lit(goals)
		g.rest()
		putDown()
		g.lit(0)
	}
	if _, after := pictured(h.room); after.Name != before.Name || len(after.Moves) != len(before.Moves) {
		t.Error("something was moved")
	}

	g.rest()
	g.clickBox(g.gesture(home).From)
	g.clickBox(g.gesture(home).From)
	g.made(home)
	draw := engine.Move{Verb: patience.Draw}
	g.clickBox(g.gesture(draw).From)
	g.made(draw)
	g.calm()
}

// goals is to how many places the card of a move can go.
func (g *solitaire) goals(m engine.Move) int {
	g.t.Helper()
	_, view := pictured(g.house.room)
	n := 0
	for _, v := range view.Moves {
		if v.From == g.gesture(m).From {
			n++
		}
	}
	return n
}

// rest waits so long that the next tap is no second one.
func (s *seat) rest() {
	s.t.Helper()
	s.run(chromedp.Sleep(450 * time.Millisecond))
}

func TestPatienceByTouch(t *testing.T) {
	number, along, home := handy(t)
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	ann.run(chromedp.EmulateViewport(phoneWidth, phoneHeight, chromedp.EmulateScale(3), chromedp.EmulateMobile, chromedp.EmulateTouch))
	g := h.lay(ann, patience.Polusharia, number)
	at := g.gesture(along)
	g.touchBox(at.From)
	g.lit(g.goals(along))
	g.touchBox(*at.To)
	g.made(along)
	g.back(number)

	x, y := g.point(at.From)
	toX, toY := g.point(*at.To)
	g.finger(input.DispatchTouchEventTypeTouchStart, x, y)
	for _, part := range []float64{0.2, 0.6, 1} {
		g.finger(input.DispatchTouchEventTypeTouchMove, x+part*(toX-x), y+part*(toY-y))
	}
	g.until(`document.querySelector("#felt .goal.over")`)
	g.shot("patience-touch")
	g.finger(input.DispatchTouchEventTypeTouchEnd)
	g.made(along)
	g.back(number)

	g.touchBox(g.gesture(home).From)
	g.touchBox(g.gesture(home).From)
	g.made(home)
	g.touchBox(g.gesture(engine.Move{Verb: patience.Draw}).From)
	g.made(engine.Move{Verb: patience.Draw})
	sharp := `(i => i.naturalWidth / i.clientWidth / devicePixelRatio)(document.querySelector("#felt .picture img"))`
	if n := value[float64](ann, sharp); n < 0.95 {
		t.Errorf("the picture has %.2f pixels for each of the screen's", n)
	}
	g.calm()
}

// TestPatienceOfAnother: others see the picture, and what they do to it is refused, to them alone.
func TestPatienceOfAnother(t *testing.T) {
	t.Parallel() // It waits most of the time.
	number, along, _ := handy(t)
	h, browser := parlour(t)
	ann, bob := browser.join(h.url, "Аня"), browser.join(h.url, "Боря")
	g := h.lay(ann, patience.Polusharia, number)
	his := &solitaire{seat: bob, house: h, rules: g.rules, state: numbered(t, g.rules, number)}
	his.agree()
	at := his.gesture(along)
	his.drag(at.From, *at.To, func() { his.lit(his.goals(along)) })
	bob.until(`document.querySelector("#alerts p")`)
	bob.until(`!document.querySelector(".ghost, .lifted, .goal")`)
	if said := ann.text("#toasts"); said != "" {
		t.Errorf("Аня is told %q", said)
	}
	his.agree()
	g.agree()
	g.drag(at.From, *at.To, nil)
	g.made(along)
	his.made(along)
	ann.calm()
	bob.calm()
}

// TestPatienceByKeyboard plays with keys alone: the list opens, a move is chosen, and the focus stays there.
func TestPatienceByKeyboard(t *testing.T) {
	t.Parallel() // It waits most of the time.
	number, _, _ := handy(t)
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	g := h.lay(ann, patience.Polusharia, number)
	if alt := value[string](ann, `document.querySelector("#felt .picture img").alt`); len(alt) < 100 {
		t.Errorf("in words the picture is %q", alt)
	}
	g.until(`document.querySelector("#felt .moves summary").getAttribute("aria-label").includes("(")`)
	g.eval(`document.querySelector("#felt .moves summary").focus()`)
	g.key("Enter")
	g.until(`document.querySelector("#felt .moves").open`)
	g.shots("patience-list")
	g.key("Tab")
	g.until(`document.activeElement === document.querySelector("#felt .moves button")`)
	do := does(value[string](ann, `document.activeElement.button.token`))
	m, err := g.rules.Parse(do)
	if err != nil {
		t.Fatalf("the button says %q: %v", do, err)
	}
	g.key("Enter")
	g.made(m)
	g.until(`document.activeElement.closest("#felt .moves") && document.querySelector("#felt .moves").open`)
	if n := value[int](ann, `document.querySelectorAll("#felt .touch :is(a, button, input, [tabindex])").length`); n != 0 {
		t.Errorf("%d things on the picture take the focus", n)
	}
	g.calm()
}

// TestPatiencePictures looks at every patience on every screen: the whole board is to be seen without scrolling, sharp,
// and so are the buttons.
func TestPatiencePictures(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	for n, rules := range patience.All() {
		name := rules.Info().Name
		g := h.lay(ann, rules, 7)
		for range 5 {
			moves := slices.DeleteFunc(g.state.Moves(0, nil), func(m engine.Move) bool { return g.rules.Text(m) == "quit" })
			m := moves[len(moves)*2/3]
			at := g.gesture(m)
			g.clickBox(at.From)
			if at.To != nil {
				g.clickBox(*at.To)
			}
			g.made(m)
		}
		all := screens()
		for _, screen := range all[:enginetest.Bound(2, len(all))] {
			schemes := []string{"light", "dark"}
			for i := range enginetest.Bound(1, len(schemes)) {
				scheme := schemes[(n+i)%len(schemes)]
				ann.paint(scheme)
				ann.shows(name, screen)
				ann.shot(fmt.Sprint("patience-", name, "-", screen.width, "x", screen.height, "-", scheme))
			}
		}
		ann.look(phoneWidth, phoneHeight, "light")
		ann.say("/giveup")
		ann.until(`document.querySelector("#log .private .danger")`)
		ann.eval(`document.querySelector("#log .private .danger").click()`)
		ann.reads("#felt", "не сошёлся")
		ann.until(`!document.querySelector("#felt .touch > *")`)
		ann.eval(`document.querySelector("#log .private .away").click()`)
	}
	ann.calm()
}

// shows fails the test unless a picture and its buttons are to be seen on a screen, as they are.
func (s *seat) shows(what string, on screen) {
	s.t.Helper()
	s.run(chromedp.EmulateViewport(on.width, on.height, chromedp.EmulateScale(on.density)))
	s.until(sharp)
	s.fits(what)
	if hidden := value[[]string](s, unseen); len(hidden) > 0 {
		s.t.Errorf("%s, %d by %d: not to be seen: %v", what, on.width, on.height, hidden)
	}
}

type screen struct {
	width, height int64
	density       float64
}

func screens() []screen {
	return []screen{{phoneWidth, phoneHeight, 2}, {360, 640, 3}, {tabletWidth, tabletHeight, 2}, {desktopWidth, desktopHeight, 1}, {740, 360, 2}}
}

// sharp says that the picture has a pixel for each of the screen's; unseen are the things that lie outside of it.
const (
	sharp = `((i) => i && i.naturalWidth >= Math.min(1600, i.clientWidth * devicePixelRatio * 0.95))(document.querySelector("#felt .picture img"))`

	unseen = `[...document.querySelectorAll("#felt .picture, #felt .pictured > .buttons button, #felt .moves:not([hidden]) summary, #putaway:not([hidden])")].filter((e) => {
  const r = e.getBoundingClientRect(), t = document.querySelector("#table").getBoundingClientRect();
  const over = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2); // A button that lies over another hides it.
  return r.top < t.top - 1 || r.left < t.left - 1 || r.bottom > t.bottom + 1 || r.right > t.right + 1 || e.matches("button") && !e.contains(over);
}).map((e) => (e.innerText || e.className) + " " + JSON.stringify(e.getBoundingClientRect()))`
)
