//go:build browser

package web

import (
	"testing"
)

// TestRoomSuits: who chooses colours of their own sees them on the felt at once, and nobody else does; what the admin chooses for the
// room the others see.
func TestRoomSuits(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann, bob := c.join(h.admin, "Аня"), c.join(h.url, "Боря")
	ann.start("Зевака")
	ann.phase("lobby")
	four := func(s *seat, want bool) {
		t.Helper()
		s.until(`document.querySelector(".tbl")?.dataset.phase && document.querySelector(".tbl").classList.contains("four") === ` + map[bool]string{true: "true", false: "false"}[want])
	}
	bob.until(`(() => { const b = [...document.querySelectorAll("button")].find((b) => b.checkVisibility() && /Смотреть|Сесть/.test(b.textContent)); b?.click(); return b; })()`)
	four(bob, false)
	bob.click("#me")
	bob.press("Ещё: масти и напоминания")
	bob.until(`document.querySelector("#told").open`)
	bob.shot("settings-own-told")
	bob.press("♦ Масти для меня: как в чате")
	bob.until(`document.querySelector("#told").open && /два цвета/.test(document.querySelector("#told").textContent)`)
	bob.press("♦ Масти для меня: два цвета")
	four(bob, true)
	bob.until(`document.querySelector("#told").open && /четыре цвета/.test(document.querySelector("#told").textContent)`)
	bob.press("Готово")
	bob.until(`!document.querySelector("#told").open`)
	bob.shot("settings-own")
	four(ann, false)
	ann.say("/settings")
	ann.press("♦ Масти: два цвета")
	four(ann, true)
	ann.shot("settings-room")
	for _, s := range []*seat{ann, bob} {
		s.calm()
	}
}

// TestRoomPractice: the chips of a practice table are no purse.
func TestRoomPractice(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := parlour(t)
	ann := c.join(h.url, "Аня")
	ann.say("/banchok practice now")
	ann.phase("playing")
	ann.until(`/^Фишек здесь: /.test(document.querySelector(".tbl .purse")?.textContent)`)
	ann.shot("practice")
	ann.calm()
}
