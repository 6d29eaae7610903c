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
	place := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000002}, Channel: 707}
	for _, lang := range []string{"en", "ru", "pl"} {
		var posts []chat.Post
		synctest.Test(t, func(t *testing.T) { posts = chatscript.Month(t, place, lang, "Аня", "**@everyone** <@101>") })
		synctest.Test(t, func(t *testing.T) {
			h := arrive(t)
			h.server.Place("707", "800000000000000002", 0)
			h.Show(t.Context(), chat.Response{Posts: posts})
			h.settle()
			all := h.server.Messages("707", "")
			if len(posts) != 1 || len(all) != 1 {
				t.Fatalf("in %s it is told %d times", lang, len(all))
			}
			text := all[0].Content
			if !strings.Contains(text, "Аня") || strings.Contains(text, "**@everyone**") || strings.Contains(text, "<@101>") {
				t.Errorf("in %s it is told:\n%s", lang, text)
			}
			t.Logf("%s", text)
			h.quietly()
		})
	}
}
