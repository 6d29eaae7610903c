package bot

import (
	"context"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// arrived greets a place to which the bot was added.
func (b *Bot) arrived(ctx context.Context, r chat.Request) (chat.Response, error) {
	b.log.Info("the bot was added", "chat", r.In.Community)
	lang, err := b.placeLang(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	w := words.Writer{Lang: lang}
	w.Say(chat.Strong, "welcome")
	w.Text("\n")
	w.Say(chat.Plain, alone(r, "welcome-press"))
	w.Text("\n")
	w.Say(chat.Faint, "welcome-lang")
	if r.In.Crowded && !r.In.Private {
		w.Text("\n\n")
		w.Say(chat.Faint, "welcome-admin")
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, Message: chat.Message{Text: w.Spans, Buttons: b.begin(r, lang)}}}}, nil
}

// alone is the key of a sentence, or of what it says where nobody else can come.
func alone(r chat.Request, key string) string {
	if r.In.Private {
		return key + "-alone"
	}
	return key
}

// begin are the buttons that begin something: a table of each game for several, a game for one, the rules.
func (b *Bot) begin(r chat.Request, lang *words.Lang) [][]chat.Button {
	var tables []chat.Button
	alone := false
	for _, rules := range b.order {
		info := rules.Info()
		if info.ForOne() {
			alone = true
			continue
		}
		label := words.Phrase{Key: "button.begin", Blanks: words.Blanks{"game": words.Phrase{Key: "game." + info.Name}}}
		tables = append(tables, chat.Button{
			Label: label.Flat(lang), Token: table.PlaceToken(r, "!begin "+info.Name), Look: chat.Primary,
		})
	}
	var more []chat.Button
	if alone {
		more = append(more, chat.Button{Label: lang.Say("button.patience"), Token: table.PlaceToken(r, "!patience")})
	}
	more = append(more, chat.Button{Label: lang.Say("button.how"), Token: table.PlaceToken(r, "!rules")})
	rows := [][]chat.Button{tables, more, board.LessonButtons(lang, r.In, b.order)}
	if r.In.Private {
		key := "button.add"
		if r.In.Community.Platform.HasServers() {
			key = "button.add-server"
		}
		rows = append(rows, []chat.Button{{Label: lang.Say(key), Adds: true}})
	}
	return rows
}

// placeLang is the language that the bot speaks in the request's place.
func (b *Bot) placeLang(ctx context.Context, r chat.Request) (*words.Lang, error) {
	record, err := storage.Read(ctx, b.store, func(from storage.Reader) (table.PlaceRecord, error) {
		return table.GetPlace(from, r.In)
	})
	return b.words.Lang(record.Spoken(b.words, r)), err
}

// commandHelp says in a few lines what there is to play, with the buttons that begin it.
func (b *Bot) commandHelp(_ context.Context, r chat.Request, _ string) (chat.Response, error) {
	lang := b.words.Lang(r.Who.Lang)
	w := words.Writer{Lang: lang}
	w.Say(chat.Plain, alone(r, "help"))
	for _, rules := range b.order {
		if info := rules.Info(); !info.ForOne() && lang.Has("help."+info.Name) {
			w.Text("\n")
			w.Say(chat.Plain, "help."+info.Name)
		}
	}
	w.Text("\n")
	w.Say(chat.Plain, "help-more")
	buttons := append(b.begin(r, lang), []chat.Button{{Label: lang.Say("button.commands"), Token: table.PlaceToken(r, "!commands")}})
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: w.Spans, Buttons: buttons}}}}, nil
}

// commandFair says in a few lines why nobody chooses the order of the cards.
func (b *Bot) commandFair(_ context.Context, r chat.Request, _ string) (chat.Response, error) {
	w := words.Writer{Lang: b.words.Lang(r.Who.Lang)}
	w.Say(chat.Plain, "fair")
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: w.Spans}}}}, nil
}

// listCommands tells all commands, to the one who asks.
func (b *Bot) listCommands(_ context.Context, r chat.Request, _ string) (chat.Response, error) {
	w := words.Writer{Lang: b.words.Lang(r.Who.Lang)}
	w.Say(chat.Plain, "help-commands")
	for _, c := range b.Commands(r.Who.Lang) {
		if rules := b.games[c.Name]; rules != nil && rules.Info().ForOne() {
			continue // /patience lists them.
		}
		if c.Calls && r.In.Community.Platform.Calls() == 0 {
			continue
		}
		w.Text("\n")
		w.Add(chat.Strong, c.Usage)
		w.Text(" " + w.Lang.Say("dash") + " " + c.Help)
	}
	w.Text("\n\n")
	w.Say(chat.Plain, "help-fair")
	w.Text("\n")
	w.Say(chat.Plain, "help-chips")
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: chat.Message{Text: w.Spans}}}}, nil
}

// openGame opens a table of a game that a button names, as it is played where nobody chooses.
func (b *Bot) openGame(ctx context.Context, r chat.Request, name string) (chat.Response, error) {
	rules := b.games[name]
	if rules == nil {
		return chat.Response{}, chat.ErrToken
	}
	o, err := play.ReadOpening(b.tables.Names, rules, "")
	if err != nil {
		return chat.Response{}, err
	}
	return b.host.Open(ctx, r, o)
}

// openAnother opens a table as it was typed, though others wait for players.
func (b *Bot) openAnother(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	name, typed, _ := strings.Cut(arg, " ")
	rules := b.games[name]
	if rules == nil || rules.Info().ForOne() {
		return chat.Response{}, chat.ErrToken
	}
	o, err := play.ReadOpening(b.tables.Names, rules, typed)
	if err != nil {
		return chat.Response{}, err
	}
	o.Asked = true
	return b.host.Open(ctx, r, o)
}

// followed takes up what a link offers that led somebody to their private chat: a game that was offered in a place, or a lesson.
func (b *Bot) followed(ctx context.Context, r chat.Request) (chat.Response, error) {
	tok, err := table.ParseToken(r.Data)
	if arg, learns := strings.CutPrefix(tok.Do, board.DoLearn); err == nil && learns && tok.Table.Name == table.NoTable && r.In.Private {
		return b.learn(ctx, r, arg) // It concerns nobody else, whoever has written the link.
	}
	return b.host.Follow(ctx, r)
}

// learn begins the lesson of a game that a button names, by its number.
func (b *Bot) learn(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	arg, here := strings.CutSuffix(arg, board.LearnHere)
	name, number, _ := strings.Cut(arg, " ")
	part, err := strconv.Atoi(number)
	rules := b.games[name]
	if rules == nil || err != nil {
		return chat.Response{}, chat.ErrToken
	}
	o, ok := play.LessonOpening(rules, part)
	if !ok {
		return chat.Response{}, chat.ErrToken
	}
	o.Asked = here
	return b.host.Open(ctx, r, o)
}

// first takes up the lesson that somebody was offered who sat down for the first time, or was asked where to take, or declines it. The
// offer is gone either way, for good.
func (b *Bot) first(ctx context.Context, r chat.Request, arg string) (response chat.Response, err error) {
	lang := b.words.Lang(r.Who.Lang)
	if arg == "" {
		return chat.Response{Posts: b.tables.Closed(r, lang.Say("lesson.declined"))}, nil
	}
	if response, err = b.learn(ctx, r, arg); err == nil {
		response.Posts = append(response.Posts, b.tables.Closed(r, lang.Say("lesson.taken"))...)
	}
	return response, err
}

// pressRules tells the rules of a game, in short or all of them, or asks of which.
func (b *Bot) pressRules(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	name, all, _ := strings.Cut(arg, " ")
	switch {
	case name != "" && all == "":
		return b.commandRules(ctx, r, name)
	case name != "":
		rules := b.games[name]
		if rules == nil || all != "all" {
			return chat.Response{}, chat.ErrToken
		}
		record, err := b.record(ctx, r)
		if err != nil {
			return chat.Response{}, err
		}
		usual, _ := play.Usual(rules.Info(), record, r.In)
		post, err := board.AllRulesPost(b.words, r, rules, usual)
		return chat.Response{Posts: []chat.Post{post}}, err
	}
	return b.whichRules(r), nil
}

// record is what is stored of the request's place.
func (b *Bot) record(ctx context.Context, r chat.Request) (table.PlaceRecord, error) {
	return storage.Read(ctx, b.store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
}

// whichRules asks of which game.
func (b *Bot) whichRules(r chat.Request) chat.Response {
	lang := b.words.Lang(r.Who.Lang)
	var games []chat.Button
	for _, rules := range b.order {
		name := rules.Info().Name
		games = append(games, chat.Button{Label: lang.Say("game." + name), Token: table.PlaceToken(r, "!rules "+name)})
	}
	message := chat.Offer(lang.Say("choose-rules"), games)
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Open: chat.Common, Message: message}}}
}

// commandRules tells the rules of a game in short. If none is named it is that of the table which was opened last in the place, and
// where none was it asks.
func (b *Bot) commandRules(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	var rules engine.Rules
	if arg == "" {
		record, err := b.record(ctx, r)
		if err != nil {
			return chat.Response{}, err
		}
		if rules = b.games[record.Newest]; rules == nil {
			return b.whichRules(r), nil
		}
	} else if rules = b.tables.Names.GameNamed(strings.ToLower(arg)); rules == nil {
		return chat.Response{}, words.Refuse(string(board.ErrNoRules), words.Blanks{"what": chat.Shorten(arg, 20)})
	}
	post, err := board.RulesPost(b.words, r, rules, nil)
	return chat.Response{Posts: []chat.Post{post}}, err
}
