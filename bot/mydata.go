package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/storage"
)

// partsPage is how many tables one page of what is kept about a person has.
const partsPage = 12

// commandMyData tells somebody all that is kept about them.
func (b *Bot) commandMyData(ctx context.Context, r Request, _ string) (Response, error) {
	return b.myData(ctx, r, "")
}

// myData is a page of what is kept about the one who asks: the tables after the key given, and on the first page what
// there is beside them. The entries of the ledger have pages of their own.
func (b *Bot) myData(ctx context.Context, r Request, after string) (Response, error) {
	first, err := b.homeOf(ctx, r)
	if err != nil {
		return Response{}, err
	}
	w := writer{lang: b.words.Lang(r.Who.Lang)}
	w.phrase(Strong, phrase{key: "mydata", blanks: blanks{"number": phrase{key: strconv.FormatInt(r.Who.ID, 10)}}})
	heading := len(w.spans)
	var buttons []Button
	if after == "" {
		kept, err := b.aboutMe(ctx, &w, r, first)
		if err != nil {
			return Response{}, err
		}
		if kept {
			buttons = append(buttons, Button{Label: w.lang.Say("button.my-ledger"), Token: placeToken(r, "!ledger")})
		}
	}
	more, err := b.myTables(ctx, &w, r.Who.ID, first, after)
	if err != nil {
		return Response{}, err
	}
	if more != "" {
		buttons = append(buttons, Button{Label: w.lang.Say("button.my-tables"), Token: placeToken(r, "!mydata "+more)})
	}
	if after == "" && len(w.spans) == heading {
		w.spans = nil
		w.say(Plain, "mydata-nothing")
	}
	message := Message{Text: w.spans}
	if len(buttons) > 0 {
		message.Buttons = [][]Button{buttons}
	}
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// aboutMe tells what is kept about a person beside tables: the purse and the scores. Kept says that there is a purse.
func (b *Bot) aboutMe(ctx context.Context, w *writer, r Request, home string) (kept bool, err error) {
	var p purse.Purse
	var tallies []scores.Tally
	var keys []scores.Key
	for _, rules := range b.order {
		keys = append(keys, scores.Key{Community: home, Game: rules.Info().Name, User: r.Who.ID})
	}
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		purses, err := purse.Ledger{Tx: tx, Community: home}.Purses(r.Who.ID)
		if err != nil {
			return err
		}
		p = purses[0]
		tallies, err = scores.Read(tx, keys...)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("read what is kept about a person: %w", err)
	}
	if p.Entries > 0 {
		w.text("\n")
		w.phrase(Plain, phrase{key: "mydata.purse", blanks: blanks{
			"who": called(p, w.lang), "n": int(p.Balance), "entries": int(p.Entries),
		}})
		if p.Day > 0 {
			day := time.Unix(p.Day*24*60*60, 0).UTC().Format("02.01.2006")
			w.text(" ")
			w.phrase(Plain, phrase{key: "mydata.daily", blanks: blanks{"day": phrase{key: day}, "n": p.Streak}})
		}
	}
	for i, t := range tallies {
		if t.Games > 0 {
			w.text("\n" + w.lang.Say("game."+keys[i].Game) + " (" + t.Name + "): ")
			w.tally(b.order[i].Info(), t)
			w.phrase(Plain, phrase{key: "mydata.spent", blanks: blanks{
				"time": phrase{key: clockText(t.Seconds)}, "undos": int(t.Undos), "hints": int(t.Hints),
			}})
		}
	}
	return p.Entries > 0, nil
}

// myTables lists the tables of a person after the key given. More is the key after which there are others, or empty.
func (b *Bot) myTables(ctx context.Context, w *writer, user int64, home, after string) (more string, err error) {
	n := 0
	for tables, err := range b.partsOf(ctx, home, user, after) {
		if err != nil {
			return "", err
		}
		for _, t := range tables {
			if n == partsPage {
				return after, nil
			}
			if n == 0 {
				w.text("\n")
				w.say(Strong, "mydata.tables")
			}
			n++
			after = t.key
			w.text("\n" + time.Unix(t.Opened, 0).UTC().Format("02.01.2006 15:04") + "  " + w.lang.Say("game."+t.Game))
			w.text(" – " + strings.Join(t.about(user), ", "))
		}
	}
	return "", nil
}

// about is what a table keeps of a person in words: the name, the language and the seat, and the text that they cut with.
func (t *table) about(user int64) []string {
	var told []string
	if seat, ok := t.seatOf(user); ok {
		c := t.Chairs[seat]
		told = append(told, c.Name)
		if c.Lang != "" {
			told = append(told, c.Lang)
		}
		told = append(told, fmt.Sprintf("%d/%d", seat+1, len(t.Chairs)))
		if t.Cut != "" && t.Cutter == int(seat) {
			told = append(told, "“"+t.Cut+"”")
		}
		return told
	}
	for _, c := range t.Waiting {
		if c.User == user {
			told = append(told, c.Name)
		}
	}
	if t.Session != nil && len(told) == 0 {
		told = append(told, t.Session.person(user).Name)
	}
	return told
}
