package bot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// CommandInfo is a command as menus and completions show it, in one language.
type CommandInfo struct {
	// Name is the command's one name, the same in every language, without its slash; Local is what speakers of the
	// language may call it, in small letters.
	Name, Local string
	// Line is the command as one types it, with its slash and no arguments.
	Line string
	// Title is the name of the game whose table the command opens, as tables show it; empty for other commands.
	Title string
	// Usage is the line with the names of its arguments in brackets.
	Usage string
	// Help says what the command does, in at most 100 characters.
	Help string
	// Arguments are the words that can follow; those that can follow a game's command are in Game.
	Arguments []Choice
	// Needed says that something has to follow.
	Needed bool
	// Argument says what can follow, if it is one word or text of one's own; empty otherwise.
	Argument string
	// ArgumentHelp says in at most 100 characters what that is; where Person is set, what stands before the person.
	ArgumentHelp string
	// Person says that a word of Argument is for somebody, who may be mentioned as "<@123>": the first one, unless there are
	// Arguments that come before. Amount says that its last word is for kopecks, and that neither may be missing.
	Person, Amount bool
	// Alone says that the Arguments are games for one, and that the Settings of such a game can follow, as "number=5".
	Alone bool
	// Others are what can follow beside the Arguments, as name=value.
	Others []OptionInfo
	// Admin says that only who may manage a group can use the command there, and Calls that it is of no use on a platform that
	// calls nobody.
	Admin, Calls bool
	// Game is set for the command that opens a game's table.
	Game *GameInfo
}

// GameInfo is what can be chosen when a game's table is opened.
type GameInfo struct {
	// Lessons are those of the game.
	Lessons []Choice
	Sets    []Choice
	Options []OptionInfo
	// Settings are those of the table: limit, of which Values are but those offered, since any time from 15s to 24h can be
	// typed; and fast, which may be typed alone, computers, how many computer players sit down, temper, how they are, and now, which deals to
	// them at once, or in a game with a banker banks, how often everybody holds the bank. A
	// game for one has number instead, the number of the deal, which has no Values: any number can be typed; and level, how hard a
	// deal is to be that is known to come out.
	Settings []OptionInfo
}

// OptionInfo is one switch of a game or of a table: what is typed is Value=value.
type OptionInfo struct {
	Choice
	// Help says in at most 100 characters what is chosen.
	Help   string
	Values []Choice
	// Min and Max are the least and the largest whole number that can be typed, beside the Values; without a Max none can.
	Min, Max int
}

// maxNumber is the largest number of a deal that every platform can carry, and this machine.
const maxNumber = min(1<<53-1, math.MaxInt)

// Choice is something to choose: Value is what is typed, as one word, and Label what is shown.
type Choice struct{ Value, Label string }

// Menu is what a bot that has some games can be told, and in which words it speaks. It needs no store.
type Menu struct {
	order []engine.Rules
	words *words.Catalogue
}

// NewMenu is that of a bot with these games.
func NewMenu(games []engine.Rules) (*Menu, error) {
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	m := &Menu{words: catalogue}
	for _, rules := range games {
		m.order = append(m.order, game{rules, rules.Info()})
	}
	return m, nil
}

// Words are what the bot speaks from.
func (m *Menu) Words() *words.Catalogue { return m.words }

// Commands are the bot's commands in the language nearest to the tag, games first. The line of a command with choices
// is its Name and any of them: sets by their Value, options as name=value.
func (m *Menu) Commands(tag string) []CommandInfo {
	lang := m.words.Lang(tag)
	var all []CommandInfo
	for _, rules := range m.order {
		info := rules.Info()
		argument := lang.Say("usage.set")
		if info.ForOne() {
			argument = "deal=12345"
		}
		c := describe(lang, info.Name, argument)
		c.Title = lang.Say("game." + info.Name)
		c.Help = c.Title + ": " + lang.Say("about."+info.Name)
		c.Game = gameInfo(lang, info)
		all = append(all, c)
	}
	for _, v := range (&Bot{}).verbs() {
		argument, help := "", ""
		if v.argument != "" {
			argument, help = lang.Say("usage."+v.argument), lang.Say("usage."+v.argument+".help")
		}
		c := describe(lang, v.Name, argument)
		c.ArgumentHelp = help
		c.Help, c.Admin, c.Calls = lang.Say("command."+v.Name), v.Who == table.ByAdmin, v.Name == "notify"
		switch v.argument {
		case "lang":
			c.Arguments, c.Needed = choices(words.Tags(), func(tag string) string { return m.words.Lang(tag).Say("language") }), true
		case "settings":
			c.Arguments, c.Needed = choices([]string{"me"}, func(word string) string { return lang.Say("look." + word) }), false
		case "text", "move", "amount":
			c.Needed = true
		case "person", "seat":
			c.Person = true
		case "scores", "history":
			c.Person, c.Arguments = true, m.gameNames(lang, nil)
		case "day":
			c.Arguments, c.Others = m.gameNames(lang, engine.Info.ForOne), []OptionInfo{setting(lang, day.PostAt)}
		case "patience":
			c.Alone, c.Arguments = true, m.gameNames(lang, engine.Info.ForOne)
		case "gift":
			c.Person, c.Amount, c.Needed = true, true, true
		case "season":
			c.Arguments, c.Needed = choices([]string{"on", "off"}, func(word string) string { return lang.Say("season." + word) }), true
		case "game":
			c.Arguments = m.gameNames(lang, nil)
		}
		all = append(all, c)
	}
	return all
}

// gameNames are the games that are like that; all if like is nil.
func (m *Menu) gameNames(lang *words.Lang, like func(engine.Info) bool) []Choice {
	var names []string
	for _, rules := range m.order {
		if info := rules.Info(); like == nil || like(info) {
			names = append(names, info.Name)
		}
	}
	return choices(names, func(name string) string { return lang.Say("game." + name) })
}

// choices are words to type, each shown as it is called.
func choices(words []string, called func(string) string) []Choice {
	var all []Choice
	for _, word := range words {
		all = append(all, Choice{word, called(word)})
	}
	return all
}

// maxHelp is how many characters tell what is chosen.
const maxHelp = 100

func describe(lang *words.Lang, name, argument string) CommandInfo {
	c := CommandInfo{Name: name, Local: lang.Say("name." + name), Line: "/" + name, Usage: "/" + name, Argument: argument}
	if argument != "" {
		c.Usage += " [" + argument + "]"
	}
	return c
}

func gameInfo(lang *words.Lang, info engine.Info) *GameInfo {
	g := &GameInfo{}
	for i, l := range info.Lessons {
		choice := Choice{"learn", lang.Say(board.LessonKey(info, l))}
		if i > 0 {
			choice.Value += "=" + l.Name
		}
		g.Lessons = append(g.Lessons, choice)
	}
	for _, set := range info.Sets {
		choice := Choice{board.Slug(set), lang.Say("set." + info.Name + "." + board.Slug(set))}
		if slices.Contains(set.Names, choice.Label) && !strings.Contains(choice.Label, " ") {
			choice.Value = choice.Label // As speakers of the language type it.
		}
		g.Sets = append(g.Sets, choice)
	}
	for _, o := range info.Options {
		label := lang.Say("option." + info.Name + "." + o.Name)
		option := OptionInfo{Choice: Choice{o.Name, label}, Min: o.Min, Max: o.Max}
		var can []string
		for _, value := range o.Values {
			option.Values = append(option.Values, Choice{value, board.OptionValue(info, o.Name, value, lang)})
			can = append(can, option.Values[len(option.Values)-1].Label)
		}
		option.Help = chat.Shorten(strings.Join(can, " / "), maxHelp)
		if o.Max > 0 {
			option.Help = words.Phrase{Key: "option-amount", Blanks: words.Blanks{
				"what": words.Text(label), "n": words.Text(o.Values[0]), "min": o.Min, "max": o.Max,
			}}.Flat(lang)
		}
		g.Options = append(g.Options, option)
	}
	g.Settings = tableSwitches(lang, info)
	return g
}

// setting is something to choose that has a name in every language, with what it is; without values anything can be typed.
func setting(lang *words.Lang, name string, values ...Choice) OptionInfo {
	key := "setting." + name
	return OptionInfo{Choice: Choice{name, lang.Say(key)}, Help: lang.Say(key + ".help"), Values: values}
}

// tableSwitches are what can be chosen for a table of the game beside the rules.
func tableSwitches(lang *words.Lang, info engine.Info) []OptionInfo {
	setting := func(name string, values ...Choice) OptionInfo { return setting(lang, name, values...) }
	if info.ForOne() {
		number := setting("number")
		number.Max = maxNumber
		return []OptionInfo{number, setting("level", choices(deals.Levels(), func(word string) string { return lang.Say("level." + word) })...)}
	}
	offered := slices.Sorted(slices.Values(play.Limits()))
	offered = append(offered[1:], offered[0]) // No limit comes last.
	var times []Choice
	for _, n := range offered {
		times = append(times, Choice{play.LimitText(n), board.LimitPhrase(n).Flat(lang)})
	}
	if !info.Banker {
		fast := []Choice{{"on", lang.Say("value.on")}, {"off", lang.Say("value.off")}}
		var computers []Choice
		for n := 1; n < info.MaxSeats; n++ {
			computers = append(computers, Choice{strconv.Itoa(n), strconv.Itoa(n)})
		}
		var tempers []Choice
		for _, t := range append([]table.Temper{table.Mixed}, table.Tempers()...) {
			tempers = append(tempers, Choice{t.Word(), lang.Say(t.Key())})
		}
		return []OptionInfo{
			setting("limit", times...), setting("fast", fast...), setting("computers", computers...), setting("now", fast...),
			setting("temper", tempers...),
		}
	}
	var rounds []Choice
	for n := 1; n <= play.MaxRounds; n++ {
		rounds = append(rounds, Choice{strconv.Itoa(n), strconv.Itoa(n)})
	}
	onOff := choices([]string{"on", "off"}, func(word string) string { return lang.Say("value." + word) })
	return []OptionInfo{setting("limit", times...), setting("banks", rounds...), setting("practice", onOff...)}
}
