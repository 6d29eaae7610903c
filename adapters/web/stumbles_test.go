//go:build browser

package web

import "testing"

// TestRoomStumbles: nothing moves under a finger, is told twice, or is covered.
func TestRoomStumbles(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Ann")
	ann.speaks("en")
	tidy := func(what string) {
		t.Helper()
		ann.eval(`document.querySelector("#solos b").textContent = "(Hemispheres)"`)
		if broken := value[bool](ann, `[...document.querySelectorAll("#solos b")].some((b) => b.getClientRects().length > b.innerText.split(/[\s-]+/).length || b.scrollWidth > b.parentElement.clientWidth)`); broken {
			t.Errorf("%s: words are broken", what)
		}
		ann.fits(what)
	}
	tidy("the hall")
	ann.press("Zaba")
	ann.phase("playing")
	ann.eval(`document.querySelector("#begin").click()`)
	tidy("a new game")
	ann.shot("stumbles-new")
	ann.key("Escape")

	// The button that deals stays in its place.
	at := func(selector string) float64 {
		t.Helper()
		return value[float64](ann, `((r) => r.top * 1000 + r.left)(document.querySelector(`+quote(selector)+`).getBoundingClientRect())`)
	}
	ann.eval(`[...document.querySelectorAll(".main .act")].find((b) => b.act.kind === "deal").classList.add("dealer")`)
	before := at(".dealer")
	ann.eval(`document.querySelector(".dealer").click()`)
	ann.until(`[...document.querySelectorAll(".main .act")].some((b) => b.act.do === "undo" && b.ariaDisabled !== "true")`)
	if after := at(".dealer"); after != before || !value[bool](ann, `document.querySelector(".dealer").ariaDisabled === "true"`) {
		t.Errorf("the button that deals went from %v to %v", before, after)
	}

	// A turn elsewhere moves no card.
	before = at(".tbl .field")
	ann.eval(`for (const id of ["row", "elsewhere"]) document.querySelector("#" + id).hidden = false; document.querySelector("#elsewhere").textContent = "Your turn at another table"`)
	ann.shot("stumbles-elsewhere")
	if after := at(".tbl .field"); after != before {
		t.Errorf("the banner moves the cards from %v to %v", before, after)
	}
	ann.eval(`document.querySelector("#row").hidden = document.querySelector("#elsewhere").hidden = true`)

	// What one is shown or asked isn't unread, and what is asked can be cancelled.
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && document.querySelector("#toldgo").innerText === "Cancel" && document.querySelector("#news").hidden`)
	ann.press("Cancel")
	ann.until(`!document.querySelector("#told").open`)
	ann.press("New game")
	ann.press("Play against the computer")
	ann.until(`/cutting|playing/.test(document.querySelector(".tbl").dataset.phase) && !document.querySelector(".tbl").matches(".solo")`)
	if told := ann.text("#toasts"); told != "" {
		t.Errorf("at the beginning the page tells %q", told)
	}
	ann.phase("playing")
	ann.does("rules")
	ann.until(`document.querySelector("#told").open`)
	ann.press("All the rules")
	ann.until(`document.querySelector("#toldtext").scrollHeight > innerHeight && document.querySelector("#toldgo").getBoundingClientRect().bottom < innerHeight && document.querySelector("#toldgo").innerText === "Close" && document.querySelector("#news").hidden`)
	ann.shot("stumbles-rules")
	ann.calm()
}
