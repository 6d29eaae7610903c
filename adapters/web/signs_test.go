//go:build browser

package web

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// hears notes in window.heard what is said at the table to a page, and in window.moved what was elsewhere without it.
const hears = `window.heard = []; window.moved = []; new MutationObserver((all) => {
	const places = () => [...document.querySelectorAll(".chair, .act, .stage")].map((e) => [e.innerText, e.getBoundingClientRect().x, e.getBoundingClientRect().y].join());
	for (const b of all.flatMap((m) => [...m.addedNodes])) if (b.matches?.(".bubble")) {
		window.heard.push(b.innerText || b.firstChild.ariaLabel);
		const now = places();
		b.hidden = true;
		window.moved.push(...places().filter((p, i) => p !== now[i]));
		b.hidden = false;
	}
}).observe(document.querySelector(".tbl"), { childList: true })`

// TestSignsPage: what somebody says by one press stands at their seat for a while, moves nothing, and is read by each in their own
// language; who is muted is seen and heard no more, until they are wanted again.
func TestSignsPage(t *testing.T) {
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	bob.speaks("en")
	g := h.sits("/zevaka 21b", ann, bob)
	for _, s := range []*seat{ann, bob} {
		s.eval(`document.querySelector("#talk").hidden || document.querySelector("#talkclose").click()`)
		s.eval(hears)
	}
	heard := func(s *seat, text string) {
		t.Helper()
		s.until(`window.heard.includes(` + quote(text) + `)`)
	}
	ann.press("Сказать")
	ann.press("Красиво сыграно!")
	heard(ann, "Красиво сыграно!")
	heard(bob, "Well played!")
	bob.until(`document.querySelector(".tbl > .unseen").textContent === "Аня: Well played!"`)
	if !value[bool](bob, `document.querySelector("#news").hidden && document.querySelector("#talk").hidden`) {
		t.Error("what is said at the table counts as news, or opens the talk")
	}
	bob.until(`!document.querySelector(".bubble")`)

	// In the talk it is read, said and muted, too.
	ann.say("кто начнёт?")
	bob.until(`document.querySelector("#news").innerText === "1"`)
	bob.eval(`document.querySelector("#talkopen").click()`)
	bob.reads("#log", "Well played!")
	bob.press("Wink, wink")
	heard(ann, "Подмигивает")
	bob.eval(`document.querySelector("#log button.who").click()`)
	bob.press("Mute Аня")
	bob.until(`!document.querySelector("#log button.who") && document.querySelector("#muted").innerText === "Unmute Аня"`)
	bob.eval(`document.querySelector("#talkclose").click()`)
	ann.say("ау")
	ann.eval(`document.querySelector("#signs .sign").click()`)
	heard(ann, "Ха-ха!")
	g.rings(5 * time.Second)
	bob.press("Say")
	bob.press("Unmute Аня")
	bob.key("Escape")
	ann.eval(`document.querySelectorAll("#signs .sign")[2].click()`)
	heard(bob, "Yawn…")
	if !value[bool](bob, `!window.heard.includes("Ha-ha!") && document.querySelector("#news").hidden`) {
		t.Error("who is muted is heard")
	}
	bob.eval(`document.querySelector("#talkopen").click()`)
	bob.reads("#log", "ау")

	// It opens by itself beside a wide table where somebody else has written, and doesn't lie over one that has become narrow.
	for _, s := range []*seat{ann, bob} {
		s.eval(`document.querySelector("#talkclose").click()`)
		s.run(chromedp.EmulateViewport(1280, phoneHeight))
	}
	bob.until(`document.querySelector("#talk").checkVisibility()`)
	if !value[bool](ann, `document.querySelector("#talk").hidden`) {
		t.Error("the talk opens where nobody else has written")
	}
	bob.run(chromedp.EmulateViewport(phoneWidth, phoneHeight))
	bob.until(`document.querySelector("#talk").hidden`)
	for _, s := range []*seat{ann, bob} {
		if moved := value[string](s, `window.moved.join("; ")`); moved != "" {
			t.Errorf("what is said moves %s", moved)
		}
		s.calm()
	}
}
