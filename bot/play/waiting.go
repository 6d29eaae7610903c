package play

import (
	"context"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// maxWaiting is how many tables that wait for players are offered before another is opened.
const maxWaiting = 3

// waiting answers somebody who wants to open a table where tables of the game wait for players: their own is shown anew, and
// else they are offered to sit down before they open another. It answers nothing if they have chosen, or want to begin at once,
// or there is none.
func (b *Host) waiting(ctx context.Context, r chat.Request, o Opening) (response chat.Response, answered bool, err error) {
	info := o.Rules.Info()
	another := table.PlaceToken(r, "!another "+info.Name+" "+o.Typed)
	if o.Asked || o.Now || o.Name != "" || info.ForOne() || r.Who.Anonymous || len(another) > table.MaxToken {
		return response, false, nil
	}
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return response, false, err
	}
	opens := table.NameFor(r.ID)
	var open []*table.Table
	for _, t := range slices.Backward(tables) {
		_, seated := t.SeatOf(r.Who.ID)
		switch {
		case t.ID.Name == opens || t.Opener == opens:
			return response, false, nil // It was delivered again.
		case t.Phase != table.Lobby || t.Game != info.Name || t.Practice != o.Practice:
		case seated && o.Ruled || seated && o.Paced:
			return response, false, nil // They want another than they have.
		case seated:
			response, err = b.tables.Do(ctx, r, table.Token{Table: t.ID, Do: "!show"}, false)
			return response, true, err
		case len(t.Chairs) < info.MaxSeats && len(open) < maxWaiting:
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return response, false, nil
	}
	return b.offerWaiting(r, open, another), true, nil
}

// offerWaiting offers the tables, and to open another.
func (b *Host) offerWaiting(r chat.Request, open []*table.Table, another string) chat.Response {
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	var buttons []chat.Button
	for i, t := range open {
		if i > 0 {
			w.Text("\n")
		}
		key, host := "lobby-waits", t.HostName()
		if t.Host == 0 {
			key = "lobby-waits-free"
		}
		w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{
			"who": host, "n": len(t.Chairs), "most": b.Games[t.Game].Info().MaxSeats,
		}})
		label := w.Lang.Say("button.join-it")
		if len(open) > 1 && t.Host != 0 {
			label += ": " + host
		}
		buttons = append(buttons, chat.Button{Label: chat.Shorten(label, 80), Token: table.Token{Table: t.ID, Do: "!join"}.String(), Look: chat.Primary})
	}
	buttons = append(buttons, chat.Button{Label: w.Lang.Say("button.another"), Token: another})
	message := chat.Offer("", buttons)
	message.Text = w.Spans
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}
