package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/patience"
)

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

// watching counts the frames in which the picture is not there, how long a move takes from the finger to the eye, and
// which pictures were got.
const watching = `
performance.setResourceTimingBufferSize(10000);
window.watch = { frames: 0, bad: 0, times: [], lifted: 0 };
addEventListener("pointerup", () => { watch.lifted = performance.now(); }, true);
new MutationObserver((all) => {
  const shown = all.some((m) => m.target.matches?.(".picture") && [...m.addedNodes].some((n) => n.tagName === "IMG"));
  if (shown && watch.lifted) watch.times.push(performance.now() - watch.lifted);
  if (shown) watch.lifted = 0;
}).observe(document.querySelector("#felt"), { childList: true, subtree: true });
(function frame() {
  const img = document.querySelector("#felt .picture img");
  watch.frames++;
  if (!img?.complete || !img.naturalWidth) watch.bad++;
  if (!watch.over) requestAnimationFrame(frame);
})();
0`

// TestPatienceSolved plays a patience on the page, each move by another way in turn; in a long test until it comes out.
func TestPatienceSolved(t *testing.T) {
	rules := engine.Rules(patience.Pauk)
	number, all := line(t, rules, 0)
	moves := all[:enginetest.Bound(40, len(all))]
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	ann.look(tabletWidth, tabletHeight, "light")
	g := h.lay(ann, rules, number)
	g.eval(watching)
	bytes := 0
	for i, m := range moves {
		at := g.gesture(m)
		shown, _ := pictured(h.room)
		bytes += len(shown.event())
		switch {
		case i == len(moves)-1:
			g.eval(`watch.over = true`)
			fallthrough
		case at.To == nil || i%2 == 0:
			g.clickBox(at.From)
			if at.To != nil {
				g.clickBox(*at.To)
			}
		default:
			g.drag(at.From, *at.To, nil)
		}
		g.made(m)
	}
	if len(moves) == len(all) {
		g.solved()
	}
	g.measured(len(moves), bytes)
	g.calm()
}

// solved wants the game to have come out, and to be seen so.
func (g *solitaire) solved() {
	g.t.Helper()
	if result, over := g.state.Result(); !over || !result.Patience.Solved {
		g.t.Fatalf("the game ended as %+v", result)
	}
	g.reads("#felt", "сошёлся")
	g.until(`!document.querySelector("#felt .touch > *")`)
	for _, screen := range screens() {
		g.shows("solved", screen)
		g.shot(fmt.Sprint("patience-solved-", screen.width, "x", screen.height))
	}
}

// measured checks and tells what was watched.
func (g *solitaire) measured(moves, bytes int) {
	g.t.Helper()
	times := value[[]float64](g.seat, `watch.times.sort((a, b) => a - b)`)
	if bad := value[int](g.seat, `watch.bad`); bad != 0 || len(times) == 0 {
		g.t.Errorf("in %d frames no picture was there; %d moves were timed", bad, len(times))
	}
	got := value[[]string](g.seat, `performance.getEntriesByType("resource").map((e) => e.name).filter((n) => n.includes("/picture/"))`)
	sizes := value[int](g.seat, `performance.getEntriesByType("resource").filter((e) => e.name.includes("/picture/")).reduce((n, e) => n + e.encodedBodySize, 0)`)
	once := slices.Compact(slices.Sorted(slices.Values(got)))
	if len(got) > moves+2 || len(once) != len(got) {
		g.t.Errorf("%d pictures were got for %d moves, %d different", len(got), moves, len(once))
	}
	if len(times) == 0 || len(got) == 0 {
		return
	}
	g.t.Logf("%d moves: a picture has %d bytes, the message with its name and moves %d; from the finger to the eye %.0f ms (p50), %.0f ms (p95); %d frames",
		moves, sizes/len(got), bytes/moves, times[len(times)/2], times[len(times)*95/100], value[int](g.seat, `watch.frames`))
}

// TestPictureComesLate: while a picture can't be got the one before stands, the buttons still work, and it comes as soon
// as it can. One that never comes is told in words.
func TestPictureComesLate(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, browser := parlour(t)
	ann := browser.join(h.url, "Аня")
	g := h.lay(ann, patience.Polusharia, 2)
	_, before := pictured(h.room)
	draw := engine.Move{Verb: patience.Draw}
	if _, err := g.state.Apply(engine.Step{Seat: 0, Move: draw}); err != nil {
		t.Fatal(err)
	}
	ann.block(true)
	ann.press("Открыть карту")
	ann.reads("#felt .text", "Открыта")
	ann.until(`document.querySelector("#felt .picture img").src.includes(` + quote(before.Name) + `)`)
	if n := value[int](ann, `document.querySelectorAll("#felt .source").length`); n != 0 {
		t.Errorf("%d cards of a picture that is over can be taken", n)
	}
	ann.block(false)
	g.agree()
	ann.until(`document.querySelector("#felt .picture img").naturalWidth > 0`)

	ann.block(true)
	ann.press("↶ Назад")
	ann.until(`!document.querySelector("#felt .picture img").naturalWidth && document.querySelector("#felt .picture img").alt.length > 100`)
	ann.shot("patience-no-picture")
	ann.block(false)
	ann.look(tabletWidth, tabletHeight, "light")
	ann.until(`document.querySelector("#felt .picture img").naturalWidth`)
	ann.calm()
}

// block keeps the page from getting pictures, or lets it.
func (s *seat) block(blocked bool) {
	s.t.Helper()
	p := network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/picture/*", Block: blocked}}}
	if _, err := chromedp.Call(s.ctx, network.Enable, network.EnableParams{}); err != nil {
		s.t.Fatalf("take care of the network: %v", err)
	}
	if _, err := chromedp.Call(s.ctx, network.SetBlockedURLs, p); err != nil {
		s.t.Fatalf("block pictures: %v", err)
	}
}
