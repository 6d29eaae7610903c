package telegram

import (
	"slices"
	"strings"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestDirect: what goes to somebody's private chat comes there, with a link to what it is about; who has never opened that chat
// can't be written to, which the bot is told.
func TestDirect(t *testing.T) {
	d := newDealer()
	d.reply = func(r chat.Request) (chat.Response, bool) {
		if r.Data != "turn" && r.Data != "hush" {
			return chat.Response{}, false
		}
		who := r.Who
		p := chat.Post{In: r.In, To: &who, Direct: true, Quiet: r.Data == "hush", About: refOf(r.In.Channel, 7), Receipt: "about " + who.Name}
		p.Text = []chat.Span{{Text: "secret: your turn"}}
		return chat.Response{Posts: []chat.Post{p}}, true
	}
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.start(Options{})
		ann, bob := x.server.NewUser("Аня", ""), x.server.NewUser("Боря", "")
		bob.Private().Say(bob, "/start")
		c := x.server.NewGroup("Cards")
		c.Say(ann, "/zevaka")
		board := x.board(c, "level 1")
		x.send(bob, board, "turn")
		x.send(bob, board, "hush")
		x.send(ann, board, "turn")
		x.until("the private message", func() bool { _, direct := private(c, bob); return strings.Contains(direct, "your turn") })
		x.until("the bot hears who can't be reached", func() bool { return len(d.heard.Of(chat.Unreached)) == 1 })
		if got := d.heard.Of(chat.Unreached)[0]; got.Data != "about Аня" {
			t.Errorf("the bot hears that %q can't be reached", got.Data)
		}
		var own []telegramtest.Message
		x.until("both private messages", func() bool {
			own = slices.DeleteFunc(bob.Private().Messages(), func(m telegramtest.Message) bool { return !strings.Contains(m.Text, "your turn") })
			return len(own) == 2
		})
		if own[0].Silent || !own[1].Silent {
			t.Errorf("in private there is %+v", own)
		}
		publicSecrets(t, c)
	})
}

// TestLinkTo: only supergroups have addresses for their messages.
func TestLinkTo(t *testing.T) {
	for ref, want := range map[chat.Ref]string{
		"-1001234/5": "https://t.me/c/1234/5", "-55/5": "", "77/5": "", "": "", "-1001234/x": "",
	} {
		if got := linkTo(ref); got != want {
			t.Errorf("%q is at %q, want %q", ref, got, want)
		}
	}
}
