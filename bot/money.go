package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/words"
	"zevaka/storage"
)

const (
	// ledgerPage is how many lines of the ledger one message has, topLength how many people a list of the best has.
	ledgerPage, topLength = 12, 10
	// kopecks are those of a rouble.
	kopecks = 100
)

// withLedger runs fn on the ledger of the request's community, as one transaction.
func (b *Bot) withLedger(ctx context.Context, r Request, fn func(purse.Ledger) error) error {
	return storage.Update(ctx, b.store, func(tx storage.Tx) error {
		first, err := home(tx, r.In.Community)
		if err != nil {
			return err
		}
		return fn(purse.Ledger{Tx: tx, Community: first, Now: b.now().Unix()})
	})
}

// homeOf is the name under which the chips of the request's community are kept.
func (b *Bot) homeOf(ctx context.Context, r Request) (first string, err error) {
	err = b.withLedger(ctx, r, func(l purse.Ledger) error { first = l.Community; return nil })
	return first, err
}

// personal is a request's ID as part of a posting's.
func personal(kind string, r Request) string { return fmt.Sprintf("%s/%x", kind, hash(r.ID)) }

// commandBalance tells what one's own purse holds, or somebody else's.
func (b *Bot) commandBalance(ctx context.Context, r Request, arg string) (Response, error) {
	p, key := purse.Purse{User: r.Who.ID}, "balance"
	if arg != "" {
		var err error
		if p, err = b.person(ctx, r, arg); err != nil {
			return Response{}, err
		}
	}
	if p.User == r.Who.ID {
		err := b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
			p, err = l.Open(r.Who.ID, r.Who.Name)
			return err
		})
		if err != nil {
			return Response{}, fmt.Errorf("look into a purse: %w", err)
		}
	} else {
		key = "balance-of"
	}
	return b.toast(r, phrase{key: key, blanks: blanks{"who": p.Name, "n": int(p.Balance), "roubles": b.roubles(r, p.Balance)}}), nil
}

// toast is an answer in one sentence, for the one who asked.
func (b *Bot) toast(r Request, p phrase) Response {
	return Response{Toast: shorten(p.flat(b.words.Lang(r.Who.Lang)), maxToast)}
}

// roubles is an amount in roubles, as "30" or "0.75", or "0,75" where people write so.
func (b *Bot) roubles(r Request, amount int64) phrase {
	text := strconv.FormatInt(amount/kopecks, 10)
	if rest := amount % kopecks; rest != 0 {
		text += b.words.Lang(r.Who.Lang).Say("decimal-point") + fmt.Sprintf("%02d", rest)
	}
	return phrase{key: text}
}

// commandDaily gives the chips of the day.
func (b *Bot) commandDaily(ctx context.Context, r Request, _ string) (Response, error) {
	var gift purse.Gift
	var p purse.Purse
	err := b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
		if gift, err = l.Daily(personal("daily", r), r.Who.ID); err != nil {
			return err
		}
		p, err = l.Open(r.Who.ID, r.Who.Name)
		return err
	})
	if err != nil {
		return Response{}, fmt.Errorf("give the daily chips: %w", err)
	}
	return b.toast(r, phrase{key: "daily", n: gift.Streak, blanks: blanks{
		"n": int(gift.Amount), "days": gift.Streak, "balance": int(p.Balance),
	}}), nil
}

// announce is a message for everybody in the place.
func (b *Bot) announce(ctx context.Context, r Request, p phrase) ([]Post, error) {
	lang, err := b.langOf(ctx, r)
	if err != nil {
		return nil, err
	}
	w := writer{lang: lang}
	w.phrase(Plain, p)
	return []Post{{In: r.In, Message: Message{Text: w.spans}}}, nil
}

// commandLedger shows somebody their own entries.
func (b *Bot) commandLedger(ctx context.Context, r Request, _ string) (Response, error) {
	return b.ledgerPage(ctx, r, 0)
}

// ledgerPage is a page of the ledger: the entries before the one with that number, the newest first.
func (b *Bot) ledgerPage(ctx context.Context, r Request, before int64) (Response, error) {
	first, err := b.homeOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	book := purse.Book{Store: b.store, Community: first}
	lines, err := book.History(ctx, r.Who.ID, before, ledgerPage+1)
	if err != nil {
		return Response{}, err
	}
	names, err := b.namesIn(ctx, r, lines)
	if err != nil {
		return Response{}, err
	}
	lang := b.words.Lang(r.Who.Lang)
	var carried purse.Carried
	if len(lines) <= ledgerPage {
		carried, err = book.Carried(ctx, r.Who.ID)
		if err != nil {
			return Response{}, err
		}
	}
	w := writer{lang: lang}
	if len(lines) == 0 && carried.Entries == 0 {
		w.say(Plain, "ledger-empty")
	} else {
		w.say(Strong, "ledger")
	}
	for _, line := range lines[:min(len(lines), ledgerPage)] {
		w.text("\n" + time.Unix(line.Time, 0).UTC().Format("02.01 15:04") + "  ")
		w.add(Strong, signed(line.Amount))
		w.text("  " + lang.Say("chips."+line.Kind))
		if name := names[line.With]; name != "" {
			w.text(" (" + name + ")")
		}
		w.add(Faint, "  = "+strconv.FormatInt(line.Balance, 10))
	}
	if n := int(carried.Entries); n > 0 {
		w.text("\n")
		w.phrase(Faint, phrase{key: "ledger-carried", n: n, blanks: blanks{"n": n, "sum": phrase{key: signed(carried.Amount)}}})
	}
	message := Message{Text: w.spans}
	if len(lines) > ledgerPage {
		do := fmt.Sprint("!ledger ", lines[ledgerPage-1].N)
		message.Buttons = [][]Button{{{Label: lang.Say("button.older"), Token: placeToken(r, do)}}}
	}
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// namesIn are the names of the other people in the lines.
func (b *Bot) namesIn(ctx context.Context, r Request, lines []purse.Line) (map[int64]string, error) {
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
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		purses, err := l.Purses(users...)
		for _, p := range purses {
			names[p.User] = p.Name
		}
		return err
	})
	return names, err
}

// commandTop shows everybody whose purses hold most, and who has won most in one session.
func (b *Bot) commandTop(ctx context.Context, r Request, _ string) (Response, error) {
	first, err := b.homeOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	richest, err := purse.Book{Store: b.store, Community: first}.Richest(ctx, topLength)
	if err != nil {
		return Response{}, err
	}
	lang, err := b.langOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	w := writer{lang: lang}
	w.say(Strong, "top")
	for i, p := range richest {
		w.text(fmt.Sprintf("\n%d. %s  %d", i+1, called(p, lang), p.Balance))
	}
	if len(richest) == 0 {
		w.text("\n")
		w.say(Plain, "top-empty")
	}
	if err := b.topSessions(ctx, &w, first); err != nil {
		return Response{}, err
	}
	return Response{Posts: []Post{{In: r.In, Message: Message{Text: w.spans}}}}, nil
}

// called is what the purse's user is called in a language: somebody who was forgotten has no name.
func called(p purse.Purse, lang *words.Lang) string { return cmp.Or(p.Name, lang.Say("nameless")) }

// topSessions lists who has won most in one session, for each game with a banker.
func (b *Bot) topSessions(ctx context.Context, w *writer, home string) error {
	var games []string
	for _, rules := range b.order {
		if info := rules.Info(); info.Banker {
			games = append(games, info.Name)
		}
	}
	boards, err := scores.Book{Store: b.store, Community: home}.Boards(ctx, games...)
	if err != nil {
		return err
	}
	for i, board := range boards {
		for n, row := range board.Chips {
			if n == 0 {
				w.text("\n\n")
				w.phrase(Strong, phrase{key: "top-sessions", blanks: blanks{"game": w.lang.Say("game." + games[i])}})
			}
			w.text(fmt.Sprintf("\n%d. %s  %s", n+1, row.Name, signed(row.BestChips)))
		}
	}
	return nil
}

// langOf is the language that the bot speaks in the request's place.
func (b *Bot) langOf(ctx context.Context, r Request) (lang *words.Lang, err error) {
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		record, err := getPlace(tx, r.In)
		lang = b.words.Lang(b.placeLang(record, r))
		return err
	})
	return lang, err
}

// noTable is the name of no table, in the tokens of buttons that belong to none.
const noTable = "0"

// placeToken is the token of a button that belongs to no table.
func placeToken(r Request, do string) string {
	return token{Table: tableID{r.In.Community, noTable}, Do: do}.String()
}

// pressPlace does what a button says that belongs to no table.
func (b *Bot) pressPlace(ctx context.Context, r Request, tok token) (Response, error) {
	name, arg, _ := strings.Cut(tok.Do, " ")
	if name == "!aside" {
		return b.openAside(ctx, r, tok.Table.Community, arg)
	}
	if tok.Table.Community != r.In.Community {
		if !r.In.Private || name == "!patience" {
			return Response{}, errToken
		}
		r.In.Community = tok.Table.Community // Somebody reads alone what was asked for in a group.
	}
	switch name {
	case "!give":
		return b.give(ctx, r, arg)
	case "!here":
		return b.openHere(ctx, r, arg)
	case "!patience":
		return b.commandPatience(ctx, r, arg)
	case "!forget":
		return b.forgetMe(ctx, r)
	case "!mydata":
		return b.myData(ctx, r, arg)
	case "!ledger":
		if arg == "" {
			return b.ledgerPage(ctx, r, 0)
		}
		before, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || before < 1 {
			return Response{}, errToken
		}
		return b.ledgerPage(ctx, r, before)
	}
	return Response{}, errToken
}
