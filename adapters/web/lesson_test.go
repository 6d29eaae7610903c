//go:build browser

package web

import "testing"

// TestLesson: a first game that teaches is begun on the first page, says what to do on top of what there is to press, ends when its
// learner wants that, and leads on from there.
func TestLesson(t *testing.T) {
	h, c := parlour(t)
	for _, lesson := range []struct {
		begins, says, next string
		gold               bool // A button stands out: it is the one that the lesson means.
	}{
		{"Зевака за три минуты", "Нажмите «Вскрыть»", "another", true},
		{"Банчок", "ставьте 5", "learn", true},
		{"Пасьянс за две минуты", "Переложите туда Т♥", "patience", false},
	} {
		ann := c.open(h.url)
		ann.look(phoneWidth, phoneHeight, "light")
		ann.until(`(() => { const b = [...document.querySelectorAll("#lessons button")].find((b) => b.textContent.includes(` + quote(lesson.begins) + `)); b?.click(); return b; })()`)
		ann.until(`document.querySelector(".tip:not([hidden])")?.checkVisibility() && document.querySelector(".tip").textContent.includes(` + quote(lesson.says) + `)`)
		if gold := value[bool](ann, `[...document.querySelectorAll(".tbl button.gold")].some((b) => b.checkVisibility())`); gold != lesson.gold {
			t.Errorf("a button stands out: %t", gold)
		}
		if lesson.begins == "Банчок" {
			ann.until(`/^Фишек здесь: /.test(document.querySelector(".tbl .purse")?.textContent)`) // They are no purse.
		}
		ann.fits("a lesson")
		ann.shot("lesson-" + lesson.next)
		ann.does("enough")
		ann.until(`document.querySelector(".tbl")?.dataset.phase === "ended" && document.querySelector(".tip").hidden`)
		ann.until(`[...document.querySelectorAll(".act, .go")].some((b) => b.act?.do === ` + quote(lesson.next) + ` && b.classList.contains("gold") && b.checkVisibility())`)
		ann.fits("the end of a lesson")
		ann.shot("lesson-end-" + lesson.next)
		ann.calm()
	}
}
