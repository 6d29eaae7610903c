package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// AllLooks are the words that change looks.
func AllLooks() []string {
	return append([]string{"pictures", "text", "four-colours", "two-colours", "watchers", "no-watchers"}, picture.Tables()...)
}

// lookCalled is the word that changes looks and that is called so in any language; empty if there is none.
func (b *Accounts) lookCalled(typed string) string {
	plain := func(word string) string {
		return strings.NewReplacer("ё", "е", "-", " ", "colors", "colours").Replace(strings.ToLower(word))
	}
	for _, look := range AllLooks() {
		if plain(typed) == plain(look) || slices.ContainsFunc(words.Tags(), func(tag string) bool {
			return plain(typed) == plain(b.words.Lang(tag).Say("look."+look))
		}) {
			return look
		}
	}
	return ""
}

// noLook refuses a word that changes no looks, and says which do.
func (b *Accounts) noLook(lang *words.Lang) error {
	var known []string
	for _, look := range AllLooks() {
		known = append(known, lang.Say("look."+look))
	}
	return words.Refuse("no-setting", words.Blanks{"words": words.Text(strings.Join(known, ", "))})
}

// CommandSettings chooses the looks of a place and of its tables.
func (b *Accounts) CommandSettings(ctx context.Context, r chat.Request, typed string) (chat.Response, error) {
	word := b.lookCalled(typed)
	if word == "" {
		return chat.Response{}, b.noLook(b.words.Lang(r.Who.Lang))
	}
	if !r.Who.Admin && !r.In.Private {
		return chat.Response{}, ErrNotAdmin
	}
	err := b.changePlace(ctx, r.In, func(record *table.PlaceRecord) error {
		record.Wear(word)
		return nil
	})
	if err != nil {
		return chat.Response{}, err
	}
	posts, err := b.announce(ctx, r, words.Phrase{Key: "settings-" + word})
	if err != nil {
		return chat.Response{}, err
	}
	drawn, err := b.tables.RedrawAll(ctx, r, true, func(t *table.Table) { t.Wear(word) })
	if err != nil {
		err = fmt.Errorf("draw the tables of a place in another way: %w", err)
	}
	return chat.Response{Posts: append(posts, drawn...)}, err
}

// changePlace stores what fn makes of what is stored of a place, unless that is an error.
func (b *Accounts) changePlace(ctx context.Context, at chat.Place, fn func(*table.PlaceRecord) error) error {
	return storage.Update(ctx, b.store, func(tx storage.Tx) error {
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
	// ErrNotAdmin refuses what only admins may do.
	ErrNotAdmin engine.Refusal = "only-admin"
	// errLang refuses a language that the bot doesn't speak.
	errLang engine.Refusal = "no-lang"
)

// CommandLang sets the language of a place, and of the tables open in it.
func (b *Accounts) CommandLang(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	arg = strings.ToLower(arg)
	if !b.words.Speaks(arg) {
		return chat.Response{}, errLang
	}
	err := b.changePlace(ctx, r.In, func(record *table.PlaceRecord) error {
		if !r.Who.Admin && !r.In.Private && record.Lang != "" {
			return ErrNotAdmin
		}
		record.Lang = arg
		return nil
	})
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: b.words.Lang(arg)}
	w.Say(chat.Plain, "lang-set")
	response := chat.Response{Posts: []chat.Post{{In: r.In, Message: chat.Message{Text: w.Spans}}}}
	posts, err := b.tables.RedrawAll(ctx, r, false, func(t *table.Table) { t.Lang = arg })
	response.Posts = append(response.Posts, posts...)
	if err != nil {
		return response, fmt.Errorf("draw the tables of a place in another language: %w", err)
	}
	return response, nil
}
