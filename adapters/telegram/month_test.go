package telegram

import (
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
)

// TestMonth: who was best in a month is told in the group, in its language and once, and no name does anything there.
func TestMonth(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Zevaka: the best of December</b>\n🏆 <b>Аня</b> – 6 of 6 won\n2. <b>&lt;b&gt;＠everyone</b> – 0 of 6 won\n🥱 Zevaka of the month – <b>&lt;b&gt;＠everyone</b>, 6 times",
		"ru": "Зевака: лучшие за декабрь</b>\n🏆 <b>Аня</b> — побед 6 из 6\n", "pl": "Zewaka: najlepsi miesiąca (grudzień)</b>\n🏆 <b>Аня</b> – wygrane: 6 z 6\n",
	} {
		bubble(t, newDealer(), telegramtest.Options{}, func(t *testing.T, x *house) {
			_, c := x.group()
			rest(time.Minute)
			place := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: c.ID}, Channel: c.ID}
			posts := chatscript.Month(t, place, lang, "Аня", "<b>@everyone")
			x.run.Show(t.Context(), chat.Response{Posts: posts})
			rest(time.Minute)
			all := c.Messages()
			if len(posts) != 1 || len(all) != 1 {
				t.Fatalf("%d posts, %d messages", len(posts), len(all))
			}
			t.Logf("%s", all[0].HTML)
			if html := all[0].HTML; !strings.Contains(html, want) || strings.Contains(html, "<b>@") {
				t.Errorf("in %s it is told:\n%s", lang, html)
			}
		})
	}
}
