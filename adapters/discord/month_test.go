package discord

import (
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
)

// TestMonth: who was best in a month is told in the channel, in its language and once, and no name does anything there.
func TestMonth(t *testing.T) {
	h := arrive(t)
	h.server.Place("707", "800000000000000002", 0)
	place := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000002}, Channel: 707}
	said := 0
	for _, lang := range []string{"en", "ru", "pl"} {
		var posts []chat.Post
		synctest.Test(t, func(t *testing.T) { posts = chatscript.Month(t, place, lang, "Аня", "**@everyone** <@101>") })
		h.Show(t.Context(), chat.Response{Posts: posts})
		h.server.Until("it is told in "+lang, func() bool { return len(h.server.Messages("707", "")) > said })
		all := h.server.Messages("707", "")
		text := all[len(all)-1].Content
		if said++; len(posts) != 1 || len(all) != said || !strings.Contains(text, "Аня") || strings.Contains(text, "**@everyone**") || strings.Contains(text, "<@101>") {
			t.Errorf("in %s it is told:\n%s", lang, text)
		}
		t.Logf("%s", text)
	}
	h.quietly()
}
