package web

import (
	"context"
	"testing"
	"time"

	"zevaka/bot/chat"
)

// asker is a bot whose table asks whoever presses for a word, and tells it.
type asker struct{}

func (asker) Handle(_ context.Context, r chat.Request) chat.Response {
	switch r.Kind {
	case chat.Command:
		p := chat.Post{In: r.In, Table: "T", Level: 1, Turn: r.Who.ID, Left: 90 * time.Second, Message: text("▶ Ann   🂠 9   7♣")}
		p.Buttons = [][]chat.Button{{{Label: "Cut", Token: "cut", Ask: "How?"}}}
		return chat.Response{Posts: []chat.Post{p}}
	case chat.Press:
		return chat.Response{Toast: "cut: " + r.Text}
	}
	return chat.Response{}
}

func TestPageAsksAndCountsDown(t *testing.T) {
	t.Parallel() // It waits most of the time.
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
