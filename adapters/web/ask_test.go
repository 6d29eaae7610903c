//go:build browser

package web

import (
	"context"
	"testing"

	"zevaka/bot/chat"
)

// asker is a bot that asks whoever says anything to it for a word, and tells it.
type asker struct{}

func (asker) Handle(_ context.Context, r chat.Request) chat.Response {
	switch r.Kind {
	case chat.Command:
		p := chat.Post{In: r.In, To: &r.Who, Message: text("Which one?")}
		p.Buttons = [][]chat.Button{{{Label: "Cut", Token: "cut", Ask: "How?"}, {Label: "No", Token: "no", Look: chat.Danger}}}
		return chat.Response{Posts: []chat.Post{p}}
	case chat.Press:
		return chat.Response{Toast: "cut: " + r.Text, Posts: []chat.Post{{In: r.In, To: &r.Who, Edit: r.On, Message: text("Done.")}}}
	}
	return chat.Response{}
}

// TestPageAsks: a question is a dialog, once, and after its answer nothing is left to press.
func TestPageAsks(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, browser := open(t, asker{})
	ann := browser.join(h.url, "Ann")
	bob := browser.join(h.url, "Bob")
	ann.say("/table")
	ann.until(`document.querySelector("#told").open && document.activeElement.closest("#told")`)
	ann.shot("question")
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.click("#askcancel")
	ann.until(`!document.querySelector("#ask").open && document.querySelector("#told").open`)
	ann.press("Cut")
	ann.until(`document.querySelector("#ask").open && document.activeElement.id === "answer"`)
	ann.fill("#answer", "за тех, кто в море")
	ann.key("Enter")
	ann.reads("#status", "cut: за тех, кто в море")
	ann.until(`!document.querySelector("dialog[open]") && document.activeElement !== document.body`)
	ann.reads("#log", "Done.")
	if n := value[int](ann, `document.querySelectorAll("#log .row button").length`); n > 0 {
		t.Errorf("%d buttons of an answered question can still be pressed", n)
	}
	if bob.text("#log") != "" {
		t.Error("Bob reads what Ann was asked")
	}
	ann.calm()
	bob.calm()
}
