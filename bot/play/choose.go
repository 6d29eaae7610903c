package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Choose finds the one table of the place that a command is meant for and presses its button do; where there are
// several it is the one that is looked at, and otherwise it offers them, privately.
func (b *Host) Choose(ctx context.Context, r chat.Request, do string, fits func(*table.Table) bool) (chat.Response, error) {
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return chat.Response{}, err
	}
	// A single table that doesn't fit says itself why.
	if len(tables) > 1 {
		tables = slices.DeleteFunc(tables, func(t *table.Table) bool { return !fits(t) })
	}
	if at := slices.IndexFunc(tables, func(t *table.Table) bool { return r.Table != "" && t.ID.String() == r.Table }); at >= 0 {
		tables = tables[at : at+1]
	}
	switch len(tables) {
	case 0:
		return chat.Response{}, ErrNothingHere
	case 1:
		tok := table.Token{Table: tables[0].ID, Do: do}
		return b.tables.Do(ctx, r, tok, false)
	}
	lang := b.Words.Lang(r.Who.Lang)
	var buttons []chat.Button
	for _, t := range tables {
		epoch, err := b.tables.Epoch(ctx, r, t)
		if err != nil {
			return chat.Response{}, err
		}
		// What was typed doesn't go into a token: it is asked for again.
		name, arg, _ := strings.Cut(do, " ")
		button := chat.Button{Label: chat.Shorten(board.Label(b.Games[t.Game].Info(), t, lang), 80), Token: table.Token{Table: t.ID, Epoch: epoch, Do: do}.String()}
		if arg != "" && name == "!cut" {
			button.Token, button.Ask = table.Token{Table: t.ID, Epoch: epoch, Do: name}.String(), lang.Say("ask.cut")
		}
		if len(button.Token) > table.MaxToken {
			if button.Token, err = b.keep(ctx, r, t, epoch, do); err != nil {
				return chat.Response{}, err
			}
		}
		buttons = append(buttons, button)
	}
	tellApart(buttons)
	message := chat.Offer(lang.Say("choose-table"), buttons)
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Personal, Message: message}}}, nil
}

// keep stores what is too long for a button that would do it at a table, as a question to the one who asks, and returns the token of
// the answer.
func (b *Host) keep(ctx context.Context, r chat.Request, t *table.Table, epoch int, do string) (token string, err error) {
	r.ID += " " + t.ID.Name // One request has a question for each table.
	q := table.Question{Table: t.ID.Name, Epoch: epoch}
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		post, err := b.tables.Questions.Ask(tx, t.Origin(), r, q, words.Phrase{Key: "choose-table"}, []chat.Button{{Token: do}})
		if err == nil {
			token = post.Buttons[0][0].Token
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep what is meant for a table: %w", err)
	}
	return token, nil
}

// tellApart numbers the buttons that have the same label.
func tellApart(buttons []chat.Button) {
	seen := map[string]int{}
	for i, b := range buttons {
		if seen[b.Label]++; seen[b.Label] > 1 {
			buttons[i].Label = chat.Shorten(b.Label, 75) + " (" + strconv.Itoa(seen[b.Label]) + ")"
		}
	}
}

// AnyTable picks every table.
func AnyTable(*table.Table) bool { return true }

// Seated picks the tables where the user sits, or waits to.
func Seated(user int64) func(*table.Table) bool {
	return func(t *table.Table) bool { _, ok := t.SeatOf(user); return ok || t.Waits(user) }
}

// InDeal picks the tables where the user has cards, of games that are like that; of all if like is nil.
func (b *Host) InDeal(user int64, like func(engine.Info) bool) func(*table.Table) bool {
	return func(t *table.Table) bool {
		_, ok := t.SeatOf(user)
		return ok && t.Phase == table.Playing && (like == nil || like(b.Games[t.Game].Info()))
	}
}

// WithHands is what games are like in which seats hold cards that nobody else sees.
func WithHands(info engine.Info) bool { return info.Hands }

func withBanker(info engine.Info) bool { return info.Banker }
