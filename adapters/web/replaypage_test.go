//go:build browser

package web

import (
	"fmt"
	"testing"
)

// TestRoomReplays: a game that has ended is watched again in the room: step by step, played, from the log and from the slider;
// by an address that leads to a move; and put away again. What shows it is loaded only then.
func TestRoomReplays(t *testing.T) {
	t.Parallel()
	h, c := parlour(t)
	ann, bob := c.join(h.url, "Аня"), c.join(h.url, "Боря")
	ann.press("Tecza")
	ann.phase("playing")
	ann.until(`(() => { const b = [...document.querySelectorAll(".bar .act")].find((b) => b.act?.kind === "deal"); b?.click(); return b; })()`)
	ann.reads(".turning", "1")
	ann.does("giveup")
	ann.until(`document.querySelector("#told").open && (document.querySelector("#told .danger").click(), true)`)
	ann.until(`document.querySelector(".tbl").dataset.phase === "ended"`)
	ann.until(`!window.Replay`)
	ann.does("replay")
	ann.until(`window.Replay && document.querySelector(".replay output")?.innerText.startsWith("Ход 0")`)
	last := value[int](ann, `Number(document.querySelector(".replay input").max)`)
	if last < 1 {
		t.Fatalf("the game has %d moves", last)
	}
	at := func(n int) { t.Helper(); ann.reads(".replay output", fmt.Sprintf("Ход %d из %d", n, last)) }
	ann.press("На ход вперёд")
	at(1)
	ann.press("К концу")
	at(last)
	ann.everywhere("replay")
	ann.press("На ход назад")
	at(last - 1)
	ann.press("К раздаче")
	at(0)
	ann.eval(`document.querySelector(".replay details").open = true`)
	ann.until(`(() => { const b = document.querySelector(".replay .log button"); b?.click(); return b; })()`)
	at(1)
	ann.shots("replay-log")
	ann.press("К раздаче")
	ann.press("Смотреть")
	at(last)
	ann.eval(`{ const s = document.querySelector(".replay input"); s.value = 0; s.dispatchEvent(new Event("input")); }`)
	at(0)
	link := value[string](ann, `location.origin + "/#replay=" + JSON.parse(JSON.stringify(sessionStorage.getItem("zevaka.at"))) + ".1"`)
	bob.eval(`location.href = ` + quote(link))
	bob.reads(".replay output", fmt.Sprintf("Ход 1 из %d", last))
	ann.press("Закрыть повтор")
	ann.until(`!document.querySelector(".replay") && document.querySelector(".tbl").dataset.phase === "ended"`)
	ann.calm()
	bob.calm()
}
