package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// askWhere asks where to play a game for one. Everybody sees the question, and may take it up.
func (b *Host) askWhere(ctx context.Context, r chat.Request, o Opening) (chat.Response, error) {
	name := table.NameFor(r.ID)
	game := o.Rules.Info().Name
	var lang string
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		record, err := table.GetPlace(tx, r.In)
		if err != nil {
			return err
		}
		lang = record.Spoken(b.Words, r)
		all, err := table.GetOffers(tx, r.In.Community)
		if err != nil || slices.ContainsFunc(all, func(one table.Offered) bool { return one.Name == name }) {
			return err
		}
		at := r.In
		at.Lang = lang // Whoever plays may speak another.
		all = append(all, table.Offered{Name: name, In: at, Game: game, Options: o.Options, Deal: o.Deal, Day: o.Day != 0, Of: o.Day, Asked: r.Who.ID})
		return table.PutOffers(tx, r.In.Community, all)
	})
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.Words.Lang(lang)}
	asked := words.Phrase{Key: "where", Blanks: words.Blanks{"what": words.Phrase{Key: "game." + game}}}
	if o.Day != 0 {
		asked = words.Phrase{Key: "where-day", Blanks: words.Blanks{"what": day.Of(w.Lang, game, o.Day)}}
	}
	w.Phrase(chat.Plain, asked)
	message := chat.Message{Text: w.Spans, Buttons: [][]chat.Button{{
		{Label: w.Lang.Say("button.private"), Token: table.PlaceToken(r, inPrivate+name), Look: chat.Primary, Private: true},
		{Label: w.Lang.Say("button.here"), Token: table.PlaceToken(r, "!here "+name)},
	}}}
	return chat.Response{Posts: []chat.Post{{In: r.In, Receipt: askedWhere + name, Message: message}}}, nil
}

// lessonWhere asks somebody where they want to learn. The platform's own link begins the lesson in their private chat with the bot, where it
// can; elsewhere they are told how.
func (b *Host) lessonWhere(r chat.Request, o Opening) chat.Response {
	lang, info := b.Words.Lang(r.Who.Lang), o.Rules.Info()
	learn := board.LessonButton(lang, r.In, info, o.Part)
	asked := words.Phrase{Key: "lesson.where-open", Blanks: words.Blanks{"what": words.Text(learn.Label)}}
	there := chat.Button{Label: lang.Say("button.chat"), Leads: true}
	if r.In.Crowded {
		asked, there = words.Phrase{Key: "lesson.where"}, learn
		there.Label = lang.Say("button.private")
	}
	there.Look = chat.Primary
	here := chat.Button{Label: lang.Say("button.lesson-here"), Token: table.PlaceToken(r, fmt.Sprint(board.DoFirst, " ", info.Name, " ", o.Part, board.LearnHere))}
	message := chat.Message{Text: lang.Spans(asked), Buttons: [][]chat.Button{{there, here}}}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}
}

const (
	// inPrivate begins what a link to a private chat says, before the name of an offer of one game, and layInPrivate before
	// that of an offer of all and the game that is taken.
	inPrivate    = "!aside "
	layInPrivate = "!lay "
)

// askedWhere begins the receipt of a question where to play, before the name of the offer.
const askedWhere = "where "

// askedAt remembers in which message somebody was asked where to play.
func (b *Host) askedAt(ctx context.Context, r chat.Request, name string) error {
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		all, err := table.GetOffers(tx, r.In.Community)
		i := slices.IndexFunc(all, func(one table.Offered) bool { return one.Name == name })
		if err != nil || i < 0 {
			return err
		}
		all[i].Board = r.On
		return table.PutOffers(tx, r.In.Community, all)
	})
}

// OpenHere opens a table for an offered game where it was asked for. It stands where whoever asked was asked back. Of an offer
// of all games it asks which, where the argument has none behind the offer's name.
func (b *Host) OpenHere(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	name, game, _ := strings.Cut(arg, " ")
	one, o, err := b.takeUp(ctx, r, r.In.Community, name, game)
	if err != nil {
		return chat.Response{}, err
	}
	if o.Rules == nil {
		return b.whichHere(r, name), nil
	}
	o.Board = one.Board
	response, err := b.Open(ctx, r, o)
	if err == nil && game != "" {
		name := b.Words.Lang(r.Who.Lang).Say("game." + game)
		response.Posts = append(response.Posts, b.tables.Closed(r, name)...)
	}
	return response, err
}

// Follow takes up an offer by its link. An offer stands before everybody in its place, and each of them may take it up: a
// patience of their own is laid in their own chat, whoever has sent them the link, and who comes again by it finds the table
// that they have.
func (b *Host) Follow(ctx context.Context, r chat.Request) (chat.Response, error) {
	tok, err := table.ParseToken(r.Data)
	if err != nil {
		return chat.Response{}, err
	}
	name, linked := strings.CutPrefix(tok.Do, inPrivate)
	game := ""
	if !linked {
		name, linked = strings.CutPrefix(tok.Do, layInPrivate)
		name, game, _ = strings.Cut(name, " ")
		linked = linked && game != ""
	}
	if !linked || tok.Table.Name != table.NoTable || !r.In.Private {
		return chat.Response{}, chat.ErrToken
	}
	r.Bar(b.tables.BarNamed(ctx, r, tok.Table.Community))
	return b.openPrivate(ctx, r, tok.Table.Community, name, game)
}

// openPrivate opens a table for an offered game in private. The place is told so instead of the question. Of an offer of all
// games it opens the one named, or shows the table of that game that they have not ended.
func (b *Host) openPrivate(ctx context.Context, r chat.Request, c chat.Community, name, game string) (chat.Response, error) {
	one, o, err := b.takeUp(ctx, r, c, name, game)
	if err != nil {
		return chat.Response{}, err
	}
	if game == "" && o.Day == 0 {
		o.Offer = name
	} else if response, had, err := b.begun(ctx, r, o); had || err != nil {
		return response, err
	}
	if r.Barred() != nil {
		return b.Open(ctx, r, o) // It is nobody's business but theirs.
	}
	o.ReportTo = &one.In
	response, err := b.Open(ctx, r, o)
	if err == nil && one.Board != "" {
		w := words.Writer{Lang: b.Words.Lang(one.In.Lang)}
		w.Phrase(chat.Plain, where(w.Lang, r, one, o))
		response.Posts = append(response.Posts, chat.Post{In: one.In, Edit: one.Board, Message: chat.Message{Text: w.Spans}})
	}
	return response, err
}

// where says that somebody plays in private what was offered.
func where(lang *words.Lang, r chat.Request, one table.Offered, o Opening) words.Phrase {
	key, what := "where-private", words.Phrase{Key: "game." + one.Game}
	if o.Day != 0 {
		key, what = "where-private-day", day.Of(lang, one.Game, o.Day)
	}
	return words.Phrase{Key: key, Blanks: words.Blanks{"who": r.Who.Name, "what": what}}
}

// begun shows the one who asks the table of a game for one that they have in their place and not ended; false if there is none.
func (b *Host) begun(ctx context.Context, r chat.Request, o Opening) (_ chat.Response, had bool, err error) {
	game := o.Rules.Info().Name
	tables, err := b.tables.Look(ctx, r.In)
	i := slices.IndexFunc(tables, func(t *table.Table) bool {
		return t.Game == game && t.Host == r.Who.ID && t.Day == o.Day && t.Lesson == o.Lesson && (o.Day != 0 || t.Numbered == nil)
	})
	if err != nil || i < 0 {
		return chat.Response{}, false, err
	}
	if r.In.Private {
		r.Bar(nil) // It is their own chat.
	}
	response, err := b.tables.Do(ctx, r, table.Token{Table: tables[i].ID, Do: "!show"}, false)
	if err == nil {
		response.Opened = tables[i].ID.String()
	}
	return response, true, err
}

// takeUp is a game that the community was offered, as it is to be opened: of an offer of all games that of the name, with no
// Rules where none is named. Its Board is empty unless this answers the question that stands there.
func (b *Host) takeUp(ctx context.Context, r chat.Request, c chat.Community, name, game string) (one table.Offered, o Opening, err error) {
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		all, err := table.GetOffers(tx, c)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(one table.Offered) bool { return one.Name == name })
		if i < 0 || all[i].Game != "" && b.Games[all[i].Game] == nil || !r.In.Private && !all[i].In.Same(r.In) {
			return errOfferOver
		}
		if one = all[i]; one.Game == "" {
			return nil
		}
		if one.Asked != r.Who.ID || one.Board == "" || r.Barred() != nil {
			one.Board = ""
			return nil
		}
		all[i].Board = ""
		return table.PutOffers(tx, c, all)
	})
	if err != nil {
		return one, o, err
	}
	if one.Game == "" {
		one.Game, o.Asked = game, true
		if game == "" {
			return one, o, nil
		}
		rules := b.Games[game]
		if rules == nil || !rules.Info().ForOne() {
			return one, o, chat.ErrToken
		}
		if !one.Day {
			o, err = ReadOpening(b.Names, rules, "")
			o.Asked = true
			return one, o, err
		}
	} else if game != "" {
		return one, o, chat.ErrToken
	}
	if one.Day {
		o, err = b.ofDay(one.Game, one.Of)
		o.Asked = true
		return one, o, err
	}
	return one, Opening{Rules: b.Games[one.Game], Options: one.Options, Deal: one.Deal, Asked: true}, nil
}

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
// said, with the game's name.
func (b *Host) patiences(r chat.Request, lang *words.Lang, do string) (question string, _ []chat.Span, answers []chat.Button) {
	w := words.Writer{Lang: lang}
	question = w.Lang.Say("choose-patience")
	w.Add(chat.Strong, question)
	for _, rules := range b.Order {
		if info := rules.Info(); info.ForOne() {
			name := w.Lang.Say("game." + info.Name)
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
	one, err := b.offer(ctx, r, 0)
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
	if r.FromOutside {
		post.To = &r.Who
	}
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// offer offers all games for one to everybody in a place, or, where of isn't 0, all of that day. The newest such offer of the place is made
// again, so that one who comes back to an older message finds it good; of those of a day the one before the newest is left as it is.
func (b *Host) offer(ctx context.Context, r chat.Request, of int) (one table.Offered, err error) {
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		record, err := table.GetPlace(tx, r.In)
		if err != nil {
			return err
		}
		all, err := table.GetOffers(tx, r.In.Community)
		if err != nil {
			return err
		}
		one = table.Offered{Name: table.NameFor(r.ID), Day: of != 0, Of: of}
		same := func(old table.Offered) bool {
			return old.Game == "" && old.Day == one.Day && old.Of%2 == of%2 && old.In.Same(r.In)
		}
		if i := slices.IndexFunc(all, same); i >= 0 {
			one.Name = all[i].Name
			all = slices.Delete(all, i, i+1)
		}
		one.In = r.In
		one.In.Lang = record.Spoken(b.Words, r)
		all = append(all, one)
		return table.PutOffers(tx, r.In.Community, all)
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

// errNoDay refuses a patience of the day where there is none.
const errNoDay engine.Refusal = "no-day"

// ofDay is a game's patience of a day, as it is opened: a day is good until the next is over, as what offers it may come late in the day, by the
// clocks where it is read. Instead of any other it is today's.
func (b *Host) ofDay(game string, of int) (o Opening, err error) {
	days := b.tables.Days
	if now := days.Today(); of != now-1 {
		of = now
	}
	deal, ok := days.Deal(game, of)
	rules := b.Games[game]
	if !ok || rules == nil {
		return o, errNoDay
	}
	o, err = ReadOpening(b.Names, rules, "")
	o.Deal, o.Day = &deal.Number, of
	return o, err
}

// OfDay opens a game's patience of a day, or of today where of is 0 or long ago, as Open does: who has begun it in that place is shown their
// table, and who has ended it how the others did.
func (b *Host) OfDay(ctx context.Context, r chat.Request, game string, of int) (chat.Response, error) {
	o, err := b.ofDay(game, of)
	if err != nil {
		return chat.Response{}, err
	}
	return b.Open(ctx, r, o)
}

// had answers somebody who wants to open the patience of a day that they have begun or ended there; false if they haven't.
func (b *Host) had(ctx context.Context, r chat.Request, o Opening) (_ chat.Response, had bool, err error) {
	if o.Day == 0 || r.Who.Anonymous {
		return chat.Response{}, false, nil
	}
	if response, had, err := b.begun(ctx, r, o); had || err != nil {
		return response, had, err
	}
	days := b.tables.Days
	told, had, err := days.Result(ctx, b.Store, r.In, r.Who.ID, o.Day, o.Rules.Info().Name)
	if err != nil || !had {
		return chat.Response{}, false, err
	}
	return chat.Response{Posts: []chat.Post{days.Post(r, told)}}, true, nil
}

// Begins are the buttons that begin patiences of a day, one for each of the games: where it is crowded in the private chat of whoever
// presses one. Here is the button that lays them out in such a place all the same; nil elsewhere.
func (b *Host) Begins(ctx context.Context, r chat.Request, of int, games []string) (begins []chat.Button, here *chat.Button, err error) {
	lang, do, behind := b.Words.Lang(r.Who.Lang), "!day ", " "+strconv.Itoa(of)
	if r.In.Crowded {
		one, err := b.offer(ctx, r, of)
		if err != nil {
			return nil, nil, err
		}
		do, behind = layInPrivate+one.Name+" ", "" // A link is short.
		here = &chat.Button{Label: lang.Say("button.here"), Token: table.PlaceToken(r, "!here "+one.Name)}
	}
	for _, game := range games {
		begins = append(begins, chat.Button{Label: "▶ " + lang.Say("game."+game), Token: table.PlaceToken(r, do+game+behind), Private: r.In.Crowded})
	}
	return begins, here, nil
}
