package replay

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// giveRecord gives the one who asks the record of a game.
func (b *Replays) giveRecord(ctx context.Context, r chat.Request, t *table.Table) (chat.Response, error) {
	g, err := b.read(ctx, t)
	if err != nil {
		return chat.Response{}, err
	}
	line, err := g.record()
	if err != nil {
		return chat.Response{}, err
	}
	return b.give(r, "record-file", chat.File{Name: t.Game + "-" + t.ID.Name + ".json", Data: line}), nil
}

// give gives a file to the one who asks.
func (b *Replays) give(r chat.Request, key string, file chat.File) chat.Response {
	w := words.Writer{Lang: b.tables.Words.Lang(r.Who.Lang)}
	w.Say(chat.Plain, key)
	message := chat.Message{Text: w.Spans, File: &file}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}
