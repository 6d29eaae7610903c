package bot

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// CommandInfo is a command as menus and completions show it, in one language.
type CommandInfo struct {
	// Name is the command's one name, the same in every language, without its slash; Local is what speakers of the
	// language may call it, in small letters.
	Name, Local string
	// Line is the command as one types it, with its slash and no arguments.
	Line string
	// Usage is the line with the names of its arguments in brackets.
	Usage string
	// Help says what the command does, in at most 100 characters.
	Help string
	// Arguments are the words that can follow; those that can follow a game's command are in Game.
	Arguments []string
	// Argument says what can follow, if it is one word or text of one's own; empty otherwise.
	Argument string
	// Person says that the first word of Argument is for somebody, who may be mentioned as "<@123>"; Amount that its last
	// word is for kopecks, and that neither may be missing.
	Person, Amount bool
	// Game is set for the command that opens a game's table.
	Game *GameInfo
}

// GameInfo is what can be chosen when a game's table is opened.
type GameInfo struct {
	Sets    []Choice
	Options []OptionInfo
	// Settings are those of the table: limit, of which Values are but those offered, since any time from 15s to 24h can be
	// typed; and fast, which may be typed alone, or in a game with a banker banks, how often everybody holds the bank. A
	// game for one has number instead, the number of the deal, which has no Values: any number can be typed.
	Settings []OptionInfo
}

// OptionInfo is one switch of a game or of a table: what is typed is Value=value.
type OptionInfo struct {
	Choice
	// Help says in at most 100 characters what is chosen.
	Help   string
	Values []Choice
}

// Choice is something to choose: Value is what is typed, as one word, and Label what is shown.
type Choice struct{ Value, Label string }

// Commands are the bot's commands in the language nearest to the tag, games first. The line of a command with choices
// is its Name and any of them: sets by their Value, options as name=value.
func (b *Bot) Commands(tag string) []CommandInfo {
	lang := b.words.Lang(tag)
	var all []CommandInfo
	for _, rules := range b.order {
		info := rules.Info()
		argument := lang.Say("usage.set")
		if isSolo(info) {
			argument = "deal=12345"
		}
		c := describe(lang, info.Name, argument)
		c.Help = lang.Say("game."+info.Name) + ": " + lang.Say("about."+info.Name)
		c.Game = gameInfo(lang, info)
		all = append(all, c)
	}
	for _, v := range verbs() {
		argument := ""
		if v.argument != "" {
			argument = lang.Say("usage." + v.argument)
		}
		c := describe(lang, v.name, argument)
		c.Help = lang.Say("command." + v.name)
		switch v.argument {
		case "lang":
			c.Arguments = words.Tags()
		case "settings":
			c.Arguments = allLooks()
		case "person":
			c.Person = true
		case "gift":
			c.Person, c.Amount = true, true
		case "switch":
			c.Arguments = []string{"on", "off"}
		case "game":
			for _, rules := range b.order {
				c.Arguments = append(c.Arguments, rules.Info().Name)
			}
		}
		all = append(all, c)
	}
	return all
}

func describe(lang *words.Lang, name, argument string) CommandInfo {
	c := CommandInfo{Name: name, Local: lang.Say("name." + name), Line: "/" + name, Usage: "/" + name, Argument: argument}
	if argument != "" {
		c.Usage += " [" + argument + "]"
	}
	return c
}

func gameInfo(lang *words.Lang, info engine.Info) *GameInfo {
	g := &GameInfo{}
	for _, set := range info.Sets {
		choice := Choice{slug(set), lang.Say("set." + info.Name + "." + slug(set))}
		if slices.Contains(set.Names, choice.Label) && !strings.Contains(choice.Label, " ") {
			choice.Value = choice.Label // As speakers of the language type it.
		}
		g.Sets = append(g.Sets, choice)
	}
	for _, o := range info.Options {
		label := lang.Say("option." + info.Name + "." + o.Name)
		option := OptionInfo{Choice: Choice{o.Name, label}, Help: label}
		for _, value := range o.Values {
			option.Values = append(option.Values, Choice{value, optionValue(info, o.Name, value, lang)})
		}
		g.Options = append(g.Options, option)
	}
	g.Settings = settings(lang, info)
	return g
}

// settings are what can be chosen for a table of the game beside the rules.
func settings(lang *words.Lang, info engine.Info) []OptionInfo {
	setting := func(name string, values ...Choice) OptionInfo {
		key := "setting." + name
		return OptionInfo{Choice: Choice{name, lang.Say(key)}, Help: lang.Say(key + ".help"), Values: values}
	}
	if isSolo(info) {
		return []OptionInfo{setting("number")}
	}
	offered := slices.Sorted(slices.Values(limits()))
	offered = append(offered[1:], offered[0]) // No limit comes last.
	var times []Choice
	for _, n := range offered {
		times = append(times, Choice{limitText(n), limitPhrase(n).flat(lang)})
	}
	if !info.Banker {
		fast := []Choice{{"on", lang.Say("value.on")}, {"off", lang.Say("value.off")}}
		return []OptionInfo{setting("limit", times...), setting("fast", fast...)}
	}
	var rounds []Choice
	for n := 1; n <= maxRounds; n++ {
		rounds = append(rounds, Choice{strconv.Itoa(n), strconv.Itoa(n)})
	}
	return []OptionInfo{setting("limit", times...), setting("banks", rounds...)}
}

// limitText is a turn limit as parseLimit reads it.
func limitText(seconds int) string {
	switch {
	case seconds == 0:
		return "none"
	case seconds%3600 == 0:
		return strconv.Itoa(seconds/3600) + "h"
	case seconds%60 == 0 && seconds >= 120:
		return strconv.Itoa(seconds/60) + "m"
	}
	return strconv.Itoa(seconds) + "s"
}

// isCalled reports whether people call the command so, in any language.
func (b *Bot) isCalled(name, called string) bool {
	if called == name {
		return true
	}
	for _, tag := range words.Tags() {
		if strings.EqualFold(called, b.words.Lang(tag).Say("name."+name)) {
			return true
		}
	}
	return false
}
