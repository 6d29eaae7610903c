package play

import (
	"context"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// response puts together what there is to say after the transaction: the table's picture first, then what belongs beside it.
func (tx *transaction) response(ctx context.Context, o outcome) (chat.Response, error) {
	r := chat.Response{Alert: o.alert, Named: o.hint}
	reader := tx.tables.reader(tx.req, tx.table)
	switch {
	case o.toast != nil:
		r.Toast = chat.Shorten(o.toast.Flat(reader), chat.MaxToast)
	case o.named && len(tx.events) > 0:
		r.Toast = chat.Shorten(board.Label(tx.rules.Info(), tx.table, reader)+": "+tx.told(reader), chat.MaxToast)
	case o.done != nil:
		r.Done = chat.Shorten(o.done.Flat(reader), chat.MaxToast)
	case tx.req.Kind.ByPerson() && tx.phase != tx.table.Phase && tx.table.Phase == table.Ended && tx.table.Why != "":
		r.Done = chat.Shorten(board.Stopped(tx.table, tx.phase).Flat(reader), chat.MaxToast)
	case len(tx.events) > 0:
		r.Done = tx.told(reader)
	}
	if tx.req.Kind == chat.Press && r.Toast == "" {
		r.Toast, r.Done = r.Done, ""
	}
	if o.shown {
		draw, err := tx.picture(ctx, o.call)
		if err != nil {
			return r, err
		}
		t := tx.table
		if o.pledged && t.Phase == table.Cutting {
			r.Posts = append(r.Posts, tx.placeDrawing().Pledge())
		}
		post := chat.Post{
			In: t.Place, Edit: t.Board, Table: t.ID.String(), Level: t.Level, Receipt: t.Receipt(),
			Final: t.Phase == table.Ended, Draw: draw,
		}
		post.Turn, post.Left = tx.turn()
		if tx.phase == 0 {
			post.Mention = t.KeptFor() // It is a new table: what is delivered again calls nobody again.
		} else if o.called != nil {
			post.Mention, post.Quiet = []chat.User{*o.called}, o.quiet
		}
		if (o.anew || o.called != nil) && t.Board != "" {
			post.Edit = ""
			old := chat.Post{In: t.Place, Edit: t.Board, Delete: true}
			if o.called == nil && !o.pledged {
				old = chat.Post{In: t.Place, Edit: t.Board, Draw: board.TextOf(draw)}
			}
			r.Posts = append(r.Posts, old)
		}
		r.Posts = append(r.Posts, post)
	}
	r.Posts = append(r.Posts, o.posts...)
	tx.welcome(&r, reader)
	if tx.answered != nil {
		if r.Toast == "" {
			r.Toast = reader.Say("answered")
		}
		closed := tx.tables.Closed(tx.req, r.Toast)
		for i := range closed {
			if tx.answered.Aloud {
				closed[i].To = nil
			}
		}
		r.Posts = append(r.Posts, closed...)
	}
	return r, nil
}

// turn is the user who has to do something now, and how long there is for it.
func (tx *transaction) turn() (user int64, left time.Duration) {
	t := tx.table
	switch {
	case t.Phase == table.Cutting:
		if user = t.Chairs[t.Cutter].User; table.CutterWaits(t) {
			return 0, 0
		}
	case t.Phase == table.Playing && tx.state != nil && !t.Asleep && len(tx.state.Turn()) > 0:
		c := t.Chairs[tx.state.Turn()[0]]
		if c.Computer() || tx.family.traits().chips && t.Chance != 0 {
			return 0, 0 // The table itself moves.
		}
		user = c.User
	default:
		return 0, 0
	}
	if t.Ends != 0 && (t.Phase == table.Cutting || t.Limit > 0 || t.Hurry) {
		left = max(tx.now.Until(t.Ends), time.Millisecond)
	}
	return user, left
}

// told is what the request made happen, in one line.
func (tx *transaction) told(lang *words.Lang) string {
	var view *engine.View
	if tx.state != nil && tx.rules.Info().ForOne() {
		now := tx.state.View(engine.Nobody)
		view = &now
	}
	return tx.drawing(lang).Told(tx.events, view)
}

// picture draws the table's picture in the language of its place, as it is now, whenever that is called, below a call if there
// is one. What is drawn changes no more: whoever changes a table replaces what it refers to.
func (tx *transaction) picture(ctx context.Context, call *words.Phrase) (draw func() (chat.Message, bool), err error) {
	d := tx.placeDrawing()
	now := *tx.table
	d.Table, d.Call = &now, call
	view, epoch := engine.View{}, 0
	if d.NeedsView() {
		switch state, err := tx.position(ctx); {
		case err == nil:
			view, epoch = state.View(engine.Nobody), tx.table.Epoch(state)
			d.Tip = board.LessonTip(d.Lang, tx.rules, tx.table, state, false)
		case now.Phase == table.Ended:
			d.Pictures = nil // How it has ended is told without its cards, too.
		default:
			return nil, err
		}
	}
	return d.Later(view, epoch, tx.tables.Log), nil
}

// placeDrawing draws the table in the language of its place.
func (tx *transaction) placeDrawing() board.Drawing {
	return tx.drawing(tx.tables.Words.Lang(tx.table.Lang))
}

// drawing draws the table in a language.
func (tx *transaction) drawing(lang *words.Lang) board.Drawing {
	return board.Drawing{Table: tx.table, Rules: tx.rules, Lang: lang, Pictures: tx.tables.Painter}
}
