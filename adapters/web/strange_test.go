package web

import (
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest/knockout"
	"zevaka/engine/enginetest/tommy"
)

// strangers are games that neither the bot nor the room has ever heard of.
func strangers() []engine.Rules { return []engine.Rules{tommy.Rules{}, knockout.Rules{}} }

// TestStrangePatience plays a patience of seven piles on the page until it comes out: at first by its picture, then by
// typing some moves at a time.
func TestStrangePatience(t *testing.T) {
	t.Parallel() // It waits most of the time.
	rules := engine.Rules(tommy.Rules{})
	number, moves := line(t, rules, 0)
	h, browser := roomOf(t, strangers())
	ann := browser.join(h.url, "Аня")
	ann.look(tabletWidth, tabletHeight, "light")
	g := h.lay(ann, rules, number)
	const byHand, atOnce = 16, 12
	for _, m := range moves[:byHand] {
		at := g.gesture(m)
		if g.clickBox(at.From); at.To != nil {
			g.clickBox(*at.To)
		}
		g.made(m)
	}
	ann.shot("strange-patience")
	for part := range slices.Chunk(moves[byHand:], atOnce) {
		var typed []string
		for _, m := range part {
			if _, err := g.state.Apply(engine.Step{Move: m}); err != nil {
				t.Fatal(err)
			}
			typed = append(typed, rules.Text(m))
		}
		ann.say("/m " + strings.Join(typed, ", "))
		if _, over := g.state.Result(); !over {
			g.agree()
		}
	}
	ann.reads("#felt", "сошёлся")
	ann.calm()
}

// look presses the button that shows somebody their cards until they are shown.
const look = `document.querySelectorAll(".private").length > window.shown ||
  ([...document.querySelectorAll("#felt button")].find((b) => b.innerText.trim() === "🂠 Мои карты")?.click(), false)`

// TestStrangeTricks plays a game of tricks of three on the page: whoever is to play looks at the cards in their hand and
// chooses one, until all but one are out.
func TestStrangeTricks(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, browser := roomOf(t, strangers())
	people := map[string]*seat{}
	for _, name := range []string{"Аня", "Боря", "Вика"} {
		people[name] = browser.join(h.url, name)
	}
	ann := people["Аня"]
	ann.say("/knockout cards=3 limit=10m")
	ann.reads("#felt .table", "knockout")
	for _, name := range []string{"Боря", "Вика"} {
		people[name].press("Сесть")
		ann.reads("#felt .table", name)
	}
	ann.press("Сдавать")
	ann.reads("#felt", "снимите колоду")
	for name, p := range people {
		if strings.Contains(p.text("#felt"), name+", снимите") {
			p.press("Не снимать")
		}
	}
	ann.reads("#felt", "trumps")
	plays := 0
	for ; !strings.Contains(ann.text("#felt"), "🏆"); plays++ {
		turn := people[value[string](ann, `document.querySelector("#felt .seat.turn").children[1].innerText.trim()`)]
		before := value[string](ann, `document.querySelector("#felt .table").innerText`)
		turn.eval(`window.shown = document.querySelectorAll(".private").length; 0`)
		turn.until(look) // The page takes a press for a slip where the button has only just become another.
		if plays == 1 {
			turn.shot("strange-tricks")
		}
		turn.eval(`[...document.querySelectorAll(".private")].at(-1).querySelector(".buttons button").click()`)
		ann.until(`document.querySelector("#felt .table").innerText !== ` + quote(before))
	}
	if plays < 9 {
		t.Errorf("it was over after %d cards", plays)
	}
	ann.shot("strange-tricks-end")
	for _, p := range people {
		p.calm()
	}
}
