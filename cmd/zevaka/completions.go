package main

import (
	"slices"

	"zevaka/adapters/web"
	"zevaka/bot"
)

// completions are the bot's commands as the room's command line offers them: first each alone, games for one last, then
// with each word that can follow. An empty room offers the games for several, and the patiences behind one button.
func completions(menu *bot.Menu) func(lang string) []web.Completion {
	return func(lang string) []web.Completion {
		commands := menu.Commands(lang)
		slices.SortStableFunc(commands, func(a, b bot.CommandInfo) int { return forOne(a) - forOne(b) })
		var alone, followed []web.Completion
		for _, command := range commands {
			if command.Calls {
				continue // Nobody is called in the room.
			}
			start := command.Game != nil && forOne(command) == 0 || command.Name == "patience"
			alone = append(alone, web.Completion{Line: command.Line, Hint: command.Help, Start: start})
			followed = append(followed, after(command.Line, command)...)
			if command.Name == "patience" {
				followed = append(followed, patiences(command.Line, commands)...)
			}
		}
		return append(alone, followed...)
	}
}

// forOne is 1 for the command of a game for one, 0 for others.
func forOne(command bot.CommandInfo) int {
	numbered := func(setting bot.OptionInfo) bool { return setting.Value == "number" }
	if command.Game != nil && slices.ContainsFunc(command.Game.Settings, numbered) {
		return 1
	}
	return 0
}

// patiences are the games for one behind a line, and behind those what can be chosen for each.
func patiences(line string, commands []bot.CommandInfo) []web.Completion {
	var names, options []web.Completion
	for _, command := range commands {
		if forOne(command) == 1 {
			whole := line + " " + command.Name
			names = append(names, web.Completion{Line: whole, Hint: command.Help})
			options = append(options, after(whole, command)...)
		}
	}
	return append(names, options...)
}

// after are the line with each of the words behind it that can follow the command. A lesson has nothing to be chosen.
func after(line string, command bot.CommandInfo) []web.Completion {
	var all []web.Completion
	if command.Game != nil {
		all = following(line, command.Game.Lessons)
		for i := range all {
			all[i].Whole = true
		}
	}
	return append(all, following(line, wordsAfter(command))...)
}

// following is the line with each of the words behind it.
func following(line string, words []bot.Choice) []web.Completion {
	var all []web.Completion
	for _, word := range words {
		all = append(all, web.Completion{Line: line + " " + word.Value, Hint: word.Label})
	}
	return all
}

// wordsAfter are the words that can follow a command beside each other, with what they mean. One that ends in "=" is to be gone on with.
func wordsAfter(command bot.CommandInfo) []bot.Choice {
	var words []bot.Choice
	if command.Game == nil {
		if command.Alone {
			return nil // They come with what can be chosen for each.
		}
		return command.Arguments
	}
	words = append(words, command.Game.Sets...)
	for _, option := range command.Game.Options {
		for _, value := range option.Values {
			words = append(words, bot.Choice{Value: option.Value + "=" + value.Value, Label: value.Label})
		}
	}
	for _, setting := range command.Game.Settings {
		if len(setting.Values) == 0 {
			words = append(words, bot.Choice{Value: setting.Value + "=", Label: setting.Help})
		}
		for _, value := range setting.Values {
			words = append(words, bot.Choice{Value: setting.Value + "=" + value.Value, Label: setting.Label + ": " + value.Label})
		}
	}
	return words
}
