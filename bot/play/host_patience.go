package play

import (
	"context"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// CommandPatience opens a table for one, or asks which game: where it is crowded, all who are there at once.
func (b *Host) CommandPatience(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	switch {
	case arg == "" && r.In.Crowded:
		return b.offerAll(ctx, r)
	case arg == "":
		return b.whichPatience(r), nil
	}
	rules, rest := b.Names.PatienceNamed(arg)
	if rules == nil {
		name, _, _ := strings.Cut(arg, " ")
		return chat.Response{}, words.Refuse(string(errNoPatience), words.Blanks{"what": chat.Shorten(name, 20)})
	}
	o, err := ReadOpening(b.Names, rules, rest)
	if err != nil {
		return chat.Response{}, err
	}
	return b.Open(ctx, r, o)
}

// whichPatience offers all games for one, and says what they are.
func (b *Host) whichPatience(r chat.Request) chat.Response {
	question, spans, answers := b.patiences(r, b.Words.Lang(r.Who.Lang), "!patience ")
	message := chat.Offer(question, answers)
	message.Text = spans
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: message}}}
}

// patiences are all games for one as a question, with what they are, one line each, and a button for each, which does what is
// said, with the game's name. Their names stand there in the reader's own script alone.
func (b *Host) patiences(r chat.Request, lang *words.Lang, do string) (question string, _ []chat.Span, answers []chat.Button) {
	w := words.Writer{Lang: lang}
	question = w.Lang.Say("choose-patience")
	w.Add(chat.Strong, question)
	for _, rules := range b.Order {
		if info := rules.Info(); info.ForOne() {
			name, _, _ := strings.Cut(w.Lang.Say("game."+info.Name), " (")
			w.Text("\n")
			w.Add(chat.Strong, name)
			w.Text(" " + w.Lang.Say("dash") + " " + w.Lang.Say("about."+info.Name))
			answers = append(answers, chat.Button{Label: name, Token: table.PlaceToken(r, do+info.Name)})
		}
	}
	return question, w.Spans, answers
}

// offerAll offers all games for one to everybody in a place: each is laid in the private chat of whoever presses it.
func (b *Host) offerAll(ctx context.Context, r chat.Request) (chat.Response, error) {
	one, err := b.offer(ctx, r, false)
	if err != nil {
		return chat.Response{}, err
	}
	lang := b.Words.Lang(one.In.Lang)
	_, spans, answers := b.patiences(r, lang, layInPrivate+one.Name+" ")
	for i := range answers {
		answers[i].Private = true
	}
	spans = append(spans, chat.Span{Text: "\n" + lang.Say("patience-all")})
	here := chat.Button{Label: lang.Say("button.here"), Token: table.PlaceToken(r, "!here "+one.Name)}
	rows := append(slices.Collect(slices.Chunk(answers, 2)), []chat.Button{here})
	post := chat.Post{In: r.In, Open: chat.Common, Message: chat.Message{Text: spans, Buttons: rows}}
	if r.Afar {
		post.To = &r.Who
	}
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// offer offers all games for one to everybody in a place, or all of the day. The newest such offer of the place is made again, so that
// one who comes back to an older message finds it good.
func (b *Host) offer(ctx context.Context, r chat.Request, ofDay bool) (one table.Offered, err error) {
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		record, err := table.GetPlace(tx, r.In)
		if err != nil {
			return err
		}
		all, err := table.GetOffers(tx, r.In.Community)
		if err != nil {
			return err
		}
		one = table.Offered{Name: table.NameFor(r.ID), Day: ofDay}
		same := func(old table.Offered) bool { return old.Game == "" && old.Day == ofDay && old.In.Same(r.In) }
		if i := slices.IndexFunc(all, same); i >= 0 {
			one.Name = all[i].Name
			all = slices.Delete(all, i, i+1)
		}
		one.In = r.In
		one.In.Lang = record.Spoken(b.Words, r)
		all = append(all, one)
		return table.PutOffers(tx, r.In.Community, all[max(0, len(all)-table.MaxOffers):])
	})
	return one, err
}

// whichHere asks which game for one to play in a place where moves show slowly.
func (b *Host) whichHere(r chat.Request, name string) chat.Response {
	lang := b.Words.Lang(r.Who.Lang)
	_, _, answers := b.patiences(r, lang, "!here "+name+" ")
	message := chat.Message{Text: []chat.Span{{Text: lang.Say("patience-here")}}, Buttons: slices.Collect(slices.Chunk(answers, 2))}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}
