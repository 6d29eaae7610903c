package telegram

import (
	"time"

	"zevaka/bot/chat"
)

// incoming is what the bot is asked, and where the one who asks can be answered.
type incoming struct {
	chat.Request
	// query is the press to answer; empty for a command. It was made at the time at.
	query string
	at    time.Time
	// message is the command's, to reply to; ephemeral the one that was pressed, if only the one who pressed sees it.
	message, ephemeral int64
	// private says that the press was made in the private chat with the bot, wherever the table is.
	private bool
}
