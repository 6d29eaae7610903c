package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// ledgerPage is how many lines of the ledger one message has, topLength how many people a list of the best has.
const ledgerPage, topLength = 12, 10

// withLedger runs fn on the ledger of the request's community, as one transaction.
func (b *Accounts) withLedger(ctx context.Context, r chat.Request, fn func(purse.Ledger) error) error {
	return storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, r.In.Community)
		if err != nil {
			return err
		}
		return fn(purse.Ledger{Tx: tx, Community: origin, Now: b.Now().Unix(), WonOnly: b.RoomOpen && r.In.Community.Platform == chat.Web})
	})
}

// openPurse opens the user's purse, if it was never touched, and notes what they are called.
func openPurse(l purse.Ledger, u chat.User) (purse.Purse, error) {
	p, err := l.Open(u.ID, u.Name)
	if err == nil {
		err = purse.SeenName(l.Tx, l.Community, u.ID, u.Name)
	}
	return p, err
}

// originOf is the name under which the chips of the request's community are kept.
func (b *Accounts) originOf(ctx context.Context, r chat.Request) (string, error) {
	return storage.Read(ctx, b.Store, func(from storage.Reader) (string, error) { return table.Origin(from, r.In.Community) })
}

// view runs fn on one moment of the store, with the name under which the chips of the request's community are kept.
func (b *Accounts) view(ctx context.Context, r chat.Request, fn func(from storage.Reader, origin string) error) error {
	return b.Store.View(ctx, func(from storage.Reader) error {
		origin, err := table.Origin(from, r.In.Community)
		if err != nil {
			return err
		}
		return fn(from, origin)
	})
}

// ownID is a request's ID as part of a posting's.
func ownID(kind string, r chat.Request) string {
	return fmt.Sprintf("%s/%x", kind, table.Hash(r.ID))
}

// CommandBalance tells what one's own purse holds, or somebody else's.
func (b *Accounts) CommandBalance(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	p, key, err := purse.Purse{User: r.Who.ID}, "balance", error(nil)
	switch {
	case arg != "" && r.Barred() != nil:
		return chat.Response{}, r.Barred()
	case arg != "":
		if p, err = b.person(ctx, r, arg); err != nil {
			return chat.Response{}, err
		}
	}
	switch {
	case p.User != r.Who.ID:
		key = "balance-of"
	case r.Barred() != nil:
		if p, err = b.purseOf(ctx, r, r.Who.ID); err == nil && p.Entries == 0 {
			err = r.Barred()
		}
	default:
		err = b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
			p, err = openPurse(l, r.Who)
			return err
		})
	}
	if err != nil {
		return chat.Response{}, fmt.Errorf("look into a purse: %w", err)
	}
	return b.toast(r, words.Phrase{Key: key, Blanks: words.Blanks{"who": p.Name, "n": int(p.Balance)}}), nil
}

// purseOf is somebody's purse as it is kept; one that was never opened has no entries.
func (b *Accounts) purseOf(ctx context.Context, r chat.Request, user int64) (p purse.Purse, err error) {
	err = b.view(ctx, r, func(from storage.Reader, origin string) error {
		purses, err := purse.Purses(from, origin, user)
		if err == nil {
			p = purses[0]
		}
		return err
	})
	return p, err
}

// toast is an answer in one sentence, for the one who asked.
func (b *Accounts) toast(r chat.Request, p words.Phrase) chat.Response {
	return chat.Response{Toast: chat.Shorten(p.Flat(b.Words.Lang(r.Who.Lang)), chat.MaxToast)}
}

// errNoDaily refuses the free chips of the day where admins have decided that there are none.
const errNoDaily engine.Refusal = "daily-off"

// CommandDaily gives the chips of the day.
func (b *Accounts) CommandDaily(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	var gift purse.Gift
	var p purse.Purse
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		decided, err := table.GetDecisions(l.Tx, l.Community)
		if err == nil && decided.NoDaily {
			err = errNoDaily
		}
		if err != nil {
			return err
		}
		if gift, err = l.Daily(ownID("daily", r), r.Who.ID); err != nil {
			return err
		}
		p, err = openPurse(l, r.Who)
		return err
	})
	if err != nil {
		return chat.Response{}, fmt.Errorf("give the daily chips: %w", err)
	}
	return b.toast(r, words.Phrase{Key: "daily", N: gift.Streak, Blanks: words.Blanks{
		"n": int(gift.Amount), "days": gift.Streak, "balance": int(p.Balance),
	}}), nil
}

// announce is a message for everybody in the place.
func (b *Accounts) announce(ctx context.Context, r chat.Request, p words.Phrase) ([]chat.Post, error) {
	lang, err := b.langOf(ctx, r)
	if err != nil {
		return nil, err
	}
	post := b.Words.ForAll(r.In, lang, func(lang *words.Lang) chat.Message { return chat.Message{Text: lang.Spans(p)} })
	post.Open = chat.Aloud
	return []chat.Post{post}, nil
}

// CommandLedger shows somebody their own entries.
func (b *Accounts) CommandLedger(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.ledgerPage(ctx, r, 0)
}

// ledgerPage is a page of the ledger: the entries before the one with that number, the newest first.
func (b *Accounts) ledgerPage(ctx context.Context, r chat.Request, before int64) (chat.Response, error) {
	origin, err := b.originOf(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	book := purse.Book{Store: b.Store, Community: origin}
	lines, err := book.History(ctx, r.Who.ID, before, ledgerPage+1)
	if err != nil {
		return chat.Response{}, err
	}
	names, err := b.namesIn(ctx, r, lines)
	if err != nil {
		return chat.Response{}, err
	}
	lang := b.Words.Lang(r.Who.Lang)
	var carried purse.Carried
	if len(lines) <= ledgerPage {
		carried, err = book.Carried(ctx, r.Who.ID)
		if err != nil {
			return chat.Response{}, err
		}
	}
	w := words.Writer{Lang: lang}
	if len(lines) == 0 && carried.Entries == 0 {
		w.Say(chat.Plain, "ledger-empty")
	} else {
		w.Say(chat.Strong, "ledger")
	}
	for _, line := range lines[:min(len(lines), ledgerPage)] {
		w.Text("\n" + time.Unix(line.Time, 0).UTC().Format("02.01 15:04") + "  ")
		w.Add(chat.Strong, board.Signed(line.Amount))
		w.Text("  " + lang.Say("chips."+line.Kind))
		if name := names[line.With]; name != "" {
			w.Text(" (" + name + ")")
		}
		w.Text(" · ")
		w.Phrase(chat.Faint, words.Phrase{Key: "ledger-balance", Blanks: words.Blanks{"n": int(line.Balance)}})
	}
	if n := int(carried.Entries); n > 0 {
		w.Text("\n")
		w.Phrase(chat.Faint, words.Phrase{Key: "ledger-carried", N: n, Blanks: words.Blanks{"n": n, "sum": words.Text(board.Signed(carried.Amount))}})
	}
	var buttons []chat.Button
	if len(lines) > 0 {
		buttons = b.Charts.Purse(r, lang)
	}
	if len(lines) > ledgerPage {
		do := fmt.Sprint("!ledger ", lines[ledgerPage-1].N)
		buttons = append(buttons, chat.Button{Label: lang.Say("button.older"), Token: table.PlaceToken(r, do)})
	}
	message := chat.Message{Text: w.Spans, Buttons: ChartRows(buttons)}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// namesIn are the names of the other people in the lines.
func (b *Accounts) namesIn(ctx context.Context, r chat.Request, lines []purse.Line) (map[int64]string, error) {
	var users []int64
	for _, line := range lines {
		if line.With != 0 && !slices.Contains(users, line.With) {
			users = append(users, line.With)
		}
	}
	names := map[int64]string{}
	if len(users) == 0 {
		return names, nil
	}
	err := b.view(ctx, r, func(from storage.Reader, origin string) error {
		purses, err := purse.Purses(from, origin, users...)
		for _, p := range purses {
			names[p.User] = p.Name
		}
		return err
	})
	return names, err
}

// CommandTop shows everybody whose purses hold most, and who has won most in one session.
func (b *Accounts) CommandTop(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	var lang *words.Lang
	var community string
	var richest []purse.Purse
	var sure bool
	games, rated := b.gamesWith(func(i engine.Info) bool { return i.Banker }), b.Charts.Rated()
	var boards []scores.Board
	err := b.view(ctx, r, func(from storage.Reader, origin string) (err error) {
		community = origin
		if lang, err = b.langIn(from, r); err != nil {
			return err
		}
		if richest, sure, err = purse.Listed(from, origin, topLength); err != nil {
			return err
		}
		boards, err = scores.Boards(from, origin, slices.Concat(games, rated)...)
		return err
	})
	if err == nil && !sure {
		richest, err = b.richest(ctx, community, richest)
	}
	if err != nil {
		return chat.Response{}, err
	}
	post := b.Words.ForAll(r.In, lang, func(lang *words.Lang) chat.Message {
		w := words.Writer{Lang: lang}
		w.Say(chat.Strong, "top")
		for i, p := range richest {
			w.Text(fmt.Sprintf("\n%d. %s  %d", i+1, called(p, lang), p.Balance))
		}
		if len(richest) == 0 {
			w.Text("\n")
			w.Say(chat.Plain, "top-empty")
		}
		topSessions(&w, games, boards[:len(games)])
		topRated(&w, rated, boards[len(games):])
		message := chat.Message{Text: w.Spans, Buttons: ChartRows(b.Charts.Ratings(r, lang, rated, boards[len(games):]))}
		if len(richest) > 0 {
			message.Buttons = append(message.Buttons, ChartRows(b.Charts.Purse(r, lang))...)
		}
		return message
	})
	post.Open = chat.Common
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// richest are the fullest purses, where the list of them has to be made anew. If that takes long it is made later, and
// those are told meanwhile who are listed as rich.
func (b *Accounts) richest(ctx context.Context, origin string, listed []purse.Purse) ([]purse.Purse, error) {
	richest, err := purse.Book{Store: b.Store, Community: origin, Most: fewPurses}.Richest(ctx, topLength)
	if !errors.Is(err, purse.ErrMany) {
		return richest, err
	}
	b.tasks.postpone(task{origin: origin})
	if len(listed) == 0 {
		return nil, table.ErrNotReady
	}
	return listed, nil
}

// fewPurses is how many purses a press looks into.
const fewPurses = 500

// called is what the purse's user is called in a language: somebody who was forgotten has no name.
func called(p purse.Purse, lang *words.Lang) string { return cmp.Or(p.Name, lang.Say("guest")) }

// gamesWith are the games that are like that.
func (b *Accounts) gamesWith(like func(engine.Info) bool) (games []string) {
	for _, rules := range b.Order {
		if info := rules.Info(); like(info) {
			games = append(games, info.Name)
		}
	}
	return games
}

// topSessions lists who has won most in one session, for each of the games.
func topSessions(w *words.Writer, games []string, boards []scores.Board) {
	for i, list := range boards {
		for n, row := range list.Chips {
			if n == 0 {
				w.Text("\n\n")
				w.Phrase(chat.Strong, words.Phrase{Key: "top-sessions", Blanks: words.Blanks{"game": w.Lang.Say("game." + games[i])}})
			}
			w.Text(fmt.Sprintf("\n%d. %s  %s", n+1, row.Name, board.Signed(row.BestChips)))
		}
	}
}

// topRated lists the highest ratings of those who have won most often, for each of the games, and says what a rating is.
func topRated(w *words.Writer, games []string, boards []scores.Board) {
	any := false
	for i, list := range boards {
		for n, row := range list.Ranked() {
			if n == 0 {
				any = true
				w.Text("\n\n")
				w.Phrase(chat.Strong, words.Phrase{Key: "top-rated", Blanks: words.Blanks{"game": w.Lang.Say("game." + games[i])}})
			}
			w.Text(fmt.Sprintf("\n%d. %s  %d", n+1, row.Name, row.Rating.Points()))
		}
	}
	if any {
		w.Text("\n")
		w.Say(chat.Faint, "rating-is")
	}
}

// langOf is the language that the bot speaks in the request's place.
func (b *Accounts) langOf(ctx context.Context, r chat.Request) (*words.Lang, error) {
	return storage.Read(ctx, b.Store, func(from storage.Reader) (*words.Lang, error) { return b.langIn(from, r) })
}

func (b *Accounts) langIn(from storage.Getter, r chat.Request) (*words.Lang, error) {
	record, err := table.GetPlace(from, r.In)
	return b.Words.Lang(record.Spoken(b.Words, r)), err
}

// LedgerFrom is the page of the ledger that a button asks for: the newest, or that before an entry.
func (b *Accounts) LedgerFrom(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if arg == "" {
		return b.ledgerPage(ctx, r, 0)
	}
	before, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || before < 1 {
		return chat.Response{}, chat.ErrToken
	}
	return b.ledgerPage(ctx, r, before)
}
