package discord

import (
	"errors"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"
)

// What of a command that opens the Activity the library doesn't know.
const (
	// typeEntry is such a command. There is one at most.
	typeEntry = 4
	// handledHere says that the bot answers it, and not Discord itself.
	handledHere = 1
	// entryName is how it is called.
	entryName = "launch"
)

func isEntry(c command) bool { return c.Type == typeEntry }

// withEntry are the commands with the one that opens the Activity: Discord takes no list from which it has vanished. With a
// client secret it is the bot's own, under the name that it has already; without one it stays as it is, if there is one.
func (r registrar) withEntry(commands, listed []command) []command {
	i := slices.IndexFunc(listed, isEntry)
	if r.opts.ClientSecret == "" {
		if i < 0 {
			return commands
		}
		return append(slices.Clip(commands), listed[i])
	}
	own := r.entry(commands)
	if i >= 0 {
		own.ID = listed[i].ID
		if listed[i].Name != own.Name {
			own.Name, own.NameLocal = listed[i].Name, listed[i].NameLocal
		}
	}
	return append(slices.Clip(commands), own)
}

// entry is the command that opens the Activity, where all applications are listed.
func (r registrar) entry(commands []command) command {
	names := newNames(entryName)
	for _, c := range commands {
		names.take(c.Name)
		for locale, local := range c.NameLocal {
			names.take(local)
			names.take(locale + " " + local)
		}
	}
	helps := r.each(sayEntry)
	return command{
		Type: typeEntry, Handler: handledHere, Name: entryName, NameLocal: names.local(entryName, r.each(sayEntryName)),
		Description: describe(helps[0]), DescriptionLocal: localized(helps), IntegrationTypes: everyInstall(), Contexts: everyContext(),
	}
}

// everyInstall are servers and people as those who add the bot, everyContext all places where a command can be given.
func everyInstall() []int {
	return []int{int(discordgo.ApplicationIntegrationGuildInstall), int(discordgo.ApplicationIntegrationUserInstall)}
}

func everyContext() []int {
	return []int{
		int(discordgo.InteractionContextGuild), int(discordgo.InteractionContextBotDM), int(discordgo.InteractionContextPrivateChannel),
	}
}

// barsEntry reports whether Discord may have refused commands for the one that opens the Activity: where Activities aren't
// enabled it lists none.
func barsEntry(err error, listed []command) bool {
	var refused *apiError
	return errors.As(err, &refused) && refused.status == http.StatusBadRequest && !slices.ContainsFunc(listed, isEntry)
}
