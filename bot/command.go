package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// maxCommand is how many bytes of a command are read.
const maxCommand = 1000

const (
	errCommand     engine.Refusal = "no-command"
	errCommandLong engine.Refusal = "command-long"
	errLang        engine.Refusal = "no-lang"
	errNotAdmin    engine.Refusal = "only-admin"
	errNoRules     engine.Refusal = "no-rules"
)

// verb is one of the bot's own commands.
type verb struct {
	name string
	// argument names what may follow the command; empty for nothing.
	argument string
	run      func(*Bot, context.Context, Request, string) (Response, error)
}

// verbs are the commands beside those that open a game's table, in the order of /help.
func verbs() []verb {
	return []verb{
		{"table", "", (*Bot).commandTable},
		{"cut", "text", (*Bot).commandCut},
		{"leave", "", (*Bot).commandLeave},
		{"back", "", (*Bot).commandBack},
		{"patience", "patience", (*Bot).commandPatience},
		{"giveup", "", (*Bot).commandGiveUp},
		{"m", "move", (*Bot).commandMove},
		{"bet", "amount", (*Bot).commandBet},
		{"hand", "", (*Bot).commandHand},
		{"remove", "seat", (*Bot).commandRemove},
		{"stop", "", (*Bot).commandStop},
		{"balance", "person", (*Bot).commandBalance},
		{"daily", "", (*Bot).commandDaily},
		{"ledger", "", (*Bot).commandLedger},
		{"give", "gift", (*Bot).commandGive},
		{"grant", "gift", (*Bot).commandGrant},
		{"gifts", "switch", (*Bot).commandGifts},
		{"top", "", (*Bot).commandTop},
		{"scores", "scores", (*Bot).commandScores},
		{"settings", "settings", (*Bot).commandSettings},
		{"rules", "game", (*Bot).commandRules},
		{"lang", "lang", (*Bot).commandLang},
		{"mydata", "", (*Bot).commandMyData},
		{"forgetme", "", (*Bot).commandForgetMe},
		{"help", "", (*Bot).commandHelp},
	}
}

// command does what a typed line asks.
func (b *Bot) command(ctx context.Context, r Request) (Response, error) {
	if len(r.Data) > maxCommand || !utf8.ValidString(r.Data) {
		return Response{}, errCommandLong
	}
	name, arg, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(r.Data, "/")), " ")
	name, arg = strings.ToLower(name), strings.TrimSpace(arg)
	for _, v := range verbs() {
		if b.isCalled(v.name, name) || name == "start" && v.name == "help" {
			if r.Who.Nameless && asOneself(v.name, arg) {
				return Response{}, errNameless
			}
			return v.run(b, ctx, r, arg)
		}
	}
	if rules := b.gameNamed(name); rules != nil {
		o, err := b.parseOpening(rules, arg)
		if err != nil {
			return Response{}, err
		}
		return b.open(ctx, r, o)
	}
	return Response{}, refuse(string(errCommand), blanks{"what": shorten(name, 20)})
}

// gameNamed is the game that people call so, in any language; nil if there is none.
func (b *Bot) gameNamed(name string) engine.Rules {
	for _, rules := range b.order {
		if b.isCalled(rules.Info().Name, name) {
			return rules
		}
	}
	return nil
}

// tableIDs are the tables open in a place, the oldest first.
func (b *Bot) tableIDs(ctx context.Context, p Place) ([]tableID, error) {
	tables, err := b.look(ctx, p)
	var ids []tableID
	for _, t := range tables {
		ids = append(ids, t.id)
	}
	return ids, err
}

// look reads the tables that are open in a place, the oldest first, and changes nothing. One that can't be read is left
// out: the others can be played on.
func (b *Bot) look(ctx context.Context, p Place) ([]*table, error) {
	var record placeRecord
	err := storage.Update(ctx, b.store, func(tx storage.Tx) (err error) {
		record, err = getPlace(tx, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	var tables []*table
	for _, name := range record.Tables {
		t, err := b.lookAt(ctx, tableID{p.Community, name})
		var damaged storage.Damaged
		switch {
		case errors.Is(err, errGone):
		case errors.As(err, &damaged), errors.Is(err, errUnreadable):
			b.log.Error("a table can't be read", "community", p.Community.String(), "table", name, "error", err)
		case err != nil:
			return nil, err
		case t.Phase != ended:
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// choose finds the one table of the place that a command is meant for and presses its button do; where there are
// several it offers them, privately.
func (b *Bot) choose(ctx context.Context, r Request, do string, fits func(*table) bool) (Response, error) {
	tables, err := b.look(ctx, r.In)
	if err != nil {
		return Response{}, err
	}
	// A single table that doesn't fit says itself why.
	if len(tables) > 1 {
		tables = slices.DeleteFunc(tables, func(t *table) bool { return !fits(t) })
	}
	switch len(tables) {
	case 0:
		return Response{}, errNothingHere
	case 1:
		tok := token{Table: tables[0].id, Do: do}
		return b.at(ctx, r, tok.Table, func(v *visit) error { return v.do(ctx, tok) })
	}
	lang := b.words.Lang(r.Who.Lang)
	var buttons []Button
	for _, t := range tables {
		epoch, err := b.epoch(ctx, r, t)
		if err != nil {
			return Response{}, err
		}
		// What was typed doesn't go into a token: it is asked for again.
		name, arg, _ := strings.Cut(do, " ")
		button := Button{Label: shorten(b.label(t, lang), 80), Token: token{Table: t.id, Epoch: epoch, Do: do}.String()}
		if arg != "" && name == "!cut" {
			button.Token, button.Ask = token{Table: t.id, Epoch: epoch, Do: name}.String(), lang.Say("ask.cut")
		}
		if len(button.Token) > MaxToken {
			return Response{}, errCommandLong
		}
		buttons = append(buttons, button)
	}
	message := offer(lang.Say("choose-table"), buttons)
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// label tells the table from others in the place.
func (b *Bot) label(t *table, lang *words.Lang) string {
	host := strings.TrimPrefix(t.hostName()+" · ", " · ")
	return host + lang.Say(fmt.Sprint("phase.", int(t.Phase))) + " · " + b.title(t, lang) + t.apart(lang)
}

// hostName is the name of the table's host; empty if nobody is.
func (t *table) hostName() string {
	seat, _ := t.seatOf(t.Host)
	return t.name(seat)
}

// epoch is the epoch of tokens for a table as it is now.
func (b *Bot) epoch(ctx context.Context, r Request, t *table) (epoch int, err error) {
	switch t.Phase {
	case cutting:
		return 1, nil
	case playing:
		_, err = b.at(ctx, r, t.id, func(v *visit) error {
			state, err := v.play(ctx)
			if err == nil {
				epoch = v.table.playEpoch(state)
			}
			return err
		})
	}
	return epoch, err
}

func anyTable(*table) bool { return true }

// seated picks the tables where the user sits, or waits to.
func seated(user int64) func(*table) bool {
	return func(t *table) bool { _, ok := t.seatOf(user); return ok || t.waits(user) }
}

// inDeal picks the tables where the user has cards, of games with a banker alone if asked.
func (b *Bot) inDeal(user int64, banker bool) func(*table) bool {
	return func(t *table) bool {
		_, ok := t.seatOf(user)
		return ok && t.Phase == playing && (!banker || b.games[t.Game].Info().Banker)
	}
}

func (b *Bot) commandTable(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!show", anyTable)
}

func (b *Bot) commandStop(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!stop", anyTable)
}

func (b *Bot) commandLeave(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!leave", seated(r.Who.ID))
}

func (b *Bot) commandBack(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!back", seated(r.Who.ID))
}

func (b *Bot) commandCut(ctx context.Context, r Request, arg string) (Response, error) {
	return b.choose(ctx, r, "!cut "+arg, func(t *table) bool {
		seat, ok := t.seatOf(r.Who.ID)
		return ok && t.Phase == cutting && t.Cutter == int(seat)
	})
}

// commandMove makes a typed move.
func (b *Bot) commandMove(ctx context.Context, r Request, arg string) (Response, error) {
	if arg == "" {
		return Response{}, engine.ErrMoveText
	}
	return b.choose(ctx, r, "!m "+arg, b.inDeal(r.Who.ID, false))
}

func (b *Bot) commandGiveUp(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!giveup", seated(r.Who.ID))
}

func (b *Bot) commandHand(ctx context.Context, r Request, _ string) (Response, error) {
	return b.choose(ctx, r, "!hand", b.inDeal(r.Who.ID, true))
}

func (b *Bot) commandRemove(ctx context.Context, r Request, arg string) (Response, error) {
	if arg != "" {
		return b.choose(ctx, r, "!remove #"+arg, anyTable)
	}
	return b.choose(ctx, r, "!whom", anyTable)
}

func (b *Bot) commandHelp(_ context.Context, r Request, _ string) (Response, error) {
	w := writer{lang: b.words.Lang(r.Who.Lang)}
	w.say(Plain, "help")
	for _, c := range b.Commands(r.Who.Lang) {
		if rules := b.games[c.Name]; rules != nil && isSolo(rules.Info()) {
			continue // /patience lists them.
		}
		w.text("\n")
		w.add(Strong, c.Usage)
		w.text(" — " + c.Help)
	}
	w.text("\n\n")
	w.say(Plain, "help-fair")
	w.text("\n")
	w.say(Plain, "help-chips")
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: Message{Text: w.spans}}}}, nil
}

func (b *Bot) commandRules(_ context.Context, r Request, arg string) (Response, error) {
	rules := b.order[0]
	if arg != "" {
		if rules = b.gameNamed(strings.ToLower(arg)); rules == nil {
			return Response{}, refuse(string(errNoRules), blanks{"what": shorten(arg, 20)})
		}
	}
	post, err := b.rulesPost(r, rules)
	return Response{Posts: []Post{post}}, err
}

// tellRules tells the rules of the table's game to the one who asks.
func (v *visit) tellRules() error {
	post, err := v.bot.rulesPost(v.req, v.rules)
	v.posts = append(v.posts, post)
	return err
}

// rulesPost is a game's page of rules for the one who asks.
func (b *Bot) rulesPost(r Request, rules engine.Rules) (Post, error) {
	text, ok := b.words.Lang(r.Who.Lang).Rules(rules.Info().Name)
	if !ok {
		return Post{}, refuse(string(errNoRules), blanks{"what": rules.Info().Name})
	}
	if isSolo(rules.Info()) {
		text += "\n" + b.words.Lang(r.Who.Lang).Say("rules-moves")
	}
	return Post{In: r.In, To: &r.Who, Message: Message{Text: []Span{{Text: text}}}}, nil
}

// commandLang sets the language of a place, and of the tables open in it.
func (b *Bot) commandLang(ctx context.Context, r Request, arg string) (Response, error) {
	arg = strings.ToLower(arg)
	if !b.words.Speaks(arg) {
		return Response{}, errLang
	}
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		record, err := getPlace(tx, r.In)
		if err != nil {
			return err
		}
		if !r.Who.Admin && !r.In.Private && record.Lang != "" {
			return errNotAdmin
		}
		record.Lang = arg
		return putPlace(tx, r.In, record)
	})
	if err != nil {
		return Response{}, err
	}
	w := writer{lang: b.words.Lang(arg)}
	w.say(Plain, "lang-set")
	response := Response{Posts: []Post{{In: r.In, Message: Message{Text: w.spans}}}}
	ids, err := b.tableIDs(ctx, r.In)
	for _, id := range ids {
		one, failed := b.at(ctx, r, id, func(v *visit) error {
			v.table.Lang = arg
			v.changed, v.shown = true, true
			return nil
		})
		response.Posts = append(response.Posts, one.Posts...)
		err = errors.Join(err, failed)
	}
	if err != nil {
		return response, fmt.Errorf("draw the tables of a place in another language: %w", err)
	}
	return response, nil
}
