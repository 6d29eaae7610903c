package telegram

import (
	"fmt"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
)

// TestMentions passes on whom people mention: by a user name that was met, or where they have none, by Telegram's word.
func TestMentions(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		c := x.server.NewGroup("Cards")
		ann := map[string]any{"id": 71, "first_name": "Аня", "username": "Ann_K"}
		said := func(text string, entities ...map[string]any) string {
			t.Helper()
			before := len(d.asked(bot.Command))
			c.Write(map[string]any{"from": ann, "text": text, "entities": entities}, 0)
			x.until("the command", func() bool { return len(d.asked(bot.Command)) > before })
			return d.asked(bot.Command)[before].Data
		}
		part := func(kind string, offset, length int, more ...any) map[string]any {
			e := map[string]any{"type": kind, "offset": offset, "length": length}
			if len(more) > 0 {
				e["user"] = more[0]
			}
			return e
		}
		bob := map[string]any{"id": 72, "first_name": "Боря 🎲"}
		for _, test := range []struct {
			text     string
			entities []map[string]any
			want     string
		}{
			{"/give @ann_k 5", []map[string]any{part("bot_command", 0, 5), part("mention", 6, 6)}, "/give <@71> 5"},
			{"/give 🎲 @ANN_K 5", []map[string]any{part("mention", 9, 6)}, "/give 🎲 <@71> 5"},
			{"/give Боря 🎲 5", []map[string]any{part("text_mention", 6, 7, bob)}, "/give <@72> 5"},
			{"/give Боря 🎲 @ann_k", []map[string]any{part("text_mention", 6, 7, bob), part("mention", 14, 6)}, "/give <@72> <@71>"},
			{"/give @nobody 5", []map[string]any{part("mention", 6, 7)}, "/give @nobody 5"},
			{"/give Боря 5", []map[string]any{part("text_mention", 6, 4)}, "/give Боря 5"},
			{"/give Боря 5", []map[string]any{part("text_mention", -1, 4, bob), part("text_mention", 11, 2, bob), part("mention", 3, 1<<40)}, "/give Боря 5"},
		} {
			if got := said(test.text, test.entities...); got != test.want {
				t.Errorf("%s is passed on as %s", test.text, got)
			}
		}
	})
}

func TestPeopleAreForgotten(t *testing.T) {
	var p people
	p.init()
	for i := range 3 * maxPeople {
		p.meet(&user{ID: int64(i + 1), Username: fmt.Sprint("user", i)})
		p.meet(&user{ID: int64(i + 1), Username: fmt.Sprint("USER", i)})
		p.meet(&user{ID: int64(i + 1), IsBot: true, Username: fmt.Sprint("bot", i)})
	}
	if last := p.id(fmt.Sprint("User", 3*maxPeople-1)); last != 3*maxPeople || len(p.ids) > maxPeople || p.id("user0") != 0 {
		t.Errorf("of %d people the last is %d", len(p.ids), last)
	}
}
