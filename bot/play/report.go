package play

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// report makes ready to tell the place where a game for one was asked for how it ended.
func (tx *transaction) report() (*chat.Post, error) {
	t := tx.table
	if t.ReportTo == nil || t.Result == nil || t.Result.Patience == nil {
		return nil, nil
	}
	record, err := table.GetPlace(tx.Tx, *t.ReportTo)
	if err != nil {
		return nil, err
	}
	there := tx.req
	there.In = *t.ReportTo
	lang := tx.tables.Words.Lang(record.Spoken(tx.tables.Words, there))
	return &chat.Post{In: *t.ReportTo, Message: chat.Message{Text: tx.drawing(lang).Finish()}}, nil
}

// reported are the posts that tell a place how a game ended that was asked for there. It is told nothing of somebody who
// isn't there any more.
func (tx *transaction) reported(ctx context.Context, report *chat.Post) []chat.Post {
	if report == nil || tx.tables.Outside(ctx, tx.req, report.In.Community) != nil {
		return nil
	}
	return []chat.Post{*report}
}
