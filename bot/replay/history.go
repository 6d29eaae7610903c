package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/account"
	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// linesOf is how many games one page of the list has.
const linesOf = 8

// asked is what somebody wants to see of the list of games.
type asked struct {
	// game is nil for all; user 0 for everybody's.
	game   engine.Rules
	user   int64
	before string
}

// CommandHistory lists the games that have ended in the place, the newest first: all, or those of one game or one player.
func (b *Replays) CommandHistory(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	var a asked
	name, rest, _ := strings.Cut(arg, " ")
	if a.game = b.tables.Names.GameNamed(strings.ToLower(name)); a.game != nil {
		arg = strings.TrimSpace(rest)
	}
	if arg != "" {
		var err error
		if a.user, err = b.player(ctx, r, arg); err != nil {
			return chat.Response{}, err
		}
	}
	return b.page(ctx, r, a)
}

// player is whom somebody means: themselves, whoever they mention as "<@123>", or by a name as people are called now.
func (b *Replays) player(ctx context.Context, r chat.Request, who string) (int64, error) {
	if id, ok := chat.Mention(who); ok {
		return id, nil
	}
	name, err := account.NameOnly(who)
	if err != nil {
		return 0, err
	}
	if lang := b.tables.Words.Lang(r.Who.Lang); strings.EqualFold(name, lang.Say("history.me")) || strings.EqualFold(name, "me") {
		return r.Who.ID, nil
	}
	if err := b.tables.Index.Ready(); err != nil {
		return 0, err
	}
	users, err := storage.Read(ctx, b.tables.Store, func(from storage.Reader) ([]int64, error) {
		origin, err := table.Origin(from, r.In.Community)
		if err != nil {
			return nil, err
		}
		return purse.Named(from, origin, name)
	})
	switch {
	case err != nil:
		return 0, err
	case len(users) == 0:
		return 0, words.Refuse(string(errNobody), words.Blanks{"who": chat.Shorten(name, 40)})
	case len(users) > 1:
		return 0, account.ErrPersons
	}
	return users[0], nil
}

// errNobody refuses to look for games of somebody who isn't known.
const errNobody engine.Refusal = "nobody-so-called"

// Older is the page of the list that a button asks for: "game user mark", each of the first two "-" for all.
func (b *Replays) Older(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	parts := strings.Fields(arg)
	if len(parts) == 0 {
		return b.page(ctx, r, asked{})
	}
	if len(parts) != 3 || !table.IsName(parts[2]) {
		return chat.Response{}, chat.ErrToken
	}
	a := asked{before: parts[2]}
	if parts[0] != none {
		if a.game = b.tables.Games[parts[0]]; a.game == nil {
			return chat.Response{}, chat.ErrToken
		}
	}
	if parts[1] != none {
		var err error
		if a.user, err = strconv.ParseInt(parts[1], 36, 64); err != nil || a.user == 0 {
			return chat.Response{}, chat.ErrToken
		}
	}
	response, err := b.page(ctx, r, a)
	if err == nil {
		response.Posts[0].Edit = r.On
	}
	return response, err
}

const (
	// DoHistory is what a button does that shows a page of the list.
	DoHistory = "games"
	// none stands in it for all games, and for all people.
	none = "-"
)

// older is the token of the button that leads to the games before the one given.
func (a asked) older(r chat.Request, last *table.Table) string {
	game, user := none, none
	if a.game != nil {
		game = a.game.Info().Name
	}
	if a.user != 0 {
		user = strconv.FormatInt(a.user, 36)
	}
	return table.PlaceToken(r, strings.Join([]string{"!" + DoHistory, game, user, table.PlayedMark(last)}, " "))
}

// list is some games of a place, the newest first, and whether there are older ones.
func (b *Replays) list(ctx context.Context, r chat.Request, a asked, most int) ([]*table.Table, bool, error) {
	origin, err := b.origin(ctx, r)
	if err != nil {
		return nil, false, err
	}
	in := table.Search{Origin: origin, Place: r.In, User: a.user, Before: a.before}
	for _, rules := range b.tables.Order {
		if a.game == nil || rules.Info().Name == a.game.Info().Name {
			in.Games = append(in.Games, rules.Info().Name)
		}
	}
	found, more, err := b.tables.Index.Played(ctx, in, most)
	if err != nil || a.before != "" {
		return found, more, err
	}
	newest, err := b.unshown(ctx, r, in)
	if err != nil {
		return nil, false, err
	}
	for _, t := range found {
		if !slices.ContainsFunc(newest, func(n *table.Table) bool { return n.ID == t.ID }) { // It may have been shown meanwhile.
			newest = append(newest, t)
		}
	}
	return newest[:min(len(newest), most)], more || len(newest) > most, nil
}

// unshown are those of the games, the newest first, that have ended at tables of the one who asks and whose last pictures were not shown
// yet: the index has them from then on.
func (b *Replays) unshown(ctx context.Context, r chat.Request, in table.Search) (found []*table.Table, err error) {
	b.tables.Index.PartsIn(ctx, keyspace.OpenParts, in.Origin, r.Who.ID, "", func(tables []table.Stored, failed error) bool {
		err = failed
		for _, t := range tables {
			if in.Has(t.Table) {
				found = append(found, t.Table)
			}
		}
		return false // Nobody has a page full of open tables.
	})
	slices.SortFunc(found, func(a, b *table.Table) int { return cmp.Compare(table.PlayedMark(a), table.PlayedMark(b)) })
	return found, err
}

// page is a page of the list for the one who asks.
func (b *Replays) page(ctx context.Context, r chat.Request, a asked) (chat.Response, error) {
	found, more, err := b.list(ctx, r, a, linesOf)
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.tables.Words.Lang(r.Who.Lang)}
	if len(found) == 0 {
		w.Say(chat.Plain, "history-empty")
	} else {
		b.title(&w, a, found[0])
	}
	var buttons []chat.Button
	for i, t := range found {
		mark := strconv.Itoa(i + 1)
		if a != (asked{}) { // A number is that of the list of all.
			mark = string(rune('a' + i))
		}
		w.Text(fmt.Sprintf("\n%s. ", mark))
		b.line(&w, t)
		if t.Dealt != 0 || dealButtons(t, w.Lang) != nil {
			buttons = append(buttons, chat.Button{Label: "▶ " + mark, Token: token(t.ID, Do)})
		}
	}
	var rows [][]chat.Button
	for half := (linesOf + 1) / 2; len(buttons) > 0; buttons = buttons[min(half, len(buttons)):] {
		rows = append(rows, buttons[:min(half, len(buttons))])
	}
	if more && len(found) > 0 {
		rows = append(rows, []chat.Button{{Label: w.Lang.Say("button.older"), Token: a.older(r, found[len(found)-1])}})
	}
	if !b.tables.Index.Done() {
		w.Text("\n")
		w.Say(chat.Faint, "history-indexing")
	}
	message := chat.Message{Text: w.Spans, Buttons: rows}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}

// title is the line above a page.
func (b *Replays) title(w *words.Writer, a asked, t *table.Table) {
	if a.user == 0 {
		w.Say(chat.Strong, "history")
		return
	}
	w.Phrase(chat.Strong, words.Phrase{Key: "history-of", Blanks: words.Blanks{"who": nameAt(t, a.user)}})
}

// nameAt is what somebody is called at a table where they had a part.
func nameAt(t *table.Table, user int64) string {
	if seat, ok := t.SeatOf(user); ok {
		return t.Name(seat)
	}
	if t.Session != nil {
		return t.Session.Person(user).Name
	}
	return ""
}

// line is a game in the list: what was played, how it ended, when, and how long it took.
func (b *Replays) line(w *words.Writer, t *table.Table) {
	w.Add(chat.Strong, w.Lang.Say("game."+t.Game))
	w.Text(" " + w.Lang.Say("dash") + " ")
	w.Spans = append(w.Spans, b.outcome(t, w.Lang)...)
	w.Text(" · ")
	w.Phrase(chat.Faint, ago(b.tables.Now().Unix()-t.Ended, t.Ended))
	if took := t.Ended - began(t); took > 0 {
		w.Add(chat.Faint, " · ⏱ "+board.ClockText(took))
	}
}

// began is when a game, or its session, began.
func began(t *table.Table) int64 {
	switch {
	case t.Session != nil:
		return t.Session.Began
	case t.Dealt != 0:
		return t.Dealt
	}
	return t.Ended
}
