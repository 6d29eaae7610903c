package play

import (
	"context"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/table"
	"zevaka/bot/words"
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
		all = append(all, table.Offered{Name: name, In: at, Game: game, Options: o.Options, Deal: o.Deal, Day: o.Day != 0, Lesson: o.Lesson, Asked: r.Who.ID})
		return table.PutOffers(tx, r.In.Community, all[max(0, len(all)-table.MaxOffers):])
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
	r.Bar(table.BarOutside(ctx, b.tables.Log, r, tok.Table.Community))
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
		o.Name = table.NameFor("aside " + c.String() + "/" + name)
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
		o, err = b.today(one.Game)
		o.Asked = true
		return one, o, err
	}
	return one, Opening{Rules: b.Games[one.Game], Options: one.Options, Deal: one.Deal, Lesson: one.Lesson, Asked: true}, nil
}
