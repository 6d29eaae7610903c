package bot

import (
	"context"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// asOneself reports whether a command is about the one who types it: a seat at a table, or a purse.
func asOneself(command, arg string) bool {
	own := []string{"cut", "leave", "back", "m", "bet", "hand", "daily", "ledger", "give", "notify", "me", "mydata", "forgetme"}
	return slices.Contains(own, command) || command == "balance" && arg == ""
}

// speaking is the request of an anonymous user with the language of the place, which has to do for theirs.
func (b *Bot) speaking(ctx context.Context, r chat.Request) chat.Request {
	record, err := storage.Read(ctx, b.store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
	if err != nil {
		b.log.Warn("the language of a place is not known", "request", r.ID, "error", err)
	}
	r.Who.Lang = record.Spoken(b.words, r)
	return r
}

// publicAnswer is an answer to an anonymous user. Nobody could be given what is for one person, so everybody in the place gets it. They hold
// no cards, so nothing in it is secret; and whoever presses a button there is asked again who they are.
func publicAnswer(response chat.Response) chat.Response {
	for i := range response.Posts {
		response.Posts[i].To = nil
	}
	return response
}
