//go:build browser

package web

import (
	"testing"

	"github.com/chromedp/cdproto/input"

	"zevaka/engine"
	"zevaka/engine/patience"
)

// before is a patience, and the moves that a computer would make.
func before(t *testing.T) (*solitaire, []engine.Move) {
	t.Helper()
	rules := engine.Rules(patience.Pauk)
	number, moves := line(t, rules, 0)
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.look(tabletWidth, tabletHeight, "light")
	return h.lay(ann, rules, number), moves
}

// dragging is a patience of which a finger has lifted the first card that a computer would play, over nothing.
func dragging(t *testing.T) (*solitaire, []engine.Move) {
	t.Helper()
	g, moves := before(t)
	a, sc := g.act(moves[0])
	x, y := g.point(sc, a.From, a.At)
	g.finger(input.DispatchTouchEventTypeTouchStart, x, y)
	g.finger(input.DispatchTouchEventTypeTouchMove, x+30, y+30)
	g.until(`document.querySelector(".aloft")`)
	return g, moves
}

// TestFingerSlips: a finger that slips a little as it taps picks a card up all the same.
func TestFingerSlips(t *testing.T) {
	g, moves := before(t)
	a, sc := g.act(moves[0])
	x, y := g.point(sc, a.From, a.At)
	g.finger(input.DispatchTouchEventTypeTouchStart, x, y)
	g.finger(input.DispatchTouchEventTypeTouchMove, x+10, y)
	g.finger(input.DispatchTouchEventTypeTouchEnd)
	g.until(`document.querySelector(".picked")`)
	g.calm()
}

// TestLostFinger drags a card with a finger of which the browser never tells that it was lifted, as some don't where the system takes a
// gesture for itself, and then plays on with another.
func TestLostFinger(t *testing.T) {
	g, moves := dragging(t)
	g.eval(`for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, (e) => e.stopImmediatePropagation(), { capture: true, once: true })`)
	g.finger(input.DispatchTouchEventTypeTouchEnd)
	g.make(moves[0], byFinger)
	g.calm()
}

// TestMovedMeanwhile drags a card while a move that was typed takes it elsewhere, and then plays on.
func TestMovedMeanwhile(t *testing.T) {
	g, moves := dragging(t)
	g.say("/m " + g.rules.Text(moves[0]))
	g.follow(moves[0])
	g.eval(`document.querySelector("#talkclose").checkVisibility() && document.querySelector("#talkclose").click()`)
	g.finger(input.DispatchTouchEventTypeTouchMove, 300, 300)
	g.finger(input.DispatchTouchEventTypeTouchEnd)
	g.make(moves[1], byFinger)
	g.calm()
}

// TestDragsSelected sweeps with the mouse from the title to below the cards, by which the browser selects all between, and would drag that
// as text; and then drags a card.
func TestDragsSelected(t *testing.T) {
	g, moves := before(t)
	ends := value[[]float64](g.seat, `[document.querySelector(".tbl h2"), document.querySelector(".tbl .bar .act")].flatMap((e) => { const r = e.getBoundingClientRect(); return [r.left + 2, r.bottom - 4]; })`)
	g.mouse(input.DispatchMouseEventTypeMousePressed, ends[0], ends[1], true)
	g.mouse(input.DispatchMouseEventTypeMouseMoved, ends[2], ends[3], true)
	g.mouse(input.DispatchMouseEventTypeMouseReleased, ends[2], ends[3], false)
	g.until(`getSelection().containsNode(document.querySelector(".field"), false)`)
	g.make(moves[0], byMouse)
	g.calm()
}

// TestScreenReader makes a move by the clicks that Firefox makes for a screen reader: a mouse's, but no pointer comes down.
func TestScreenReader(t *testing.T) {
	g, moves := before(t)
	g.eval(`for (const kind of ["pointerdown", "pointerup"]) addEventListener(kind, (e) => e.stopImmediatePropagation(), { capture: true })`)
	g.make(moves[0], byTaps)
	g.calm()
}
