package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"zevaka/engine"
	"zevaka/storage"
)

// maxOffers is how many of the newest offers of a community are remembered.
const maxOffers = 16

// errOfferOver refuses an offer that isn't remembered.
const errOfferOver engine.Refusal = "offer-over"

// offered is a game for one that somebody may play where it was asked for, or in private. It is stored, since anybody
// can write a token: a place hears only of games that were asked for there.
type offered struct {
	Name    string            `json:"name"`
	In      Place             `json:"in"`
	Game    string            `json:"game"`
	Options map[string]string `json:"options"`
	Deal    *int64            `json:"deal,omitempty"`
}

func keyOffers(c Community) string { return "w/" + c.String() }

func getOffers(tx storage.Tx, c Community) ([]offered, error) {
	var all []offered
	items, err := tx.Get(keyOffers(c))
	if err == nil && items[0].Rev != 0 {
		err = json.Unmarshal(items[0].Value, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read what community %s was offered: %w", c, err)
	}
	return all, nil
}

// askWhere asks where to play a game for one. Everybody sees the question, and may take it up.
func (b *Bot) askWhere(ctx context.Context, r Request, o opening) (Response, error) {
	name := tableName(r.ID)
	game := o.rules.Info().Name
	var lang string
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		record, err := getPlace(tx, r.In)
		if err != nil {
			return err
		}
		lang = b.placeLang(record, r)
		all, err := getOffers(tx, r.In.Community)
		if err != nil || slices.ContainsFunc(all, func(one offered) bool { return one.Name == name }) {
			return err
		}
		at := r.In
		at.Lang = lang // Whoever plays may speak another.
		all = append(all, offered{Name: name, In: at, Game: game, Options: o.options, Deal: o.deal})
		value, err := json.Marshal(all[max(0, len(all)-maxOffers):])
		if err != nil {
			return fmt.Errorf("encode what community %s was offered: %w", r.In.Community, err)
		}
		tx.Put(keyOffers(r.In.Community), value)
		return nil
	})
	if err != nil {
		return Response{}, err
	}
	w := writer{lang: b.words.Lang(lang)}
	w.phrase(Plain, phrase{key: "where", blanks: blanks{"what": phrase{key: "game." + game}}})
	message := Message{Text: w.spans, Buttons: [][]Button{{
		{Label: w.lang.Say("button.aside"), Token: placeToken(r, "!aside "+name), Look: Primary, Aside: true},
		{Label: w.lang.Say("button.here"), Token: placeToken(r, "!here "+name)},
	}}}
	return Response{Posts: []Post{{In: r.In, Message: message}}}, nil
}

// openHere opens a table for an offered game where it was asked for.
func (b *Bot) openHere(ctx context.Context, r Request, name string) (Response, error) {
	one, o, err := b.takeUp(ctx, r.In.Community, name)
	if err == nil && !one.In.same(r.In) {
		err = errOfferOver
	}
	if err != nil {
		return Response{}, err
	}
	return b.open(ctx, r, o)
}

// openAside opens a table for an offered game in private.
func (b *Bot) openAside(ctx context.Context, r Request, c Community, name string) (Response, error) {
	one, o, err := b.takeUp(ctx, c, name)
	if err == nil && !r.In.Private {
		err = errToken
	}
	if err != nil {
		return Response{}, err
	}
	o.aside = &one.In
	return b.open(ctx, r, o)
}

// takeUp is a game that the community was offered, as it is to be opened.
func (b *Bot) takeUp(ctx context.Context, c Community, name string) (one offered, o opening, err error) {
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		all, err := getOffers(tx, c)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(one offered) bool { return one.Name == name })
		if i < 0 || b.games[all[i].Game] == nil {
			return errOfferOver
		}
		one = all[i]
		return nil
	})
	if err != nil {
		return one, o, err
	}
	return one, opening{rules: b.games[one.Game], options: one.Options, deal: one.Deal, asked: true}, nil
}

// tellAside tells the place where a game for one was asked for how it ended.
func (v *visit) tellAside() error {
	t := v.table
	if t.Aside == nil || t.Result == nil || t.Result.Patience == nil {
		return nil
	}
	record, err := getPlace(v.tx, *t.Aside)
	if err != nil {
		return err
	}
	there := v.req
	there.In = *t.Aside
	p := v.painter(v.bot.words.Lang(v.bot.placeLang(record, there)))
	p.heading()
	p.finish(*t.Result.Patience)
	v.posts = append(v.posts, Post{In: *t.Aside, Message: Message{Text: p.spans}})
	return nil
}
