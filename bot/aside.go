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
	// Asked is the user who asked for it, and Board the message with the question, until they have answered it.
	Asked int64 `json:"asked,omitempty"`
	Board Ref   `json:"board,omitempty"`
}

func keyOffers(c Community) string { return offersPrefix + c.String() }

const offersPrefix = "w/"

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

func putOffers(tx storage.Tx, c Community, all []offered) error {
	value, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode what community %s was offered: %w", c, err)
	}
	tx.Put(keyOffers(c), value)
	return nil
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
		all = append(all, offered{Name: name, In: at, Game: game, Options: o.options, Deal: o.deal, Asked: r.Who.ID})
		return putOffers(tx, r.In.Community, all[max(0, len(all)-maxOffers):])
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
	return Response{Posts: []Post{{In: r.In, Receipt: askedWhere + name, Message: message}}}, nil
}

// askedWhere begins the receipt of a question where to play, before the name of the offer.
const askedWhere = "where "

// askedAt remembers in which message somebody was asked where to play.
func (b *Bot) askedAt(ctx context.Context, r Request, name string) error {
	return storage.Update(ctx, b.store, func(tx storage.Tx) error {
		all, err := getOffers(tx, r.In.Community)
		i := slices.IndexFunc(all, func(one offered) bool { return one.Name == name })
		if err != nil || i < 0 {
			return err
		}
		all[i].Board = r.On
		return putOffers(tx, r.In.Community, all)
	})
}

// openHere opens a table for an offered game where it was asked for. It stands where whoever asked was asked back.
func (b *Bot) openHere(ctx context.Context, r Request, name string) (Response, error) {
	one, o, err := b.takeUp(ctx, r, r.In.Community, name)
	if err != nil {
		return Response{}, err
	}
	o.board = one.Board
	return b.open(ctx, r, o)
}

// openAside opens a table for an offered game in private. The place is told so instead of the question.
func (b *Bot) openAside(ctx context.Context, r Request, c Community, name string) (Response, error) {
	if !r.In.Private {
		return Response{}, errToken
	}
	one, o, err := b.takeUp(ctx, r, c, name)
	if err != nil {
		return Response{}, err
	}
	o.aside = &one.In
	response, err := b.open(ctx, r, o)
	if err == nil && one.Board != "" {
		w := writer{lang: b.words.Lang(one.In.Lang)}
		w.phrase(Plain, phrase{key: "where-aside", blanks: blanks{"who": r.Who.Name, "what": phrase{key: "game." + one.Game}}})
		response.Posts = append(response.Posts, Post{In: one.In, Edit: one.Board, Message: Message{Text: w.spans}})
	}
	return response, err
}

// takeUp is a game that the community was offered, as it is to be opened. Its Board is empty unless this answers the
// question that stands there.
func (b *Bot) takeUp(ctx context.Context, r Request, c Community, name string) (one offered, o opening, err error) {
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		all, err := getOffers(tx, c)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(one offered) bool { return one.Name == name })
		if i < 0 || b.games[all[i].Game] == nil || !r.In.Private && !all[i].In.same(r.In) {
			return errOfferOver
		}
		one = all[i]
		if one.Asked != r.Who.ID || one.Board == "" {
			one.Board = ""
			return nil
		}
		all[i].Board = ""
		return putOffers(tx, c, all)
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
