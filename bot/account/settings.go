package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// changePlace stores what fn makes of what is stored of a place, unless that is an error.
func (b *Accounts) changePlace(ctx context.Context, at chat.Place, fn func(*table.PlaceRecord) error) error {
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		record, err := table.GetPlace(tx, at)
		if err == nil {
			err = fn(&record)
		}
		if err != nil {
			return err
		}
		return table.PutPlace(tx, at, record)
	})
}

const (
	// errLang refuses a language that the bot doesn't speak.
	errLang engine.Refusal = "no-lang"
)

// CommandLang sets the language of a place, and of the tables open in it, for an admin, or for who opened the bot there as long as the
// place has no language. For others it is what the bot speaks to them.
func (b *Accounts) CommandLang(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	arg = strings.ToLower(arg)
	if !b.Words.Speaks(arg) {
		return chat.Response{}, errLang
	}
	if !r.Who.Admin && !r.In.Private {
		if spoken, err := b.isSpoken(ctx, r); spoken || err != nil {
			return b.ownLang(ctx, r, arg, err)
		}
	}
	err := b.changePlace(ctx, r.In, func(record *table.PlaceRecord) error {
		if !r.Who.Admin && !r.In.Private && record.Lang != "" {
			return table.ErrNotAdmin
		}
		record.Lang = arg
		return nil
	})
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.Words.Lang(arg)}
	w.Say(chat.Plain, "lang-set")
	response := chat.Response{Posts: []chat.Post{{In: r.In, Open: chat.Aloud, Message: chat.Message{Text: w.Spans}}}}
	posts, err := b.Tables.RedrawAll(ctx, r, false, func(t *table.Table) { t.Lang = arg })
	response.Posts = append(response.Posts, posts...)
	if err != nil {
		return response, fmt.Errorf("draw the tables of a place in another language: %w", err)
	}
	return response, nil
}

// isSpoken reports whether the place has a language: one was chosen, or found, or somebody else has a table there, or had one.
func (b *Accounts) isSpoken(ctx context.Context, r chat.Request) (bool, error) {
	record, err := storage.Read(ctx, b.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
	if err != nil || record.Lang != "" || record.Found != "" {
		return true, err
	}
	tables, err := b.Tables.Look(ctx, r.In)
	others := slices.ContainsFunc(tables, func(t *table.Table) bool { return t.Host != r.Who.ID })
	return others || len(tables) == 0 && record.Newest != "", err
}

// ownLang chooses what the bot speaks to the one who asks, unless there was an error before. Where nobody can choose that for themselves
// only an admin may choose a language.
func (b *Accounts) ownLang(ctx context.Context, r chat.Request, lang string, err error) (chat.Response, error) {
	if err != nil {
		return chat.Response{}, err
	}
	c, err := find(ofPerson(b.Words), r.In, "my-lang", lang)
	if err != nil || r.Who.Anonymous {
		return chat.Response{}, table.ErrNotAdmin
	}
	if _, err := b.chooseOwn(ctx, r, c, lang); err != nil {
		return chat.Response{}, err
	}
	r.Who.Lang = lang
	return b.toast(r, words.Phrase{Key: "my-lang-set"}), nil
}

// CommandSettings shows what is chosen: for the place to those who may change it, and else, or where they say so, for the one who asks
// alone.
func (b *Accounts) CommandSettings(ctx context.Context, r chat.Request, typed string) (chat.Response, error) {
	if r.Who.Anonymous && b.isMe(typed) {
		return chat.Response{}, table.ErrAnonymous
	}
	return b.showSettings(ctx, r, mayChoose(r) && !b.isMe(typed), "")
}

// isMe reports whether somebody means themselves, in any language.
func (b *Accounts) isMe(typed string) bool {
	return strings.EqualFold(typed, "me") || slices.ContainsFunc(words.Tags(), func(tag string) bool {
		return strings.EqualFold(typed, b.Words.Lang(tag).Say("look.me"))
	})
}

// mayChoose reports whether the one who asks may choose for the whole place.
func mayChoose(r chat.Request) bool { return r.Who.Admin || r.In.Private }

// PressPlace does what a button of the place's settings says: the name of a choice and the value. It shows the settings as they
// are then in the same message.
func (b *Accounts) PressPlace(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	name, value, _ := strings.Cut(arg, " ")
	if name == "" {
		return b.showSettings(ctx, r, true, "")
	}
	c, err := find(ofPlace(b.Words), r.In, name, value)
	if err != nil {
		return chat.Response{}, err
	}
	if c.whole && r.Who.OfPart {
		return chat.Response{}, table.ErrOfPart
	}
	if err := b.choose(ctx, r, c, value); err != nil {
		return chat.Response{}, err
	}
	response, err := b.showSettings(ctx, r, true, c.name)
	if err != nil || !c.draws {
		return response, err
	}
	drawn, err := b.Tables.RedrawAll(ctx, r, c.looks, func(t *table.Table) {
		s := sheet{place: table.PlaceRecord{Lang: t.Lang, Looks: t.Looks}}
		c.set(&s, value)
		t.Lang, t.Looks = s.place.Lang, s.place.Looks
	})
	if err != nil {
		err = fmt.Errorf("draw the tables of a place in another way: %w", err)
	}
	response.Posts = append(response.Posts, drawn...)
	return response, err
}

// PressOwn does what a button of somebody's own settings says, as PressPlace does.
func (b *Accounts) PressOwn(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	name, value, _ := strings.Cut(arg, " ")
	switch {
	case r.Who.Anonymous && name != "done":
		return chat.Response{}, table.ErrAnonymous
	case name == "":
		return b.showSettings(ctx, r, false, "")
	case name == "done":
		return chat.Response{Posts: b.Tables.Closed(r, b.Words.Lang(r.Who.Lang).Say("settings-done"))}, nil
	}
	// uncalled is the button of the calls themselves: it ends them by one press, and shows no settings.
	uncalled := name == "uncalled"
	if uncalled {
		name, value = "called", "off"
	}
	c, err := find(ofPerson(b.Words), r.In, name, value)
	if err != nil {
		return chat.Response{}, err
	}
	own, err := b.chooseOwn(ctx, r, c, value)
	if err != nil {
		return chat.Response{}, err
	}
	if own.Lang != "" {
		r.Who.Lang = own.Lang
	}
	if uncalled {
		return chat.Response{Posts: b.Tables.Closed(r, b.Words.Lang(r.Who.Lang).Say("notify-off"))}, nil
	}
	response, err := b.showSettings(ctx, r, false, c.name)
	if err == nil && name == "notice" && own.Notice == table.InPrivate {
		response.Posts = append(response.Posts, b.first(r))
	}
	return response, err
}

// chooseOwn stores what the one who asks has chosen for themselves, and returns all that they have.
func (b *Accounts) chooseOwn(ctx context.Context, r chat.Request, c choice, value string) (own table.Choices, err error) {
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, r.In.Community)
		if err != nil {
			return err
		}
		if err := table.NotForgotten(tx, origin, r.Who.ID); err != nil {
			return err
		}
		s := sheet{}
		if s.own, err = table.GetChoices(tx, origin, r.Who.ID); err != nil {
			return err
		}
		c.set(&s, value)
		if own = s.own; c.name == "called" {
			return b.setCalled(tx, origin, r, s.called)
		}
		return table.PutChoices(tx, origin, r.Who.ID, own)
	})
	if err != nil {
		return own, fmt.Errorf("choose something for oneself: %w", err)
	}
	b.Langs.Now(r.In.Community, r.Who.ID, own.Lang)
	b.Live.Chose(r.In.Community, r.Who.ID, own)
	if c.name == "my-calls" {
		err = b.Tables.Chose(ctx, r, own)
	}
	return own, err
}

// setCalled has the one who asks called by name when a table opens in the place, or no more.
func (b *Accounts) setCalled(tx storage.Tx, origin string, r chat.Request, on bool) error {
	line, err := table.GetWishes(tx, origin)
	if err != nil || table.Wishes(line, r.Who.ID, r.In) == on {
		return err
	}
	if on {
		return table.PutWishes(tx, origin, append(line, table.WishOf(r.Who, r.In)))
	}
	return table.DropWishes(tx, origin, func(w table.Wish) bool { return w.User == r.Who.ID && w.IsIn(r.In) })
}

// errNoCalls refuses to call somebody where that can't be.
const errNoCalls engine.Refusal = "no-calls"

// CommandNotify has the one who asks called when a table for several opens in the place. What it answers has a button for the
// contrary: a command that did now the one and now the other would do both where it is delivered twice.
func (b *Accounts) CommandNotify(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	c, err := find(ofPerson(b.Words), r.In, "called", "on")
	if err != nil {
		return chat.Response{}, errNoCalls
	}
	if _, err := b.chooseOwn(ctx, r, c, "on"); err != nil {
		return chat.Response{}, err
	}
	lang := b.Words.Lang(r.Who.Lang)
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{
		Text:    []chat.Span{{Text: lang.Say("notify-on")}},
		Buttons: [][]chat.Button{{{Label: lang.Say("button.no-calls"), Token: table.PlaceToken(r, "!own uncalled")}}},
	}}}}, nil
}

// first is the first message to somebody who is to be told in private: whether they can be reached there shows by that.
func (b *Accounts) first(r chat.Request) chat.Post {
	to := r.Who
	return chat.Post{
		In: r.In, To: &to, Direct: true, Receipt: play.NoticeReceipt(table.ID{Community: r.In.Community, Name: table.NoTable}, to.ID),
		Message: chat.Message{Text: []chat.Span{{Text: b.Words.Lang(r.Who.Lang).Say("notice-first")}}},
	}
}

// find is the choice of that name in a place. A button that the house didn't write is refused.
func find(all []choice, in chat.Place, name, value string) (choice, error) {
	i := slices.IndexFunc(all, func(c choice) bool { return c.name == name && (c.where == nil || c.where(in)) })
	if i < 0 || !slices.Contains(all[i].values, value) {
		return choice{}, chat.ErrToken
	}
	return all[i], nil
}

// choose stores a choice of the place.
func (b *Accounts) choose(ctx context.Context, r chat.Request, c choice, value string) error {
	s := sheet{}
	if c.name == "hour" {
		var err error
		if s.hour, err = b.Today.PostHour(ctx, r.In); err != nil {
			return err
		}
		c.set(&s, value)
		return b.Today.SetPostHour(ctx, r.In, s.hour)
	}
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := b.readSheet(tx, r, &s)
		if err != nil {
			return err
		}
		decided := s.decided
		c.set(&s, value)
		if s.decided != decided {
			return storage.PutJSON(tx, table.KeyDecisions(origin), s.decided)
		}
		return table.PutPlace(tx, r.In, s.place)
	})
	if err != nil {
		return fmt.Errorf("choose something for a place: %w", err)
	}
	return nil
}

// readSheet fills in what is chosen, but the hour of the day's post, and returns the community's origin.
func (b *Accounts) readSheet(from storage.Getter, r chat.Request, s *sheet) (origin string, err error) {
	if origin, err = table.Origin(from, r.In.Community); err != nil {
		return "", err
	}
	if s.place, err = table.GetPlace(from, r.In); err != nil {
		return "", err
	}
	if s.decided, err = table.GetDecisions(from, origin); err != nil {
		return "", err
	}
	if s.unheard, err = play.Unheard(from, origin, r.In); err != nil {
		return "", err
	}
	wishes, err := table.GetWishes(from, origin)
	if err != nil {
		return "", err
	}
	s.called = table.Wishes(wishes, r.Who.ID, r.In)
	s.own, err = table.GetChoices(from, origin, r.Who.ID)
	return origin, err
}

// showSettings is what is chosen, as a message for the one who asks, in place of the one that they pressed. What was chosen just now is told
// at once.
func (b *Accounts) showSettings(ctx context.Context, r chat.Request, place bool, chosen string) (response chat.Response, err error) {
	var s sheet
	err = b.Store.View(ctx, func(from storage.Reader) error {
		_, err := b.readSheet(from, r, &s)
		return err
	})
	if err == nil && place {
		s.hour, err = b.Today.PostHour(ctx, r.In)
	}
	if err != nil {
		return chat.Response{}, fmt.Errorf("read the settings: %w", err)
	}
	s.place.Lang = s.place.Spoken(b.Words, r)
	s.unheard = s.unheard || s.hour != nil && s.hour.Lost > 0
	lang := b.Words.Lang(r.Who.Lang)
	all, do, key := ofPerson(b.Words), "!own ", "settings-own"
	if place {
		all, do, key = ofPlace(b.Words), "!set ", "settings-place"
	}
	message := chat.Message{Text: []chat.Span{{Text: lang.Say(key)}}}
	if place && s.unheard {
		message.Text = append(message.Text, chat.Span{Text: "\n\n"}, chat.Span{Text: lang.Say("settings-unheard")})
	}
	var buttons []chat.Button
	for _, c := range all {
		if c.where != nil && !c.where(r.In) || c.whole && r.Who.OfPart {
			continue
		}
		if c.about != "" && apart(r.In) {
			message.Text = append(message.Text, chat.Span{Text: "\n\n"}, chat.Span{Text: lang.Say(c.about), Style: chat.Faint})
		}
		what := c.says(lang, c.now(s))
		if c.clock != nil {
			what = c.clock(s, what)
		}
		label := words.Phrase{Key: "chosen." + c.name, Blanks: words.Blanks{"what": words.Text(what)}}.Flat(lang)
		if c.name == chosen {
			response.Done = label
		}
		buttons = append(buttons, chat.Button{Label: chat.Shorten(label, 80), Token: table.PlaceToken(r, do+c.name+" "+c.next(s))})
	}
	last := []chat.Button{{Label: lang.Say("button.settings-done"), Token: table.PlaceToken(r, "!own done"), Look: chat.Primary}}
	switch {
	case r.In.Private || r.Who.Anonymous:
	case place:
		last = append([]chat.Button{{Label: lang.Say("button.settings-own"), Token: table.PlaceToken(r, "!own")}}, last...)
	case mayChoose(r):
		last = append([]chat.Button{{Label: lang.Say("button.settings-place"), Token: table.PlaceToken(r, "!set")}}, last...)
	}
	perRow := 1
	switch {
	case place && r.In.Community.Platform.HasServers():
		perRow = 3 // A message has five rows there.
	case place, r.In.Community.Platform.HasServers():
		perRow = 2
	}
	message.Buttons = append(slices.Collect(slices.Chunk(buttons, perRow)), last)
	response.Posts = []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Edit: r.On, Message: message}}
	return response, nil
}
