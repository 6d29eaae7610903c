package account

import (
	"context"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// CommandPrivacy says in a few lines what is kept about people, for how long, how to see it and how to be forgotten.
func (b *Accounts) CommandPrivacy(_ context.Context, r chat.Request, _ string) (chat.Response, error) {
	w := words.Writer{Lang: b.words.Lang(r.Who.Lang)}
	w.Say(chat.Strong, "privacy")
	line := func(p words.Phrase) {
		w.Text("\n• ")
		w.Phrase(chat.Plain, p)
	}
	line(words.Phrase{Key: "privacy.kept"})
	days := int(b.keep / (24 * time.Hour))
	switch {
	case days == 0:
		line(words.Phrase{Key: "privacy.for-ever"})
	case b.saves:
		line(words.Phrase{Key: "privacy.archived", N: days, Blanks: words.Blanks{"n": days}})
	default:
		line(words.Phrase{Key: "privacy.leaves", N: days, Blanks: words.Blanks{"n": days}})
	}
	line(words.Phrase{Key: "privacy.stays"})
	line(words.Phrase{Key: "privacy.logs"})
	line(words.Phrase{Key: "privacy.rights"})
	switch {
	case b.contact != "":
		line(words.Phrase{Key: "privacy.contact", Blanks: words.Blanks{"contact": words.Text(b.contact)}})
	case r.In.Community.Platform == chat.Web: // Nobody adds the bot to a room.
		line(words.Phrase{Key: "privacy.room"})
	default:
		line(words.Phrase{Key: "privacy.nobody"})
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: w.Spans}}}}, nil
}
