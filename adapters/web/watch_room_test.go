//go:build browser

package web

import (
	"testing"
	"time"

	"zevaka/engine/enginetest"
)

// TestRoomWatches: other people's tables are watched, and never take one's own from the felt.
func TestRoomWatches(t *testing.T) {
	enginetest.Long(t)
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann, bob, eve := c.join(h.url, "Аня"), c.join(h.url, "Боря"), c.join(h.url, "Ева")
	ann.start("Зевака")
	ann.phase("lobby")
	for opened := time.Now().Unix(); time.Now().Unix() == opened; time.Sleep(10 * time.Millisecond) {
	} // The age of tables is known in seconds.
	bob.start("Польский банчок")
	bob.phase("lobby")
	bob.reads(".tbl h2", "банчок")
	ann.until(`document.querySelectorAll(".tables li").length === 2`)
	ann.reads(".tbl h2", "Зевака")

	// Who comes sees the tables that wait for people before anything else, the newest first, and patiences after everything.
	patient := c.join(h.url, "Гена")
	patient.press("Zaba")
	patient.phase("playing")
	eve.until(`document.querySelectorAll("#tables li").length === 1`)
	if first := value[string](eve, `[...document.querySelectorAll(".tables li")].map((l) => l.querySelector("span").innerText).join()`); first != "Боря,Аня,Гена" {
		t.Errorf("the tables stand as %s", first)
	}
	eve.until(`document.querySelector("#hall").scrollTop === 0 && document.querySelectorAll("#waiting .primary")[1].getBoundingClientRect().bottom < innerHeight`)

	// Who looks in watches one and sits down at it.
	eve.everywhere("hall")
	eve.until(`(() => { const li = [...document.querySelectorAll(".tables li")].find((l) => l.innerText.includes("Аня")); const b = [...li.querySelectorAll("button")].find((b) => b.innerText === "Смотреть"); b.click(); return true; })()`)
	eve.phase("lobby")
	eve.reads("#bar", "Вы смотрите")
	if value[bool](eve, `[...document.querySelectorAll(".act")].some((b) => b.checkVisibility() && b.act?.do === "stop")`) {
		t.Error("who watches can close the table")
	}
	eve.everywhere("watching")
	eve.does("join")
	ann.until(`document.querySelectorAll(".chair:not(.free)").length === 2`)

	// A turn at another table of one's own is told, and one gets there.
	ann.does("deal")
	eve.until(`document.querySelector(".tbl").dataset.phase !== "lobby"`)
	for _, p := range []*seat{ann, eve} {
		p.eval(`document.querySelector("#home").click()`)
		p.until(`document.querySelector("#hall").checkVisibility() && document.activeElement !== document.body`)
	}
	waits := eve
	wait(t, func() bool {
		if value[bool](ann, `document.querySelector("#elsewhere").checkVisibility()`) {
			waits = ann
		}
		return waits == ann || value[bool](eve, `document.querySelector("#elsewhere").checkVisibility()`)
	})
	waits.until(`document.querySelector("#elsewhere").checkVisibility() && document.title.startsWith("▶")`)
	waits.shot("elsewhere")
	waits.eval(`document.querySelector("#elsewhere").click()`)
	waits.until(`document.querySelector(".tbl")?.checkVisibility() && document.querySelector("#elsewhere").hidden`)

	// To close a table is asked for, and only its host can.
	bob.does("stop")
	bob.until(`document.querySelector(".question").open`)
	bob.shot("close")
	bob.eval(`document.querySelector(".question .act:not(.gold)").click()`)
	bob.until(`!document.querySelector(".question").open && document.querySelector(".tbl").dataset.phase === "lobby"`)
	bob.does("stop")
	bob.eval(`document.querySelector(".question .gold").click()`)
	ann.until(`document.querySelectorAll(".tables li").length === 2`)
	for _, p := range []*seat{ann, bob, eve} {
		p.calm()
	}
}
