package bot

import (
	"slices"
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
	// Game is set for the command that opens a game's table.
	Game *GameInfo
}

// GameInfo is what can be chosen when a game's table is opened, beside the settings of every table: limit=TIME, from
// 15s to 24h or none, and fast.
type GameInfo struct {
	Sets    []Choice
	Options []OptionInfo
}

// OptionInfo is one switch of a game.
type OptionInfo struct {
	Choice
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
		c := describe(lang, info.Name, lang.Say("usage.set"))
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
		option := OptionInfo{Choice: Choice{o.Name, lang.Say("option." + info.Name + "." + o.Name)}}
		for _, value := range o.Values {
			option.Values = append(option.Values, Choice{value, optionValue(info, o.Name, value, lang)})
		}
		g.Options = append(g.Options, option)
	}
	return g
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
