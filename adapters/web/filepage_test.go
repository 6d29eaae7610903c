//go:build browser

package web

import (
	"context"
	"io"
	"net/http"
	"testing"

	"zevaka/bot/chat"
)

// filer gives a file to whoever says anything to it.
type filer struct{}

func (filer) Handle(_ context.Context, r chat.Request) chat.Response {
	if r.Kind != chat.Command {
		return chat.Response{}
	}
	who := r.Who
	message := chat.Message{Text: []chat.Span{{Text: "Yours alone."}}, File: &chat.File{Name: "mydata.json", Data: []byte(who.Name)}}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &who, Message: message}}}
}

// TestPageOffersFiles: a file is a link that can be seen, to be kept under its name, and reads what it should.
func TestPageOffersFiles(t *testing.T) {
	t.Parallel() // It waits most of the time.
	h, c := open(t, filer{})
	ann, bob := c.join(h.url, "Ann"), c.join(h.url, "Bob")
	ann.say("/mydata")
	ann.reads("#log .private a.file", "⬇ mydata.json")
	const link = `document.querySelector("a.file")`
	ann.until(link + `.download === "mydata.json" && ` + link + `.getBoundingClientRect().height > 10`)
	resp, err := http.Get(value[string](ann, link+".href"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "Ann" {
		t.Errorf("it reads %q, %v", text, err)
	}
	ann.say("all there")
	bob.reads("#log", "all there")
	bob.until(`!document.querySelector("a.file")`)
	ann.calm()
	bob.calm()
}
