package bot

import (
	"context"
	"slices"

	"zevaka/engine"
	"zevaka/storage"
)

// errNameless refuses a seat and a purse, and what only those can do who have them, to somebody who speaks for the place
// itself.
const errNameless engine.Refusal = "nameless"

// asOneself reports whether a command is about the one who types it: a seat at a table, or a purse.
func asOneself(command, arg string) bool {
	own := []string{"cut", "leave", "back", "m", "bet", "hand", "daily", "ledger", "give", "mydata", "forgetme"}
	return slices.Contains(own, command) || command == "balance" && arg == ""
}

// speaking is the request of a nameless user with the language of the place, which has to do for theirs.
func (b *Bot) speaking(ctx context.Context, r Request) Request {
	var record placeRecord
	err := storage.Update(ctx, b.store, func(tx storage.Tx) (err error) {
		record, err = getPlace(tx, r.In)
		return err
	})
	if err != nil {
		b.log.Warn("the language of a place is not known", "request", r.ID, "error", err)
	}
	r.Who.Lang = b.placeLang(record, r)
	return r
}

// aloud is an answer to a nameless user: nobody could be given what is for one person, so the place is told. They hold
// no cards, so nothing in it is secret; and whoever presses a button there is asked again who they are.
func aloud(response Response) Response {
	for i := range response.Posts {
		response.Posts[i].To = nil
	}
	return response
}
