package web

import (
	"context"
	"testing"
	"time"

	"zevaka/bot"
)

// asker is a bot whose table asks whoever presses for a word, and tells it.
type asker struct{}

func (asker) Handle(_ context.Context, r bot.Request) bot.Response {
	switch r.Kind {
	case bot.Command:
		p := bot.Post{In: r.In, Table: "T", Level: 1, Turn: r.Who.ID, Left: 90 * time.Second, Message: text("▶ Ann   🂠 9   7♣")}
		p.Buttons = [][]bot.Button{{{Label: "Cut", Token: "cut", Ask: "How?"}}}
		return bot.Response{Posts: []bot.Post{p}}
	case bot.Press:
		return bot.Response{Toast: "cut: " + r.Text}
	}
	return bot.Response{}
}

func TestPageAsksAndCountsDown(t *testing.T) {
	h, browser := open(t, asker{})
	ann := browser.join(h.url, "Ann")
	bob := browser.join(h.url, "Bob")
	ann.say("/table")
	ann.reads("#felt", "Ann")
	ann.until(`document.querySelector("#table").classList.contains("ours") && document.title.startsWith("▶")`)
	bob.reads("#felt", "Ann")
	bob.until(`!document.querySelector("#table").classList.contains("ours")`)
	ann.until(`/^1:(30|2\d)$/.test(document.querySelector("#felt .turn").dataset.left)`)
	ann.until(`document.querySelector("#felt .turn").dataset.left <= "1:28"`)
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.click("#askcancel")
	ann.until(`!document.querySelector("#ask").open && document.querySelector("#felt .buttons button[aria-disabled=false]")`)
	if ann.text("#status") != "" {
		t.Errorf("a question put off is answered %q", ann.text("#status"))
	}
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.fill("#answer", "за тех, кто в море")
	ann.key("Enter")
	ann.reads("#status", "cut: за тех, кто в море")
	ann.calm()
	bob.calm()
}
