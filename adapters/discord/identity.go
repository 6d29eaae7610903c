package discord

// identity is what Discord knows of the bot, as far as it stands in messages. The zero identity is nothing.
type identity struct {
	// commands are the bot's commands as Discord shows them where they are named, by their names in all languages.
	commands map[string]string
	// invite is the address where anybody adds the bot to a server; empty as long as it isn't known that they can.
	invite string
	// chat is the address from where anybody writes to it; empty as long as its ID isn't known.
	chat string
}
