package telegram

import (
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestUnheard: what the bot says by itself where it may not write is tried a few times and given up, and nobody hears that it stands;
// where it may write again the next one does. Where the bot was thrown out it is tried once, and the bot hears that it is gone.
func TestUnheard(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		_, c := x.group()
		rest(time.Minute)
		place := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: c.ID}, Channel: c.ID}
		say := func() (calls, stand int) {
			before, heard := len(x.server.Calls("sendMessage")), len(d.heard.Of(chat.Shown))
			x.run.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: place, Receipt: "day 7", Message: chat.Message{Text: []chat.Span{{Text: "the patience of the day"}}}}}})
			rest(24 * time.Hour)
			return len(x.server.Calls("sendMessage")) - before, len(d.heard.Of(chat.Shown)) - heard
		}
		c.Mute(true)
		if calls, stand := say(); calls < 1 || calls > maxTries+1 || stand != 0 {
			t.Errorf("muted, it is sent %d times in a day, and stands %d times", calls, stand)
		}
		c.Mute(false)
		if calls, stand := say(); calls != 1 || stand != 1 {
			t.Errorf("unmuted, it is sent %d times, and stands %d times", calls, stand)
		}
		c.Kick(false)
		if calls, stand := say(); calls != 1 || stand != 0 || len(d.heard.Of(chat.Gone)) != 1 {
			t.Errorf("thrown out, it is sent %d times, and stands %d times; the bot hears of %d that are gone", calls, stand, len(d.heard.Of(chat.Gone)))
		}
	})
}
