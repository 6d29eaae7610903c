package play

import (
	"errors"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// ask asks the one who made the request something about the table, which nobody else can answer. Epoch is that of the table's
// buttons if the answer means nothing in another one; otherwise it is 0.
func (tx *transaction) ask(asked words.Phrase, epoch int, answers ...chat.Button) (outcome, error) {
	r := tx.req
	r.In.Community = tx.table.ID.Community // Somebody reads alone what was asked for in a group.
	post, err := tx.tables.Questions.Ask(tx.Tx, tx.table.Origin(), r, table.Question{Table: tx.table.ID.Name, Epoch: epoch}, asked, answers)
	post.In = tx.req.In
	return outcome{posts: []chat.Post{post}}, err
}

// Unanswered tells why an answer was refused. It tells nothing of a second answer: the message says already what became of
// the question.
func (b *Tables) Unanswered(r chat.Request, err error) []chat.Post {
	refused, ok := b.Refused(r, err)
	if !ok || errors.Is(err, table.ErrAnswered) {
		return nil
	}
	return b.Closed(r, refused.Toast)
}

// Closed replaces a question by what became of it, in the message that asked it. The buttons go.
func (b *Tables) Closed(r chat.Request, says string) []chat.Post {
	if r.On == "" {
		return nil
	}
	return []chat.Post{{In: r.In, To: &r.Who, Edit: r.On, Message: chat.Message{Text: []chat.Span{{Text: says}}}}}
}

// Refused is the answer to the one who asked if the error is a Refusal; false if it is another error.
func (b *Tables) Refused(r chat.Request, err error) (chat.Response, bool) {
	var own words.Refusal
	var plain engine.Refusal
	var short purse.Short
	var early purse.TooEarly
	var unwon purse.Unwon
	p := words.Phrase{}
	switch {
	case errors.As(err, &short) && short.User == r.Who.ID:
		p = words.Phrase{Key: short.Error(), Blanks: words.Blanks{"n": int(short.Has)}}
	case errors.As(err, &unwon):
		p = words.Phrase{Key: unwon.Error(), Blanks: words.Blanks{"n": int(unwon.Has)}}
	case errors.As(err, &early):
		left := early.Next - b.Now().Unix()
		p = words.Phrase{Key: early.Error(), Blanks: words.Blanks{"hours": int(left / 3600), "minutes": int(left % 3600 / 60)}}
	case errors.As(err, &own):
		p = own.Phrase
	case errors.As(err, &plain):
		p.Key = string(plain)
	default:
		return chat.Response{}, false
	}
	p.Key = "no." + p.Key
	lang := b.Words.Lang(r.Who.Lang)
	var at refused
	if errors.As(err, &at) {
		lang = lang.At(b.Words.Lang(at.lang))
	}
	return chat.Response{Toast: chat.Shorten(p.Flat(lang), chat.MaxToast), Alert: true, Behind: plain == table.ErrStale, Over: plain == table.ErrAnswered}, true
}
