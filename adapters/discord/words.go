package discord

import (
	"strings"

	"zevaka/bot/words"
)

// language is one that command names and descriptions are given in: its tag, and what Discord calls it.
type language struct {
	tag     string
	locales []string
}

// languages are those of the bot, the default first. One that Discord's own apps don't speak has no locales.
func languages() []language {
	var all []language
	for _, tag := range words.Tags() {
		l := language{tag: tag}
		for _, locale := range locales() {
			if primary, _, _ := strings.Cut(locale, "-"); primary == tag {
				l.locales = append(l.locales, locale)
			}
		}
		all = append(all, l)
	}
	return all
}

// locales are all that Discord knows.
func locales() []string {
	return []string{
		"en-US", "en-GB", "ar", "bg", "cs", "da", "de", "el", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id", "it", "ja", "ko",
		"lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
	}
}

// What only Discord makes the bot say, by its names in the catalogues.
const (
	sayRights   = "discord.rights"
	sayGuest    = "discord.guest"
	sayHidden   = "discord.hidden"
	sayPictures = "discord.pictures"
	sayFiles    = "discord.files"
	saySet      = "discord.set"
	sayWho      = "usage.who.help"
	sayAmount   = "usage.amount.help"
	// sayEntry is what the command does that opens the Activity, sayEntryName how it is called; sayNoLaunch why that can't be.
	sayEntry     = "discord.launch.help"
	sayEntryName = "discord.launch.name"
	sayNoLaunch  = "discord.launch.no"
	// sayUnsaved is that nothing can be done at the moment, sayBroken that something may have been done or not.
	sayUnsaved = "broken-storage"
	sayBroken  = "broken"
	sayLeft    = "discord.left"
	sayAway    = "discord.away"
)
