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

// webClient is where Telegram's clients in the browser stand, which show the page in a frame; the others show it themselves.
const webClient = "https://web.telegram.org"

// maxLang is how long the name of a language may be.
const maxLang = 35

// entrance is the way to the live tables for those who come from Telegram's clients.
type entrance struct {
	*Adapter
	key webapp.Key
}

// Door is the way to the live tables for those who come from Telegram's clients; nil where the tables have no public address.
func (a *Adapter) Door() door.Door {
	if a.opts.PublicURL == "" {
		return nil
	}
	return entrance{a, webapp.NewKey(a.opts.Token)}
}

// Path is where the page stands.
func (entrance) Path() string { return livePath }

// Frames are the origins that may show the page in a frame.
func (entrance) Frames() []string { return []string{webClient} }

// Origins are none: the page has that of its server.
func (entrance) Origins() []string { return nil }

// Config is nothing: the page's address says it all.
func (entrance) Config() any { return nil }

// Key follows from the token.
func (e entrance) Key() [32]byte { return door.KeyOf(e.opts.Token, useVisits) }

// Enter lets in whom Telegram vouches for: to the table whose link this bot wrote, else to their own chat with it. Who isn't in
// the table's chat is refused where Telegram says so; where it says nothing they may look.
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
		in, err := e.members.of(u.ID)(ctx, v.In.Community)
		switch {
		case err == nil && !in:
			return door.Visit{}, door.ErrPlace
		case err != nil && ctx.Err() != nil:
			return door.Visit{}, door.ErrAway
		}
		v.Unsure = err != nil
	}
	// Who has to try again because Telegram is away may do it with the same login.
	if !e.logins.Use(login, now) {
		return door.Visit{}, door.ErrOld
	}
	e.people.meet(&u)
	return v, nil
}

// Stay refuses a visitor of whom Telegram says that they aren't in the chat any more.
func (e entrance) Stay(ctx context.Context, v door.Visit) error {
	if v.In.Private {
		return nil
	}
	if in, err := e.members.of(v.Who.ID)(ctx, v.In.Community); err == nil && !in {
		return door.ErrPlace
	}
	return nil
}

// Ask puts a press or a command of a visitor to the bot. Whether they are still in the table's chat the bot asks, and is told
// what Telegram said within the last minute.
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
		Afar: !v.In.Private, Live: true, Member: e.members.of(v.Who.ID),
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
	e.out.showFor(table.Home(asked), chat.Response{Posts: others})
	e.out.closeQuestions(incoming{Request: asked}, chat.Response{Posts: closed})
	response.Posts = own
	if response.Toast == "" && response.Done == "" && response.Opened == "" && len(own) == 0 && slices.ContainsFunc(others, isNew) {
		response.Toast = lang.Say("telegram.in-chat")
	}
	return response
}

// isNew reports whether a post is a new message, and no table's picture.
func isNew(p chat.Post) bool { return p.Table == "" && p.Edit == "" && !p.Delete }

// isOwn reports whether a post is nothing to others than the one who has asked, and is none of a table's pictures.
func isOwn(p chat.Post, who int64) bool {
	switch {
	case p.To != nil && !p.In.Private:
		return p.To.ID == who
	case p.Table != "" || p.Edit != "" || p.Receipt != "" || p.Draw != nil || p.Delete:
		return false
	}
	return p.In.Channel == who || p.Open == chat.Common
}
