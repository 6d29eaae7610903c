package telegram

import (
	"time"

	"zevaka/bot/chat"
)

// incoming is a request to the bot, with what an answer needs.
type incoming struct {
	chat.Request
	// query is the ID of the press to answer, empty for a command; at is when it was made.
	query string
	at    time.Time
	// message is the message of the command, for a reply. Ephemeral is the message that was pressed, if it is an ephemeral one.
	message, ephemeral int64
	// private says that it was asked in the private chat with the bot, wherever the table is.
	private bool
}
