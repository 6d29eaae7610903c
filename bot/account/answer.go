package account

import (
	"context"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// ask asks the one who made the request about something that is no table's, and nobody else's business.
func (b *Accounts) ask(ctx context.Context, r chat.Request, asked words.Phrase, answers ...chat.Button) (chat.Response, error) {
	var post chat.Post
	err := b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
		post, err = b.tables.Questions.Ask(l.Tx, l.Community, r, table.Question{}, asked, answers)
		return err
	})
	post.Open = chat.Secret
	return chat.Response{Posts: []chat.Post{post}}, err
}

// Answer does what somebody has chosen who was asked about something that is no table's.
func (b *Accounts) Answer(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	var asked table.Question
	var name string
	var told, aloud words.Phrase
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		q, do, err := b.tables.Questions.Answer(l.Tx, l.Community, r, "", arg)
		if err != nil {
			return err
		}
		asked = q
		name, do, _ = strings.Cut(do, " ")
		if name != "!forget" && r.Barred() != nil {
			return r.Barred()
		}
		if name == "!give" {
			told, aloud, err = b.give(l, r, q, do)
		}
		return err
	})
	var response chat.Response
	switch {
	case err != nil:
	case name == "!forget":
		response, err = b.forgetMe(ctx, r)
	case name != "!give":
		err = table.ErrAction
	default:
		there := r
		there.In = asked.In
		response = b.toast(r, told)
		if aloud.Key != "" {
			response.Posts, err = b.announce(ctx, there, aloud)
		}
	}
	if err != nil {
		return chat.Response{Posts: b.tables.Unanswered(r, err)}, err
	}
	response.Posts = append(response.Posts, b.tables.Closed(r, response.Toast)...)
	return response, err
}
