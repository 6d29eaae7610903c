package discord

// languages are the tags that command names and descriptions are given in, the default first, and what Discord calls
// the languages.
func languages() []struct {
	tag     string
	locales []string
} {
	return []struct {
		tag     string
		locales []string
	}{
		{"en", []string{"en-US", "en-GB"}},
		{"ru", []string{"ru"}},
		{"pl", []string{"pl"}},
	}
}

// What only Discord makes the bot say, by its names in the catalogues.
const (
	sayRights   = "discord.rights"
	sayGuest    = "discord.guest"
	sayHidden   = "discord.hidden"
	sayPictures = "discord.pictures"
	saySet      = "discord.set"
)

// say is a sentence in the language nearest to the tag.
func (a *Adapter) say(key, tag string) string { return a.opts.Words.Lang(tag).Say(key) }
