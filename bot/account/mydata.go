package account

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

// partsPage is how many tables one page of what is kept about a person has.
const partsPage = 12

// CommandMyData tells somebody all that is kept about them.
func (b *Accounts) CommandMyData(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	return b.MyData(ctx, r, "")
}

// MyData is a page of what is kept about the one who asks: the tables after the key given, and on the first page what
// there is beside them. The entries of the ledger have pages of their own.
func (b *Accounts) MyData(ctx context.Context, r chat.Request, after string) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	w.Phrase(chat.Strong, words.Phrase{Key: "mydata", Blanks: words.Blanks{"number": words.Text(strconv.FormatInt(r.Who.ID, 10))}})
	heading := len(w.Spans)
	var buttons []chat.Button
	if after == "" {
		hasPurse, err := b.aboutMe(ctx, &w, r, origin)
		if err != nil {
			return chat.Response{}, err
		}
		if hasPurse {
			buttons = append(buttons, chat.Button{Label: w.Lang.Say("button.my-ledger"), Token: table.PlaceToken(r, "!ledger")})
		}
	}
	more, err := b.myTables(ctx, &w, r.Who.ID, origin, after)
	if err != nil {
		return chat.Response{}, err
	}
	if after == "" && len(w.Spans) > heading {
		buttons = append(buttons, chat.Button{Label: w.Lang.Say("button.my-file"), Token: table.PlaceToken(r, "!file")})
	}
	if more != "" {
		buttons = append(buttons, chat.Button{Label: w.Lang.Say("button.my-tables"), Token: table.PlaceToken(r, "!mydata "+more)})
	}
	if after == "" && len(w.Spans) == heading {
		w.Spans = nil
		w.Say(chat.Plain, "mydata-nothing")
	}
	message := chat.Message{Text: w.Spans}
	if len(buttons) > 0 {
		message.Buttons = [][]chat.Button{buttons}
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// aboutMe tells what is kept about a person beside tables: the purse and the scores. HasPurse says that there is one.
func (b *Accounts) aboutMe(ctx context.Context, w *words.Writer, r chat.Request, origin string) (hasPurse bool, err error) {
	var p purse.Purse
	var tallies []scores.Tally
	var days day.Person
	err = b.Store.View(ctx, func(from storage.Reader) error {
		if p, tallies, err = kept(from, b.Order, origin, r.Who.ID); err != nil {
			return err
		}
		days, err = day.PersonOf(from, origin, r.Who.ID)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("read what is kept about a person: %w", err)
	}
	if p.Entries > 0 {
		w.Text("\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "mydata.purse", Blanks: words.Blanks{
			"who": called(p, w.Lang), "n": int(p.Balance), "entries": int(p.Entries),
		}})
		if p.Day > 0 {
			day := time.Unix(p.Day*24*60*60, 0).UTC().Format("02.01.2006")
			w.Text(" ")
			w.Phrase(chat.Plain, words.Phrase{Key: "mydata.daily", Blanks: words.Blanks{"day": words.Text(day), "n": p.Streak}})
		}
	}
	for i, t := range tallies {
		if t.Games > 0 {
			info := b.Order[i].Info()
			w.Text("\n" + w.Lang.Say("game."+info.Name) + " (" + t.Name + "): ")
			tally(w, info, t)
			w.Phrase(chat.Plain, words.Phrase{Key: "mydata.spent", Blanks: words.Blanks{
				"time": words.Text(board.ClockText(t.Seconds)), "undos": int(t.Undos), "hints": int(t.Hints),
			}})
		}
	}
	aboutDays(w, days)
	var earned []string
	for _, m := range (profile{tallies: tallies, days: days}).marks(w.Lang, b.Order, len(marks())) {
		earned = append(earned, m.Name)
	}
	if len(earned) > 0 {
		w.Text("\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "mydata.marks", Blanks: words.Blanks{"what": words.Text(strings.Join(earned, ", "))}})
	}
	return p.Entries > 0, b.aboutChoices(ctx, w, r, origin)
}

// aboutDays tells what is kept about the patiences of a day.
func aboutDays(w *words.Writer, days day.Person) {
	if days.Played == 0 {
		return
	}
	w.Text("\n")
	w.Phrase(chat.Plain, words.Phrase{Key: "mydata.days", Blanks: words.Blanks{
		"n": days.Played, "solved": days.Solved, "most": days.Longest,
	}})
	for _, r := range days.Results {
		w.Text("\n" + day.Card(w.Lang, r, 0) + " · " + board.ClockText(r.Seconds))
	}
}

// aboutChoices tells what somebody has chosen for themselves, and when their private chat is told of the patience of the day.
func (b *Accounts) aboutChoices(ctx context.Context, w *words.Writer, r chat.Request, origin string) error {
	var own table.Choices
	var hour *day.Hour
	var wishes []table.Wish
	err := b.Store.View(ctx, func(from storage.Reader) (err error) {
		if wishes, err = table.WishesOf(from, origin, r.Who.ID); err != nil {
			return err
		}
		if own, err = table.GetChoices(from, origin, r.Who.ID); err == nil && r.In.Private {
			hour, err = day.HourIn(from, r.In)
		}
		return err
	})
	if err != nil {
		return err
	}
	if hour != nil {
		w.Text("\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "mydata.hour", Blanks: words.Blanks{"hour": words.Text(hour.Text())}})
	}
	if own == (table.Choices{}) && len(wishes) == 0 {
		return nil
	}
	var told []string
	if own.Lang != "" {
		told = append(told, b.Words.Lang(own.Lang).Say("language"))
	}
	if own.Notice != table.ByMention {
		told = append(told, w.Lang.Say("notice."+string(own.Notice)))
	}
	if own.Quiet {
		told = append(told, w.Lang.Say("quiet.mine"))
	}
	if own.AtOnce {
		told = append(told, w.Lang.Say("at-once.mine"))
	}
	if own.Suits != table.AsInChat {
		told = append(told, w.Lang.Say("choice."+string(own.Suits)))
	}
	if len(wishes) > 0 {
		told = append(told, w.Lang.Say("called.mine"))
	}
	w.Text("\n")
	w.Phrase(chat.Plain, words.Phrase{Key: "mydata.own", Blanks: words.Blanks{"what": words.Text(strings.Join(told, ", "))}})
	return nil
}

// myTables lists the tables of a person after the key given. More is the key after which there are others, or empty.
func (b *Accounts) myTables(ctx context.Context, w *words.Writer, user int64, origin, after string) (more string, err error) {
	n := 0
	for tables, err := range b.Index.PartsOf(ctx, origin, user, after) {
		if err != nil {
			return "", err
		}
		for _, t := range tables {
			if n == partsPage {
				return after, nil
			}
			if n == 0 {
				w.Text("\n")
				w.Say(chat.Strong, "mydata.tables")
			}
			n++
			after = t.Cursor()
			w.Text("\n" + time.Unix(t.Opened, 0).UTC().Format("02.01.2006 15:04") + "  " + w.Lang.Say("game."+t.Game))
			w.Text(" " + w.Lang.Say("dash") + " " + strings.Join(about(t.Table, user), ", "))
		}
	}
	return "", nil
}

// about is what a table keeps of a person in words: the name, the language and the seat, and the text that they cut with.
func about(t *table.Table, user int64) []string {
	var told []string
	if seat, ok := t.SeatOf(user); ok {
		c := t.Chairs[seat]
		told = append(told, c.Name)
		if c.Lang != "" {
			told = append(told, c.Lang)
		}
		told = append(told, fmt.Sprintf("%d/%d", seat+1, len(t.Chairs)))
		if cut := table.CutOf(t, seat); cut != "" {
			told = append(told, "“"+cut+"”")
		}
		return told
	}
	for _, c := range slices.Concat(t.Waiting, t.Kept) {
		if c.User == user {
			told = append(told, c.Name)
		}
	}
	if t.Session != nil && len(told) == 0 {
		told = append(told, t.Session.Person(user).Name)
	}
	return told
}

// CommandPrivacy says in a few lines what is kept about people, for how long, how to see it and how to be forgotten.
func (b *Accounts) CommandPrivacy(_ context.Context, r chat.Request, _ string) (chat.Response, error) {
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	w.Say(chat.Strong, "privacy")
	line := func(p words.Phrase) {
		w.Text("\n• ")
		w.Phrase(chat.Plain, p)
	}
	line(words.Phrase{Key: "privacy.kept"})
	days := int(b.Keep.Get() / (24 * time.Hour))
	switch {
	case days == 0:
		line(words.Phrase{Key: "privacy.for-ever"})
	case b.SavesRecords:
		line(words.Phrase{Key: "privacy.archived", N: days, Blanks: words.Blanks{"n": days}})
	default:
		line(words.Phrase{Key: "privacy.leaves", N: days, Blanks: words.Blanks{"n": days}})
	}
	line(words.Phrase{Key: "privacy.stays"})
	line(words.Phrase{Key: "privacy.logs"})
	line(words.Phrase{Key: "privacy.rights"})
	switch {
	case *b.contact.Load() != "":
		line(words.Phrase{Key: "privacy.contact", Blanks: words.Blanks{"contact": words.Text(*b.contact.Load())}})
	case r.In.Community.Platform == chat.Web: // Nobody adds the bot to a room.
		line(words.Phrase{Key: "privacy.room"})
	default:
		line(words.Phrase{Key: "privacy.nobody"})
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: w.Spans}}}}, nil
}
