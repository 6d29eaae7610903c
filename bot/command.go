package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	errOptionWord  engine.Refusal = "no-option"
	errLimit       engine.Refusal = "no-limit"
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
		{"remove", "seat", (*Bot).commandRemove},
		{"stop", "", (*Bot).commandStop},
		{"rules", "game", (*Bot).commandRules},
		{"lang", "lang", (*Bot).commandLang},
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

// parseOpening reads the sets, options and settings behind a game's command.
func (b *Bot) parseOpening(rules engine.Rules, arg string) (opening, error) {
	o := opening{rules: rules, limit: defaultLimit, options: map[string]string{}}
	info := rules.Info()
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	for rest := strings.FieldsFunc(arg, separates); len(rest) > 0; {
		n, err := o.read(info, rest)
		if err != nil {
			return o, err
		}
		rest = rest[n:]
	}
	var err error
	o.options, err = info.Complete(o.options)
	return o, err
}

// read takes one setting from the front of the rest and returns how many words it was.
func (o *opening) read(info engine.Info, rest []string) (int, error) {
	for n := min(2, len(rest)); n > 0; n-- {
		if set, ok := findSet(info, strings.Join(rest[:n], " ")); ok {
			for name, value := range set.Options {
				o.options[name] = value
			}
			return n, nil
		}
	}
	name, value, _ := strings.Cut(strings.ToLower(rest[0]), "=")
	switch name {
	case "fast":
		if value != "" && value != "on" && value != "off" {
			break
		}
		o.fast = value != "off"
		return 1, nil
	case "limit":
		var err error
		o.limit, err = parseLimit(value)
		return 1, err
	}
	if _, err := info.Complete(map[string]string{name: value}); err == nil {
		o.options[name] = value
		return 1, nil
	}
	for _, option := range info.Options {
		// A value that no other option has may stand alone, as 52.
		if value == "" && slices.Contains(option.Values, name) && name != "on" && name != "off" && unique(info, name) {
			o.options[option.Name] = name
			return 1, nil
		}
	}
	return 0, refuse(string(errOptionWord), blanks{"what": shorten(rest[0], 20), "known": strings.Join(known(info), " ")})
}

func unique(info engine.Info, value string) bool {
	n := 0
	for _, option := range info.Options {
		if slices.Contains(option.Values, value) {
			n++
		}
	}
	return n == 1
}

// known are the names of the game's sets and options, as one would type them.
func known(info engine.Info) []string {
	var all []string
	for _, set := range info.Sets {
		all = append(all, slug(set))
	}
	for _, option := range info.Options {
		all = append(all, option.Name+"="+strings.Join(option.Values, "|"))
	}
	return all
}

// parseLimit reads a turn limit as 45, 45s, 10m, 24h, none: from 15 seconds to 24 hours.
func parseLimit(text string) (int, error) {
	if text == "none" || text == "off" || text == "0" {
		return 0, nil
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzабвгдеёжзийклмнопрстуфхцчшщъыьэюя.")
	unit, known := map[string]int{
		"": 1, "s": 1, "sec": 1, "с": 1, "сек": 1, "sek": 1,
		"m": 60, "min": 60, "м": 60, "мин": 60, "h": 3600, "g": 3600, "godz": 3600, "ч": 3600, "час": 3600,
	}[strings.TrimSuffix(text[len(digits):], ".")]
	n, err := strconv.Atoi(digits)
	if err != nil || !known || n <= 0 || n > 24*3600/unit || n*unit < 15 {
		return 0, errLimit
	}
	return n * unit, nil
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

// look reads the tables of a place and changes nothing.
func (b *Bot) look(ctx context.Context, p Place) ([]*table, error) {
	var tables []*table
	err := storage.Update(ctx, b.store, func(tx storage.Tx) (err error) {
		tables, err = tablesAt(tx, p)
		return err
	})
	return tables, err
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
	w := writer{lang: lang}
	w.say(Plain, "choose-table")
	var buttons []Button
	for _, t := range tables {
		label := t.hostName() + " · " + lang.Say(fmt.Sprint("phase.", int(t.Phase))) + " · " + b.title(t, lang)
		// What was typed doesn't go into a token: it is asked for again.
		name, arg, _ := strings.Cut(do, " ")
		button := Button{Label: shorten(label, 80), Token: token{Table: t.id, Epoch: t.epoch(), Do: do}.String()}
		if arg != "" && name == "!cut" {
			button.Token, button.Ask = token{Table: t.id, Epoch: t.epoch(), Do: name}.String(), lang.Say("ask.cut")
		}
		buttons = append(buttons, button)
	}
	message := Message{Text: w.spans, Buttons: stack(buttons)}
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// hostName is the name of the table's host; empty if nobody is.
func (t *table) hostName() string {
	seat, _ := t.seatOf(t.Host)
	return t.name(seat)
}

// epoch is the epoch of tokens for the table's own buttons outside a deal.
func (t *table) epoch() int {
	if t.Phase == cutting {
		return 1
	}
	return 0
}

func anyTable(*table) bool { return true }

// seated picks the tables where the user sits.
func seated(user int64) func(*table) bool {
	return func(t *table) bool { _, ok := t.seatOf(user); return ok }
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
		w.text("\n")
		w.add(Strong, c.Usage)
		w.text(" — " + c.Help)
	}
	w.text("\n\n")
	w.say(Plain, "help-fair")
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
