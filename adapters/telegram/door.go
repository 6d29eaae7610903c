package telegram

import (
	"context"
	"slices"
	"strconv"
	"time"

	"zevaka/adapters/door"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// webClient is the origin of Telegram's clients in the browser. They show the page in a frame; other clients need none.
const webClient = "https://web.telegram.org"

// maxLang is how long the name of a language may be.
const maxLang = 35

// entrance is Telegram's door.Door.
type entrance struct {
	*Adapter
	key webapp.Key
}

// Door is Telegram's door to the live tables; nil where these have no public address.
func (a *Adapter) Door() door.Door {
	if a.opts.PublicURL == "" {
		return nil
	}
	return entrance{a, webapp.NewKey(a.opts.Token)}
}

// Path is the path of the page.
func (entrance) Path() string { return livePath }

// Frames are the origins that may show the page in a frame.
func (entrance) Frames() []string { return []string{webClient} }

// Origins are none: the page has the origin of its server.
func (entrance) Origins() []string { return nil }

// Config is nil: the page needs nothing beside its address.
func (entrance) Config() any { return nil }

// Key follows from the token.
func (e entrance) Key() [32]byte { return door.KeyOf(e.opts.Token, useVisits) }

// Enter lets in a user whose login Telegram has signed: to the table in a link that this bot has signed, or without a link to their
// private chat with the bot. Somebody who isn't in the table's chat is refused. Where Telegram doesn't say whether they are, they
// may look.
func (e entrance) Enter(ctx context.Context, h door.Hello) (door.Visit, error) {
	now := time.Now()
	login, err := e.key.Read(h.Login, now)
	if err != nil {
		return door.Visit{}, err
	}
	if h.Start == "" {
		h.Start = login.Start
	}
	u := user{
		ID: login.User.ID, FirstName: login.User.FirstName, LastName: login.User.LastName, Username: login.User.Username, LanguageCode: login.User.Lang,
	}
	v := door.Visit{Who: u.person(), In: placeOf(u.ID)}
	v.Who.Name = chat.CleanName(v.Who.Name)
	if len(v.Who.Lang) > maxLang {
		v.Who.Lang = ""
	}
	if h.Start != "" {
		start, err := webapp.ReadStart(e.tables, h.Start)
		switch {
		case err != nil:
			return door.Visit{}, err
		case start.Chat > 0 && start.Chat != u.ID:
			return door.Visit{}, door.ErrPlace
		}
		v.In, v.Table = placeOf(start.Chat), start.Table
		v.In.Thread = start.Thread
	}
	if !v.In.Private {
		now, in, err := e.belongs(ctx, v)
		v = now
		switch {
		case err == nil && !in:
			return door.Visit{}, door.ErrPlace
		case err != nil && ctx.Err() != nil:
			return door.Visit{}, door.ErrAway
		}
		v.Unsure = err != nil
	}
	// The login is used up last, so that it is still good where Telegram didn't answer.
	if !e.logins.Use(login, now) {
		return door.Visit{}, door.ErrOld
	}
	e.people.meet(&u)
	return v, nil
}

// belongs reports whether a visitor is in the group of their visit, with the visit as it goes on there: Telegram gives a group another
// number when it becomes a supergroup.
func (e entrance) belongs(ctx context.Context, v door.Visit) (door.Visit, bool, error) {
	v = e.goesOn(v)
	in, err := e.members.of(v.Who.ID)(ctx, v.In.Community)
	if to := refusedAs(err).migrate; to != 0 && e.out.moves(v.In.Community.ID, to) {
		v = e.goesOn(v)
		in, err = e.members.of(v.Who.ID)(ctx, v.In.Community)
	}
	return v, in, err
}

// goesOn is a visit as it goes on in what its group has become, as far as that is known.
func (e entrance) goesOn(v door.Visit) door.Visit {
	to, ok := e.out.upgrades.Get(v.In.Community.ID)
	if !ok {
		return v
	}
	v.In = v.In.MigratedTo(community(to))
	if id, ok := table.ParseID(v.Table); ok {
		id.Community = v.In.Community
		v.Table = id.String()
	}
	return v
}

// Stay refuses a visitor who isn't in the chat any more, as Telegram says, and has one go on where the chat does.
func (e entrance) Stay(ctx context.Context, v door.Visit) error {
	if v.In.Private {
		return nil
	}
	now, in, err := e.belongs(ctx, v)
	switch {
	case err == nil && !in:
		return door.ErrPlace
	case now.In != v.In:
		return door.Moved{Visit: now}
	}
	return nil
}

// Ask puts a press or a command of a visitor to the bot. The bot itself asks whether they are still in the table's chat; Telegram's
// answer may be a minute old.
func (e entrance) Ask(ctx context.Context, v door.Visit, r chat.Request) chat.Response {
	lang := e.opts.Words.Lang(v.Who.Lang)
	if r.Kind != chat.Press && r.Kind != chat.Command {
		return chat.Response{Toast: lang.Say("no.bad-button"), Alert: true}
	}
	leave, ok := e.Tasks.Enter()
	if !ok {
		return chat.Response{Toast: lang.Say("broken"), Alert: true}
	}
	defer leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleTime)
	defer cancel()
	asked := chat.Request{
		ID:  "tg-d" + strconv.FormatInt(v.Who.ID, 10) + "/" + r.ID,
		Who: v.Who, In: v.In, Kind: r.Kind, Data: r.Data, Text: r.Text,
		FromOutside: !v.In.Private, Live: true, Member: e.members.follow(v.Who.ID),
	}
	asked.Who.Admin = e.out.isAdmin(v.In, v.Who.ID)
	response := e.bot.Handle(ctx, asked)
	var others, closed []chat.Post
	own := slices.DeleteFunc(slices.Clone(response.Posts), func(p chat.Post) bool {
		_, _, stands := parseRef(p.Edit)
		switch {
		case p.To != nil && p.To.ID == v.Who.ID && !p.In.Private && stands:
			closed = append(closed, p)
		case !isOwn(p, v.Who.ID):
			others = append(others, p)
		default:
			return false
		}
		return true
	})
	for i := range own {
		own[i].To = &v.Who
	}
	func() {
		defer e.out.together(others)()
		for _, p := range others {
			e.out.showOne(table.Home(asked), p, v.Who.ID)
		}
	}()
	e.out.closeQuestions(incoming{Request: asked}, chat.Response{Posts: closed}, true)
	response.Posts = own
	if response.Toast == "" && response.Done == "" && response.Opened == "" && len(own) == 0 && slices.ContainsFunc(others, isNew) {
		response.Toast = lang.Say("telegram.in-chat")
	}
	return response
}

// isNew reports whether a post is a new message, and no table's picture.
func isNew(p chat.Post) bool { return p.Table == "" && p.Edit == "" && !p.Delete }

// isOwn reports whether a post concerns only the one who has asked, and is no table's picture.
func isOwn(p chat.Post, who int64) bool {
	switch {
	case p.To != nil && !p.In.Private:
		return p.To.ID == who && !p.Direct
	case p.Table != "" || p.Edit != "" || p.Receipt != "" || p.Draw != nil || p.Delete:
		return false
	}
	return p.In.Channel == who || p.Open == chat.Common
}

var _ door.Homed = entrance{}

// Home is the private chat of whoever has logged in. The link doesn't count, because the same login can come with another one.
func (e entrance) Home(h door.Hello) (home chat.Community, made time.Time, err error) {
	login, err := e.key.Read(h.Login, time.Now())
	if err != nil {
		return chat.Community{}, time.Time{}, err
	}
	return placeOf(login.User.ID).Community, login.At, nil
}
