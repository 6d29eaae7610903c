package play

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// report makes ready to tell the place where a game for one was asked for how it ended. Of a patience of the day its player says
// whether the place is to hear of it.
func (tx *transaction) report() (*chat.Post, error) {
	t := tx.table
	if t.ReportTo == nil || t.Day != 0 || t.Lesson || t.Result == nil || t.Result.Patience == nil {
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

// reported are the posts that tell a place how a game ended that was asked for there, or a player how others did with it. A place
// is told nothing of somebody who isn't there any more.
func (tx *transaction) reported(ctx context.Context, report *chat.Post) []chat.Post {
	if tx.counts {
		posts, err := tx.tables.Days.Ended(ctx, tx.tables.Store, tx.tables.Log, tx.req, tx.table)
		if err != nil { // What was asked is done.
			tx.tables.Log.Error("how a patience of the day went is not told", "table", tx.table.ID.String(), "error", err)
		}
		return posts
	}
	if report == nil || table.BarOutside(ctx, tx.tables.Log, tx.req, report.In.Community) != nil {
		return nil
	}
	return []chat.Post{*report}
}
