package bot

import "strings"

// CommandInfo is a command as menus and completions show it.
type CommandInfo struct {
	// Line is the command as one types it, with its slash and no arguments.
	Line string
	// Usage is the line with the names of its arguments in brackets.
	Usage string
	// Help says what the command does.
	Help string
	// Arguments are the words that can follow.
	Arguments []string
}

// Commands are the bot's commands in the language nearest to the tag, games first.
func (b *Bot) Commands(tag string) []CommandInfo {
	lang := b.words.Lang(tag)
	var all []CommandInfo
	for _, rules := range b.order {
		info := rules.Info()
		all = append(all, CommandInfo{
			Line:      "/" + info.Name,
			Usage:     "/" + info.Name + " [" + lang.Say("usage.set") + "]",
			Help:      lang.Say("game."+info.Name) + ": " + lang.Say("about."+info.Name),
			Arguments: append(known(info), "limit=60s", "fast"),
		})
	}
	arguments := map[string]string{"cut": "text", "remove": "seat", "rules": "game"}
	for _, v := range verbs() {
		c := CommandInfo{Line: "/" + v.name, Usage: "/" + v.name, Help: lang.Say("command." + v.name)}
		if word := arguments[v.name]; word != "" {
			c.Usage += " [" + lang.Say("usage."+word) + "]"
		}
		switch v.name {
		case "lang":
			c.Arguments = []string{"ru", "pl", "en"}
			c.Usage += " " + strings.Join(c.Arguments, "|")
		case "rules":
			for _, rules := range b.order {
				c.Arguments = append(c.Arguments, rules.Info().Name)
			}
		}
		all = append(all, c)
	}
	return all
}
